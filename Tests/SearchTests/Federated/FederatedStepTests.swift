import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Steps over several indexes against those of one with the objects of all")
struct FederatedStepTests {
    private static let words = [
        "whale", "whales", "while", "white", "whitewhale", "hunt", "hunter", "shunted", "berry",
        "berries", "knight", "night", "nights", "round", "around", "table", "tables", "tab",
        "database", "data", "base", "form", "from", "sea", "seas", "season", "ocean", "sofa",
        "couch", "zeta", "kappa", "zeta_kappa", "o'connor", "wall-e", "the", "of", "who", "x",
    ]
    private static let typed =
        words + [
            "whael", "databse", "hunttable", "nightt", "seaz", "wihtewh", "databbase",
            "knihgtround", "zeta kappa", "o connor", "wall e", "no_thing", "kap", "wha",
        ]

    private struct Item: Sendable {
        var id: Int
        var title: String
        var text: String
        var weight: Double
        var kind: String

        init(_ id: Int, _ random: inout SeededGenerator) {
            self.id = id
            title = random.text(of: words, 0...3)
            text = random.text(of: words, 1...8)
            weight = random.element([0, 0, 1, 2.5])
            kind = random.element(["a", "b"])
        }

        var indexed: IndexedObject {
            IndexedObject(
                strings: [title, text], weight: weight, attributes: ["kind": .string(kind)])
        }
    }

    /// Some indexes, and one with what they hold.
    private struct Bench {
        let parts: [TextIndex<Item>]
        let whole: TextIndex<Item>
        let search: FederatedSearch<Item>
        /// The index that each object is in.
        private var sources: [Int: Int] = [:]

        init(_ random: inout SeededGenerator) async throws {
            var configuration = TextIndexConfiguration()
            configuration.fields = ["title", "text"]
            configuration.attributes = ["kind"]
            configuration.synonyms = random.element([
                .none, [.equivalent("sea", "ocean"), .replacing("sofa", with: "couch", "table")],
            ])
            if random.once(in: 3) { configuration.stopWords = .none }
            if random.once(in: 3) { configuration.analysis.stemming = .language(.english) }
            whole = try Self.index(configuration)
            parts = try (0..<random.element([1, 2, 3, 6])).map { place in
                // Those of the first count.
                if place > 0 {
                    configuration.synonyms = random.element([.none, [.equivalent("x", "night")]])
                }
                return try Self.index(configuration)
            }
            search = try FederatedSearch(parts)
            try await fill(&random)
        }

        private static func index(_ configuration: TextIndexConfiguration) throws -> TextIndex<Item>
        {
            let index = try TextIndex<Item>(
                at: temporaryDirectory("steps"), configuration: configuration)
            index.identifier = { Data("\($0.id)".utf8) }
            index.indexer = { item, _ in item.indexed }
            return index
        }

        /// Most objects are in one index, some indexes are empty, and some objects are removed.
        private mutating func fill(_ random: inout SeededGenerator) async throws {
            var items: [[Item]] = parts.map { _ in [] }
            let heavy = random.int(0...(parts.count - 1))
            for number in 0..<random.element([3, 25, 60]) {
                let place = random.once(in: 2) ? heavy : random.int(0...(parts.count - 1))
                items[place].append(Item(number, &random))
                sources[number] = place
            }
            for (place, part) in parts.enumerated() where !items[place].isEmpty {
                try await part.indexObjects(items[place])
                if random.once(in: 2) { try await part.flush() }
                for _ in 0..<random.int(0...2) where items[place].count > 1 {
                    let gone = items[place].remove(at: random.int(0...(items[place].count - 1)))
                    _ = try await part.removeIndex(for: gone).value()
                }
                if random.once(in: 3) { try await part.optimize() }
            }
            try await whole.indexObjects(items.flatMap { $0 })
            if random.once(in: 2) { try await whole.flush() }
        }

        func remove() { TextIndex.remove(parts + [whole]) }

        func check(
            _ found: FederatedResults<Item>, _ expected: SearchResults<Item>, _ note: Comment
        ) throws {
            #expect(found.map(\.item.id) == expected.map(\.id), note)
            // The same operations in the same order.
            #expect(
                found.map(\.item.score.bitPattern) == expected.map(\.score.bitPattern), note)
            #expect(found.map(\.item.matchedBy) == expected.map(\.matchedBy), note)
            #expect(found.map(\.item.rank) == expected.map(\.rank), note)
            #expect(found.map(\.source) == expected.map { sources[Int($0.id) ?? -1] }, note)
            #expect(found.totalCount == expected.totalCount && found.isComplete, note)
            #expect(found.steps == expected.steps, note)
            #expect(
                found.map(\.item.resultTokens.count) == expected.map(\.resultTokens.count), note)
            #expect(
                found.facets.map { $0.buckets.map(\.count) }
                    == expected.facets.map { $0.buckets.map(\.count) }, note)
        }
    }

    private static let rankings: [Ranking] = [
        .relevance, .relevance, .relevance, .combined, .weight,
        .sorted(by: [.attribute("kind"), .relevance]),
    ]

    @Test("Texts of all kinds", arguments: testSeeds(10))
    func texts(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let bench = try await Bench(&random)
        defer { bench.remove() }
        for _ in 0..<30 {
            var text = random.text(of: Self.typed, 1...4)
            switch random.int(0...9) {
            case 0: text = "\"\(text)\""
            case 1: text += " -\(random.element(Self.words))"
            case 2: text += " kind:\(random.element(["a", "b"]))"
            case 3: text = "title:\(random.element(Self.typed)) \(text)"
            case 4: text += " OR \(random.element(Self.words))"
            default: break
            }
            let limit = random.element([1, 5, 20, 100])
            let ranking = random.element(Self.rankings)
            let facets: [Facet] = random.once(in: 3) ? [.values(of: "kind")] : []
            let least = random.element([-.infinity, -.infinity, -.infinity, 0.5])
            let note: Comment = "seed \(seed), \"\(text)\", limit \(limit), \(ranking), \(least)"
            let found = try bench.search.search(
                text, limit: limit, ranking: ranking, facets: facets, minimumScore: least)
            let expected = try await bench.whole.search(
                text, limit: limit, ranking: ranking, facets: facets, minimumScore: least)
            try bench.check(found, expected, note)
            guard expected.count == limit else { continue }
            try bench.check(
                try bench.search.search(after: found.cursor, limit: 7),
                try await bench.whole.search(after: expected.cursor, limit: 7), note)
        }
    }

    @Test("Typed queries are read by the synonyms of the first index", arguments: testSeeds(6))
    func queries(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let bench = try await Bench(&random)
        defer { bench.remove() }
        for _ in 0..<30 {
            func word() -> Query { .term(random.element(["sea", "ocean", "sofa", "x", "night"])) }
            let query = random.element([
                word(), .all(of: [word(), word()]), .any(of: [word(), .prefix("ta")]),
                .first(of: [.all(of: [word(), word()]), word()]),
                .near([word(), word()], within: 3),
            ])
            let ranking = random.element(Self.rankings)
            let note: Comment = "seed \(seed), \(query), \(ranking)"
            try bench.check(
                try bench.search.search(query, ranking: ranking),
                try await bench.whole.search(query, ranking: ranking), note)
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func text(of words: [String], _ count: ClosedRange<Int>) -> String {
        (0..<int(count)).map { _ in element(words) }.joined(separator: " ")
    }
}
