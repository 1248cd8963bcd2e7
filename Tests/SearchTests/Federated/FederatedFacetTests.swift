import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Facets of several indexes against those of one with the objects of all")
struct FederatedFacetTests {
    /// Some indexes, and one with the objects of all in their order.
    private struct Bench {
        var generator: SeededGenerator
        let seed: UInt64
        let parts: [TextIndex<FacetNote>]
        let whole: TextIndex<FacetNote>

        init(seed: UInt64) throws {
            self.seed = seed
            generator = SeededGenerator(seed: seed)
            var configuration = TextIndexConfiguration()
            // Words a letter apart are all near one another.
            configuration.steps = .exact
            let made = try (0...generator.element([1, 2, 3, 7])).map { _ in
                let index = try TextIndex<FacetNote>(
                    at: temporaryDirectory("facets"), configuration: configuration)
                index.identifier = { $0.identifier }
                index.indexer = { note, _ in note.indexed }
                return index
            }
            whole = made[0]
            parts = Array(made.dropFirst())
        }

        func remove() {
            TextIndex.remove(parts + [whole])
        }

        /// Some indexes stay empty, and most objects are in one.
        mutating func fill() async throws {
            var notes: [[FacetNote]] = parts.map { _ in [] }
            let heavy = generator.int(0...(parts.count - 1))
            for number in 0..<generator.element([0, 8, 60, 150]) {
                let place =
                    generator.once(in: 2) ? heavy : generator.int(0...(parts.count - 1))
                notes[place].append(FacetNote.random(number, &generator))
            }
            for (place, part) in parts.enumerated() where !notes[place].isEmpty {
                try await part.indexObjects(notes[place])
                let gone = notes[place].removeFirst()
                _ = try await part.removeIndex(for: gone).value()
                if generator.once(in: 2) { try await part.flush() }
            }
            try await whole.indexObjects(notes.flatMap { $0 })
            if generator.once(in: 2) { try await whole.flush() }
        }

        mutating func facets() -> [Facet] {
            (0..<generator.int(1...3)).map { _ in
                var facet = FacetNote.facet(&generator)
                facet.order = generator.element([.count, .key])
                facet.isDisjunctive = generator.once(in: 3)
                return facet
            }
        }

        mutating func query() -> Query {
            let (a, b) = (generator.element(FacetNote.words), generator.element(FacetNote.words))
            let filter = generator.element([
                Query.attribute("price", .greater(0)), .attribute("kind", .equal("a")),
                .all(of: [
                    .attribute("kind", .less("東京")), .attribute("price", .less(2)),
                ]),
            ])
            switch generator.int(0...9) {
            case 0: return .everything
            case 1: return .all(of: [.term(a), .term(b)])
            case 2: return .any(of: [.term(a), .prefix("s")])
            case 3, 4: return .all(of: [.term(a), .filter(filter)])
            case 5: return .filter(filter)
            case 6: return .first(of: [.all(of: [.term(a), .term(b)]), .term(a), .prefix("g")])
            case 7: return .all(of: [.any(of: [.term(a), .term(b)]), filter])
            // Where all that an index has is left out, its tiers count for others all the same.
            case 8: return .all(of: [.first(of: [.term(a), .term(b)]), .filter(filter)])
            default: return .term(a)
            }
        }

        mutating func ranking() -> Ranking {
            generator.element([
                .relevance, .relevance, .relevance, .weight, .combined,
                .sorted(by: [.attribute("kind"), .relevance]),
            ])
        }

        /// With words that are misspelt, and such as are nowhere.
        mutating func text() -> String {
            (0..<generator.int(1...3)).map { _ in
                generator.element(FacetNote.words + ["duk", "gose", "swans", "nothing"])
            }.joined(separator: generator.element([" ", " ", " OR "]))
        }
    }

    @Test(
        "Facets of typed queries are those of one index, here and in two phases",
        arguments: testSeeds(8))
    func queries(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        for _ in 0..<40 {
            let (query, ranking, facets) = (bench.query(), bench.ranking(), bench.facets())
            let least = bench.generator.element([-.infinity, -.infinity, 0.5])
            let limit = bench.generator.element([0, 1, 5, 50])
            let expected = try await bench.whole.search(
                query, limit: limit, ranking: ranking, facets: facets, minimumScore: least)
            let here = try FederatedSearch(bench.parts).search(
                query, limit: limit, ranking: ranking, facets: facets, minimumScore: least)
            let apart = try search(bench.parts) {
                try $0.statistics(
                    of: query, known: $1, limit: limit, ranking: ranking, minimumScore: least)
            } _: {
                try $0.search(
                    query, statistics: $1, limit: limit, ranking: ranking, facets: facets,
                    minimumScore: least)
            }
            let note = "seed \(seed), \(bench.parts.count) indexes: \(query) \(ranking) \(facets)"
            check(here, apart, expected, note)
        }
    }

