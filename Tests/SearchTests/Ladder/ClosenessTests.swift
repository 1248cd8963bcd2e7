import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words close together rank higher")
struct ClosenessTests {
    private static func index(_ titles: [String]) throws -> PlainNoteIndex {
        try PlainNoteIndex(titles.enumerated().map { PlainNote("\($0)", $1) }) { _ in }
    }

    private static func first(_ text: String, of titles: [String]) throws -> String? {
        let notes = try index(titles)
        let found = try notes.index.search(text).map(\.id)
        return found.first.flatMap { Int($0) }.map { titles[$0] }
    }

    @Test(
        "A title that is the text as a whole comes first",
        arguments: [
            ("alien", ["Alien Alien", "Alien vs. Alien", "Alien", "Alien Resurrection"]),
            ("the matrix", ["Matrix algebra", "The matrix of the matrix", "Matrix", "The Matrix"]),
            ("her", ["For Her", "Her and her", "Her"]), ("up", ["Up in the Air", "Up, up", "Up"]),
            ("gone with the wind", ["The Wind", "Gone with the Wind", "Wind, gone with the wind"]),
        ])
    func wholeTitles(_ text: String, _ titles: [String]) throws {
        #expect(try Self.first(text, of: titles)?.lowercased() == text)
    }

    @Test("Words side by side in their order come before the same words apart")
    func phrases() throws {
        let promotes = """
            He was led by an invisible hand to promote an end which was no part of his intention
            """
        #expect(
            try Self.first("invisible hand", of: ["The invisible man gave a hand", promotes])
                == promotes)
        let flights = ["flights from London to Paris", "flights to London from Paris"]
        for (text, flight) in [
            ("flights to london", flights[1]), ("flights from london", flights[0]),
            ("flights from london to paris", flights[0]), ("from paris", flights[1]),
        ] {
            for order in [flights, flights.reversed()] {
                #expect(try Self.first(text, of: order) == flight, "\(text)")
            }
        }
    }

    @Test("Without further steps, and for a typed query, closeness makes no difference")
    func exactOnly() throws {
        let notes = try Self.index(["white whale", "whale white"])
        let index = notes.index
        for ranking in [Ranking.relevance, .combined] {
            let scores = try index.search("white whale", ranking: ranking, steps: .exact)
                .map(\.score)
            #expect(Set(scores).count == 1)
        }
        let typed = try index.search(.all(of: [.term("white"), .term("whale")])).map(\.score)
        #expect(Set(typed).count == 1)
        #expect(try index.search("white whale").map(\.id) == ["0", "1"])
    }

    @Test("A search without the time for closeness says that it is not complete")
    func noTime() throws {
        let apart = (0..<2_000).map { "white \($0) whale white whale\($0)" }
        let notes = try Self.index(apart + ["The white whale of them all"])
        let index = notes.index
        let best = try index.search("white whale", limit: 3).map(\.id)
        #expect(best.first == "2000")
        var incomplete = 0
        for checks in 0..<200 {
            var budget = SearchBudget.unlimited
            budget.checks = checks
            let found = try index.search("white whale", limit: 3, budget: budget)
            if found.isComplete { #expect(found.map(\.id) == best, "\(checks) checks") }
            if !found.isComplete { incomplete += 1 }
        }
        #expect((1..<200).contains(incomplete))
    }

    // MARK: A model

    private static let vocabulary = ["a", "b", "c", "the", "of"]

    /// What a relevance is multiplied by, read off the words.
    private static func factor(_ query: [String], _ strings: [[String]]) -> Double {
        if strings.contains(query) { return Closeness.ofWhole }
        guard query.count > 1 else { return 1 }
        let isPhrase = strings.contains { string in
            string.indices.contains { string[$0...].starts(with: query) }
        }
        return isPhrase ? Closeness.ofPhrase : 1
    }

    @Test("Scores are those of the words, times what closeness adds", arguments: testSeeds(12))
    func scores(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex {
            $0.fields = ["title", "body"]
            $0.minimalTokenLength = 1
        }
        var objects: [[[String]]] = []
        for stage in [Stage.memory, .flushed, .memory, .optimized] {
            for _ in 0..<random.int(3...14) {
                let strings = [random.int(1...3), random.int(0...6)].map { count in
                    (0..<count).map { _ in random.element(Self.vocabulary) }
                }
                let texts = strings.map { $0.joined(separator: " ") }
                try notes.add([PlainNote("\(objects.count)", texts[0], texts[1])])
                objects.append(strings)
            }
            try notes.enter(stage)
            for _ in 0..<25 { try check(&random, objects, notes.index, seed) }
        }
    }

    private func check(
        _ random: inout SeededGenerator, _ objects: [[[String]]], _ index: TextIndex<PlainNote>,
        _ seed: UInt64
    ) throws {
        let query = (0..<random.int(1...4)).map { _ in random.element(Self.vocabulary) }
        let text = query.joined(separator: " ")
        let field = random.once(in: 4) ? random.int(0...1) : nil
        let fields = field.map { [["title", "body"][$0]] } ?? []
        let note: Comment = "seed \(seed), \"\(text)\", \(fields)"
        let plain = try index.search(text, limit: 100, fields: fields, steps: .exact)
        // Where no object has all words, any of them were enough.
        guard plain.diagnostics.isEmpty else { return }
        var wanted: [String: Double] = [:]
        for item in plain {
            let strings = try #require(objects[safe: Int(item.id) ?? -1])
            wanted[item.id] =
                item.score * Self.factor(query, field.map { [strings[$0]] } ?? strings)
        }
        let limit = random.int(1...12)
        let found = try index.search(
            text, limit: limit, fields: fields, steps: [.exact, .unfinished])
        let exact = found.filter { $0.matchedBy == .exact }
        #expect(exact.count == min(limit, wanted.count), note)
        for item in exact {
            #expect(item.score == wanted[item.id], note)
            #expect(try item.explain()?.evaluated() == item.score, note)
        }
        let best = wanted.values.sorted(by: >).prefix(limit)
        #expect(exact.map(\.score) == Array(best), note)
        let both = try FederatedSearch([index]).search(
            text, limit: limit, fields: fields, steps: [.exact, .unfinished])
        #expect(both.hits.map(\.item.score) == found.map(\.score), note)
    }
}

extension Array {
    fileprivate subscript(safe place: Int) -> Element? {
        indices.contains(place) ? self[place] : nil
    }
}
