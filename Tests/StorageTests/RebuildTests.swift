import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Rebuild under other analysis settings", .timeLimit(.minutes(30)))
struct RebuildTests {
    @Test(
        "An index with other stop words is refused, names the difference, and answers until it is rebuilt",
        arguments: Stage.allCases)
    func rebuild(stage: Stage) async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = RebuildDatabase([
            "a": "the duck", "b": "a goose", "c": "gone", "d": "removed",
        ])
        let first = try database.open(directory, RebuildDatabase.settings(.english))
        try await first.indexObjects(database.texts.current.keys.sorted())
        _ = try await first.removeIndex(for: "d").value()
        switch stage {
        case .memory: break
        case .flushed: try await first.flush()
        case .optimized: try await first.optimize()
        }
        try await first.shutdown()
        database.texts.change { $0["c"] = nil }

        let error = #expect(throws: TextIndexError.self) {
            try database.open(directory, RebuildDatabase.settings(.none))
        }
        #expect(error?.code == .configurationMismatch)
        #expect(error?.message.contains("stopWords") == true)

        let second = try database.open(directory, RebuildDatabase.settings(.none, reopens: true))
        #expect(try second.needsRebuild)
        #expect(second.count == 3)
        #expect(try second.names("duck") == ["a"])
        // The journal is replayed with the new settings, as nothing was said of the old ones.
        #expect(try second.names("the") == (stage == .memory ? ["a"] : []))
        let report = try await second.rebuild()
        #expect(report.indexedCount == 2)
        #expect(report.skippedCount == 1)
        #expect(try !second.needsRebuild)
        #expect(second.count == 2)
        #expect(try second.names("the") == ["a"])
        #expect(try second.names("gone").isEmpty)
        #expect(try second.names("removed").isEmpty)
        try await second.optimize()
        try await second.shutdown()
        try expectNothingLeftOver(at: directory, count: 2)

        #expect(throws: TextIndexError.self) {
            try database.open(directory, RebuildDatabase.settings(.english))
        }
        let third = try database.open(directory, RebuildDatabase.settings(.none))
        await #expect(try third.identifiers().count == 2)
        #expect(try third.names("the") == ["a"])
        try await third.shutdown()
    }

    @Test("Queries and new objects are analysed with the previous settings, where they are given")
    func previousAnalysis() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = RebuildDatabase(["a": "the duck", "b": "a duck"])
        let first = try database.open(directory, RebuildDatabase.settings(.none))
        try await first.indexObjects(["a", "b"])
        try await first.shutdown()

        let blind = try database.open(directory, RebuildDatabase.settings(.english, reopens: true))
        #expect(try blind.names("the duck") == ["a", "b"])
        #expect(try await blind.search("\"a duck\"").map(\.id).sorted() == ["a", "b"])
        try await blind.shutdown()

        // Settings that the index was not built with are none.
        let other = try database.open(
            directory, RebuildDatabase.settings(.english, from: .words(["x"])))
        #expect(try other.names("the duck") == ["a", "b"])
        try await other.shutdown()

        let second = try database.open(
            directory, RebuildDatabase.settings(.english, from: StopWords.none))
        #expect(try second.names("the duck") == ["a"])
        database.texts.change { $0["c"] = "the swan" }
        _ = try await second.indexObject("c").value()
        #expect(try second.names("the") == ["a", "c"])
        #expect(try second.needsRebuild)
        try await second.shutdown()

        // What is journaled is replayed with the same.
        let third = try database.open(
            directory, RebuildDatabase.settings(.english, from: StopWords.none))
        #expect(try third.names("the swan") == ["c"])
        try await third.rebuild()
        #expect(try third.names("the duck") == ["a", "b"])
        #expect(try third.names("the swan") == ["c"])
        #expect(try third.names("the").isEmpty)
        try await third.shutdown()

        // They may be given as well when they are not the previous ones any more.
        let fourth = try database.open(
            directory, RebuildDatabase.settings(.english, from: StopWords.none))
        #expect(try !fourth.needsRebuild)
        #expect(try fourth.names("the").isEmpty)
        try await fourth.shutdown()
    }

    @Test("An open index takes on other settings; then only they open it")
    func rebuildWith() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = RebuildDatabase(["a": "the duck", "b": "goose"])
        let index = try database.open(directory, RebuildDatabase.settings(.english))
        try await index.indexObjects(["a", "b"])
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(try !index.needsRebuild)
        #expect(try index.names("the") == ["a"])
        database.texts.change { $0["b"] = "the goose" }
        // The current settings are now the new ones.
        try await index.rebuild()
        #expect(try index.names("the") == ["a", "b"])
        try await index.shutdown()
        #expect(throws: TextIndexError.self) {
            try database.open(directory, RebuildDatabase.settings(.english))
        }
        let again = try database.open(directory, RebuildDatabase.settings(.none))
        #expect(try again.names("the") == ["a", "b"])
        try await again.shutdown()
    }

    @Test("An empty index takes on other settings")
    func empty() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = RebuildDatabase(["a": "the duck"])
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        let report = try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(report.indexedCount == 0)
        _ = try await index.indexObject("a").value()
        #expect(try index.names("the") == ["a"])
        try await index.shutdown()
        let again = try database.open(folder("index"), RebuildDatabase.settings(.none))
        #expect(try again.names("the") == ["a"])
        try await again.shutdown()
    }

    @Test(
        "An object that fails keeps the old state; the next attempt asks only for what is not done")
    func failures() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let texts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(directory, RebuildDatabase.settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        database.onGet.change {
            $0 = { if $0 == "n7" || $0 == "n8" { throw RebuildDatabase.Broken() } }
        }
        let report = try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(report.failureCount == 2)
        #expect(report.failures.allSatisfy { $0.error is RebuildDatabase.Broken })
        #expect(report.indexedCount == 38)
        #expect(index.count == 40)
        #expect(try index.names("the").isEmpty)
        #expect(try index.names("duck").count == 40)
        try await index.optimize()
        #expect(try index.names("duck").count == 40)
        try await index.shutdown()

        let again = try database.open(directory, RebuildDatabase.settings(.none, from: .english))
        #expect(try again.names("duck").count == 40)
        database.texts.change { $0["n1"] = "the swan" }
        _ = try await again.indexObject("n1").value()
        _ = try await again.removeIndex(for: "n2").value()
        database.asked.change { $0 = [] }
        _ = try await again.rebuild()
        #expect(Set(database.asked.current) == ["n1", "n7", "n8"])
        #expect(try again.needsRebuild)
        database.onGet.change { $0 = { _ in } }
        database.asked.change { $0 = [] }
        let last = try await again.rebuild()
        #expect(Set(database.asked.current) == ["n7", "n8"])
        #expect(last.failureCount == 0)
        #expect(try again.names("the").count == 39)
        #expect(try again.names("the swan") == ["n1"])
        try await again.optimize()
        try await again.shutdown()
        try expectNothingLeftOver(at: directory, count: 39)
    }

    @Test("What was done for other settings is given up")
    func otherTarget() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let texts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(directory, RebuildDatabase.settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        for reopens in [false, true] {
            database.onGet.change { $0 = { if $0 == "n7" { throw RebuildDatabase.Broken() } } }
            _ = try await index.rebuild(with: RebuildDatabase.settings(.words(["duck"])))
            // Other documents between those of the rebuild.
            _ = try await index.indexObject("n3").value()
            if reopens { try await index.flush() }
        }
        try await index.shutdown()
        let again = try database.open(directory, RebuildDatabase.settings(.none, from: .english))
        try await again.optimize()
        #expect(try again.names("duck").count == 40)
        database.onGet.change { $0 = { _ in } }
        let report = try await again.rebuild()
        #expect(report.indexedCount == 40)
        #expect(try again.names("the").count == 40)
        #expect(try again.names("duck").count == 40)
        try await again.optimize()
        try await again.shutdown()
        try expectNothingLeftOver(at: directory, count: 40)
    }

    @Test("A cancelled rebuild leaves the old state, and goes on when called again")
    func cancellation() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(
            uniqueKeysWithValues: (0..<3000).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        let count = Shared(0)
        let task = Shared<Task<IndexingReport, any Error>?>(nil)
        database.onGet.change {
            $0 = { _ in
                count.change { $0 += 1 }
                if count.current == 2500 { task.current?.cancel() }
            }
        }
        task.change { task in
            task = Task { try await index.rebuild(with: RebuildDatabase.settings(.none)) }
        }
        await #expect(throws: CancellationError.self) { try await task.current?.value }
        #expect(try index.names("duck").count == 3000)
        #expect(try index.names("the").isEmpty)
        let report = try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(report.indexedCount <= 3000)
        #expect(try index.names("the").count == 3000)
        try await onThread { try index.optimize() }
        try await onThread { try index.close() }
        try expectNothingLeftOver(at: folder("index"), count: 3000)
    }

    @Test(
        "What a long search kept from being deleted does not come back, and goes at the next opening"
    )
    func keptSnapshot() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<60).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        try await index.indexObjects((0..<30).map { "n\($0)" })
        try await index.flush()
        // These are journaled.
        for name in (20..<60).map({ "n\($0)" }) { _ = try await index.indexObject(name).value() }
        let snapshot = index.writer.snapshot
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        try await onThread { try index.close() }
        withExtendedLifetime(snapshot) {}
        let again = try database.open(folder("index"), RebuildDatabase.settings(.none))
        #expect(again.count == 60)
        #expect(try again.names("the").count == 60)
        try await again.optimize()
        try await again.shutdown()
        try expectNothingLeftOver(at: folder("index"), count: 60)
    }
}
