import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Statistics as a value: shards that are searched apart against one index of all objects")
struct QueryStatisticsTests {
    private struct Item: Sendable {
        var id: String
        var strings: [String]
        var attributes: [String: AttributeValue]
    }

    /// Some shards, and one index with the objects of all in their order.
    private struct Bench {
        var random: SeededGenerator
        let seed: UInt64
        let shards: [TextIndex<Item>]
        let whole: TextIndex<Item>
        private static let words = [
            "duck", "ducks", "duckling", "whale", "whales", "white", "book", "books", "notebook",
            "note", "type", "types", "hint", "hints", "theory", "theories", "secret", "log.txt",
            "log", "well-known", "known", "the", "of", "and", "peking", "pekin", "recipe",
            "recipes", "captain", "ocean", "oceans", "sea", "résumé", "resume", "978-0-8065",
        ]
        private static let colors = ["red", "green", "blue", "black"]

        init(seed: UInt64) throws {
            self.seed = seed
            random = SeededGenerator(seed: seed)
            var configuration = TextIndexConfiguration()
            configuration.fields = ["title", "body"]
            configuration.attributes = ["color", "size"]
            configuration.analysis.stemming = random.once(in: 3) ? .language(.english) : .none
            let count = random.element([1, 2, 3, 7, 64])
            let made = try (0...count).map { _ in
                let index = try TextIndex<Item>(
                    at: temporaryDirectory("shards"), configuration: configuration)
                index.identifier = { Data($0.id.utf8) }
                index.indexer = { item, _ in
                    IndexedObject(strings: item.strings, attributes: item.attributes)
                }
                return index
            }
            whole = made[0]
            shards = Array(made.dropFirst())
        }

        func remove() {
            TextIndex.remove(shards + [whole])
        }

        private mutating func text(_ words: ClosedRange<Int>) -> String {
            // The first words are frequent.
            (0..<random.int(words)).map { _ in
                let most = random.element([8, Self.words.count])
                return Self.words[random.int(0...(most - 1))]
            }.joined(separator: " ")
        }

        /// Most objects are in one shard, and some shards are empty.
        mutating func fill() async throws {
            var objects: [[Item]] = shards.map { _ in [] }
            let heavy = random.int(0...(shards.count - 1))
            for number in 0..<random.element([0, 5, 60, 200]) {
                let place = random.once(in: 2) ? heavy : random.int(0...(shards.count - 1))
                objects[place].append(
                    Item(
                        id: "\(place)/\(number)", strings: [text(1...4), text(0...20)],
                        attributes: [
                            "color": .string(random.element(Self.colors)),
                            "size": .number(Double(random.int(0...9))),
                        ]))
            }
            for (place, shard) in shards.enumerated() where !objects[place].isEmpty {
                try await shard.indexObjects(objects[place])
                for _ in 0..<random.int(0...3) where !objects[place].isEmpty {
                    let gone = objects[place].remove(
                        at: random.int(0...(objects[place].count - 1)))
                    _ = try await shard.removeIndex(for: gone).value()
                }
                if random.once(in: 2) { try await shard.flush() }
                if random.once(in: 4) { try await shard.optimize() }
            }
            try await whole.indexObjects(objects.flatMap { $0 })
        }

        mutating func query() -> String {
            let words = text(1...random.element([1, 2, 3, 6]))
            switch random.int(0...12) {
            case 0: return "\"\(words)\""
            case 1: return words + "*"
            case 2: return "*" + words
            case 3: return words.replacing(" ", with: " OR ")
            case 4: return words + " -" + text(1...1)
            case 5: return words + " -n 3"
            case 6: return "title:" + words
            case 7: return String(words.dropLast())
            case 8: return words.replacing("e", with: "a")
            case 9: return words + "~1"
            default: return words
            }
        }
    }

    private struct Hit: Equatable {
        var id: Data
        var score: Double
        var relevance: Double
    }

    @Test(
        "Two phases, with statistics as JSON, have the results, scores and order of one index",
        arguments: testSeeds(12))
    func texts(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        for _ in 0..<15 { try checkText(&bench) }
    }

    private func checkText(_ bench: inout Bench) throws {
        let seed = bench.seed
        let text = bench.query()
        let limit = bench.random.element([1, 3, 10, 50])
        let steps = bench.random.element([nil, nil, nil, SearchSteps.exact])
        let filter = bench.random.element([
            nil, nil, Query.attribute("size", .less(5)), .attribute("color", .equal("red")),
        ])
        let expected = try bench.whole.search(
            text, limit: limit, filter: filter, steps: steps)
        let note: Comment = "seed \(seed), \(bench.shards.count) shards, \(limit): \(text)"
        let found = try results(
            bench.shards, limit,
            {
                try $0.statistics(
                    of: text, known: $1, limit: limit, filter: filter, steps: steps)
            },
            { try $0.search(text, statistics: $1, limit: limit, filter: filter, steps: steps) })
        #expect(found.hits == hits(expected), note)
        if expected.totalCount.isExact, found.isExact {
            #expect(found.count == expected.totalCount.value, note)
        }
        try checkFederated(bench, text, filter, expected, note, steps)
    }

