import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Facets beside filters of their own attribute, and ranges that facets choose")
struct FacetFilterTests {
    private static let notes: [PlainNote] = (0..<120).map {
        PlainNote("\($0)", $0 % 2 == 0 ? "red duck" : "blue duck", weight: Double($0 % 5))
    }

    private func index() throws -> PlainNoteIndex {
        let index = try PlainNoteIndex()
        index.index.indexer = { note, _ in
            let number = Int(note.id) ?? 0
            return IndexedObject(
                strings: note.strings, weight: note.weight,
                attributes: [
                    "brand": .string(["a", "b", "c"][number % 3]), "price": .number(Double(number)),
                    "when": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)),
                    "sizes": .array([.number(Double(number % 4)), .string("x")]),
                    "empty": .array([]),
                ])
        }
        try index.add(Array(Self.notes.prefix(70)))
        try index.index.flush()
        try index.add(Array(Self.notes.dropFirst(70)))
        return index
    }

    private func counts(_ facet: FacetCounts<PlainNote>) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: facet.buckets.map { ($0.key.description, $0.count) })
    }

    @Test("The counts of a disjunctive facet ignore the filters of its attribute alone")
    func disjunctive() throws {
        let notes = try index()
        let (brand, price) = (
            Query.attribute("brand", .equal("a")), Query.attribute("price", .less(60))
        )
        let facets = [
            Facet.values(of: "brand").disjunctive, .values(of: "brand"),
            .histogram(of: "price", every: 20).disjunctive,
        ]
        let plain = [Facet.values(of: "brand"), .histogram(of: "price", every: 20)]
        for ranking in [Ranking.relevance, .weight, .sorted(by: [.attribute("price")])] {
            let found = try notes.index.search(
                .all(of: [.term("red"), .filter(brand), .filter(.any(of: [price]))]), limit: 5,
                ranking: ranking, facets: facets)
            #expect(found.totalCount.value == 10)
            let brands = try notes.index.search(
                .all(of: [.term("red"), price]), ranking: ranking, facets: plain)
            let prices = try notes.index.search(
                .all(of: [.term("red"), brand]), ranking: ranking, facets: plain)
            #expect(counts(found.facets[0]) == counts(brands.facets[0]))
            #expect(counts(found.facets[1]) == ["\"a\"": 10])
            #expect(counts(found.facets[2]) == counts(prices.facets[1]))
        }
        let alone = try notes.index.search(brand, facets: [Facet.values(of: "brand").disjunctive])
        #expect(counts(alone.facets[0]) == ["\"a\"": 40, "\"b\"": 40, "\"c\"": 40])
        #expect(alone.totalCount.value == 40)
        // What is asked of two attributes at once is none's own.
        let either = try notes.index.search(
            .all(of: [.term("red"), .any(of: [brand, price])]),
            facets: [Facet.values(of: "brand").disjunctive, .values(of: "brand")])
        #expect(counts(either.facets[0]) == counts(either.facets[1]))
    }

    @Test("A disjunctive facet ignores its filter also where a text took further steps")
    func disjunctiveSteps() throws {
        let notes = try index()
        try notes.add([PlainNote("120", "a red ducks"), PlainNote("121", "ducks")])
        let facet = Facet.values(of: "brand").disjunctive
        for limit in [1, 10, 200] {
            let all = try notes.index.search("ducks", limit: limit, facets: [facet])
            let some = try notes.index.search(
                "ducks", limit: limit, filter: .attribute("brand", .equal("a")), facets: [facet])
            // One object with brand a has the word as it is: only the others need a further step.
            #expect(some.totalCount.value == (limit == 1 ? 1 : 41))
            #expect(
                counts(some.facets[0])
                    == (limit == 1
                        ? ["\"a\"": 1, "\"b\"": 1] : ["\"a\"": 41, "\"b\"": 41, "\"c\"": 40]))
            if limit != 1 { #expect(counts(all.facets[0]) == counts(some.facets[0])) }
        }
    }

    @Test("The best hits of a disjunctive facet are those of its own counts")
    func disjunctiveHits() throws {
        let notes = try index()
        var facet = Facet.values(of: "brand", order: .bestHit, topHits: 2)
        let plain = try notes.index.search(.term("red"), ranking: .weight, facets: [facet])
        facet.isDisjunctive = true
        let found = try notes.index.search(
            .all(of: [.term("red"), .attribute("brand", .equal("b"))]), ranking: .weight,
            facets: [facet])
        #expect(found.totalCount.value == 20)
        let hits = { (found: SearchResults<PlainNote>) in
            found.facets[0].buckets.map { ($0.key.description, $0.hits.map(\.id)) }
        }
        #expect(hits(found).map(\.0) == hits(plain).map(\.0))
        #expect(hits(found).map(\.1) == hits(plain).map(\.1))
    }

    @Test("Automatic ranges have round bounds and are no more than asked for")
    func automatic() throws {
        let notes = try index()
        let found = try notes.index.search(
            .everything,
            facets: [
                .automaticRanges(of: "price", atMost: 10), .automaticRanges(of: "price", atMost: 3),
                .automaticRanges(of: "when", atMost: 6), .automaticRanges(of: "when", atMost: 1),
                .automaticRanges(of: "brand"), .automaticRanges(of: "sizes", atMost: 4),
                .automaticRanges(of: "empty"),
            ])
        #expect(
            found.facets[0].buckets.map(\.key.description)
                == (0..<6).map { "[\($0 * 20) TO \($0 * 20 + 20)}" })
        #expect(found.facets[0].buckets.map(\.count) == Array(repeating: 20, count: 6))
        #expect(found.facets[1].buckets.map(\.count) == [50, 50, 20])
        // January to April of 2001.
        #expect(found.facets[2].buckets.map(\.count) == [31, 28, 31, 30])
        #expect(found.facets[3].buckets.map(\.count) == [120])
        #expect(found.facets[4].buckets.isEmpty)
        #expect(found.facets[5].buckets.map(\.count) == [30, 30, 30, 30])
        #expect(found.facets[6].buckets.isEmpty)
        #expect(throws: TextIndexError.self) {
            try notes.index.search(.everything, facets: [.automaticRanges(of: "price", atMost: 0)])
        }
    }

    @Test("A round interval is the least that cuts a range in no more pieces than asked for")
    func intervals() {
        for (range, count, interval) in [
            (0.0...119, 10, 20.0), (0...99, 10, 10), (0...100, 10, 20), (-5...5, 5, 5),
            (0.1...0.9, 10, 0.1), (7...7, 10, 1), (1e300...9e300, 9, 1e300),
            (1999...2024, 3, 20),
        ] {
            #expect(FacetSpread.interval(range, count) == interval, "\(range) \(count)")
        }
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        #expect(FacetSpread.interval(all, 2) > 1e307)
    }

    @Test("Dates of centuries are cut at round years")
    func years() throws {
        let index = try PlainNoteIndex()
        index.index.indexer = { note, _ in
            let year = AttributeValue(iso8601: note.id) ?? .bool(true)
            return IndexedObject(strings: note.strings, attributes: ["when": year])
        }
        try index.add(
            ["1850-03-01", "1905-05-05", "1999-12-31", "2000-01-01"].map { PlainNote($0, "a") })
        let found = try index.index.search(
            .everything, facets: [.automaticRanges(of: "when", atMost: 4)])
        #expect(
            found.facets[0].buckets.map(\.key)
                == [1850, 1900, 1950, 2000].map {
                    .range(
                        FacetRange(
                            from: AttributeValue(iso8601: "\($0)-01-01"),
                            to: AttributeValue(iso8601: "\($0 + 50)-01-01")))
                })
        #expect(found.facets[0].buckets.map(\.count) == [1, 1, 1, 1])
    }
}
