import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Most searches here find no object that has all words.
@Suite("Any of the words of a text over several indexes, against one index of all objects")
struct FederatedAnyTests {
    private struct Item: Sendable {
        var id: String
        var text: String
        var color: String
    }

    private static let words = [
        "duck", "goose", "whale", "otter", "heron", "egret", "adder", "tapir", "lemur", "q",
    ]

    /// Some shards, and one index with the objects of all in their order.
    private struct Bench {
        var random: SeededGenerator
        let shards: [TextIndex<Item>]
        let whole: TextIndex<Item>

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            var configuration = TextIndexConfiguration()
            configuration.fields = ["text"]
            configuration.attributes = ["color"]
            let made = try (0...random.element([1, 2, 5, 16, 64])).map { _ in
                let index = try TextIndex<Item>(
                    at: temporaryDirectory("any"), configuration: configuration)
                index.identifier = { Data($0.id.utf8) }
                index.indexer = { item, _ in
                    IndexedObject(
                        strings: [item.text], attributes: ["color": .string(item.color)])
                }
                return index
            }
            whole = made[0]
            shards = Array(made.dropFirst())
        }

        func remove() {
            TextIndex.remove(shards + [whole])
        }

        /// Objects of one or two words: many are the same, so that their scores are.
        mutating func fill() async throws {
            let isFlushed = random.once(in: 2)
            var all: [Item] = []
            for (place, shard) in shards.enumerated() {
                var items = (0..<random.int(0...6)).map { number in
                    Item(
                        id: "\(place)/\(number)", text: words(1...2),
                        color: random.element(["red", "green"]))
                }
                if !items.isEmpty { try await shard.indexObjects(items) }
                if items.count > 1, random.once(in: 3) {
                    let gone = items.remove(at: random.int(0...(items.count - 1)))
                    _ = try await shard.removeIndex(for: gone).value()
                }
                if isFlushed || random.once(in: 2) { try await shard.flush() }
                all += items
            }
            if !all.isEmpty { try await whole.indexObjects(all) }
        }

        mutating func words(_ count: ClosedRange<Int>) -> String {
            (0..<random.int(count)).map { _ in random.element(FederatedAnyTests.words) }
                .joined(separator: " ")
        }

