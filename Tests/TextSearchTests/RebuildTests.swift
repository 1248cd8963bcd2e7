import Foundation
import Testing

@testable import TextSearch

@Suite("Rebuild under other analysis settings", .timeLimit(.minutes(3)))
struct RebuildTests {
    /// Objects in a database: what the getter gives.
    private final class Database: Sendable {
        let texts: Shared<[String: String]>
        /// Called with each name that the getter is asked for.
        let onGet = Shared<@Sendable (String) throws -> Void>({ _ in })
        let asked = Shared<[String]>([])

        init(_ texts: [String: String]) { self.texts = Shared(texts) }

        func open(
            _ directory: URL, _ configuration: TextIndexConfiguration = .init()
        ) throws -> TextIndex<String> {
            let index = try TextIndex<String>(at: directory, configuration: configuration)
            index.identifier = { Data($0.utf8) }
            index.indexer = { [texts] name, _ in
                texts.current[name].map { IndexedObject(strings: [$0]) }
            }
            index.objectGetter = { [texts, onGet, asked] data in
                let name = String(decoding: data, as: UTF8.self)
                asked.change { $0.append(name) }
                try onGet.current(name)
                return texts.current[name] == nil ? nil : name
            }
            return index
        }
    }

    private struct Broken: Error {}

