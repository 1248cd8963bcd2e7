import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Searches that are cut short")
struct SearchBudgetTests {
    private static let words = [
        "duck", "goose", "swan", "heron", "crane", "stork", "teal", "eider",
    ]

    private func index(_ generator: inout SeededGenerator) throws -> PlainNoteIndex {
        let limit = generator.element([0, 64])
        let index = try PlainNoteIndex {
            $0.fields = ["title", "body"]
            $0.inlinePostingsLimit = limit
        }
        for round in 0..<3 {
            try index.add(
                (0..<120).map { id in
                    let strings = (0..<2).map { _ in
                        (0..<generator.int(0...8)).map { _ in
                            generator.element(Self.words) + ["", "s", "ling"][generator.int(0...2)]
                        }.joined(separator: " ")
                    }
                    return PlainNote(
                        "\(round * 90 + id)", strings[0], strings[1], weight: Double(id % 3))
                })
            if round < 2 { try index.index.flush() }
        }
        return index
    }

    private func query(_ generator: inout SeededGenerator, depth: Int = 2) -> Query {
        let word = generator.element(Self.words)
        guard depth > 0 else {
            switch generator.int(0...6) {
            case 0: return .prefix(String(word.prefix(2)))
            case 1: return .infix(String(word.dropFirst().prefix(2)))
            case 2: return .phrase("\(word) \(generator.element(Self.words))")
            case 3: return .fuzzy(word, distance: 1)
            case 4: return .weight(1...2)
            default: return .term(word)
            }
        }
        let parts = (0..<generator.int(1...3)).map { _ in self.query(&generator, depth: depth - 1) }
        switch generator.int(0...4) {
        case 0: return .all(of: parts)
        case 1: return .all(of: [query(&generator, depth: depth - 1), .none(of: parts)])
        case 2: return .near(parts, within: 3)
        case 3: return .field("body", .any(of: parts))
        default: return .any(of: parts)
        }
    }

    @Test(
        "What is found before the end is right, and whole when nothing was cut",
        arguments: testSeeds(6))
    func subset(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try index(&generator)
        var cut = 0
        for _ in 0..<25 {
            let query = query(&generator)
            let ranking = generator.element([Ranking.relevance, .weight, .custom { $0.weight }])
            let all = try notes.index.search(query, limit: .max, ranking: ranking)
            let known = Set(all.map(\.identifier))
            for checks in [0, 1, 2, 3, 5, 8, 13, 40, 100_000] {
                for limit in [5, .max] {
                    let clock = SearchClock(checks: checks)
                    let some = try notes.index.search(
                        SearchRequest(query: query, ranking: ranking, limit: limit), clock)
                    let areKnown = some.allSatisfy { known.contains($0.identifier) }
                    #expect(areKnown, "seed \(seed): \(query), \(checks) checks")
                    #expect(some.isComplete == !clock.isSpent)
                    #expect(some.totalCount.value <= all.totalCount.value)
                    if some.isComplete {
                        #expect(
                            some.map(\.identifier) == all.prefix(limit).map(\.identifier),
                            "seed \(seed): \(query), \(checks) checks")
                    } else {
                        cut += 1
                        #expect(!some.totalCount.isExact)
                    }
                }
            }
        }
        #expect(cut > 100)
    }

    @Test("A cancellation and a time end a search; nothing of it is left for the next")
    func ends() throws {
        var generator = SeededGenerator(seed: 7)
        let notes = try index(&generator)
        let cancellation = SearchCancellation()
        let query = Query.infix("o")
        let before = try notes.index.search(query, budget: .cancelled(by: cancellation))
        #expect(before.isComplete && !before.isEmpty)
        cancellation.cancel()
        let after = try notes.index.search(query, budget: .cancelled(by: cancellation))
        #expect(!after.isComplete && after.isEmpty && !after.totalCount.isExact)
        let late = try notes.index.search(query, budget: .time(.zero))
        #expect(!late.isComplete && late.isEmpty)
        // A word that was not looked for is not reported as unknown.
        #expect(try notes.index.search("duck", budget: .time(.zero)).diagnostics.isEmpty)
        #expect(try notes.index.search(query).isComplete)
        let page = try notes.index.search(after: before.cursor, budget: .time(.zero))
        #expect(!page.isComplete)
    }

    @Test("The configuration bounds the time of all searches")
    func timeout() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) { $0.searchTimeout = .zero }
        #expect(try !notes.index.search("duck").isComplete)
        #expect(try notes.index.explain(missing: Data("0".utf8), for: "duck").reason == .found)
    }

    @Test("A cancelled task throws")
    func task() async throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await notes.index.search("duck")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await notes.index.search("duck", budget: .time(.seconds(60))).isComplete)
    }
}