        /// One to five words, of which some are nowhere.
        mutating func text() -> String {
            if random.once(in: 5) { return words(1...1) }
            let text = words(2...4)
            return random.once(in: 4) ? text + " nowhere" : text
        }
    }

    private struct Hit: Equatable {
        var id: Data
        var score: Double
    }

    private static func hits(_ results: some Sequence<SearchResultItem<Item>>) -> [Hit] {
        results.map { Hit(id: $0.identifier, score: $0.score) }
    }

    @Test(
        "Here and in two phases: hits, scores, order, counts and remarks", arguments: testSeeds(12))
    func texts(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        var isFound: Set<Bool> = []
        for _ in 0..<25 { isFound.insert(try checkText(&bench, seed)) }
        if bench.whole.count > 0, bench.shards.count > 2 { #expect(isFound.contains(true)) }
    }

    /// Compares a search, and tells whether any of its words were enough.
    private func checkText(_ bench: inout Bench, _ seed: UInt64) throws -> Bool {
        let federated = try FederatedSearch(bench.shards)
        let text = bench.text()
        let limit = bench.random.element([1, 3, 10, 50])
        let offset = bench.random.element([0, 0, 2])
        let filter = bench.random.element([nil, nil, Query.attribute("color", .equal("red"))])
        let facets = bench.random.element([[], [Facet.values(of: "color")]])
        let note: Comment = "seed \(seed), \(bench.shards.count) shards, \(limit): \(text)"
        let expected = try bench.whole.search(
            text, limit: limit, offset: offset, filter: filter, facets: facets, steps: .exact)
        let found = try federated.search(
            text, limit: limit, offset: offset, filter: filter, facets: facets, steps: .exact)
        #expect(Self.hits(found.map(\.item)) == Self.hits(expected), note)
        #expect(found.map(\.item.rank) == expected.map(\.rank), note)
        #expect(found.totalCount == expected.totalCount, note)
        #expect(found.query == expected.query, note)
        #expect(Array(found.diagnostics) == Array(expected.diagnostics), note)
        #expect(
            found.facets.map { $0.buckets.map(\.count) }
                == expected.facets.map { $0.buckets.map(\.count) }, note)
        let next = try federated.search(after: found.cursor, limit: 4)
        let expectedNext = try bench.whole.search(after: expected.cursor, limit: 4)
        #expect(Self.hits(next.map(\.item)) == Self.hits(expectedNext), note)
        if offset == 0 { try checkPhases(bench, text, limit, filter, expected, note) }
        return expected.diagnostics.contains { $0.kind == .fellBackToAny }
    }

    @Test(
        "Quoted words, fields, exclusions and joined words, with all steps and with the first alone",
        arguments: testSeeds(12))
    func otherTexts(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        for _ in 0..<25 { try checkOtherText(&bench, seed) }
    }

    private func checkOtherText(_ bench: inout Bench, _ seed: UInt64) throws {
        let words = bench.words(2...4).split(separator: " ").map(String.init)
        let text = bench.random.element([
            words.map { "\"\($0)\"" }.joined(separator: " "),
            "text:" + words.joined(separator: " "),
            words.joined(separator: " ") + " -" + bench.words(1...1),
            words.joined(separator: " the "), words.joined(separator: "-"),
        ])
        let steps = bench.random.element([SearchSteps.exact, .all])
        let note: Comment = "seed \(seed), \(bench.shards.count) shards, \(steps): \(text)"
        let expected = try bench.whole.search(text, limit: 7, steps: steps)
        let found = try FederatedSearch(bench.shards).search(text, limit: 7, steps: steps)
        #expect(Self.hits(found.map(\.item)) == Self.hits(expected), note)
        #expect(found.totalCount == expected.totalCount, note)
        #expect(found.query == expected.query, note)
        #expect(Array(found.diagnostics) == Array(expected.diagnostics), note)
    }

    /// One round of statistics is enough without a filter.
    private func checkPhases(
        _ bench: Bench, _ text: String, _ limit: Int, _ filter: Query?,
        _ expected: SearchResults<Item>, _ note: Comment
    ) throws {
        func round(_ known: QueryStatistics?) throws -> QueryStatistics {
            try .sum(
                of: bench.shards.map {
                    try $0.statistics(
                        of: text, known: known, limit: limit, filter: filter, steps: .exact)
                })
        }
        var sum = try round(nil)
        #expect(sum.isComplete || filter != nil, note)
        for _ in 0..<5 where !sum.isComplete { sum = try round(sum) }
        let sent = try JSONDecoder().decode(
            QueryStatistics.self, from: JSONEncoder().encode(sum))
        let found = try bench.shards.map {
            try $0.search(text, statistics: sent, limit: limit, filter: filter, steps: .exact)
        }
        let all = found.flatMap { Self.hits($0) }.enumerated().sorted { a, b in
            let (first, second) = (a.element.score, b.element.score)
            return first == second ? a.offset < b.offset : first > second
        }
        #expect(all.prefix(limit).map(\.element) == Self.hits(expected), note)
        #expect(
            found.reduce(0) { $0 + $1.totalCount.value } == expected.totalCount.value, note)
        let fellBack = expected.diagnostics.contains { $0.kind == .fellBackToAny }
        #expect(
            found.allSatisfy {
                $0.diagnostics.contains { $0.kind == .fellBackToAny } == fellBack
            }, note)
    }

    @Test("Scores that are too low in other indexes are left out, and equal ones are not")
    func floor() async throws {
        let floor = ScoreFloor()
        #expect(floor.score == -.infinity)
        for (score, expected) in [(-2.5, -2.5), (-3, -2.5), (1.5, 1.5), (0, 1.5), (7, 7)] {
            floor.raise(to: score)
            #expect(floor.score == expected)
        }
        for seed in testSeeds(6) {
            var bench = try Bench(seed: seed)
            defer { bench.remove() }
            try await bench.fill()
            try await bench.whole.flush()
            let snapshot = bench.whole.writer.snapshot
            func best(_ floor: ScoreFloor?) throws -> TopMatches {
                var evaluator = bench.whole.evaluator(snapshot, .relevance)
                evaluator.floor = floor
                let words = try #require(PlannedWords(.term("duck"), snapshot.analyzer))
                return try #require(
                    try evaluator.best(of: words, count: 3, countLimit: 0, factors: .none))
            }
            let expected = try best(nil)
            for entry in expected.entries {
                let floor = ScoreFloor()
                floor.raise(to: entry.score)
                let found = try best(floor)
                #expect(found.count == expected.count)
                #expect(
                    found.entries.map(\.document)
                        == expected.entries.filter { $0.score >= entry.score }.map(\.document))
                #expect(floor.score == entry.score)
            }
            // Once there are enough, others need no lower ones.
            let raised = ScoreFloor()
            _ = try best(raised)
            let isFull = expected.entries.count == 3
            #expect(raised.score == (isFull ? expected.entries[2].score : -.infinity))
        }
    }

    @Test("Frequencies of words are those of each index, looked up for the first time or again")
    func frequencies() async throws {
        for seed in testSeeds(6) {
            var bench = try Bench(seed: seed)
            defer { bench.remove() }
            try await bench.fill()
            for shard in bench.shards { try await shard.flush() }
            let snapshots = bench.shards.map { $0.writer.snapshot }
            let clocks = snapshots.map { _ in SearchClock(checks: .max) }
            let analyzer = snapshots[0].analyzer
            let query = Query.all(of: ["duck", "goose", "nowhere"].map { .term($0) })
            let words = try #require(PlannedWords(query, analyzer))
            let one = try #require(PlannedWords(.term("goose"), analyzer))
            let other = try #require(PlannedWords(.term("heron"), analyzer))
            func read(_ snapshot: Snapshot) throws -> [Int] {
                try words.words.map {
                    try #require(
                        try TermPostings.frequency(
                            of: $0, in: snapshot, SearchClock(checks: .max)))
                }
            }
            // Some are looked up for the first time, and some are kept.
            if seed % 2 == 0, let first = snapshots.first { _ = try read(first) }
            let isFirstParallel = seed % 4 < 2
            for isParallel in [isFirstParallel, !isFirstParallel, true] {
                let found = try #require(
                    try WordFrequencies(words, in: snapshots, clocks, isParallel: isParallel))
                let expected = try snapshots.map(read)
                #expect(snapshots.indices.map { Array(found[$0]) } == expected, "seed \(seed)")
                let narrowed = try #require(found.narrowed(to: one))
                #expect(
                    snapshots.indices.map { Array(narrowed[$0]) } == expected.map { [$0[1]] })
                #expect(narrowed.sums == [expected.reduce(0) { $0 + $1[1] }])
                #expect(found.narrowed(to: other) == nil && !found.areAllKnown)
                #expect(found.sources.isEmpty)
            }
        }
    }
}
