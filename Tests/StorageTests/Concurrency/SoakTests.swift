import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Two threads that change an index and four that search it, for long: of each object every search
/// finds a version that was there while it ran, and nothing else. What has finished is what there
/// is when nobody works, after reopening too.
@Suite("Soak", .timeLimit(.minutes(20 + (Scale.soak ?? 0) / 60)))
struct SoakTests {
    @Test("Writers and readers agree with plain objects for a long time")
    func soak() async throws {
        let seed = Scale.seed(0)
        let run = try SoakRun(seed: seed)
        defer { run.remove() }
        let begin = ContinuousClock.now
        var phase = 0
        while phase < 4 || ContinuousClock.now - begin < .seconds(Scale.soak ?? 0) {
            try await run.phase(phase)
            phase += 1
        }
        let figures = run.figures.current
        Scale.report(
            Scale.soak, "soak",
            [
                "seconds": Int((ContinuousClock.now - begin) / .seconds(1)),
                "operations": figures.operations, "searches": figures.searches,
                "found": figures.found, "reopenings": figures.reopenings,
                "differences": figures.differences,
            ])
        #expect(figures.differences == 0, "seed \(seed)")
        #expect(figures.searches > 20 && figures.found > 0 && figures.operations > 100)
    }
}

/// One index through many phases: in each, writers and readers at once, then a comparison of
/// everything.
final class SoakRun: @unchecked Sendable {
    struct Figures: Sendable {
        var operations = 0
        var searches = 0
        /// Objects that were found and compared.
        var found = 0
        var reopenings = 0
        var differences = 0
    }

    private static let objectCount = 30

    private let seed: UInt64
    private let directory = temporaryDirectory("soak")
    private let configuration: TextIndexConfiguration
    /// Settings, and no objects.
    private let empty: PlainCorpus
    /// Replaced between phases only.
    private var index: TextIndex<TestObject>
    private let history = Shared(SoakHistory())
    /// Words that queries are made of; those of the objects of earlier phases.
    private var words: [TestWord] = []
    let figures = Shared(Figures())

    init(seed: UInt64) throws {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        var corpus = PlainCorpus(model: ReferenceModel())
        corpus.model.minimalTokenLength = generator.int(1...3)
        if generator.once(in: 2) { corpus.model.stopWords = ["a", "e", "ab", "ss"] }
        empty = corpus
        var configuration = tinyBuffers()
        configuration.bufferSize = generator.element([1, 1 << 14, 1 << 18])
        configuration.minimalTokenLength = corpus.model.minimalTokenLength
        configuration.indexesStopWords = false
        configuration.stopWords = .words(corpus.model.stopWords.sorted())
        configuration.fields = PlainCorpus.fields
        self.configuration = configuration
        index = try TextIndex.ofTestObjects(at: directory, configuration)
    }

    func remove() {
        try? index.close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Works and searches at once, compares, and now and then opens the index anew.
    func phase(_ number: Int) async throws {
        let writing = Shared(2)
        await onThreads(6) { thread in
            let seed = self.seed &+ UInt64(number * 6 + thread) &* 0x9e37_79b9
            var random = PlainQueryRandom(
                generator: SeededGenerator(seed: seed), corpus: self.words)
            if thread < 2 {
                for _ in 0..<40 { self.change(writer: thread, &random) }
                self.index.indexingQueue.waitUntilAllOperationsAreFinished()
                writing.change { $0 -= 1 }
                return
            }
            repeat {
                self.search(&random)
            } while writing.current > 0
        }
        try await onThread { try self.compare(number) }
    }

    private func fail(_ what: String) {
        figures.change { $0.differences += 1 }
        Issue.record("\(what); seed \(seed)")
    }
}

// MARK: - Writers

extension SoakRun {
    /// Does one thing to the objects of a writer, who has every other one.
    private func change(writer: Int, _ random: inout PlainQueryRandom) {
        let id = random.generator.int(0...(Self.objectCount / 2 - 1)) * 2 + writer
        var object = random.object()
        object.id = id
        figures.change { $0.operations += 1 }
        switch random.generator.int(0...19) {
        case 0: attempt { try index.flush() }
        case 1: attempt { try index.optimize() }
        case 2, 3: load(writer: writer, &random)
        case 4...7: submit(id, nil, isWaitedFor: random.generator.once(in: 3))
        default: submit(id, object, isWaitedFor: random.generator.once(in: 3))
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { fail("\(error)") }
    }

    private func submit(_ id: Int, _ object: TestObject?, isWaitedFor: Bool) {
        let time = history.change { $0.begin(id, object) }
        let operation =
            object.map { index.indexObject($0) }
            ?? index.removeIndex(for: TestObject(id: id, strings: [], weight: 0))
        let finish: @Sendable () -> Void = { [history] in history.change { $0.end(id, time) } }
        guard isWaitedFor else {
            operation.completionBlock = { [unowned operation, self] in
                if let error = operation.error { fail("\(error)") } else { finish() }
            }
            return
        }
        operation.waitUntilFinished()
        if let error = operation.error { fail("\(error)") } else { finish() }
    }

    /// Indexes some objects in bulk.
    private func load(writer: Int, _ random: inout PlainQueryRandom) {
        var objects: [TestObject] = []
        for id in 0..<(Self.objectCount / 2) where random.generator.once(in: 3) {
            var object = random.object()
            object.id = id * 2 + writer
            objects.append(object)
        }
        let loaded = objects
        let times = history.change { history in loaded.map { history.begin($0.id, $0) } }
        let isDone = DispatchSemaphore(value: 0)
        Task.detached { [self] in
            do {
                let report = try await index.indexObjects(loaded)
                if report.indexedCount != loaded.count { fail("\(report)") }
                history.change { history in
                    for (object, time) in zip(loaded, times) { history.end(object.id, time) }
                }
            } catch { fail("\(error)") }
            isDone.signal()
        }
        isDone.wait()
    }
}

// MARK: - Readers

extension SoakRun {
    /// Asks something, and compares what is found with what may have been there meanwhile.
    private func search(_ random: inout PlainQueryRandom) {
        let start = history.change { $0.clock }
        let query = random.query(depth: 2)
        let found: [SearchResultItem<TestObject>]
        do {
            found = try index.search(query.query, limit: .max).items
        } catch { return fail("\(error): \(query)") }
        let candidates = history.change { $0.candidates(from: start, to: $0.clock) }
        compare(found, query, candidates)
    }

