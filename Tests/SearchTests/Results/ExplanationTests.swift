import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Explanations")
struct ExplanationTests {
    private static let words = [
        "duck", "ducks", "duke", "red", "reed", "goose", "straße", "the", "東京都", "x",
    ]

    private struct Random {
        var generator: SeededGenerator

        mutating func word() -> String { generator.element(ExplanationTests.words) }

        mutating func note(_ id: Int) -> PlainNote {
            let title = (0..<generator.int(0...3)).map { _ in word() }.joined(separator: " ")
            let body = (0..<generator.int(0...12)).map { _ in word() }.joined(separator: " ")
            return PlainNote(
                "\(id)", title, body, weight: generator.element([0, -1, 0.1, 3, 1e9]))
        }

        mutating func query(_ depth: Int) -> Query {
            guard depth > 0, !generator.once(in: 3) else { return leaf() }
            switch generator.int(0...8) {
            case 0, 1: return .all(of: queries(depth))
            case 2: return .any(of: queries(depth))
            case 3: return .all(of: [query(depth - 1), .none(of: queries(depth))])
            case 4: return .atLeast(generator.int(0...3), of: queries(depth))
            case 5: return .boost(query(depth - 1), generator.element([0, 0.3, 2.5]))
            case 6: return .constantScore(query(depth - 1), 0.7)
            case 7: return .filter(query(depth - 1))
            default:
                return .field(generator.element(["title", "body", "absent"]), query(depth - 1))
            }
        }

        private mutating func queries(_ depth: Int) -> [Query] {
            (0..<generator.int(1...3)).map { _ in query(depth - 1) }
        }

        private mutating func leaf() -> Query {
            switch generator.int(0...9) {
            case 0, 1, 2: .term(word())
            case 3: .phrase("\(word()) \(word())", slop: generator.int(0...2))
            case 4: .keyword("\(word()) \(word().prefix(2))")
            case 5: .prefix(String(word().prefix(2)))
            case 6: .fuzzy(word(), distance: generator.int(0...2))
            case 7: .near([.term(word()), .prefix(word())], within: generator.int(0...4))
            case 8: generator.element([.everything, .nothing, .infix("uc"), .suffix("k")])
            default: .weight(from: 0.1, through: nil)
            }
        }
    }

    private static let rankings: [Ranking] = [
        .relevance, .weight, .combined, .sorted(by: [.weight]),
        .relevance(BM25Parameters(k1: 0.3, b: 0.4, fieldWeights: ["title": 2.7])),
        .custom { $0.relevance + $0.weight },
    ]

    private static func configure(_ configuration: inout TextIndexConfiguration) {
        configuration.fields = ["title", "body"]
        configuration.synonyms = Synonyms([.equivalent("goose", "red duck")])
    }

    @Test("A tree's value is the score, to the last bit, at every stage", arguments: testSeeds(6))
    func scores(seed: UInt64) throws {
        var random = Random(generator: SeededGenerator(seed: seed))
        let notes = try PlainNoteIndex((0..<25).map { random.note($0) }, Self.configure)
        for stage in Stage.allCases {
            try notes.enter(stage)
            try notes.add((0..<5).map { _ in random.note(random.generator.int(0...30)) })
            for _ in 0..<15 {
                let query = random.query(3)
                let ranking = random.generator.element(Self.rankings)
                let results = try notes.index.search(query, limit: .max, ranking: ranking)
                for item in results {
                    let tree = try #require(try item.explain())
                    #expect(tree.value == item.score, "seed \(seed): \(query)\n\(tree)")
                    #expect(tree.evaluated() == item.score, "seed \(seed): \(query)\n\(tree)")
                }
                try checkMissing(notes.index, query, ranking, results, seed)
            }
        }
    }

