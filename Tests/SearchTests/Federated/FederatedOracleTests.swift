import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Several indexes against one with the objects of all")
struct FederatedOracleTests {
    /// Ranks by a score of its own.
    private final class ScoredIndex: TextIndex<TestObject>, @unchecked Sendable {
        override func score(of match: Match) -> Double { match.weight - match.relevance }
    }

    /// Some indexes, what they hold in the order of indexing, and one index for all.
    private struct Bench {
        var random: PlainQueryRandom
        let seed: UInt64
        let parts: [TextIndex<TestObject>]
        let whole: TextIndex<TestObject>
        let search: FederatedSearch<TestObject>
        private var objects: [[TestObject]]

        init(seed: UInt64) throws {
            self.seed = seed
            random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
            var configuration = TextIndexConfiguration()
            configuration.minimalTokenLength = random.generator.int(1...3)
            configuration.discardDuplicateTokens = random.generator.once(in: 4)
            configuration.indexesStopWords = false
            configuration.stopWords = .words(
                random.generator.once(in: 2) ? ["a", "e", "ab", "ss"] : [])
            configuration.fields = PlainCorpus.fields
            let isScored = random.generator.once(in: 3)
            let made = try (0...random.generator.int(1...4)).map { _ in
                let place = temporaryDirectory("federated")
                let index =
                    isScored
                    ? try ScoredIndex(at: place, configuration: configuration)
                    : try TextIndex<TestObject>(at: place, configuration: configuration)
                index.identifier = { $0.identifier }
                index.indexer = { object, _ in object.indexed }
                return index
            }
            whole = made[0]
            parts = Array(made.dropFirst())
            search = try FederatedSearch(parts)
            objects = parts.map { _ in [] }
        }

        func remove() {
            TextIndex.remove(parts + [whole])
        }

        mutating func change() async throws {
            for place in parts.indices where !random.generator.once(in: 4) {
                for _ in 0..<random.generator.int(0...9) {
                    var object = random.object()
                    random.corpus += object.strings.flatMap(\.words)
                    object.id += place * 100
                    objects[place].removeAll { $0.id == object.id }
                    objects[place].append(object)
                    _ = try await parts[place].indexObject(object).value()
                }
                let gone = random.generator.int(0...29) + place * 100
                objects[place].removeAll { $0.id == gone }
                let object = TestObject(id: gone, strings: [], weight: 0)
                _ = try await parts[place].removeIndex(for: object).value()
                if random.generator.once(in: 3) { try await parts[place].flush() }
                if random.generator.once(in: 6) { try await parts[place].optimize() }
            }
            try await whole.removeAll()
            try await whole.indexObjects(objects.flatMap { $0 })
        }
    }

    @Test(
        "A federated search has the results, scores, order and counts of one index",
        arguments: testSeeds(8))
    func randomObjects(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        for _ in 0..<5 {
            try await bench.change()
            for _ in 0..<25 {
                try checkQuery(&bench)
                try checkText(&bench)
            }
        }
    }

    private func checkQuery(_ bench: inout Bench) throws {
        let query = bench.random.query(depth: 3).query
        let ranking = ranking(&bench.random).using(bench.random.parameters())
        let least = bench.random.generator.element([-.infinity, -.infinity, 0.5])
        let limit = bench.random.generator.element([0, 1, 5, .max])
        let offset = bench.random.generator.element([0, 0, 3])
        let expected = try bench.whole.search(
            query, limit: limit, offset: offset, ranking: ranking, minimumScore: least)
        let found = try bench.search.search(
            query, limit: limit, offset: offset, ranking: ranking, minimumScore: least)
        check(found, expected, bench, "\(query), \(ranking)")
    }

    private func checkText(_ bench: inout Bench) throws {
        let words = bench.random.words(0...3).map(\.source)
        let text = words.joined(separator: bench.random.generator.element([" ", " -", " OR "]))
        let ranking = ranking(&bench.random)
        let expected = try bench.whole.search(text, limit: 10, ranking: ranking)
        let found = try bench.search.search(text, limit: 10, ranking: ranking)
        check(found, expected, bench, text)
        #expect(found.query == expected.query, "seed \(bench.seed): \(text)")
        let kinds = Set(found.diagnostics.map(\.kind)).subtracting([.unknownWord, .noMatch])
        let wanted = Set(expected.diagnostics.map(\.kind)).subtracting([.unknownWord, .noMatch])
        #expect(
            kinds.contains(.fellBackToAny) == wanted.contains(.fellBackToAny),
            "seed \(bench.seed): \(text)")
    }

    private func ranking(_ random: inout PlainQueryRandom) -> Ranking {
        random.generator.element([
            .relevance, .relevance, .weight, .combined,
            .sorted(by: [.attribute("x", .descending), .weight]),
            .sorted(by: [.attribute("y"), .relevance]),
            .custom { $0.relevance * 2 - $0.weight },
        ])
    }

    private func check(
        _ found: FederatedResults<TestObject>, _ expected: SearchResults<TestObject>,
        _ bench: Bench, _ text: String
    ) {
        let note: Comment = "seed \(bench.seed), \(bench.parts.count) indexes: \(text)"
        #expect(found.map(\.item.identifier) == expected.map(\.identifier), note)
        // The same operations in the same order.
        #expect(found.map(\.item.score) == expected.map(\.score), note)
        #expect(found.map(\.item.rank) == expected.map(\.rank), note)
        #expect(found.map(\.source) == expected.map { $0.number / 100 }, note)
        #expect(found.totalCount == expected.totalCount && found.isComplete, note)
        // Where the words stand is known of each.
        #expect(
            found.map { $0.item.resultTokens.count } == expected.map(\.resultTokens.count), note)
    }

    @Test("Indexes with other fields or settings, or closed ones, are refused")
    func refused() throws {
        let indexes = try (0..<3).map { number in
            var configuration = TextIndexConfiguration()
            configuration.fields = number == 1 ? ["title"] : []
            configuration.indexesStopWords = false
            configuration.stopWords = number == 2 ? .none : .english
            return try TextIndex<String>(
                at: temporaryDirectory("refused"), configuration: configuration)
        }
        defer {
            for index in indexes {
                try? index.closeVerified()
                try? FileManager.default.removeItem(at: index.directory)
            }
        }
        #expect(throws: TextIndexError.self) { _ = try FederatedSearch<String>([]) }
        for other in indexes.dropFirst() {
            #expect {
                _ = try FederatedSearch([indexes[0], other])
            } throws: {
                ($0 as? TextIndexError)?.code == .configurationMismatch
            }
        }
        let search = try FederatedSearch([indexes[0]])
        #expect(try search.search("duck").hits.isEmpty)
        let cancelled = SearchCancellation()
        cancelled.cancel()
        #expect(try search.search("duck", budget: .cancelled(by: cancelled)).hits.isEmpty)
        var deep = Query.term("duck")
        for _ in 0..<500 { deep = .filter(deep) }
        #expect(throws: TextIndexError.self) { _ = try search.search(deep) }
        try indexes[0].close()
        #expect(throws: TextIndexError.self) { _ = try search.search("duck") }
    }
}