    @Test("Facets of texts count what all steps found", arguments: testSeeds(6))
    func texts(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        for _ in 0..<25 {
            let (text, facets) = (bench.text(), bench.facets())
            let filter = bench.generator.element([nil, Query.attribute("price", .greater(0))])
            let limit = bench.generator.element([0, 1, 5, 50])
            let steps = bench.generator.element([SearchSteps.all, .all, .exact])
            let expected = try await bench.whole.search(
                text, limit: limit, filter: filter, facets: facets, steps: steps)
            let here = try FederatedSearch(bench.parts).search(
                text, limit: limit, filter: filter, facets: facets, steps: steps)
            let apart = try search(bench.parts) {
                try $0.statistics(
                    of: text, known: $1, limit: limit, filter: filter, steps: steps)
            } _: {
                try $0.search(
                    text, statistics: $1, limit: limit, filter: filter, facets: facets,
                    steps: steps)
            }
            let note = "seed \(seed), \(bench.parts.count) indexes: \(text) \(facets)"
            check(here, apart, expected, note)
            #expect(here.steps == expected.steps, "\(note)")
        }
    }

    /// Two phases, and the counts of each index as bytes.
    private func search(
        _ parts: [TextIndex<FacetNote>],
        _ statistics: (TextIndex<FacetNote>, QueryStatistics?) throws -> QueryStatistics,
        _ search: (TextIndex<FacetNote>, QueryStatistics) throws -> SearchResults<FacetNote>
    ) throws -> (total: Int, facets: [FacetCounts<Never>]) {
        var sum = try QueryStatistics.sum(of: parts.map { try statistics($0, nil) })
        while !sum.isComplete {
            sum = try QueryStatistics.sum(of: parts.map { try statistics($0, sum) })
        }
        let found = try parts.map { try search($0, sum) }
        let facets = try found[0].facets.indices.map { number in
            try FacetCounts.sum(
                of: found.map { part in
                    // Whole, however few the facet asks for.
                    let counts = part.facets[number]
                    #expect(counts.bucketCount == counts.buckets.count)
                    var writer = MessageWriter()
                    counts.write(to: &writer)
                    var reader = MessageReader(writer.bytes[...])
                    let read = try FacetCounts<Never>(of: counts.facet, reading: &reader)
                    #expect(reader.isAtEnd)
                    return read
                })
        }
        return (found.reduce(0) { $0 + $1.totalCount.value }, facets)
    }

    private func check(
        _ here: FederatedResults<FacetNote>,
        _ apart: (total: Int, facets: [FacetCounts<Never>]), _ expected: SearchResults<FacetNote>,
        _ what: String
    ) {
        let note = Comment(rawValue: what)
        #expect(here.map(\.item.identifier) == expected.map(\.identifier), note)
        #expect(here.map(\.item.score) == expected.map(\.score), note)
        #expect(here.totalCount == expected.totalCount, note)
        #expect(apart.total == expected.totalCount.value, note)
        #expect(here.facets.count == expected.facets.count, note)
        #expect(apart.facets.count == expected.facets.count, note)
        for (number, right) in expected.facets.enumerated() {
            check(here.facets[number], right, note)
            check(apart.facets[number], right, note)
        }
    }

    private func check<One>(
        _ found: FacetCounts<One>, _ expected: FacetCounts<FacetNote>, _ note: Comment
    ) {
        #expect(found.facet == expected.facet, note)
        #expect(found.buckets.map(\.key) == expected.buckets.map(\.key), note)
        #expect(found.buckets.map(\.count) == expected.buckets.map(\.count), note)
        #expect(found.bucketCount == expected.bucketCount, note)
        #expect(found.objectCount == expected.objectCount, note)
        #expect(found.missingCount == expected.missingCount, note)
        #expect(found.isComplete, note)
    }

    @Test("Automatic ranges are cut by the values of all indexes", arguments: testSeeds(6))
    func automaticRanges(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        defer { bench.remove() }
        try await bench.fill()
        for _ in 0..<30 {
            var facet = Facet.automaticRanges(
                of: bench.generator.element(["price", "when", "mixed", "rare", "nobody"]),
                atMost: bench.generator.element([1, 2, 5, 40]),
                order: bench.generator.element([.count, .key]))
            facet.isDisjunctive = bench.generator.once(in: 3)
            let query = bench.query()
            let expected = try await bench.whole.search(query, limit: 3, facets: [facet])
            let found = try FederatedSearch(bench.parts).search(query, limit: 3, facets: [facet])
            check(
                found.facets[0], expected.facets[0],
                "seed \(seed), \(bench.parts.count) indexes: \(query) \(facet)")
        }
    }

