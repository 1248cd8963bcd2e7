import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Time is counted in looks at the clock: a budget of so many stands for a time, so that no test
/// depends on one.
@Suite("Everything that a search runs ends with its budget")
struct TimeTests {
    private static func budget(_ checks: Int) -> SearchBudget {
        var budget = SearchBudget.unlimited
        budget.checks = checks
        return budget
    }

    /// How many looks at the clock something needs to be complete: found by doubling, since each
    /// run does the same.
    private static func needed(_ isComplete: (SearchBudget) throws -> Bool) rethrows -> Int {
        var checks = 1
        while try !isComplete(budget(checks)) {
            checks *= 2
            if checks > 1 << 24 { break }
        }
        return checks
    }

    private static func index(_ count: Int) throws -> PlainNoteIndex {
        let index = try PlainNoteIndex()
        index.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings, weight: note.weight,
                attributes: ["name": .string("value \(note.id)")])
        }
        try index.add(
            (0..<count).map {
                PlainNote("\($0)", "duck swan\($0) white whale", weight: Double($0 * 7 % 11))
            })
        try index.index.flush()
        return index
    }

    /// What is run of an index, and whether it was run to its end.
    private static var kinds: [(String, (PlainNoteIndex, SearchBudget) throws -> Bool)] {
        [
            (
                "sorted by attributes",
                {
                    try $0.index.search(
                        .term("duck"), ranking: .sorted(by: [.attribute("name")]), budget: $1
                    ).isComplete
                }
            ),
            (
                "by weight",
                { try $0.index.search(.term("duck"), ranking: .weight, budget: $1).isComplete }
            ),
            (
                "facets",
                {
                    try $0.index.search(
                        .term("duck"), limit: 0, facets: [.values(of: "name")], budget: $1
                    ).facets[0].isComplete
                }
            ),
            (
                "completions",
                {
                    var options = SuggestionOptions()
                    options.budget = $1
                    options.kinds = [.completions]
                    return try $0.index.suggestions(for: "sw", options: options).isComplete
                }
            ),
        ]
    }

    @Test(
        "What grows with the index looks at the clock more often in a larger one", arguments: 0..<4)
    func growing(kind: Int) throws {
        let (name, run) = Self.kinds[kind]
        let few = try Self.index(200)
        let many = try Self.index(6_400)
        let less = try Self.needed { try run(few, $0) }
        let more = try Self.needed { try run(many, $0) }
        #expect(more >= 2 * less, "\(name): \(less), \(more)")
        #expect(try !run(many, Self.budget(0)), "\(name)")
    }

    @Test(
        "Results that are cut short while they are sorted are in order, and some of all",
        arguments: testSeeds(4))
    func sorted(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let index = try Self.index(6_400)
        let snapshot = index.index.writer.snapshot
        var matches = QueryMatches()
        snapshot.forEachDocument {
            matches.documents.append($0)
            matches.scores.append(Double(generator.int(0...500)))
            return true
        }
        func ordered(_ clock: SearchClock) throws -> [Int] {
            try ColumnOrder([.relevance], snapshot, index.index.store, clock)
                .first(.max, of: matches)
        }
        let all = try ordered(SearchClock(.unlimited, longest: nil))
        let places = matches.documents.indices
        #expect(all == places.sorted { (matches.scores[$1], $0) < (matches.scores[$0], $1) })
        for checks in [0, 1, 2, 3, 5, 8, 20, 1000] {
            let clock = SearchClock(checks: checks)
            let some = try ordered(clock)
            #expect(Set(some).count == some.count)
            #expect(
                zip(some, some.dropFirst()).allSatisfy {
                    (matches.scores[$1], $0) < (matches.scores[$0], $1)
                },
                "seed \(seed), \(checks) checks")
            #expect(clock.isSpent || some.count == all.count)
        }
        // What is held of them is counted.
        let small = SearchClock(.unlimited, longest: nil, memory: 1 << 14)
        #expect(throws: TextIndexError.self) { _ = try ordered(small) }
    }

    @Test(
        "Texts are cut into pieces at white space, and no character is lost",
        arguments: testSeeds(4))
    func pieces(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "duck", "ß", "北京烤鸭", "e\u{301}", String(repeating: "x", count: 3000), " ", "\n",
        ]
        var text = ""
        while text.utf8.count < generator.int(1...4) * TextPieces.length {
            text += generator.element(words) + (generator.int(0...9) > 0 ? " " : "")
        }
        var joined = ""
        TextPieces.forEach(of: text, overlap: false) { piece in
            #expect(piece.utf8.count <= TextPieces.length + 64)
            joined += piece
            return true
        }
        #expect(Array(joined.utf8) == Array(text.utf8), "seed \(seed)")
        TextPieces.forEach(of: text, overlap: true) { piece in
            let range = text.range(of: piece, options: .literal)
            #expect(range != nil, "seed \(seed)")
            return true
        }
        var count = 0
        TextPieces.forEach(of: text, overlap: true) { _ in
            count += 1
            return false
        }
        #expect(count == 1)
    }

    @Test("Long texts are looked through in pieces, each with a look at the clock")
    func longTexts() throws {
        let text = Array(repeating: "white whale swims far away", count: 10_000).joined(
            separator: " ")
        let notes = try PlainNoteIndex([PlainNote("a", text), PlainNote("b", "white whale calf")])
        func similar(_ budget: SearchBudget) throws -> Bool {
            var options = SimilarityOptions()
            options.budget = budget
            return try notes.index.similarObjects(toText: text, options: options).isComplete
        }
        #expect(try Self.needed(similar) > text.utf8.count / TextPieces.length / 2)
        func phrases(_ budget: SearchBudget) throws -> Bool {
            var options = SuggestionOptions()
            options.budget = budget
            options.kinds = [.phrases]
            return try notes.index.suggestions(for: "white wh", options: options) { item in
                item.id == "a" ? [text] : ["white whale calf"]
            }.isComplete
        }
        #expect(try Self.needed(phrases) > text.utf8.count / TextPieces.length / 2)
    }

    @Test("An object of many words is tested against stored queries within its budget")
    func percolation() throws {
        let notes = try PlainNoteIndex()
        let stored = notes.index.makeStoredQueries(named: String.self)
        try stored.add(.term("duck"), as: "duck")
        func matches(_ words: Int, _ budget: SearchBudget) throws -> [String]? {
            let text = "duck " + (0..<words).map { "word\($0)" }.joined(separator: " ")
            return try stored.matches(
                IndexedObject(strings: [text]), identifier: Data("a".utf8), budget: budget)
        }
        let less = try Self.needed { try matches(10, $0) == ["duck"] }
        let more = try Self.needed { try matches(20_000, $0) == ["duck"] }
        #expect(more >= 4 * less, "\(less), \(more)")
        #expect(try matches(20_000, Self.budget(1)) == nil)
    }
}
