import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Concurrency: rebuild beside searches and operations", .timeLimit(.minutes(30)))
struct RebuildConcurrencyTests {
    @Test("A search sees the old state or the new one, never both or neither")
    func atomicity() async throws {
        let folder = try TemporaryFolder("rebuild")
        let count = 4000
        var configuration = RebuildDatabase.settings(.english)
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
        try await onThread { try index.closeVerified() }
        try expectNothingLeftOver(at: folder("index"), count: count)
    }

    @Test("An enumeration that began before the switch goes on over the old state")
    func longReader() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(folder("index"), RebuildDatabase.settings(.none))
        try await index.indexObjects(texts.keys.sorted())
        try await index.flush()
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
        try await index.rebuild(with: RebuildDatabase.settings(.english))
        try await onThread { try index.optimize() }
        #expect(try index.names("the").isEmpty)
        mayGoOn.signal()
        #expect(try await seen == 50)
        try await onThread { try index.closeVerified() }
    }

    @Test(
        "Operations that were analysed before the switch and committed after it are analysed again")
    func lateCommits() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = RebuildDatabase(["a": "the duck", "b": "the goose"])
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
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
                #expect(try index.names("duck") == ["a"])
            }
        }
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        for operation in operations.current { _ = try await operation.value() }
        #expect(operations.current.map(\.distinctTermCount) == [2, 2, 2])
        #expect(try index.names("the") == ["a", "b", "c", "d"])
        #expect(try index.names("the duck").isEmpty)
        try index.closeVerified()
        let again = try database.open(folder("index"), RebuildDatabase.settings(.none))
        #expect(try again.names("the") == ["a", "b", "c", "d"])
        #expect(try again.names("the swan") == ["c", "d"])
        try again.closeVerified()
    }

    @Test("An object that changes while it is asked for is never taken for done")
    func changeWhileAsked() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<20).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try TextIndex<String>(
            at: folder("index"), configuration: RebuildDatabase.settings(.english))
        // Objects are texts: the getter gives the old one, and it is indexed with the new one
        // before the getter returns.
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
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(try index.names("the").count == 20)
        #expect(try index.names("teal").count == 15)
        #expect(try index.names("duck").count == 5)
        try index.closeVerified()
    }

    @Test("An index that is rebuilt has everything removed, and objects indexed in bulk")
    func removalOfAllAndBulk() async throws {
        let folder = try TemporaryFolder("rebuild")
        let old = (0..<2000).map { "n\($0)" }
        let new = (0..<30_000).map { "m\($0)" }
        let database = RebuildDatabase(
            Dictionary(uniqueKeysWithValues: (old + new).map { ($0, "the duck \($0)") }))
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
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
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        try await work.current?.value
        #expect(index.count == new.count)
        await #expect(try index.resultCount(forKeyword: "the") == new.count)
        try await onThread { try index.optimize() }
        await #expect(try index.resultCount(forKeyword: "the") == new.count)
        try await onThread { try index.closeVerified() }
        let again = try database.open(folder("index"), RebuildDatabase.settings(.none))
        await #expect(try again.resultCount(forKeyword: "the") == new.count)
        try await onThread { try again.closeVerified() }
    }

    @Test(
        "Many objects are removed at once in any pass of a rebuild",
        arguments: [1, 500, 1500, 1999])
    func removalOfMany(when: Int) async throws {
        let folder = try TemporaryFolder("rebuild")
        let names = (0..<2000).map { "n\($0)" }
        let database = RebuildDatabase(
            Dictionary(uniqueKeysWithValues: names.map { ($0, "the duck \($0)") }))
        var configuration = RebuildDatabase.settings(.english)
        configuration.largestLastPass = when % 2 == 0 ? 1000 : 5000
        let index = try database.open(folder("index"), configuration)
        try await index.indexObjects(names)
        let gone = names.enumerated().filter { $0.offset % 3 != 0 }.map { Data($0.element.utf8) }
        let left = names.count - gone.count
        let work = Shared<Task<IndexingReport, any Error>?>(nil)
        let count = Shared(0)
        database.onGet.change {
            $0 = { _ in
                count.change { $0 += 1 }
                guard count.current == when else { return }
                work.change {
                    $0 = Task { try await index.removeObjects(withIdentifiers: gone) }
                }
                if when % 2 == 0 {
                    while index.count != left { Thread.sleep(forTimeInterval: 0.001) }
                } else {
                    // The last pass: it waits for that to end.
                    Thread.sleep(forTimeInterval: 0.05)
                    #expect(index.count == names.count)
                }
            }
        }
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(try await work.current?.value.removedCount == gone.count)
        #expect(index.count == left)
        await #expect(try index.resultCount(forKeyword: "the") == left)
        try await onThread { try index.optimize() }
        await #expect(try index.resultCount(forKeyword: "the") == left)
        try await onThread { try index.closeVerified() }
        try expectNothingLeftOver(at: folder("index"), count: left)
        let again = try database.open(folder("index"), RebuildDatabase.settings(.none))
        #expect(
            try again.names("the").sorted()
                == names.enumerated().filter { $0.offset % 3 == 0 }.map(\.element).sorted())
        try await onThread { try again.closeVerified() }
    }

    @Test("A plan brought to a later state is the plan of that state", arguments: testSeeds(10))
    func plans(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        let fatal = "n\(generator.int(0...39))"
        database.onGet.change { $0 = { if $0 == fatal { throw RebuildDatabase.Broken() } } }
        func work() async throws {
            for _ in 0..<generator.int(0...15) {
                let name = "n\(generator.int(0...39))"
                switch generator.int(0...20) {
                case 0...9: _ = try await index.indexObject(name).value()
                case 10...15: _ = try await index.removeIndex(for: name).value()
                case 16...17: try await index.indexObjects([name, "n1", "n2"])
                case 18: try await index.flush()
                case 19: try await index.optimize()
                default: if generator.once(in: 3) { try await index.removeAll() }
                }
            }
        }
        try await index.indexObjects(texts.keys.sorted())
        for _ in 0..<6 {
            try await work()
            _ = try await index.rebuild(with: RebuildDatabase.settings(.none))
            let rebuilt = index.writer.state.withLock { $0.rebuilt }
            try await work()
            var plan = try RebuildPlan(
                index.store, rebuilt, skipping: [], as: index.writer.snapshot)
            for _ in 0..<3 {
                try await work()
                let snapshot = index.writer.snapshot
                try plan.extend(to: snapshot)
                let fresh = try RebuildPlan(index.store, rebuilt, skipping: [], as: snapshot)
                #expect(plan.documents == fresh.documents, "seed \(seed)")
                #expect(plan.superseded == fresh.superseded, "seed \(seed)")
            }
        }
        try index.closeVerified()
    }

    @Test(
        "Threads that index all the time find all of theirs after every switch",
        arguments: [0, 1000])
    func constantWrites(largestLastPass: Int) async throws {
        let folder = try TemporaryFolder("rebuild")
        var configuration = RebuildDatabase.settings(.english)
        configuration.largestLastPass = largestLastPass
        let index = try openNotes(at: folder("index"), configuration)
        let latest = Shared<[Int: Int]>([:])
        index.objectGetter = { data in
            guard let id = Int(String(decoding: data, as: UTF8.self).dropFirst(5)),
                let version = latest.change({ $0[id] })
            else { return nil }
            return WorkNote(id: id, version: version)
        }
        for round in 0..<12 {
            let isDone = Shared(false)
            async let writers: Void = onThreads(3) { thread in
                var generator = SeededGenerator(seed: UInt64(round * 3 + thread))
                var version = round * 1_000_000
                while !isDone.current {
                    version += 1
                    let id = generator.int(0...99) * 3 + thread
                    let operation: IndexingOperation
                    if generator.once(in: 4) {
                        latest.change { $0[id] = nil }
                        operation = index.removeIndex(forIdentifier: WorkNote.identifier(id))
                    } else {
                        latest.change { $0[id] = version }
                        operation = index.indexObject(WorkNote(id: id, version: version))
                    }
                    // On a slow machine they would be ahead of the index for ever.
                    let isFarAhead = version > round * 1_000_000 + 500
                    if isFarAhead || generator.once(in: 8) { operation.waitUntilFinished() }
                }
                index.indexingQueue.waitUntilAllOperationsAreFinished()
            }
            try await Task.sleep(for: .milliseconds(round * 3))
            let report = try await index.rebuild(
                with: RebuildDatabase.settings(round % 2 == 0 ? .none : .english))
            #expect(report.failureCount == 0)
            isDone.change { $0 = true }
            await writers
            let notes = try consistentNotes(index, "round \(round)")
            #expect(notes == latest.current, "round \(round)")
            let count = try await index.resultCount(forKeyword: "the")
            #expect(count == (round % 2 == 0 ? notes.count : 0), "round \(round)")
        }
        try await onThread { try index.optimize() }
        try await onThread { try index.closeVerified() }
        try expectNothingLeftOver(at: folder("index"), count: latest.current.count)
    }

    @Test("Two rebuilds follow each other")
    func twoAtOnce() async throws {
        let folder = try TemporaryFolder("rebuild")
        let texts = Dictionary(uniqueKeysWithValues: (0..<500).map { ("n\($0)", "the duck \($0)") })
        let database = RebuildDatabase(texts)
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        try await index.indexObjects(texts.keys.sorted())
        async let first = index.rebuild(with: RebuildDatabase.settings(.none))
        async let second = index.rebuild(with: RebuildDatabase.settings(.none))
        _ = try await (first, second)
        #expect(try index.names("the").count == 500)
        try await onThread { try index.closeVerified() }
    }

    @Test("The last pass of a rebuild does without the indexing queue")
    func suspendedQueue() async throws {
        let folder = try TemporaryFolder("rebuild")
        let database = RebuildDatabase(["a": "the duck"])
        let index = try database.open(folder("index"), RebuildDatabase.settings(.english))
        _ = try await index.indexObject("a").value()
        // The last pass does without the queue.
        index.indexingQueue.isSuspended = true
        try await index.rebuild(with: RebuildDatabase.settings(.none))
        #expect(try index.names("the") == ["a"])
        index.indexingQueue.isSuspended = false
        try index.closeVerified()
    }
}
