import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Steps by relevance with weight")
struct WeighedStepTests {
    private final class Doubling: TextIndex<PlainNote>, @unchecked Sendable {
        override func score(of match: Match) -> Double { match.relevance * match.weight * 2 }
    }

    @Test("A score of the application's own is that of one step, with the plain relevance")
    func override() throws {
        let directory = temporaryDirectory("doubling")
        let index = try Doubling(at: directory)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: directory)
        }
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in IndexedObject(strings: note.strings, weight: note.weight) }
        for note in [PlainNote("1", "a shoe", weight: 3), PlainNote("2", "shoes", weight: 5)] {
            index.indexObject(note).waitUntilFinished()
        }
        let plain = try index.search("shoe", ranking: .relevance)
        #expect(Set(plain.map(\.id)) == ["1", "2"])
        let found = try index.search("shoe", ranking: .combined)
        #expect(found.map(\.id) == ["1"])
        #expect(found.map(\.relevance) == plain.filter { $0.id == "1" }.map(\.relevance))
        #expect(found.map(\.score) == found.map { $0.relevance * 6 })
    }

    private static let vocabulary = [
        "whale", "whales", "white", "hunt", "hunter", "sea", "season", "table", "tables", "round",
    ]

    private static func text(
        _ count: ClosedRange<Int>, _ random: inout SeededGenerator
    ) -> String {
        (0..<random.int(count)).map { _ in random.element(vocabulary) }.joined(separator: " ")
    }

    private static func index() throws -> PlainNoteIndex {
        let notes = try PlainNoteIndex { $0.fields = ["title", "body"] }
        notes.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings, weight: note.weight,
                attributes: ["kind": .string(String(note.id.suffix(1)))])
        }
        return notes
    }

    /// Relevances within the steps, of results by relevance.
    private static func relevances(
        _ results: SearchResults<PlainNote>
    ) -> [String: (tier: Int, relevance: Double)] {
        var found: [String: (tier: Int, relevance: Double)] = [:]
        var limit: Double?
        var least = Double.infinity
        var tier = 0
        var steps: SearchSteps?
        for item in results {
            if steps != nil, steps != item.matchedBy {
                limit = least
                tier += 1
            }
            steps = item.matchedBy
            least = item.score
            let twice = limit.map { 2 * item.score / $0 - 1 }
            found[item.id] = (tier, twice.map { $0 / (1 - $0) } ?? item.score)
        }
        return found
    }

    @Test("Steps come first, then relevance times weight", arguments: testSeeds(12))
    func combined(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let notes = try Self.index()
        let halves = [try Self.index(), try Self.index()]
        for number in 0..<random.int(5...18) {
            let note = PlainNote(
                "\(number)", Self.text(1...3, &random), Self.text(0...6, &random),
                weight: Double(random.int(1...9)))
            for index in [notes, halves[number % 2]] { try index.add([note]) }
            if random.once(in: 5) { try notes.enter(.flushed) }
        }
        // Steps that find something by one query each.
        let steps: SearchSteps = [.exact, .variants, .unfinished, .typos]
        for _ in 0..<40 {
            let text = Self.text(1...3, &random)
            let note: Comment = "seed \(seed), \"\(text)\""
            let plain = try notes.index.search(text, steps: steps)
            let found = try notes.index.search(text, ranking: .combined, steps: steps)
            #expect(found.map(\.matchedBy) == plain.map(\.matchedBy), note)
            #expect(found.totalCount == plain.totalCount, note)
            #expect(found.steps == plain.steps, note)
            let wanted = Self.relevances(plain)
            let scores = try found.map { item in
                let place = try #require(wanted[item.id], note)
                return (tier: place.tier, score: place.relevance * item.weight)
            }
            for (a, b) in zip(scores, scores.dropFirst()) {
                #expect(a.tier < b.tier || a.score >= b.score * (1 - 1e-6), note)
            }
            for item in found { #expect(try item.explain()?.evaluated() == item.score, note) }
            let first = try notes.index.search(text, limit: 3, ranking: .combined, steps: steps)
            #expect(first.map(\.id) == found.map(\.id).prefix(3).map { $0 }, note)
            let rest = try notes.index.search(after: first.cursor)
            #expect(rest.map(\.id) == Array(found.map(\.id).dropFirst(3)), note)
            for indexes in [[notes], halves] {
                let both = try FederatedSearch(indexes.map(\.index)).search(
                    text, ranking: .combined, steps: steps)
                #expect(both.hits.map(\.item.score) == found.map(\.score), note)
            }
        }
    }

    @Test(
        "Equal weights of any size leave the order by relevance within every step",
        arguments: [0, -3, 1e-300, 1, 1.7e12, 1.7e18, 1e300] as [Double], [false, true])
    func extremes(_ weight: Double, beginsInfinite: Bool) throws {
        let notes = try PlainNoteIndex()
        let first = PlainNote("first", "shoe", weight: beginsInfinite ? .infinity : weight)
        try notes.add([first])
        try notes.add(
            (0..<24).map { number in
                let others = (0..<(number * 7 % 24)).map { "word\($0)" }
                return PlainNote(
                    "\(number)", (["shoes"] + others).joined(separator: " "), weight: weight)
            })
        for stage in [Stage.memory, .flushed] {
            try notes.enter(stage)
            let plain = try notes.index.search("shoe", limit: 30)
            let found = try notes.index.search("shoe", limit: 30, ranking: .combined)
            #expect(plain.count == 25)
            #expect(found.map(\.id) == plain.map(\.id), "weight \(weight)")
            #expect(Set(found.map(\.score)).count == Set(plain.map(\.score)).count)
            for item in found { #expect(try item.explain()?.evaluated() == item.score) }
        }
    }
}