    /// English stop words, or none; opened for a rebuild from the others, if need be.
    private func settings(
        _ stopWords: StopWords, from previous: StopWords? = nil, reopens: Bool = false
    ) -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        if let previous {
            configuration.stopWords = previous
            configuration.previousAnalysis = .init(configuration)
        }
        configuration.stopWords = stopWords
        configuration.reopensForRebuild = reopens || previous != nil
        configuration.largestLastPass = 2
        configuration.bufferSize = 1 << 16
        return configuration
    }

    private func names(_ index: TextIndex<String>, _ keyword: String) throws -> [String] {
        try index.searchResults(forKeyword: keyword).map(\.id).sorted()
    }

    @Test(
        "An index with other stop words is refused, names the difference, and answers until it is rebuilt",
        arguments: Stage.allCases)
    func rebuild(stage: Stage) async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = Database(["a": "the duck", "b": "a goose", "c": "gone", "d": "removed"])
        let first = try database.open(directory, settings(.english))
        try await first.indexObjects(database.texts.current.keys.sorted())
        _ = try await first.removeIndex(for: "d").value()
        switch stage {
        case .memory: break
        case .flushed: try first.flush()
        case .optimized: try first.optimize()
        }
        try first.close()
        database.texts.change { $0["c"] = nil }

        let error = #expect(throws: TextIndexError.self) {
            try database.open(directory, settings(.none))
        }
        #expect(error?.code == .configurationMismatch)
        #expect(error?.message.contains("stopWords") == true)

        let second = try database.open(directory, settings(.none, reopens: true))
        #expect(try second.needsRebuild)
        #expect(second.count == 3)
        #expect(try names(second, "duck") == ["a"])
        // The journal is replayed with the new settings, as nothing was said of the old ones.
        #expect(try names(second, "the") == (stage == .memory ? ["a"] : []))
        let report = try await second.rebuild()
        #expect(report.indexedCount == 2)
        #expect(report.skippedCount == 1)
        #expect(try !second.needsRebuild)
        #expect(second.count == 2)
        #expect(try names(second, "the") == ["a"])
        #expect(try names(second, "gone").isEmpty)
        #expect(try names(second, "removed").isEmpty)
        try second.optimize()
        try second.close()
        try expectNothingLeftOver(at: directory, count: 2)

        #expect(throws: TextIndexError.self) { try database.open(directory, settings(.english)) }
        let third = try database.open(directory, settings(.none))
        #expect(try third.identifiers().count == 2)
        #expect(try names(third, "the") == ["a"])
        try third.close()
    }

    @Test("Queries and new objects are analysed with the previous settings, where they are given")
    func previousAnalysis() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = Database(["a": "the duck", "b": "a duck"])
        let first = try database.open(directory, settings(.none))
        try await first.indexObjects(["a", "b"])
        try first.close()

        let blind = try database.open(directory, settings(.english, reopens: true))
        #expect(try names(blind, "the duck") == ["a", "b"])
        #expect(try blind.search("\"a duck\"").map(\.id).sorted() == ["a", "b"])
        try blind.close()

        // Settings that the index was not built with are none.
        let other = try database.open(directory, settings(.english, from: .words(["x"])))
        #expect(try names(other, "the duck") == ["a", "b"])
        try other.close()

        let second = try database.open(directory, settings(.english, from: StopWords.none))
        #expect(try names(second, "the duck") == ["a"])
        database.texts.change { $0["c"] = "the swan" }
        _ = try await second.indexObject("c").value()
        #expect(try names(second, "the") == ["a", "c"])
        #expect(try second.needsRebuild)
        try second.close()

        // What is journaled is replayed with the same.
        let third = try database.open(directory, settings(.english, from: StopWords.none))
        #expect(try names(third, "the swan") == ["c"])
        try await third.rebuild()
        #expect(try names(third, "the duck") == ["a", "b"])
        #expect(try names(third, "the swan") == ["c"])
        #expect(try names(third, "the").isEmpty)
        try third.close()

        // They may be given as well when they are not the previous ones any more.
        let fourth = try database.open(directory, settings(.english, from: StopWords.none))
        #expect(try !fourth.needsRebuild)
        #expect(try names(fourth, "the").isEmpty)
        try fourth.close()
    }

    @Test("An open index takes on other settings; then only they open it")
    func rebuildWith() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let database = Database(["a": "the duck", "b": "goose"])
        let index = try database.open(directory, settings(.english))
        try await index.indexObjects(["a", "b"])
        try await index.rebuild(with: settings(.none))
        #expect(try !index.needsRebuild)
        #expect(try names(index, "the") == ["a"])
        database.texts.change { $0["b"] = "the goose" }
        // The current settings are now the new ones.
        try await index.rebuild()
        #expect(try names(index, "the") == ["a", "b"])
        try index.close()
        #expect(throws: TextIndexError.self) { try database.open(directory, settings(.english)) }
        let again = try database.open(directory, settings(.none))
        #expect(try names(again, "the") == ["a", "b"])
        try again.close()
    }

    @Test("An empty index takes on other settings")
    func empty() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = Database(["a": "the duck"])
        let index = try database.open(folder("index"), settings(.english))
        let report = try await index.rebuild(with: settings(.none))
        #expect(report.indexedCount == 0)
        _ = try await index.indexObject("a").value()
        #expect(try names(index, "the") == ["a"])
        try index.close()
        let again = try database.open(folder("index"), settings(.none))
        #expect(try names(again, "the") == ["a"])
        try again.close()
    }

    @Test("A search sees the old state or the new one, never both or neither")
    func atomicity() async throws {
        let folder = try TemporaryFolder("rebuild")
        let count = 4000
        var configuration = settings(.english)
        let index = try openNotes(at: folder("index"), configuration)
        let notes = (0..<count).map { WorkNote(id: $0, version: 1) }
        index.objectGetter = { data in
            Int(String(decoding: data, as: UTF8.self).dropFirst(5)).map {
                WorkNote(id: $0, version: 1)
            }
        }
        try await index.indexObjects(notes)
        let isDone = Shared(false)
        let rounds = Shared(0)
        configuration.stopWords = .none
        let target = configuration
        async let readers: Void = onThreads(2) { thread in
            var wasNew = false
            var generator = SeededGenerator(seed: UInt64(thread))
            while true {
                let isLast = isDone.current
                do {
                    // Both words, of one snapshot: none of the notes, or all.
                    let the = try index.resultCount(forKeyword: "the")
                    #expect(the == (the == 0 && !wasNew ? 0 : count))
                    wasNew = the > 0
                    #expect(index.count == count)
                    #expect(try index.resultCount(forKeyword: "stamp") == count)
                    let note = WorkNote(id: generator.int(0...(count - 1)), version: 1)
                    let found = try index.searchResults(forKeyword: "the \(note.stamp)")
                    #expect(found.map(\.identifier) == [note.identifier])
                    #expect(try index.item(for: note.identifier)?.weight == 1)
                } catch { Issue.record(error) }
                rounds.change { $0 += 1 }
                if isLast { break }
            }
            #expect(wasNew)
        }
        while rounds.current == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let progress = Shared(IndexingProgress())
        let report = try await index.rebuild(with: target) { new in progress.change { $0 = new } }
        isDone.change { $0 = true }
        await readers
        #expect(report.indexedCount == count)
        #expect(progress.current.acceptedCount == count)
        #expect(progress.current.objectCount == count)
        try await onThread { try index.optimize() }
        #expect(try consistentNotes(index).count == count)
        try await onThread { try index.close() }
        try expectNothingLeftOver(at: folder("index"), count: count)
    }

    @Test("An enumeration that began before the switch goes on over the old state")
    func longReader() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try database.open(folder("index"), settings(.none))
        try await index.indexObjects(texts.keys.sorted())
        try index.flush()
        let mayGoOn = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)
        async let seen = onThread {
            let seen = Shared(0)
            try index.enumerateResults(forKeyword: "the") { item, rank, _, _ in
                if rank == 0 {
                    hasBegun.signal()
                    mayGoOn.wait()
                }
                if item.resultTokens.count == 1 { seen.change { $0 += 1 } }
            }
            return seen.current
        }
        try await onThread { hasBegun.wait() }
        try await index.rebuild(with: settings(.english))
        try await onThread { try index.optimize() }
        #expect(try names(index, "the").isEmpty)
        mayGoOn.signal()
        #expect(try await seen == 50)
        try await onThread { try index.close() }
    }

    @Test("An object that fails keeps the old state; the next attempt asks only for what is not done")
    func failures() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let texts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try database.open(directory, settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        database.onGet.change { $0 = { if $0 == "n7" || $0 == "n8" { throw Broken() } } }
        let report = try await index.rebuild(with: settings(.none))
        #expect(report.failureCount == 2)
        #expect(report.failures.allSatisfy { $0.error is Broken })
        #expect(report.indexedCount == 38)
        #expect(index.count == 40)
        #expect(try names(index, "the").isEmpty)
        #expect(try names(index, "duck").count == 40)
        try index.optimize()
        #expect(try names(index, "duck").count == 40)
        try index.close()

        let again = try database.open(directory, settings(.none, from: .english))
        #expect(try names(again, "duck").count == 40)
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
        #expect(try names(again, "the").count == 39)
        #expect(try names(again, "the swan") == ["n1"])
        try again.optimize()
        try again.close()
        try expectNothingLeftOver(at: directory, count: 39)
    }

    @Test("What was done for other settings is given up")
    func otherTarget() async throws {
        let folder = try TemporaryFolder("rebuild")
        let directory = folder("index")
        let texts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try database.open(directory, settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        for reopens in [false, true] {
            database.onGet.change { $0 = { if $0 == "n7" { throw Broken() } } }
            _ = try await index.rebuild(with: settings(.words(["duck"])))
            // Other documents between those of the rebuild.
            _ = try await index.indexObject("n3").value()
            if reopens { try index.flush() }
        }
        try index.close()
        let again = try database.open(directory, settings(.none, from: .english))
        try again.optimize()
        #expect(try names(again, "duck").count == 40)
        database.onGet.change { $0 = { _ in } }
        let report = try await again.rebuild()
        #expect(report.indexedCount == 40)
        #expect(try names(again, "the").count == 40)
        #expect(try names(again, "duck").count == 40)
        try again.optimize()
        try again.close()
        try expectNothingLeftOver(at: directory, count: 40)
    }

    @Test("Cancelled, it leaves the old state, and goes on when called again")
    func cancellation() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(
            uniqueKeysWithValues: (0..<3000).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try database.open(folder("index"), settings(.english))
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
            task = Task { try await index.rebuild(with: settings(.none)) }
        }
        await #expect(throws: CancellationError.self) { try await task.current?.value }
        #expect(try names(index, "duck").count == 3000)
        #expect(try names(index, "the").isEmpty)
        let report = try await index.rebuild(with: settings(.none))
        #expect(report.indexedCount <= 3000)
        #expect(try names(index, "the").count == 3000)
        try await onThread { try index.optimize() }
        try await onThread { try index.close() }
        try expectNothingLeftOver(at: folder("index"), count: 3000)
    }

    @Test("Operations that were analysed before the switch and committed after it are analysed again")
    func lateCommits() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = Database(["a": "the duck", "b": "the goose"])
        let index = try database.open(folder("index"), settings(.english))
        try await index.indexObjects(["a", "b"])
        let operations = Shared<[IndexingOperation]>([])
        let large = String(repeating: "the swan ", count: 40_000)
        database.onGet.change {
            $0 = { name throws in
                guard name == "b" else { return }
                // The last pass: these wait for it to end.
                database.texts.change { texts in
                    texts["a"] = "the teal"
                    texts["c"] = "the swan"
                    texts["d"] = large
                }
                for name in ["a", "c", "d"] {
                    operations.change { $0.append(index.indexObject(name)) }
                }
                Thread.sleep(forTimeInterval: 0.2)
                #expect(operations.current.allSatisfy { !$0.isFinished })
                #expect(try names(index, "duck") == ["a"])
            }
        }
        try await index.rebuild(with: settings(.none))
        for operation in operations.current { _ = try await operation.value() }
        #expect(operations.current.map(\.distinctTermCount) == [2, 2, 2])
        #expect(try names(index, "the") == ["a", "b", "c", "d"])
        #expect(try names(index, "the duck").isEmpty)
        try index.close()
        let again = try database.open(folder("index"), settings(.none))
        #expect(try names(again, "the") == ["a", "b", "c", "d"])
        #expect(try names(again, "the swan") == ["c", "d"])
        try again.close()
    }

    @Test("An object that changes while it is asked for is never taken for done")
    func changeWhileAsked() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<20).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try TextIndex<String>(at: folder("index"), configuration: settings(.english))
        // Objects are texts: the getter gives the old one, and it is indexed with the new one before the getter returns.
        index.identifier = { Data($0.prefix { $0 != ":" }.utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [text]) }
        index.objectGetter = { data in
            let name = String(decoding: data, as: UTF8.self)
            let old = database.texts.current[name] ?? "none"
            if database.asked.change({ $0.append(name) }) == (), !old.hasPrefix("the teal"),
                database.asked.current.count < 16
            {
                database.texts.change { $0[name] = "the teal \(name)" }
                index.indexObject("\(name): the teal").waitUntilFinished()
            }
            return "\(name): \(old)"
        }
        try await index.indexObjects(texts.sorted { $0.key < $1.key }.map { "\($0): \($1)" })
        try await index.rebuild(with: settings(.none))
        #expect(try names(index, "the").count == 20)
        #expect(try names(index, "teal").count == 15)
        #expect(try names(index, "duck").count == 5)
        try index.close()
    }

    @Test("Everything is removed, and indexed in bulk, while it is rebuilt")
    func removalOfAllAndBulk() async throws {
        let folder = try TemporaryFolder("rebuild")
        let old = (0..<2000).map { "n\($0)" }
        let new = (0..<30_000).map { "m\($0)" }
        let database = Database(
            Dictionary(uniqueKeysWithValues: (old + new).map { ($0, "the duck \($0)") }))
        let index = try database.open(folder("index"), settings(.english))
        try await index.indexObjects(old)
        let work = Shared<Task<Void, any Error>?>(nil)
        let count = Shared(0)
        database.onGet.change {
            $0 = { _ in
                count.change { $0 += 1 }
                guard count.current == 1500 else { return }
                work.change {
                    $0 = Task {
                        let removal = try index.submitRemovalOfAll()
                        _ = try await removal.value()
                        try await index.indexObjects(new)
                    }
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        try await index.rebuild(with: settings(.none))
        try await work.current?.value
        #expect(index.count == new.count)
        #expect(try index.resultCount(forKeyword: "the") == new.count)
        try await onThread { try index.optimize() }
        #expect(try index.resultCount(forKeyword: "the") == new.count)
        try await onThread { try index.close() }
        let again = try database.open(folder("index"), settings(.none))
        #expect(try again.resultCount(forKeyword: "the") == new.count)
        try await onThread { try again.close() }
    }

    @Test("Two rebuilds follow each other")
    func twoAtOnce() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<500).map { ("n\($0)", "the duck \($0)") })
        let database = Database(texts)
        let index = try database.open(folder("index"), settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        async let first = index.rebuild(with: settings(.none))
        async let second = index.rebuild(with: settings(.none))
        _ = try await (first, second)
        #expect(try names(index, "the").count == 500)
        try await onThread { try index.close() }
    }

    @Test("The last pass does without the indexing queue")
    func suspendedQueue() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = Database(["a": "the duck"])
        let index = try database.open(folder("index"), settings(.english))
        _ = try await index.indexObject("a").value()
        // The last pass does without the queue.
        index.indexingQueue.isSuspended = true
        try await index.rebuild(with: settings(.none))
        #expect(try names(index, "the") == ["a"])
        index.indexingQueue.isSuspended = false
        try index.close()
    }
}