    private func checkMissing(
        _ index: TextIndex<PlainNote>, _ query: Query, _ ranking: Ranking,
        _ results: SearchResults<PlainNote>, _ seed: UInt64
    ) throws {
        let found = Dictionary(uniqueKeysWithValues: results.map { ($0.identifier, $0.score) })
        let least = results.items.isEmpty ? 0 : results.items[results.count / 2].score
        for id in stride(from: Int(seed % 5), to: 31, by: 5) {
            let identifier = Data("\(id)".utf8)
            let why = try index.explain(
                missing: identifier, for: query, ranking: ranking, minimumScore: least)
            if let score = found[identifier] {
                let reason: MissExplanation.Reason = score < least ? .belowMinimumScore : .found
                #expect(why.reason == reason, "seed \(seed): \(query)\n\(why)")
                #expect(why.score?.evaluated() == score, "seed \(seed): \(query)\n\(why)")
            } else {
                let isIndexed = try index.contains(identifier: identifier)
                #expect(why.reason == (isIndexed ? .notMatched : .notIndexed))
            }
            guard let clauses = why.clauses else { continue }
            let isMatched = clauses.outcome == .matched
            #expect(
                isMatched == (found[identifier] != nil),
                "seed \(seed): \(query)\n\(why)")
        }
    }

    @Test("What becomes of each clause is what a search for it alone says", arguments: testSeeds(8))
    func clauses(seed: UInt64) throws {
        var random = Random(generator: SeededGenerator(seed: seed))
        let notes = try PlainNoteIndex((0..<20).map { random.note($0) }) {
            $0.fields = ["title", "body"]
        }
        try notes.index.flush()
        for _ in 0..<30 {
            let parts = (0..<3).map { _ in random.query(1) }
            let why = try notes.index.explain(missing: Data("7".utf8), for: Query(.any(parts)))
            let clauses = try #require(why.clauses?.clauses)
            #expect(clauses.count == parts.count)
            for (clause, part) in zip(clauses, parts) where clause.outcome != .ignored {
                let found = try notes.ids(part)
                #expect(
                    (clause.outcome == .matched) == found.contains("7"), "seed \(seed): \(part)")
                if let count = clause.objectCount { #expect(count == found.count) }
            }
        }
    }

    @Test("An explanation that had no time is none", arguments: testSeeds(3))
    func budgets(seed: UInt64) throws {
        var random = Random(generator: SeededGenerator(seed: seed))
        let notes = try PlainNoteIndex((0..<20).map { random.note($0) })
        let index = notes.index
        for _ in 0..<20 {
            let query = random.query(2)
            func why(_ budget: SearchBudget) throws -> String {
                try index.explain(
                    missing: Data("7".utf8), for: query, ranking: .relevance, budget: budget
                ).description
            }
            let whole = try index.explain(missing: Data("7".utf8), for: query).description
            #expect(try why(.time(.seconds(3600))) == whole, "seed \(seed): \(query)")
            let results = try index.search(query)
            for item in results.items {
                let score = try index.explain(item, budget: .time(.seconds(3600)))
                #expect(score?.evaluated() == item.score, "seed \(seed): \(query)")
            }
            #expect(throws: CancellationError.self) { _ = try why(.time(.zero)) }
            for item in results.items.prefix(1) {
                #expect(throws: CancellationError.self) {
                    _ = try index.explain(item, budget: .time(.zero))
                }
            }
        }
    }

    @Test("An explanation says why an object is missing")
    func missing() throws {
        let notes = try PlainNoteIndex([
            PlainNote("1", "The Duck", "of Peking"), PlainNote("2", "A goose"),
            PlainNote("4", "Peking"),
        ]) {
            $0.fields = ["title", "body"]
            $0.indexesStopWords = false
        }
        let index = notes.index
        let identifier = Data("1".utf8)
        let query: Query = .all(of: [.term("DUCK"), .term("the"), .field("body", .term("duck"))])
        let why = try index.explain(missing: identifier, for: query)
        #expect(why.reason == .notMatched)
        let clauses = try #require(why.clauses)
        #expect(clauses.clauses.map(\.outcome) == [.matched, .ignored, .failed])
        #expect(clauses.clauses[0].terms == ["duck"])
        #expect(clauses.clauses[0].objectCount == 1)
        #expect(clauses.clauses[1].stopWords == ["the"])
        #expect(clauses.clauses[2].clauses[0].field == "body")
        #expect(why.description.contains("  failed: body:duck"))

        #expect(try index.explain(missing: Data("3".utf8), for: query).reason == .notIndexed)
        #expect(try index.explain(missing: Data(), for: query).reason == .notIndexed)
        let onlyExcluding: Query = .all(of: [.term("the"), .none(of: [.term("goose")])])
        let kept = try index.explain(missing: identifier, for: onlyExcluding)
        #expect(kept.reason == .found && kept.clauses?.outcome == .matched)
        let low = try index.explain(missing: identifier, for: .term("duck"), minimumScore: 100)
        #expect(low.reason == .belowMinimumScore && low.score?.value ?? 0 > 0)
        // No object has both words: any of them is enough, as for a search.
        #expect(try index.explain(missing: identifier, for: "duck goose").reason == .found)
        let stopped = try index.explain(missing: identifier, for: "the")
        #expect(stopped.reason == .notMatched)
        #expect(stopped.notes.contains { $0.hasPrefix("onlyStopWords") })
        let excluded = try index.explain(missing: identifier, for: "peking -duck")
        #expect(excluded.reason == .notMatched)
        #expect(excluded.clauses?.clauses.last?.isExcluding == true)
        #expect(excluded.clauses?.clauses.last?.outcome == .matched)
        index.removeIndex(forIdentifier: identifier).waitUntilFinished()
        #expect(try index.explain(missing: identifier, for: "duck").reason == .notIndexed)
    }

    @Test("Trees are coded, printed, and stay right while the results are held")
    func forms() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck duck goose"), PlainNote("2", "duck")])
        let results = try notes.index.search(.any(of: [.term("duck"), .term("goose")]))
        let before = try results.items.map { try $0.explain() }
        let coded = try JSONEncoder().encode(before)
        #expect(try JSONDecoder().decode([ScoreExplanation?].self, from: coded) == before)
        let first = try #require(before[0])
        #expect(first.description.hasPrefix("\(first.value) = sum: any of\n  "))
        #expect(first.description.contains("found in 2 of 2 objects"))
        let why = try notes.index.explain(missing: Data("2".utf8), for: "goose")
        let codedWhy = try JSONEncoder().encode(why)
        #expect(try JSONDecoder().decode(MissExplanation.self, from: codedWhy) == why)

        try notes.add([PlainNote("1", "swan"), PlainNote("3", "duck")])
        try notes.index.optimize()
        for (item, tree) in zip(results.items, before) { #expect(try item.explain() == tree) }
        let lone = try #require(withExtendedLifetime(results) { results.items.first })
        #expect(try lone.explain()?.value == lone.score)
        let keyword = try notes.index.searchResults(forKeyword: "duck")
        #expect(try keyword[0].explain()?.value == keyword[0].score)
        let other = try PlainNoteIndex([])
        #expect(throws: TextIndexError.self) { try other.index.explain(keyword[0]) }
    }

    private final class Ranked: TextIndex<PlainNote>, @unchecked Sendable {
        override func score(of match: Match) -> Double { match.defaultScore * 2 + 1 }
    }

    @Test("An explanation of an override's score has that score")
    func overridden() throws {
        let directory = temporaryDirectory("explained")
        let index = try Ranked(at: directory)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: directory)
        }
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in IndexedObject(strings: note.strings, weight: note.weight) }
        index.indexObject(PlainNote("1", "duck", weight: 3)).waitUntilFinished()
        for ranking in [Ranking.relevance, .weight, .sorted(by: [.weight]), .custom { _ in 5 }] {
            let item = try #require(
                try index.search(.term("duck"), ranking: ranking).first { _ in true })
            let tree = try #require(try item.explain())
            #expect(tree.value == item.score && tree.evaluated() == item.score)
        }
        let keyword = try #require(try index.searchResults(forKeyword: "duck").first)
        #expect(try keyword.explain()?.value == 7)
    }
}
