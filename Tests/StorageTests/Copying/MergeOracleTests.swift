import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Merged and split indexes against those that are built of the objects")
struct MergeOracleTests {
    /// Some indexes, what they hold in the order of indexing.
    private struct Bench {
        var random: PlainQueryRandom
        let seed: UInt64
        let configuration: TextIndexConfiguration
        private(set) var parts: [TextIndex<TestObject>] = []
        private(set) var objects: [[TestObject]] = []
        /// Whether an object may be in several of them.
        private let overlaps: Bool

        init(seed: UInt64) throws {
            self.seed = seed
            random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
            var configuration = TextIndexConfiguration()
            configuration.minimalTokenLength = random.generator.int(1...3)
            configuration.fields = PlainCorpus.fields
            if random.generator.once(in: 3) {
                configuration.analysis.stemming = .language(.english)
            }
            random.generator.drawStorage(of: &configuration)
            self.configuration = configuration
            overlaps = random.generator.once(in: 2)
            for _ in 0..<random.generator.int(1...4) {
                parts.append(try make())
                objects.append([])
            }
        }

        func make(at place: URL = temporaryDirectory("merge")) throws -> TextIndex<TestObject> {
            let index = try TextIndex<TestObject>(at: place, configuration: configuration)
            index.identifier = { $0.identifier }
            index.indexer = { object, _ in object.indexed }
            return index
        }

        /// An index that is built of some objects.
        func built(of objects: [TestObject]) async throws -> TextIndex<TestObject> {
            let index = try make()
            if !objects.isEmpty { try await index.indexObjects(objects) }
            return index
        }

        mutating func change() async throws {
            for place in parts.indices where !random.generator.once(in: 4) {
                for _ in 0..<random.generator.int(0...12) {
                    var object = random.object()
                    random.corpus += object.strings.flatMap(\.words)
                    if !overlaps { object.id += place * 100 }
                    objects[place].removeAll { $0.id == object.id }
                    objects[place].append(object)
                    _ = try await parts[place].indexObject(object).value()
                }
                let gone = random.generator.int(0...29) + (overlaps ? 0 : place * 100)
                objects[place].removeAll { $0.id == gone }
                _ = try await parts[place].removeIndex(
                    for: TestObject(id: gone, strings: [], weight: 0)
                ).value()
                if random.generator.once(in: 3) { try await parts[place].flush() }
                if random.generator.once(in: 6) { try await parts[place].optimize() }
            }
        }

        /// Of several objects with one number that of the last index stays.
        var merged: [TestObject] {
            objects.enumerated().flatMap { place, own in
                own.filter { object in
                    !objects[(place + 1)...].contains { $0.contains { $0.id == object.id } }
                }
            }
        }

        func remove(_ indexes: [TextIndex<TestObject>]) {
            for index in indexes {
                try? index.closeVerified()
                try? FileManager.default.removeItem(at: index.directory)
            }
        }
    }

    private static let rankings: [Ranking] = [
        .relevance, .relevance, .weight, .combined,
        .sorted(by: [.attribute("x", .descending), .weight]),
    ]

    private func check(
        _ found: TextIndex<TestObject>, _ built: TextIndex<TestObject>, _ bench: inout Bench
    ) throws {
        #expect(found.count == built.count)
        for round in 0..<16 {
            let query = bench.random.query(depth: 3).query
            let ranking = bench.random.generator.element(Self.rankings)
            let text = bench.random.words(1...3).map(\.source).joined(separator: " ")
            let note: Comment = "seed \(bench.seed): \(query), \(text)"
            let isText = round % 3 == 0
            let one =
                isText
                ? try found.search(text, limit: 50, ranking: ranking)
                : try found.search(query, limit: 50, ranking: ranking)
            let other =
                isText
                ? try built.search(text, limit: 50, ranking: ranking)
                : try built.search(query, limit: 50, ranking: ranking)
            #expect(one.map(\.identifier) == other.map(\.identifier), note)
            #expect(one.map(\.score) == other.map(\.score), note)
            #expect(one.map(\.weight) == other.map(\.weight), note)
            #expect(one.totalCount.value == other.totalCount.value, note)
            #expect(one.map(\.attributes) == other.map(\.attributes), note)
        }
    }

