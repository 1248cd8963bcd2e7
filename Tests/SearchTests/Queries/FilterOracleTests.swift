import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Filters and sort keys against the attributes of objects")
struct FilterOracleTests {
    /// Objects and their index, changed together.
    struct Bench {
        var random: FilterRandom
        /// In the order of indexing.
        var notes: [FilterNote] = []
        var index: TextIndex<FilterNote>
        private let folder: TemporaryFolder
        private let configuration: TextIndexConfiguration

        init(seed: UInt64) throws {
            random = FilterRandom(generator: SeededGenerator(seed: seed))
            folder = try TemporaryFolder("filters")
            var configuration = TextIndexConfiguration()
            configuration.fields = ["title"]
            configuration.exactCountLimit = random.generator.element([0, 3, 1000])
            configuration.cacheSize = random.generator.element([0, 32 << 10, 32 << 20])
            self.configuration = configuration
            index = try Self.open(folder("index"), configuration)
        }

        static func open(
            _ directory: URL, _ configuration: TextIndexConfiguration
        ) throws -> TextIndex<FilterNote> {
            let index = try TextIndex<FilterNote>(at: directory, configuration: configuration)
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in note.indexed }
            return index
        }

        mutating func change() async throws {
            var ids = Set<Int>()
            while ids.count < 60 { ids.insert(random.generator.int(0...99)) }
            let changed = ids.sorted().map { random.note($0) }
            notes.removeAll { ids.contains($0.id) }
            notes += changed
            if random.generator.once(in: 2) {
                try await index.indexObjects(changed)
            } else {
                for note in changed { _ = try await index.indexObject(note).value() }
            }
            for _ in 0..<random.generator.int(0...15) {
                let id = random.generator.int(0...99)
                notes.removeAll { $0.id == id }
                _ = try await index.removeIndex(forIdentifier: FilterNote.identifier(id)).value()
            }
        }

        mutating func move() throws {
            switch random.generator.int(0...5) {
            case 0, 1: try index.flush()
            case 2: try index.optimize()
            case 3, 4:
                try index.closeVerified()
                index = try Self.open(folder("index"), configuration)
            default: break
            }
        }

