import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Scores and orders against the formulas, over plain strings")
struct ScoreOracleTests {
    @Test(
        "Scores by relevance, weight, both and a function equal their formulas",
        arguments: testSeeds(6))
    func rankings(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        var resultCount = 0
        for _ in 0..<6 {
            try await bench.change()
            try bench.move()
            for _ in 0..<25 {
                let query = bench.random.query(depth: 3)
                bench.corpus.parameters = bench.random.parameters()
                resultCount += try checkRankings(bench, query)
            }
        }
        #expect(resultCount > 0, "seed \(seed)")
    }

    /// Returns how many objects match.
    private func checkRankings(_ bench: RandomIndex, _ query: PlainQuery) throws -> Int {
        let parameters = bench.corpus.parameters
        let relevance = bench.corpus.scores(query)
        func weight(_ id: Int) -> Double { bench.object(id)?.weight ?? .nan }
        try check(bench, query, .relevance(parameters)) { relevance[$0] ?? .nan }
        try check(bench, query, .weight.using(parameters)) { weight($0) }
        try check(bench, query, .combined.using(parameters)) {
            (relevance[$0] ?? .nan) * max(weight($0), .leastNormalMagnitude)
        }
        let custom = Ranking.custom { match in
            match.relevance + 2 * match.weight - Double(match.stringLengths.reduce(0, +))
        }
        try check(bench, query, custom.using(parameters)) { id in
            let words = bench.object(id)?.strings.map(\.words.count).reduce(0, +) ?? 0
            return (relevance[id] ?? .nan) + 2 * weight(id) - Double(words)
        }
        return relevance.count
    }

    /// The objects, their scores and their order, all at once, above a least score and page by
    /// page.
    private func check(
        _ bench: RandomIndex, _ query: PlainQuery, _ ranking: Ranking,
        _ score: (Int) -> Double
    ) throws {
        let note: Comment = "seed \(bench.seed): \(query), \(ranking)"
        let results = try bench.index.search(query.query, limit: .max, ranking: ranking)
        let expected = bench.corpus.answer(query)
        #expect(results.map(\.number).sorted() == expected.sorted(), note)
        #expect(results.totalCount == .init(expected.count), note)
        for item in results {
            let wanted = score(item.number)
            #expect(isClose(item.score, wanted), "\(item.score) for \(wanted), \(note)")
        }
        let scores = results.map(\.score)
        #expect(results.map(\.number) == (try order(of: results, bench, query)), note)
        #expect(results.map(\.rank) == Array(0..<results.count), note)
        guard let middle = results.items.dropFirst(scores.count / 2).first else { return }
        let explanation = try #require(try middle.explain(), note)
        #expect(explanation.value == middle.score && explanation.evaluated() == middle.score, note)

        let least = scores[scores.count / 2]
        let above = try bench.index.search(
            query.query, limit: .max, ranking: ranking, minimumScore: least)
        #expect(
            above.map(\.number) == results.filter { $0.score >= least }.map(\.number), note)
        #expect(above.totalCount == .init(scores.count { $0 >= least }), note)
        let page = try bench.index.search(query.query, limit: 4, offset: 3, ranking: ranking)
        #expect(page.map(\.number) == results.dropFirst(3).prefix(4).map(\.number), note)
        #expect(page.map(\.score) == results.dropFirst(3).prefix(4).map(\.score), note)
        #expect(page.totalCount == results.totalCount, note)
    }

    /// By score, then by relevance, then as indexed; equal to the last bit is what the engine says
    /// is equal.
    private func order(
        of results: SearchResults<TestObject>, _ bench: RandomIndex, _ query: PlainQuery
    ) throws -> [Int] {
        let found = try bench.index.search(
            query.query, limit: .max, ranking: .relevance(bench.corpus.parameters))
        let relevance = Dictionary(uniqueKeysWithValues: found.map { ($0.number, $0.score) })
        let places = Dictionary(
            uniqueKeysWithValues: bench.order.enumerated().map { ($0.element, $0.offset) })
        let keys = results.map { item in
            (
                number: item.number, score: item.score, relevance: relevance[item.number] ?? .nan,
                place: places[item.number] ?? -1
            )
        }
        return keys.sorted { a, b in
            if a.score != b.score { return a.score > b.score }
            return a.relevance != b.relevance ? a.relevance > b.relevance : a.place < b.place
        }.map(\.number)
    }

    @Test("The pages of a cursor, while the index changes", arguments: testSeeds(4))
    func cursors(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        try await bench.change()
        for _ in 0..<4 {
            try await bench.change()
            var query = bench.random.query(depth: 2)
            if bench.random.generator.once(in: 2) { query = .any([query, .everything]) }
            let ranking = bench.random.generator.element([
                Ranking.relevance, .weight, .combined, .sorted(by: [.attribute("x"), .weight]),
                .custom { $0.weight * 3 - $0.relevance },
            ])
            let note: Comment = "seed \(seed): \(query), \(ranking)"
            let all = try await bench.index.search(query.query, limit: .max, ranking: ranking)
            var page = try await bench.index.search(query.query, limit: 3, ranking: ranking)
            var items = page.items
            while !page.isEmpty {
                #expect(page.totalCount == all.totalCount, note)
                try await bench.change()
                switch bench.random.generator.int(0...3) {
                case 0: try await bench.index.flush()
                case 1: try await bench.index.optimize()
                default: break
                }
                page = try await bench.index.search(after: page.cursor, limit: 5)
                items += page.items
            }
            #expect(items.map(\.number) == all.map(\.number), note)
            #expect(items.map(\.score) == all.map(\.score), note)
            #expect(items.map(\.rank) == Array(0..<all.count), note)
        }
    }

    @Test(
        "Results sorted by attributes, weight and relevance have the order of a plain sort",
        arguments: testSeeds(4))
    func sorting(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<5 {
            try await bench.change()
            try bench.move()
            for _ in 0..<20 {
                let query = bench.random.query(depth: 2)
                let keys = (0..<bench.random.generator.int(0...3)).map { _ in
                    PlainSortKey.random(&bench.random.generator)
                }
                try checkSorting(bench, query, keys)
            }
        }
    }

    private func checkSorting(
        _ bench: RandomIndex, _ query: PlainQuery, _ keys: [PlainSortKey]
    ) throws {
        let note: Comment = "seed \(bench.seed): \(query), \(keys)"
        // Equal to the last bit is what the engine says is equal.
        let relevance = Dictionary(
            uniqueKeysWithValues: try bench.index.search(query.query, limit: .max).map {
                ($0.number, $0.score)
            })
        let results = try bench.index.search(
            query.query, limit: .max, ranking: .sorted(by: keys.map(\.key)))
        #expect(results.allSatisfy { relevance[$0.number] == $0.score }, note)
        let places = Dictionary(
            uniqueKeysWithValues: bench.order.enumerated().map { ($0.element, $0.offset) })
        let expected = bench.corpus.answer(query).sorted { a, b in
            guard let first = bench.object(a), let second = bench.object(b) else { return false }
            for key in keys {
                let order = key.order(first, second) { relevance[$0.id] ?? .nan }
                if order != 0 { return order < 0 }
            }
            return places[a] ?? 0 < places[b] ?? 0
        }
        #expect(results.map(\.number) == expected, note)
    }
}