    @Test(
        "A merged index answers as one that is built of the objects, and can be changed",
        arguments: testSeeds(8))
    func merging(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<3 { try await bench.change() }
        // What was published is merged as well.
        var sources = bench.parts
        let published = temporaryDirectory("published")
        if bench.random.generator.once(in: 2) {
            try await sources[0].publish(to: published)
            sources[0] = try TextIndex(published: published, configuration: bench.configuration)
        }
        let place = temporaryDirectory("merged")
        let report = try TextIndex.merge(indexes: sources, to: place)
        #expect(report.isClean && report.objectCount == bench.merged.count)
        let merged = try bench.make(at: place)
        let built = try await bench.built(of: bench.merged)
        try check(merged, built, &bench)
        for _ in 0..<2 {
            let object = bench.random.object()
            for index in [merged, built] { _ = try await index.indexObject(object).value() }
        }
        try await merged.optimize()
        try check(merged, built, &bench)
        if sources[0] !== bench.parts[0] { try sources[0].close() }
        bench.remove(bench.parts + [merged, built])
        try? FileManager.default.removeItem(at: published)
    }

    @Test(
        "Parts of an index answer as those that are built of their objects",
        arguments: testSeeds(6))
    func splitting(seed: UInt64) async throws {
        var bench = try Bench(seed: seed)
        for _ in 0..<3 { try await bench.change() }
        let count = bench.random.generator.int(1...3)
        let places = (0..<count).map { _ in temporaryDirectory("part") }
        func part(_ identifier: some Sequence<UInt8>) -> Int {
            identifier.reduce(0) { $0 + Int($1) } % count
        }
        let reports = try bench.parts[0].split(to: places) { part($0) }
        let areClean = reports.map(\.isClean)
        #expect(!areClean.contains(false))
        for (number, place) in places.enumerated() {
            let found = try bench.make(at: place)
            let built = try await bench.built(
                of: bench.objects[0].filter { part($0.identifier) == number })
            try check(found, built, &bench)
            bench.remove([found, built])
        }
        bench.remove(bench.parts)
    }

    @Test func whatCannotBeMerged() async throws {
        let (one, other) = (
            try PlainNoteIndex([PlainNote("a", "duck")]),
            try PlainNoteIndex([PlainNote("b", "goose")]) { $0.fields = ["title"] }
        )
        let place = temporaryDirectory("merged")
        func code(_ body: () throws -> Void) -> TextIndexError.Code? {
            do {
                try body()
                return nil
            } catch {
                return (error as? TextIndexError)?.code
            }
        }
        #expect(
            code { _ = try TextIndex.merge(indexes: [one.index, other.index], to: place) }
                == .configurationMismatch)
        #expect(
            code { _ = try TextIndex<PlainNote>.merge(indexes: [], to: place) } == .invalidArgument)
        #expect(
            code { _ = try TextIndex.merge(indexes: [one.index], to: one.directory) }
                == .invalidArgument)
        let within = one.directory.appendingPathComponent("within")
        #expect(
            code { _ = try TextIndex.merge(indexes: [one.index], to: within) } == .invalidArgument)
        #expect(code { _ = try one.index.split(to: []) { _ in 0 } } == .invalidArgument)
        #expect(code { _ = try one.index.split(to: [place]) { _ in 1 } } == .invalidArgument)
        #expect(
            code { _ = try one.index.split(to: [place, place]) { _ in 1 } } == .invalidArgument)
        // Now in one part and now in another, so that some are in neither.
        let second = temporaryDirectory("second")
        var asked = 0
        #expect(
            code {
                _ = try one.index.split(to: [place, second]) { _ in
                    asked += 1
                    return asked <= one.index.count ? 1 : 0
                }
            } == .invalidArgument)
        for place in [place, second] {
            #expect(!FileManager.default.fileExists(atPath: place.path))
            #expect(!FileManager.default.fileExists(atPath: IndexCopy.place(beside: place).path))
        }
    }
}
