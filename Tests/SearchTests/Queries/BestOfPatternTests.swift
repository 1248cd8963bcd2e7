import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("The best documents of a prefix, an infix and the like against all of them")
struct BestOfPatternTests {
    private struct Texts {
        var generator: SeededGenerator
        /// How many strings objects have; nil where some have more than others.
        let width: Int?

        static let beginnings = ["the", "of", "re", "con", "pre", "und", "a", "öl", "x"]
        static let ends = ["ater", "n", "late", "port", "ther", "e", "ofen", "tain", "re", ""]

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            width = generator.element([1, 2, 2, 3, nil])
        }

        mutating func word() -> String {
            let beginning = generator.once(in: 3) ? generator.element(Self.beginnings) : "con"
            let end = generator.element(Self.ends)
            return generator.once(in: 5)
                ? "\(beginning)\(end)\(generator.int(0...400))" : beginning + end
        }

        mutating func string() -> String {
            let most = generator.once(in: 20) ? 120 : 8
            var words: [String] = []
            while words.count < generator.int(0...most) {
                words += [String](
                    repeating: word(), count: generator.once(in: 9) ? generator.int(1...9) : 1)
            }
            return words.joined(separator: " ")
        }

        mutating func object(_ id: Int) -> PlainNote {
            var note = PlainNote("\(id)")
            note.strings = (0..<(width ?? generator.int(0...4))).map { _ in string() }
            return note
        }

        mutating func pattern() -> Query {
            let text = String(word().prefix(generator.int(1...4)))
            switch generator.int(0...8) {
            case 0: return .infix(text)
            case 1: return .suffix(String(word().suffix(2)))
            case 2: return .fuzzy(word(), distance: generator.int(1...2))
            case 3: return .wildcard("\(text)*\(generator.element(["e", "n*", "?r"]))")
            case 4: return .regularExpression("\(text).*[0-9]")
            case 5: return .keyword(text)
            // A stop word, which is looked for inside words where it is alone.
            case 6: return .term(generator.element(["the", "of", "a", "and"]))
            default: return .prefix(text)
            }
        }

        mutating func query() -> Query {
            let pattern = pattern()
            switch generator.int(0...5) {
            case 0: return .field(generator.element(["title", "body", "none"]), pattern)
            case 1: return .all(of: [.any(of: [pattern])])
            default: return pattern
            }
        }

        mutating func parameters() -> BM25Parameters {
            var parameters = BM25Parameters()
            if generator.once(in: 2) { return parameters }
            parameters.k1 = generator.element([0, 1e-9, 0.5, 1.2, 8, 1e6])
            parameters.b = generator.element([0, 0.3, 0.75, 1])
            if generator.once(in: 2) {
                parameters.fieldWeights["title"] = generator.element([
                    0, .leastNonzeroMagnitude, 0.1, 4, 1e6,
                ])
                parameters.fieldB["body"] = generator.element([0, 0.5, 1])
            }
            return parameters
        }
    }

    @Test(
        "A pattern has the same documents, order and scores, however few are kept",
        arguments: testSeeds(8))
    func best(seed: UInt64) async throws {
        var texts = Texts(seed: seed)
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.steps = .exact
        if texts.generator.once(in: 3) {
            configuration.fieldAnalysis["body"] = TextAnalysis(tokenizer: CodeTokenizer())
        }
        // Segments with dead documents go another way.
        let staysWhole = texts.generator.once(in: 2)
        let directory = temporaryDirectory("patterns")
        var index = try TextIndex.ofTexts(at: directory, configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: directory)
        }
        for round in 0..<4 {
            // Enough that sums lie in place, and few enough in some segments that they do not.
            let count = texts.generator.element([5, 400, 2000])
            let objects = (0..<count).map {
                texts.object(staysWhole ? round * 10_000 + $0 : texts.generator.int(0...4999))
            }
            try await index.indexObjects(objects)
            if round > 0, !staysWhole {
                for _ in 0..<40 {
                    let gone = Data("\(texts.generator.int(0...4999))".utf8)
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
            for _ in 0..<40 { try compare(index, &texts, seed) }
            for text in ["the", "con*", "title:re*", "of", "zz*"] {
                try compare(text, index, seed)
            }
        }
        // That the way which is tested was taken.
        var evaluator = index.evaluator(index.writer.snapshot, .relevance)
        for query in [
            Query.prefix("con"), .infix("on"), .field("title", .prefix("con")), .keyword("con"),
        ] where configuration.fieldAnalysis.isEmpty {
            let best = try #require(try evaluator.bestOfPattern(query, count: 10))
            #expect(best.entries.count == min(10, best.count), "seed \(seed): \(query)")
        }
    }

    private func compare(
        _ text: String, _ index: TextIndex<PlainNote>, _ seed: UInt64
    ) throws {
        let all = try index.search(text, limit: 100_000)
        let best = try index.search(text, limit: 10)
        expectBest(best, among: all, limit: 10, "seed \(seed): \(text)")
        #expect(best.totalCount == all.totalCount, "seed \(seed): \(text)")
        #expect(
            best.diagnostics == all.diagnostics && best.query == all.query, "seed \(seed): \(text)")
    }

    private func compare(
        _ index: TextIndex<PlainNote>, _ texts: inout Texts, _ seed: UInt64
    ) throws {
        let query = texts.query()
        let ranking = Ranking.relevance(texts.parameters())
        // So many are never the best alone.
        let all = try index.search(query, limit: 100_000, ranking: ranking)
        for limit in [1, 10, 300] {
            let note: Comment = "seed \(seed): \(query), \(limit), \(ranking)"
            let offset = texts.generator.once(in: 4) ? texts.generator.int(0...20) : 0
            let best = try index.search(query, limit: limit, offset: offset, ranking: ranking)
            expectBest(best, among: all, from: offset, limit: limit, note)
            #expect(best.totalCount == all.totalCount, note)
            #expect(best.diagnostics == all.diagnostics && best.query == all.query, note)
        }
    }

    @Test("Frequencies are those of sorting, before rarity is known", arguments: testSeeds(40))
    func frequencies(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let similarity = BM25(
            BM25Parameters(k1: generator.element([0, 1e-300, 1e-6, 1.2, 50, 1e6])))
        let saturation = similarity.saturation
        let count = generator.int(1...20)
        // Few different ones, so that many documents tie.
        let kinds = (0..<generator.int(1...30)).map { _ in
            NormalizedFrequency(
                weighted: Double(generator.int(0...9)),
                divisor: Double(generator.int(1...40)) / 8)
        }
        let found = (0..<generator.int(0...400)).map { (UInt32($0), generator.element(kinds)) }
        var best = BestFrequencies(count: count, similarity)
        // Segments need not come in the order of their documents.
        let cut = generator.int(0...found.count)
        for (document, frequency) in found[cut...] + found[..<cut] where best.mayKeep(frequency) {
            best.offer(document, frequency)
        }
        let idf = generator.element([0.001, 0.3, 1, 7.7])
        typealias Scored = (document: UInt32, score: Double)
        let scored: [Scored] = found.map { document, frequency in
            (document, saturation.score(idf: idf, frequency: frequency))
        }
        let expected = scored.sorted { (a: Scored, b: Scored) -> Bool in
            a.score != b.score ? a.score > b.score : a.document < b.document
        }.prefix(count)
        let entries = best.entries(idf: idf)
        #expect(entries.map(\.document) == expected.map(\.document), "seed \(seed)")
        #expect(entries.map(\.score) == expected.map(\.score), "seed \(seed)")
    }
}