        /// The notes in the order of sort keys.
        func sorted(
            _ notes: [FilterNote], _ keys: [SortKey], _ scores: [Data: Double]
        ) -> [FilterNote] {
            notes.enumerated().sorted { a, b in
                for key in keys {
                    let order =
                        switch key.kind {
                        case .attribute(let name):
                            key.order(
                                key.value(of: a.element.attributes[name]),
                                key.value(of: b.element.attributes[name]))
                        case .weight: key.order(a.element.weight, b.element.weight)
                        case .relevance:
                            key.order(
                                scores[a.element.identifier], scores[b.element.identifier])
                        }
                    if order != 0 { return order < 0 }
                }
                return a.offset < b.offset
            }.map(\.element)
        }
    }

    /// Runs `body` many times in each of many states of an index.
    private func inManyStates(
        _ seed: UInt64, rounds: Int = 30, _ body: (inout Bench) throws -> Void
    ) async throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<6 {
            try await bench.change()
            try bench.move()
            for _ in 0..<rounds { try body(&bench) }
        }
        try bench.index.closeVerified()
    }

    @Test("Random filters alone match as the attributes of objects say", arguments: testSeeds(8))
    func alone(seed: UInt64) async throws {
        try await inManyStates(seed) { bench in
            let query = bench.random.filter()
            let expected = bench.notes.filter { $0.passes(query) }
            let found = try bench.index.search(query, limit: .max)
            #expect(
                found.map(\.identifier) == expected.map(\.identifier), "seed \(seed): \(query)")
            #expect(found.allSatisfy { $0.score == 0 }, "seed \(seed): \(query)")
            let page = try bench.index.search(query, limit: 3, offset: 2)
            #expect(
                page.map(\.identifier) == expected.dropFirst(2).prefix(3).map(\.identifier),
                "seed \(seed): \(query)")
            #expect(page.totalCount.value == expected.count, "seed \(seed): \(query)")
            let count = try bench.index.search(query, limit: 0).totalCount
            #expect(count == .init(expected.count), "seed \(seed): \(query)")
        }
    }

    @Test(
        "Random filters beside words leave the scores and the order of what they let pass",
        arguments: testSeeds(8))
    func besideWords(seed: UInt64) async throws {
        try await inManyStates(seed) { bench in
            let words = bench.random.wordQuery()
            let filter = bench.random.filter(depth: 2)
            let query: Query =
                bench.random.generator.once(in: 2)
                ? .all(of: [words, filter]) : .all(of: [.filter(filter), words])
            let all = try bench.index.search(words, limit: .max)
            let passing = Set(bench.notes.filter { $0.passes(filter) }.map(\.identifier))
            let expected = all.filter { passing.contains($0.identifier) }
            for (limit, offset) in [(Int.max, 0), (4, 0), (3, 2), (200, 1)] {
                let found = try bench.index.search(query, limit: limit, offset: offset)
                let wanted = expected.dropFirst(offset).prefix(limit)
                let what: Comment = "seed \(seed): \(query) \(limit) \(offset)"
                #expect(found.map(\.identifier) == wanted.map(\.identifier), what)
                #expect(found.map(\.score) == wanted.map(\.score), what)
                #expect(found.map(\.resultTokens) == wanted.map(\.resultTokens), what)
                let count = found.totalCount
                #expect(
                    count.isExact
                        ? count.value == expected.count : count.value <= expected.count, what)
            }
            let facet = Facet.values(of: "few", limit: .max)
            let counted = try bench.index.search(query, limit: 2, facets: [facet])
            #expect(
                counted.map(\.identifier) == expected.prefix(2).map(\.identifier),
                "seed \(seed): \(query)")
            #expect(
                counted.facets[0].objectCount + counted.facets[0].missingCount == expected.count,
                "seed \(seed): \(query)")
        }
    }

    @Test("Random sort keys put results in the order of the attributes", arguments: testSeeds(8))
    func sorted(seed: UInt64) async throws {
        try await inManyStates(seed) { bench in
            let words =
                bench.random.generator.once(in: 2) ? Query.everything : bench.random.wordQuery()
            let query = Query.all(of: [words, bench.random.filter(depth: 1)])
            let minimum = bench.random.generator.element([-Double.infinity, 0, 0.3])
            let all = try bench.index.search(query, limit: .max, minimumScore: minimum)
            let scores = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0.score) })
            let keys = bench.random.keys()
            let expected = bench.sorted(
                bench.notes.filter { scores[$0.identifier] != nil }, keys, scores)
            for (limit, offset) in [(Int.max, 0), (3, 0), (5, 4), (60, 0)] {
                let what: Comment = "seed \(seed): \(query) by \(keys)"
                let found = try bench.index.search(
                    query, limit: limit, offset: offset, ranking: .sorted(by: keys),
                    minimumScore: minimum)
                let wanted = expected.dropFirst(offset).prefix(limit)
                #expect(found.map(\.identifier) == wanted.map(\.identifier), what)
                #expect(found.map(\.score) == wanted.map { scores[$0.identifier] ?? -1 }, what)
                #expect(found.totalCount == .init(expected.count), what)
                let faceted = try bench.index.search(
                    query, limit: 3, ranking: .sorted(by: keys), facets: [.values(of: "flag")],
                    minimumScore: minimum)
                #expect(
                    faceted.map(\.identifier) == expected.prefix(3).map(\.identifier), what)
                #expect(
                    faceted.facets[0].objectCount + faceted.facets[0].missingCount
                        == expected.count, what)
            }
        }
    }

    @Test("A single sort key puts everything, or most, in order", arguments: testSeeds(8))
    func sortedByOne(seed: UInt64) async throws {
        // Each round asks for every attribute in both orders.
        try await inManyStates(seed, rounds: Scale.sample(of: 30)) { bench in
            let some = Query.none(of: [bench.random.filter(depth: 1)])
            for query in [Query.everything, some] {
                let all = Set(try bench.index.search(query, limit: .max).map(\.identifier))
                let matching = bench.notes.filter { all.contains($0.identifier) }
                for name in FilterNote.names {
                    for direction in [SortKey.Direction.ascending, .descending] {
                        let key = SortKey.attribute(name, direction)
                        let limit = bench.random.generator.int(1...9)
                        let found = try bench.index.search(
                            query, limit: limit, ranking: .sorted(by: [key]))
                        let wanted = bench.sorted(matching, [key], [:]).prefix(limit)
                        #expect(
                            found.map(\.identifier) == wanted.map(\.identifier),
                            "seed \(seed): \(query) by \(key)")
                    }
                }
            }
        }
    }

    @Test("A search that ends early finds a part of what filters let pass", arguments: testSeeds(4))
    func early(seed: UInt64) async throws {
        try await inManyStates(seed) { bench in
            let filter = bench.random.filter()
            let query =
                bench.random.generator.once(in: 2)
                ? filter : .all(of: [bench.random.wordQuery(), filter])
            let whole = Set(try bench.index.search(query, limit: .max).map(\.identifier))
            for checks in [0, 1, 2, 3, 5, 9] {
                let found = try bench.index.search(
                    SearchRequest(query: query, limit: .max), SearchClock(checks: checks))
                let identifiers = Set(found.map(\.identifier))
                #expect(identifiers.isSubset(of: whole), "seed \(seed), \(checks): \(query)")
                if found.isComplete {
                    #expect(identifiers == whole, "seed \(seed), \(checks): \(query)")
                }
            }
        }
    }

    @Test("An exclusion of identifiers whose time is over lets none of them pass")
    func excludedIdentifiers() throws {
        let notes = try PlainNoteIndex((0..<60).map { PlainNote("\($0)", "grey") })
        let identifiers = Query.identifiers((0..<60).map { Data("\($0)".utf8) })
        for stage in Stage.allCases {
            try notes.enter(stage)
            for checks in 0..<80 {
                for query: Query in [
                    .none(of: [identifiers]),
                    .all(of: [.term("grey"), .filter(.none(of: [identifiers]))]),
                    .none(of: [.none(of: [.none(of: [identifiers])])]),
                ] {
                    let found = try notes.index.search(
                        SearchRequest(query: query, limit: .max), SearchClock(checks: checks))
                    #expect(found.isEmpty, "\(checks) checks: \(query)")
                }
            }
        }
    }

    @Test("Filters and sort keys of several indexes are those of one", arguments: testSeeds(4))
    func federated(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        var other = try Bench(seed: seed &+ 1)
        for _ in 0..<3 {
            for _ in 0..<2 { try await bench.change() }
            try await other.change()
            try bench.move()
            try other.move()
            let both = try FederatedSearch([bench.index, other.index])
            for _ in 0..<15 {
                let query = Query.all(of: [.prefix("re"), bench.random.filter(depth: 2)])
                let words = try both.search(.prefix("re"), limit: .max)
                let keys = bench.random.keys().filter { $0.kind != .relevance }
                let notes = [bench.notes, other.notes]
                let wanted = words.compactMap { hit in
                    notes[hit.source].first { $0.identifier == hit.item.identifier }.map {
                        (hit.source, $0)
                    }
                }.filter { $0.1.passes(query.filterPart) }
                let inOrder = notes.enumerated().flatMap { source, notes in
                    notes.filter { note in
                        wanted.contains { $0.0 == source && $0.1.id == note.id }
                    }
                }
                let expected = bench.sorted(inOrder, keys, [:])
                let found = try both.search(query, limit: 7, ranking: .sorted(by: keys))
                #expect(
                    found.map(\.item.identifier) == expected.prefix(7).map(\.identifier),
                    "seed \(seed): \(query) by \(keys)")
                #expect(found.totalCount.value == expected.count, "seed \(seed): \(query)")
            }
        }
        try bench.index.closeVerified()
        try other.index.closeVerified()
    }
}

extension Query {
    /// The last of two parts.
    fileprivate var filterPart: Query {
        if case .all(let parts) = node, let last = parts.last { last } else { self }
    }
}
