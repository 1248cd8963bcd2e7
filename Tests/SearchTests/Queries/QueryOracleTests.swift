import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Queries against plain strings")
struct QueryOracleTests {
    @Test(
        "Random queries find what plain objects say, in memory, flushed, mixed and merged",
        arguments: testSeeds(12)
    )
    func randomQueries(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for round in 0..<6 {
            try await bench.change()
            switch round {
            case 2, 4: try await bench.index.flush()
            case 5: try await bench.index.optimize()
            default: try bench.move()
            }
            for _ in 0..<40 {
                let query = bench.random.query(depth: 2)
                try compare(bench.index, query, bench.corpus.answer(query), seed)
            }
        }
    }

    @Test(
        "Random phrases and near words over few words find what plain objects say",
        arguments: testSeeds(12))
    func closeWords(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let vocabulary = ["ab", "se", "fi", "be"].map { word in
            TestWord(
                characters: word.map { TestCharacter(source: String($0), folded: String($0)) })
        }
        var corpus = PlainCorpus(model: ReferenceModel())
        if generator.once(in: 3) { corpus.model.stopWords = ["be"] }
        var configuration = TextIndexConfiguration()
        configuration.indexesStopWords = false
        configuration.stopWords = .words(corpus.model.stopWords.sorted())
        configuration.fields = PlainCorpus.fields
        let directory = temporaryDirectory("close")
        let index = try TextIndex<TestObject>(at: directory, configuration: configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
        let objects = (0..<40).map { id in
            let words = (0..<generator.int(1...9)).map { _ in generator.element(vocabulary) }
            let string = TestString(words: words, separators: words.map { _ in " " })
            return TestObject(id: id, strings: [string], weight: 0)
        }
        for object in objects { corpus.model.index(object) }
        try await index.indexObjects(objects)
        for _ in 0..<80 {
            let words = (0..<generator.int(2...4)).map { _ in generator.element(vocabulary) }
            let patterns = (0..<generator.int(2...4)).map { _ in
                generator.element(["*", "*b*", "*e", "?b", "b*", "se", "*i", "?e"])
            }
            let query: PlainQuery =
                switch generator.int(0...3) {
                case 0: .phrase(words, slop: 0)
                case 1: .phrase(words, slop: generator.int(1...4))
                case 2:
                    .near(
                        words, within: generator.int(0...4), ordered: generator.once(in: 2))
                default:
                    // Words whose places overlap.
                    .nearPatterns(
                        patterns, within: generator.int(0...2), ordered: generator.once(in: 2))
                }
            try compare(index, query, corpus.answer(query), seed)
        }
    }

    private func compare(
        _ index: TextIndex<TestObject>, _ query: PlainQuery, _ expected: Set<Int>, _ seed: UInt64
    ) throws {
        let results = try index.search(query.query, limit: .max)
        let found = results.compactMap { item in
            if case .int(let id) = item.context["id"] { Int(id) } else { nil }
        }
        #expect(found.sorted() == expected.sorted(), "seed \(seed): \(query)")
        #expect(results.totalCount.value == expected.count, "seed \(seed): \(query)")
        // A page is a part of the whole.
        let page = try index.search(query.query, limit: 3, offset: 2)
        #expect(
            page.map(\.identifier) == results.items.dropFirst(2).prefix(3).map(\.identifier),
            "seed \(seed): \(query)")
        #expect(page.map(\.rank) == Array(2..<(2 + page.count)), "seed \(seed): \(query)")
        try checkTokens(results)
    }

    /// Matches stand in text order, whole, inside their strings.
    private func checkTokens(_ results: SearchResults<TestObject>) throws {
        for item in results {
            let places = item.resultTokens.map { [$0.string, $0.wordIndex, $0.token] }
            #expect(
                zip(places, places.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
            #expect(item.resultTokens.allSatisfy { $0.length > 0 })
        }
    }
}
