import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("The best documents against all of them")
struct TopDocumentsTests {
    /// Words of very different frequencies: `w0` is in nearly every string, `w39` in few.
    private struct Texts {
        var generator: SeededGenerator
        let wordCount = 40

        mutating func word() -> String {
            var number = 0
            while number < wordCount - 1, !generator.once(in: 6) { number += 1 }
            return "w\(number)"
        }

        mutating func string(_ most: Int) -> String {
            let length =
                generator.once(in: 20) ? generator.int(0...(most * 10)) : generator.int(0...most)
            // Runs of one word make some impacts stand out.
            var words: [String] = []
            while words.count < length {
                let word = word()
                let repeats = generator.once(in: 30) ? generator.int(1...9) : 1
                words += [String](repeating: word, count: repeats)
            }
            return words.joined(separator: " ")
        }

        mutating func object(_ id: Int) -> PlainNote {
            PlainNote("\(id)", string(4), string(30))
        }

        mutating func leaf() -> Query {
            let number = generator.int(0...(wordCount + 1))
            let term = Query.term("w\(number)")
            switch generator.int(0...9) {
            case 0: return .boost(term, [0, 0.5, 3, 1e6][generator.int(0...3)])
            case 1: return .prefix("w\(generator.int(1...3))")
            case 2: return .phrase("\(word()) \(word())")
            case 3: return .field("title", term)
            case 4: return .constantScore(term, generator.once(in: 2) ? 2 : -1)
            case 5: return .filter(term)
            default: return term
            }
        }

        mutating func query() -> Query {
            let parts = (0..<generator.int(1...6)).map { _ in leaf() }
            switch generator.int(0...5) {
            case 0: return leaf()
            case 1: return .all(of: Array(parts.prefix(3)))
            case 2:
                // Words that are not required.
                let bonuses = (0..<generator.int(1...3)).map { _ in
                    Query.atLeast(0, of: [generator.once(in: 5) ? leaf() : .term(word())])
                }
                return .all(of: Array(parts.prefix(3)) + bonuses)
            default: return .any(of: parts)
            }
        }

        mutating func parameters() -> BM25Parameters {
            var parameters = BM25Parameters()
            if generator.once(in: 2) { return parameters }
            parameters.k1 = [0, 0.5, 1.2, 8, 1e6][generator.int(0...4)]
            parameters.b = [0, 0.3, 0.75, 1][generator.int(0...3)]
            if generator.once(in: 2) {
                parameters.fieldWeights["title"] = [0, 0.1, 4, 1e6][generator.int(0...3)]
                parameters.fieldB["body"] = [0, 0.5, 1][generator.int(0...2)]
            }
            return parameters
        }
    }

    @Test(
        "A search has the same documents, order and scores, however few are scored",
        arguments: testSeeds(6))
    func best(seed: UInt64) async throws {
        var texts = Texts(generator: SeededGenerator(seed: seed))
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.stopWords = .none
        // Steps are taken until a page is full: the query depends on its length.
        configuration.steps = .exact
        configuration.exactCountLimit = [0, 1, 100, 1000][texts.generator.int(0...3)]
        let directory = temporaryDirectory("best")
        var index = try TextIndex.ofTexts(at: directory, configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        for round in 0..<4 {
            let objects = (0..<600).map { _ in texts.object(texts.generator.int(0...2999)) }
            try await index.indexObjects(objects)
            if round > 0 {
                for _ in 0..<40 {
                    let gone = Data("\(texts.generator.int(0...2999))".utf8)
                    _ = try await index.removeIndex(forIdentifier: gone).value()
                }
            }
            switch round {
            case 0, 1: try await index.flush()
            case 3:
                try await index.optimize()
                try index.closeVerified()
                index = try TextIndex.ofTexts(at: directory, configuration)
            default: break
            }
            for _ in 0..<30 { try compare(index, &texts, seed) }
            for _ in 0..<10 { try compareText(index, &texts, seed) }
        }
    }

    /// Words of which no object may have all.
    private func compareText(
        _ index: TextIndex<PlainNote>, _ texts: inout Texts, _ seed: UInt64
    ) throws {
        let text = (0..<texts.generator.int(2...5)).map { _ in
            "w\(texts.generator.int(20...(texts.wordCount + 1)))"
        }.joined(separator: " ")
        let all = try index.search(text, limit: 100_000)
        let best = try index.search(text, limit: 10)
        expectBest(best, among: all, limit: 10, "seed \(seed): \(text)")
        #expect(
            best.diagnostics == all.diagnostics && best.query == all.query, "seed \(seed): \(text)")
        let page = try index.search(after: best.cursor, limit: 7)
        #expect(
            page.map(\.identifier) == all.dropFirst(10).prefix(7).map(\.identifier),
            "seed \(seed): \(text)")
    }

    private func compare(
        _ index: TextIndex<PlainNote>, _ texts: inout Texts, _ seed: UInt64
    ) throws {
        let query = texts.query()
        let ranking = Ranking.relevance(texts.parameters())
        // So many are never the best alone.
        let all = try index.search(query, limit: 100_000, ranking: ranking)
        #expect(all.totalCount.isExact)
        for limit in [1, 10, 50] {
            let offset = texts.generator.once(in: 4) ? texts.generator.int(0...20) : 0
            let best = try index.search(query, limit: limit, offset: offset, ranking: ranking)
            expectBest(
                best, among: all, from: offset, limit: limit,
                "seed \(seed): \(query), \(limit) from \(offset)")
            if best.totalCount.isExact {
                #expect(best.totalCount == all.totalCount, "seed \(seed): \(query)")
            } else {
                #expect(
                    best.totalCount.value <= all.totalCount.value
                        && best.totalCount.value
                            >= min(index.configuration.exactCountLimit, all.totalCount.value),
                    "seed \(seed): \(query)")
            }
        }
    }
}