@Suite("All results, one after the other")
struct AllResultsTests {
    @Test("All results are those of one page, in every form", arguments: [false, true])
    func forms(isCustom: Bool) async throws {
        let notes = try PlainNoteIndex(
            (0..<700).map {
                PlainNote("\($0)", "duck \($0 % 7 == 0 ? "duck" : "goose")", weight: Double($0 % 5))
            })
        let ranking: Ranking = isCustom ? .custom { $0.relevance + $0.weight } : .combined
        let page = try await notes.index.search(.prefix("du"), limit: .max, ranking: ranking)
        let expected = page.map(\.id)
        let all = try await notes.index.results(for: .prefix("du"), ranking: ranking)
        #expect(all.count == 700 && all.isComplete)
        #expect(all.map(\.id) == expected)
        #expect(all.map(\.rank) == Array(0..<700))
        #expect(all.error == nil)
        // Of the state in which they began.
        try await notes.index.removeAll()
        var found: [String] = []
        for try await item in all { found.append(item.id) }
        #expect(found == expected)
        #expect(try all.items(690..<800).map(\.id) == Array(expected[690...]))
        #expect(try all.items(800..<900).isEmpty)
        try notes.index.closeVerified()
        #expect(Array(all.prefix(3)).isEmpty == !isCustom || all.error != nil)
        #expect((all.error as? TextIndexError)?.code == .closed)
    }

    @Test("Awaited forms give what those that block their thread give")
    func awaited() async throws {
        let notes = try PlainNoteIndex(
            (0..<90).map { PlainNote("\($0)", "duck \($0 % 7 == 0 ? "swan river" : "goose")") })
        let index = notes.index
        let query = Query.any(of: [.term("duck"), .term("swan")])
        let plain = try Self.blocking(index, query)
        #expect(try await Array(index.identifiers(for: query)) == plain.identifiers)
        #expect(try await index.results(for: query).map(\.id) == plain.ids)
        #expect(try await index.results(for: "duck swan").map(\.id) == plain.textIds)
        let seen = Mutex<[String]>([])
        try await index.enumerateResults(for: query) { item, _, _, _ in
            seen.withLock { $0.append(item.id) }
        }
        #expect(seen.withLock { $0 } == plain.ids)
        let item = try #require(try await index.search(query, limit: 1).items.first)
        #expect(try await index.explain(item)?.description == plain.explanation)
        let terms = try await index.terms(prefix: "")
        #expect(terms.map(\.text) == ["duck", "goose", "river", "swan"])
        let significant = plain.significant
        #expect(try await index.similarObjects(having: significant).map(\.id) == plain.similar)
    }

    private struct Plain {
        var identifiers: [Data]
        var ids: [String]
        var textIds: [String]
        var explanation: String?
        var significant: [SignificantTerm]
        var similar: [String]
    }

    private static func blocking(_ index: TextIndex<PlainNote>, _ query: Query) throws -> Plain {
        let significant = try index.significantTerms(ofText: "swan river")
        return Plain(
            identifiers: Array(try index.identifiers(for: query)),
            ids: try index.results(for: query).map(\.id),
            textIds: try index.results(for: "duck swan").map(\.id),
            explanation: try index.search(query, limit: 1).items.first?.explain()?.description,
            significant: significant,
            similar: try index.similarObjects(having: significant).map(\.id))
    }

    @Test("Query text falls back as a search does, and words are reported")
    func text() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "peking duck"), PlainNote("1", "goose")])
        let all = try notes.index.results(for: "peking goose")
        #expect(all.map(\.id).sorted() == ["0", "1"])
        #expect(all.diagnostics.contains { $0.kind == .fellBackToAny })
    }

    @Test("Ranks are those of the whole, and nothing writes to items that are given out already")
    func ranks() throws {
        let notes = try PlainNoteIndex(
            (0..<40).map { PlainNote("\($0)", "duck", weight: Double($0)) })
        for ranking in [Ranking.relevance, .weight, .sorted(by: [.weight]), .custom { $0.weight }] {
            let all = try notes.index.results(for: .term("duck"), ranking: ranking)
            #expect(try all.items(10..<99).map(\.rank) == Array(10..<40))
            #expect(Array(all).map(\.rank) == Array(0..<40))
            let item = try #require(try all.items(0..<1).first)
            // What is written again would be seen, as a race with whoever reads it.
            item.rank = -1
            _ = try all.items(0..<1)
            _ = Array(all)
            #expect(item.rank == -1)
        }
    }

    @Test(
        "An enumeration gives all results in every way",
        arguments: [EnumerationOptions(), .reverse, .concurrent, [.reverse, .concurrent]])
    func enumeration(options: EnumerationOptions) throws {
        let notes = try PlainNoteIndex(
            (0..<1100).map { PlainNote("\($0)", "duck", weight: Double($0 % 3)) })
        var expected = try notes.index.search(.term("duck"), limit: .max, ranking: .weight).map(
            \.id)
        if options.contains(.reverse) { expected.reverse() }
        let found = Mutex<[Int: String]>([:])
        try notes.index.enumerateResults(for: .term("duck"), ranking: .weight, options: options) {
            item, rank, count, _ in
            #expect(count == 1100 && item.rank == rank)
            found.withLock { #expect($0.updateValue(item.id, forKey: rank) == nil) }
        }
        #expect(found.withLock { all in (0..<1100).map { all[$0] } } == expected)
        let seen = Mutex<[Int]>([])
        try notes.index.enumerateResults(for: .everything, options: options) { _, rank, _, stop in
            let count = seen.withLock { ranks in
                ranks.append(rank)
                return ranks.count
            }
            if count == 5 { stop() }
        }
        #expect(seen.withLock { $0.count } < 1100)
    }
}