/// A sort key, as its documentation has it.
enum PlainSortKey {
    case attribute(String, descending: Bool)
    case weight(descending: Bool)
    case relevance(descending: Bool)

    static func random(_ generator: inout SeededGenerator) -> PlainSortKey {
        let descending = generator.once(in: 2)
        return switch generator.int(0...4) {
        case 0: .weight(descending: descending)
        case 1: .relevance(descending: descending)
        default: .attribute(generator.element(["x", "y", "z"]), descending: descending)
        }
    }

    var key: SortKey {
        switch self {
        case .attribute(let name, let isDescending):
            .attribute(name, isDescending ? .descending : .ascending)
        case .weight(let isDescending): .weight(isDescending ? .descending : .ascending)
        case .relevance(let isDescending): .relevance(isDescending ? .descending : .ascending)
        }
    }

    /// Negative where the first comes first.
    func order(
        _ a: TestObject, _ b: TestObject, relevance: (TestObject) -> Double
    ) -> Int {
        func order(_ a: Double, _ b: Double, _ isDescending: Bool) -> Int {
            (a < b ? -1 : a > b ? 1 : 0) * (isDescending ? -1 : 1)
        }
        switch self {
        case .weight(let isDescending): return order(a.weight, b.weight, isDescending)
        case .relevance(let isDescending): return order(relevance(a), relevance(b), isDescending)
        case .attribute(let name, let isDescending):
            let first = Self.best(a.attributes[name], isDescending)
            let second = Self.best(b.attributes[name], isDescending)
            guard let first, let second else {
                return (first == nil ? 1 : 0) - (second == nil ? 1 : 0)
            }
            return Self.ascending(first, second) * (isDescending ? -1 : 1)
        }
    }

    /// The least of an attribute's values, or the greatest; nil for nothing to compare.
    private static func best(_ value: AttributeValue?, _ isDescending: Bool) -> AttributeValue? {
        guard let value else { return nil }
        let members = PlainComparison.members(value).filter { PlainComparison.order($0, $0) != nil }
        let sorted = members.sorted { ascending($0, $1) < 0 }
        return isDescending ? sorted.last : sorted.first
    }

    /// By kind, then by value.
    private static func ascending(_ a: AttributeValue, _ b: AttributeValue) -> Int {
        func kind(_ value: AttributeValue) -> Int {
            switch value {
            case .bool: 0
            case .number: 1
            case .date: 2
            case .string: 3
            case .array: 4
            }
        }
        return PlainComparison.order(a, b) ?? (kind(a) - kind(b))
    }
}