    /// With facets, page by page.
    private func checkFederated(
        _ bench: Bench, _ text: String, _ filter: Query?, _ expected: SearchResults<Item>,
        _ note: Comment, _ steps: SearchSteps?
    ) throws {
        let limit = expected.cursor.request.limit
        let federated = try FederatedSearch(bench.shards)
        let page = try federated.search(text, limit: limit, filter: filter, steps: steps)
        #expect(page.map(\.item.identifier) == expected.map(\.identifier), note)
        #expect(page.map(\.item.score) == expected.map(\.score), note)
        #expect(page.query == expected.query, note)
        let next = try federated.search(after: page.cursor, limit: 5)
        let expectedNext = try bench.whole.search(after: expected.cursor, limit: 5)
        #expect(next.map(\.item.identifier) == expectedNext.map(\.identifier), note)
        #expect(next.map(\.item.rank) == expectedNext.map(\.rank), note)
        let facets: [Facet] = [
            .values(of: "color", limit: 2), .histogram(of: "size", every: 3),
            .ranges(of: "size", [FacetRange(from: .number(2)), FacetRange(from: .number(2))]),
            .values(of: "color", order: .key).disjunctive,
        ]
        let counted = try federated.search(
            text, limit: limit, filter: filter, facets: facets, steps: steps)
        let expectedCounts = try bench.whole.search(
            text, limit: limit, filter: filter, facets: facets, steps: steps)
        #expect(counted.map(\.item.identifier) == expectedCounts.map(\.identifier), note)
        for (own, other) in zip(counted.facets, expectedCounts.facets) {
            #expect(own.buckets.map(\.key) == other.buckets.map(\.key), note)
            #expect(own.buckets.map(\.count) == other.buckets.map(\.count), note)
            #expect(own.bucketCount == other.bucketCount, note)
            #expect(own.objectCount == other.objectCount, note)
            #expect(own.missingCount == other.missingCount, note)
        }
    }

    @Test("The same holds for typed queries of all kinds and orders", arguments: testSeeds(8))
    func queries(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        var random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
        for _ in 0..<30 { try checkQuery(&bench, &random) }
    }

    private func checkQuery(_ bench: inout Bench, _ random: inout PlainQueryRandom) throws {
        let seed = bench.seed
        let query =
            random.generator.once(in: 2)
            ? random.query(depth: 3).query : bench.whole.queryParser.parse(bench.query()).query
        let limit = bench.random.element([0, 1, 3, 10, 50])
        let ranking = bench.random.element([Ranking.relevance, .relevance, .weight, .combined])
        let least = bench.random.element([-.infinity, -.infinity, 0.5])
        let expected = try bench.whole.search(
            query, limit: limit, ranking: ranking, minimumScore: least)
        let found = try results(
            bench.shards, limit,
            {
                try $0.statistics(
                    of: query, known: $1, limit: limit, ranking: ranking, minimumScore: least)
            },
            {
                try $0.search(
                    query, statistics: $1, limit: limit, ranking: ranking,
                    minimumScore: least)
            })
        let note: Comment = "seed \(seed), \(bench.shards.count) shards, \(limit): \(query)"
        #expect(found.hits == hits(expected), note)
        if expected.totalCount.isExact, found.isExact {
            #expect(found.count == expected.totalCount.value, note)
        }
    }

    private func hits(_ results: SearchResults<Item>) -> [Hit] {
        results.map { Hit(id: $0.identifier, score: $0.score, relevance: $0.relevance) }
    }

    /// By rounds of statistics through JSON, then the search.
    private func results(
        _ shards: [TextIndex<Item>], _ limit: Int,
        _ statistics: (TextIndex<Item>, QueryStatistics?) throws -> QueryStatistics,
        _ search: (TextIndex<Item>, QueryStatistics) throws -> SearchResults<Item>
    ) throws -> (hits: [Hit], count: Int, isExact: Bool) {
        func round(_ known: QueryStatistics?) throws -> QueryStatistics {
            // The order of the shards makes no difference.
            let told = try shards.reversed().map { shard in
                let one = try statistics(shard, known)
                let bytes = one.bytes
                #expect(try QueryStatistics(bytes: ([0] + bytes)[1...]) == one)
                return try JSONDecoder().decode(
                    QueryStatistics.self, from: JSONEncoder().encode(one))
            }
            return try .sum(of: told)
        }
        var sum = try round(nil)
        var rounds = 1
        while !sum.isComplete {
            sum = try round(sum)
            rounds += 1
            try #require(rounds < 40)
        }
        #expect(sum.indexCount == shards.count)
        let found = try shards.map { try search($0, sum) }
        var generation = found[0].generation
        for other in found.dropFirst() { generation.add(other.generation) }
        #expect(generation == sum.generation)
        let all = found.flatMap { results in
            results.map { Hit(id: $0.identifier, score: $0.score, relevance: $0.relevance) }
        }
        let sorted = all.enumerated().sorted { a, b in
            let (first, second) = (a.element, b.element)
            if first.score != second.score { return first.score > second.score }
            return first.relevance != second.relevance
                ? first.relevance > second.relevance : a.offset < b.offset
        }
        return (
            Array(sorted.map(\.element).prefix(limit)),
            found.reduce(0) { $0 + $1.totalCount.value },
            found.allSatisfy { $0.totalCount.isExact }
        )
    }

