import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Pages over so many objects that most need not be scored.
@Suite("The best of many objects are the first of all") struct ManyObjectsTests {
    @Test(arguments: testSeeds(2)) func pages(seed: UInt64) async throws {
        var random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
        let vocabulary = ["ab", "se", "fi", "be", "abba", "bee", "sea", "safe", "fab", "base"].map {
            TestWord(characters: $0.map { TestCharacter(source: String($0), folded: String($0)) })
        }
        random.corpus = vocabulary
        var configuration = TextIndexConfiguration()
        configuration.fields = PlainCorpus.fields
        let directory = temporaryDirectory("many")
        let index = try TextIndex<TestObject>(at: directory, configuration: configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
        for round in 0..<3 {
            let objects = (0..<1_200).map { _ in
                let strings = (0..<random.generator.int(1...2)).map { _ in
                    // Few words come often, most come seldom.
                    let words = (0..<random.generator.int(1...12)).map { _ in
                        vocabulary[min(random.generator.int(0...9), random.generator.int(0...9))]
                    }
                    return TestString(words: words, separators: words.map { _ in " " })
                }
                return TestObject(
                    id: random.generator.int(0...1_999), strings: strings,
                    weight: random.generator.element([0, 0, 1, 2.5]))
            }
            try await index.indexObjects(objects)
            if round > 0 { try await index.flush() }
            if round == 2, random.generator.once(in: 2) { try await index.optimize() }
            for _ in 0..<25 {
                let query = random.query(depth: 2).query
                let ranking = random.generator.element([
                    Ranking.relevance(random.parameters()), .relevance, .weight, .combined,
                ])
                let all = try await index.search(query, limit: .max, ranking: ranking)
                let least = all.items.isEmpty ? 0 : random.generator.element(all.items).score
                for (limit, offset) in [(1, 0), (10, 0), (7, 20), (100, 3)] {
                    let note: Comment =
                        "seed \(seed): \(query), \(ranking), \(limit) from \(offset)"
                    let page = try await index.search(
                        query, limit: limit, offset: offset, ranking: ranking)
                    let wanted = all.items.dropFirst(offset).prefix(limit)
                    #expect(page.map(\.number) == wanted.map(\.number), note)
                    #expect(page.map(\.score) == wanted.map(\.score), note)
                    #expect(page.totalCount.value <= all.count, note)
                    #expect(!page.totalCount.isExact || page.totalCount.value == all.count, note)
                    let above = try await index.search(
                        query, limit: limit, ranking: ranking, minimumScore: least)
                    #expect(
                        above.map(\.number)
                            == all.items.prefix(limit).filter { $0.score >= least }.map(\.number),
                        note)
                }
            }
        }
    }
}