    @Test("What is more than a sum is refused")
    func refused() throws {
        let index = try TextIndex<FacetNote>(at: temporaryDirectory("refused"))
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        let both = try FederatedSearch([index, index])
        let sum = try index.statistics(of: .term("duck"))
        let isRefused = { (error: any Error) in
            (error as? TextIndexError)?.code == .invalidArgument
        }
        for facet in [
            Facet.values(of: "a", topHits: 1), .values(of: "a", order: .bestHit),
            .histogram(of: "a", every: 0),
        ] {
            #expect {
                try both.search(.term("duck"), facets: [facet])
            } throws: {
                isRefused($0)
            }
            #expect {
                try index.search(.term("duck"), statistics: sum, facets: [facet])
            } throws: {
                isRefused($0)
            }
        }
        #expect {
            try index.search(
                .term("duck"), statistics: sum, facets: [.automaticRanges(of: "a")])
        } throws: {
            isRefused($0)
        }
        let counts = try index.search(
            .term("duck"), statistics: sum, facets: [.values(of: "a"), .values(of: "b")]
        ).facets
        #expect {
            try FacetCounts<FacetNote>.sum(of: counts)
        } throws: {
            isRefused($0)
        }
        #expect {
            try FacetCounts<FacetNote>.sum(of: [])
        } throws: {
            isRefused($0)
        }
    }

    @Test("Counts that lack buckets, of several facets, or of none are not added up")
    func cutCounts() async throws {
        var bench = try Bench(seed: 5)
        defer { bench.remove() }
        try await bench.whole.indexObjects((0..<30).map { FacetNote.random($0, &bench.generator) })
        func counts(_ facet: Facet) throws -> FacetCounts<FacetNote> {
            try bench.whole.search(.everything, facets: [facet]).facets[0]
        }
        let (all, cut) = (
            try counts(.values(of: "price", limit: .max)),
            try counts(.values(of: "price", limit: 1))
        )
        #expect(cut.bucketCount > 1 && all.buckets.count == all.bucketCount)
        for some in [[cut], [cut, cut], [all, try counts(.values(of: "kind", limit: .max))], []] {
            #expect { try FacetCounts.sum(of: some) } throws: {
                ($0 as? TextIndexError)?.code == .invalidArgument
            }
        }
        let twice = try FacetCounts.sum(of: [all, all])
        #expect(twice.buckets.map(\.count) == all.buckets.map { 2 * $0.count })
    }

    @Test("Counts that are damaged or cut short are refused, or read as other counts")
    func damagedBytes() async throws {
        var bench = try Bench(seed: 3)
        defer { bench.remove() }
        let notes = (0..<30).map { FacetNote.random($0, &bench.generator) }
        try await bench.whole.indexObjects(notes)
        let ranges = [FacetRange(from: .number(0)), FacetRange(to: .number(0))]
        for facet in [
            Facet.values(of: "mixed"), .histogram(of: "price", every: 10),
            .dates(of: "when", every: .month), .ranges(of: "price", ranges),
        ] {
            let sum = try bench.whole.statistics(of: .everything)
            let counts = try bench.whole.search(.everything, statistics: sum, facets: [facet])
                .facets[0]
            var writer = MessageWriter()
            counts.write(to: &writer)
            #expect(writer.bytes.count <= counts.byteCount)
            for length in writer.bytes.indices {
                var reader = MessageReader(writer.bytes[..<length])
                #expect(throws: MalformedMessage.self) {
                    _ = try FacetCounts<Never>(of: facet, reading: &reader)
                }
            }
            for _ in 0..<2_000 {
                var damaged = writer.bytes
                for _ in 0..<bench.generator.int(1...3) {
                    damaged[bench.generator.int(0...(damaged.count - 1))] = UInt8(
                        bench.generator.int(0...255))
                }
                var reader = MessageReader(damaged[...])
                guard let read = try? FacetCounts<Never>(of: facet, reading: &reader) else {
                    continue
                }
                var rewriter = MessageWriter()
                read.write(to: &rewriter)
                var again = MessageReader(rewriter.bytes[...])
                let same = try FacetCounts<Never>(of: facet, reading: &again)
                #expect(same.buckets.map(\.count) == read.buckets.map(\.count))
                let twice = try FacetCounts.sum(of: [read, read])
                #expect(twice.objectCount == read.objectCount.addingClamped(read.objectCount))
                #expect(twice.missingCount == read.missingCount.addingClamped(read.missingCount))
            }
        }
    }
}
