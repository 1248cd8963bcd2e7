import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Facets against brute force")
struct FacetOracleTests {
    /// Objects and their index, changed together.
    private struct Bench {
        var generator: SeededGenerator
        var notes: [Int: FacetNote] = [:]
        var index: TextIndex<FacetNote>
        let folder: TemporaryFolder

        init(seed: UInt64) throws {
            generator = SeededGenerator(seed: seed)
            folder = try TemporaryFolder("facets")
            index = try Self.open(folder("index"))
        }

        private static func open(_ directory: URL) throws -> TextIndex<FacetNote> {
            let index = try TextIndex<FacetNote>(at: directory)
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in note.indexed }
            return index
        }

        mutating func change() async throws {
            let changed = (0..<generator.int(1...60)).map { _ in
                FacetNote.random(generator.int(0...199), &generator)
            }
            for note in changed { notes[note.id] = note }
            if generator.once(in: 2) {
                try await index.indexObjects(changed)
            } else {
                for operation in changed.map({ index.indexObject($0) }) {
                    _ = try await operation.value()
                }
            }
            for _ in 0..<generator.int(0...20) {
                let id = generator.int(0...199)
                notes[id] = nil
                _ = try await index.removeIndex(forIdentifier: FacetNote.identifier(id)).value()
            }
        }

        mutating func move() throws {
            switch generator.int(0...5) {
            case 0, 1: try index.flush()
            case 2: try index.optimize()
            case 3, 4:
                try index.closeVerified()
                index = try Self.open(folder("index"))
            default: break
            }
        }

        mutating func facet() -> Facet {
            var facet = FacetNote.facet(&generator)
            facet.order = generator.element([.count, .key, .bestHit])
            facet.topHits = generator.element([0, 0, 1, 3, 100])
            return facet
        }

        mutating func query() -> Query {
            let word = Query.term(generator.element(FacetNote.words))
            switch generator.int(0...6) {
            case 0: return .everything
            case 1: return .all(of: [word, .term(generator.element(FacetNote.words))])
            case 2: return .any(of: [word, .prefix("s")])
            case 3: return .all(of: [word, .filter(.attribute("price", .greater(0)))])
            case 4: return .all(of: [word, .none(of: [.term(generator.element(FacetNote.words))])])
            case 5: return .keyword("o")
            default: return word
            }
        }

        mutating func ranking() -> Ranking {
            generator.element([
                .relevance, .relevance, .weight, .combined, .custom { $0.weight - $0.relevance },
                .sorted(by: [.attribute("kind"), .relevance]),
            ])
        }
    }

    @Test(
        "Random facets of random queries count as plain objects do, at every stage",
        arguments: testSeeds(8))
    func random(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<8 {
            try await bench.change()
            try bench.move()
            for _ in 0..<25 { try compare(&bench, seed) }
        }
        try bench.index.closeVerified()
    }

    private func compare(_ bench: inout Bench, _ seed: UInt64) throws {
        let query = bench.query()
        let ranking = bench.ranking()
        let minimum = bench.generator.element([-Double.infinity, -.infinity, 0.5])
        let facets = (0..<bench.generator.int(1...3)).map { _ in bench.facet() }
        let plain = try bench.index.search(
            query, limit: .max, ranking: ranking, minimumScore: minimum)
        let faceted = try bench.index.search(
            query, limit: 4, offset: 1, ranking: ranking, facets: facets, minimumScore: minimum)
        let what = "seed \(seed): \(query) \(facets)"
        #expect(faceted.isComplete && faceted.totalCount == plain.totalCount, "\(what)")
        #expect(
            faceted.map(\.identifier) == plain.dropFirst().prefix(4).map(\.identifier),
            "\(what)")
        #expect(faceted.map(\.rank) == plain.dropFirst().prefix(4).map(\.rank), "\(what)")
        let scores = Dictionary(
            uniqueKeysWithValues: plain.map { ($0.identifier, [$0.score, $0.relevance]) })
        let known = Dictionary(
            uniqueKeysWithValues: bench.notes.values.map { ($0.identifier, $0) })
        let model = PlainFacets(found: plain.compactMap { known[$0.identifier] })
        #expect(model.found.count == plain.count, "\(what)")
        for (facet, counts) in zip(facets, faceted.facets) {
            let expected = model.buckets(facet)
            let shown = expected.prefix(facet.limit)
            #expect(counts.bucketCount == expected.count, "\(what)")
            #expect(counts.buckets.map(\.key) == shown.map(\.key), "\(what)")
            #expect(counts.buckets.map(\.count) == shown.map(\.ids.count), "\(what)")
            #expect(counts.objectCount == model.objectCount(facet), "\(what)")
            #expect(counts.missingCount == plain.count - counts.objectCount, "\(what)")
            for (bucket, right) in zip(counts.buckets, shown) {
                #expect(
                    bucket.hits.map(\.identifier)
                        == right.ids.prefix(facet.topHits).map(FacetNote.identifier), "\(what)")
                #expect(bucket.hits.map(\.rank) == Array(0..<bucket.hits.count))
                let isScored = bucket.hits.allSatisfy {
                    [$0.score, $0.relevance] == scores[$0.identifier]
                }
                #expect(isScored, "\(what)")
            }
        }
    }

    @Test(
        "Counts that are cut short are lower bounds, and whole when nothing was cut",
        arguments: testSeeds(4))
    func budgets(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<4 {
            try await bench.change()
            try bench.move()
        }
        var cut = 0
        for _ in 0..<25 {
            let query = bench.query()
            var facet = bench.facet()
            facet.limit = .max
            facet.topHits = 2
            let whole = try await bench.index.search(query, limit: 0, facets: [facet]).facets[0]
            let all = Dictionary(
                zip(whole.buckets.map(\.key), whole.buckets.map(\.count)),
                uniquingKeysWith: { max($0, $1) })
            for checks in [0, 1, 2, 3, 5, 8, 13, 100_000] {
                let clock = SearchClock(checks: checks)
                let some = try bench.index.search(
                    SearchRequest(query: query, limit: 0), [facet], clock)
                let counts = some.facets[0]
                #expect(counts.isComplete == clock.isComplete, "seed \(seed)")
                let areBounds = counts.buckets.allSatisfy { $0.count <= all[$0.key] ?? -1 }
                #expect(areBounds, "seed \(seed): \(query) \(facet), \(checks) checks")
                #expect(counts.objectCount <= whole.objectCount)
                if counts.isComplete {
                    #expect(counts.buckets.map(\.count) == whole.buckets.map(\.count))
                } else {
                    cut += 1
                    #expect(!some.isComplete && !some.totalCount.isExact)
                }
            }
        }
        #expect(cut > 20)
    }
}