    private func compare(
        _ found: [SearchResultItem<TestObject>], _ query: PlainQuery,
        _ candidates: [Int: [TestObject?]]
    ) {
        let weights = Dictionary(found.map { ($0.number, $0.weight) }) { first, _ in first }
        if weights.count != found.count { fail("an object comes twice: \(query)") }
        figures.change {
            $0.searches += 1
            $0.found += found.count
        }
        for id in weights.keys where candidates[id] == nil { fail("\(id) never was: \(query)") }
        // What a version of an object answers does not depend on other objects; so versions are
        // asked a layer at a time.
        var unexplained = Set(candidates.keys)
        var layer = 0
        while !unexplained.isEmpty {
            let objects = unexplained.compactMap { id in
                candidates[id].flatMap { $0.count > layer ? $0[layer] : nil }
            }
            let isDeepEnough = candidates.values.contains { $0.count > layer }
            guard isDeepEnough else { break }
            var corpus = empty
            for object in objects { corpus.model.index(object) }
            let answer = corpus.answer(query)
            unexplained = unexplained.filter { id in
                guard let versions = candidates[id], versions.count > layer else { return true }
                let isExpected = answer.contains(id)
                return isExpected != (weights[id] != nil)
                    || (isExpected && versions[layer]?.weight != weights[id])
            }
            layer += 1
        }
        for id in unexplained.sorted() {
            fail(
                "object \(id) is \(weights[id] == nil ? "not " : "")found, which is no version's answer: \(query)"
            )
        }
    }
}

// MARK: - Between phases

extension SoakRun {
    /// Compares everything while nobody works, and once more after opening the index anew.
    private func compare(_ number: Int) throws {
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        history.change { $0.settle() }
        var corpus = empty
        for object in history.change({ $0.objects }) { corpus.model.index(object) }
        words = corpus.model.objects.flatMap(\.strings).flatMap(\.words)
        var random = PlainQueryRandom(
            generator: SeededGenerator(seed: seed &+ UInt64(number)), corpus: words)
        let queries = (0..<12).map { _ in random.query(depth: 2) }
        try compareAll(corpus, queries)
        guard random.generator.once(in: 2) else { return }
        if random.generator.once(in: 2) { try index.flush() }
        let report = try index.verify(depth: .full)
        if !report.isClean { fail("\(report)") }
        try index.close()
        index = try TextIndex.ofTestObjects(at: directory, configuration)
        figures.change { $0.reopenings += 1 }
        try compareAll(corpus, queries)
    }

    private func compareAll(_ corpus: PlainCorpus, _ queries: [PlainQuery]) throws {
        let wanted = corpus.model.objects
        if index.count != wanted.count { fail("\(index.count) objects, not \(wanted.count)") }
        let identifiers = try Set(index.identifiers())
        if identifiers != Set(wanted.map(\.identifier)) { fail("other identifiers") }
        for object in wanted {
            let item = try index.item(for: object.identifier)
            if item?.weight != object.weight || item?.context != object.indexed.context {
                fail("object \(object.id) is another")
            }
        }
        for query in queries {
            let found = try index.search(query.query, limit: .max)
            let numbers = Set(found.map(\.number))
            if numbers != corpus.answer(query) || numbers.count != found.count {
                fail("another answer: \(query)")
            }
            figures.change {
                $0.searches += 1
                $0.found += found.count
            }
        }
    }
}
