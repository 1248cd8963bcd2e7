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
            let step = RoundStep(cutting: range, atMost: count)
            #expect(step?.width == interval, "\(range) \(count)")
        }
        let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        #expect(RoundStep(cutting: all, atMost: 2) == nil)
        #expect(RoundStep(cutting: -1...1, atMost: 1) == nil)
    }

    /// What automatic ranges of some values are, as text.
    private func ranges(_ values: [AttributeValue], atMost count: Int = 10) throws -> [String] {
        let index = try PlainNoteIndex()
        index.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings, attributes: ["a": values[Int(note.id) ?? 0]])
        }
        try index.add(values.indices.map { PlainNote("\($0)", "duck") })
        let found = try index.index.search(
            .everything, facets: [.automaticRanges(of: "a", atMost: count)])
        return found.facets[0].buckets.map { "\($0.key): \($0.count)" }
    }

    @Test("Values far away from all others have a range without a bound")
    func farValues() throws {
        let prices = [-0.5, 9_999_999] + stride(from: 5.0, to: 41, by: 3.5)
        #expect(
            try ranges(prices.map { .number($0) }) == [
                "[-10 TO 0}: 1", "[0 TO 10}: 2", "[10 TO 20}: 3", "[20 TO 30}: 3", "[30 TO 40}: 2",
                "[40 TO 50}: 1", "[50 TO *]: 1",
            ])
        let both = [-1e9, 1e9] + (0..<98).map { Double($0) }
        #expect(
            try ranges(both.map { .number($0) }, atMost: 4)
                == ["[* TO 0}: 1", "[0 TO 50}: 50", "[50 TO 100}: 48", "[100 TO *]: 1"])
        let mixed = [-1e9, 1e9] + (-49..<49).map { Double($0) }
        #expect(
            try ranges(mixed.map { .number($0) }, atMost: 4)
                == ["[* TO -50}: 1", "[-50 TO 0}: 49", "[0 TO 50}: 49", "[50 TO *]: 1"])
        #expect(
            try ranges(mixed.map { .number($0) }, atMost: 3) == [
                "[-1000000000 TO 0}: 50", "[0 TO 1000000000}: 49",
                "[1000000000 TO 2000000000}: 1",
            ])
        // Two are no few of ten, and of three ranges none is for what is far.
        let two = (0..<8).map { Double($0) } + [1000, 1001]
        #expect(
            try ranges(two.map { .number($0) }, atMost: 3)
                == ["[0 TO 500}: 8", "[1000 TO 1500}: 2"])
        #expect(try ranges(both.map { .number($0) }, atMost: 1).count == 1)
    }

    @Test("Bounds of automatic ranges print round, and ranges without an object are left out")
    func roundBounds() throws {
        #expect(
            try ranges([1.5, 1.52, 1.58, 1.9]) == [
                "[1.5 TO 1.55}: 2", "[1.55 TO 1.6}: 1", "[1.9 TO 1.95}: 1",
            ])
        #expect(try ranges([0.1, 0.2, 0.3], atMost: 3).last == "[0.3 TO 0.4}: 1")
        #expect(try ranges([7]) == ["[7 TO 8}: 1"])
        let dates = ["0001-05-01", "2024-05-01", "9999-12-31"].compactMap {
            AttributeValue(iso8601: $0)
        }
        #expect(
            try ranges(dates) == [
                "[* TO 1000-01-01T00:00:00Z}: 1",
                "[2000-01-01T00:00:00Z TO 3000-01-01T00:00:00Z}: 1",
                "[9000-01-01T00:00:00Z TO *]: 1",
            ])
    }

    @Test(
        "Each number lies in one automatic range, of which there are few", arguments: testSeeds(8))
    func oneRange(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scale = generator.element([1e-300, 1e-5, 1, 7, 1e6, 1e17, 1e300])
        let values = (0..<generator.int(1...60)).map { _ in
            Double(generator.int(-500...1000)) * scale
                * (generator.once(in: 20) ? generator.element([1e-9, 50_000, -1e5]) : 1)
        }
        let count = generator.int(1...12)
        var spread = ValueSpread()
        var (first, second) = (ValueSpread(), ValueSpread())
        for (place, value) in values.enumerated() {
            spread.add(value)
            if place % 3 == 0 { first.add(value) } else { second.add(value) }
        }
        second.add(first)
        let extent = try #require(spread.range(withoutFar: count > 3))
        let parted = try #require(second.range(withoutFar: count > 3))
        #expect(parted.numbers == extent.numbers && parted.cutCount == extent.cutCount)
        let step = RoundStep(cutting: extent.numbers, atMost: count - extent.cutCount)
        let cuts = step?.multiples(around: extent.numbers) ?? []
        #expect(cuts == cuts.sorted() && Set(cuts).count == cuts.count, "seed \(seed)")
        var buckets = FacetBuckets(.cuts(cuts, ofDates: false))
        for value in values {
            var own: [Int32] = []
            buckets.add(.number(value), to: &own)
            try #require(own.count == 1, "seed \(seed)")
            guard case .range(let range) = buckets.keys[Int(own[0])] else { continue }
            #expect(range.contains(.number(value)), "seed \(seed)")
        }
        #expect(buckets.keys.count <= count, "seed \(seed): \(values)")
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