    @Test("Sums of what is beyond all numbers are the greatest number")
    func overflow() {
        var words = WordStatistics()
        words.frequencies["duck"] = .max
        words.add(words)
        #expect(words.frequencies["duck"] == .max)
        words.frequencies["duck"] = -1
        #expect(!words.isPossible)
    }

    @Test("Statistics of another query, analysis, round or version are refused")
    func refused() throws {
        let indexes = try (0..<2).map { number in
            var configuration = TextIndexConfiguration()
            configuration.fields = number == 0 ? ["title"] : []
            return try TextIndex<String>(
                at: temporaryDirectory("refused"), configuration: configuration)
        }
        defer {
            for index in indexes {
                try? index.closeVerified()
                try? FileManager.default.removeItem(at: index.directory)
            }
        }
        let first = try indexes[0].statistics(of: "duck whale", limit: 5)
        let query = Query.all(of: [.term("duck"), .first(of: [.term("a"), .term("b")])])
        let others = [
            try indexes[1].statistics(of: "duck whale", limit: 5),
            try indexes[0].statistics(of: query),
        ]
        for other in others {
            #expect(throws: TextIndexError.self) {
                _ = try QueryStatistics.sum(of: [first, other])
            }
        }
        #expect(throws: TextIndexError.self) { _ = try QueryStatistics.sum(of: []) }
        #expect(!first.isComplete)
        #expect(throws: TextIndexError.self) {
            _ = try indexes[0].search("duck whale", statistics: first, limit: 5)
        }
        #expect {
            _ = try indexes[0].search(.term("duck"), statistics: others[0])
        } throws: {
            ($0 as? TextIndexError) != nil
        }
        let text = String(decoding: try JSONEncoder().encode(first), as: UTF8.self)
        let least = "-9223372036854775808"
        for (old, new) in [
            ("\"version\":1", "\"version\":2"), ("\"objects\":0", "\"objects\":-1"),
            ("\"indexCount\":1", "\"indexCount\":\(least)"),
            ("\"roundsLeft\":0", "\"roundsLeft\":\(least)"),
        ] {
            #expect(text.contains(old))
            #expect(throws: (any Error).self) {
                let other = try JSONDecoder().decode(
                    QueryStatistics.self, from: Data(text.replacing(old, with: new).utf8))
                _ = try indexes[0].statistics(of: "duck whale", known: other, limit: 5)
            }
        }
    }

    @Test("Bytes that are damaged or cut short are refused, or read as other statistics")
    func damagedBytes() throws {
        let index = try TextIndex<String>(
            at: temporaryDirectory("damaged"), configuration: TextIndexConfiguration())
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        var random = SeededGenerator(seed: 5)
        let first = try index.statistics(of: "duck whalr", limit: 5)
        for statistics in [first, try index.statistics(of: "duck whalr", known: first, limit: 5)] {
            let bytes = statistics.bytes
            #expect(try QueryStatistics(bytes: bytes[...]) == statistics)
            for count in bytes.indices { refuses(Array(bytes[..<count])) }
            refuses(bytes + [0])
            for place in bytes.indices {
                var damaged = bytes
                damaged[place] ^= UInt8(1 << random.int(0...7))
                refuses(damaged)
            }
            // With a checksum that is right nothing is promised, but for an end without a crash.
            for _ in 0..<2_000 {
                var damaged = Array(bytes.dropLast(random.once(in: 4) ? random.int(8...20) : 8))
                for _ in 0..<random.int(1...3) where !damaged.isEmpty {
                    damaged[random.int(0...(damaged.count - 1))] = UInt8(random.int(0...255))
                }
                var sum = damaged.withUnsafeBufferPointer { Checksum.of($0) }
                for _ in 0..<8 {
                    damaged.append(UInt8(truncatingIfNeeded: sum))
                    sum >>= 8
                }
                do {
                    let other = try QueryStatistics(bytes: damaged[...])
                    _ = try? statistics.adding(other)
                    _ = try? index.statistics(of: "duck whalr", known: other, limit: 5)
                } catch {
                    #expect(error is TextIndexError)
                }
            }
        }
    }

    private func refuses(_ bytes: [UInt8]) {
        #expect(throws: TextIndexError.self) { _ = try QueryStatistics(bytes: bytes[...]) }
    }
}

extension QueryStatistics {
    fileprivate func adding(_ other: QueryStatistics) throws -> QueryStatistics {
        try .sum(of: [self, other])
    }
}
