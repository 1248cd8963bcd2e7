import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Hooks, bulk loads, and indexes that nobody closes.
@Suite("Concurrency: lifetime", .timeLimit(.minutes(30)))
struct ConcurrencyLifetimeTests {
    struct HookError: Error, Equatable { var id: Int }

    @Test(
        "A hook that throws fails its own operation, and no other of its group", arguments: [1, 8])
    func throwingHooks(threads: Int) async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = threads
        index.identifier = { note in
            if note.id % 10 == 1 { throw HookError(id: note.id) }
            return note.identifier
        }
        index.indexer = { note, _ in
            if note.id % 10 == 2 { throw HookError(id: note.id) }
            if note.id % 10 == 3 { return nil }
            return note.indexed
        }
        index.indexingQueue.isSuspended = true
        let operations = (0..<200).map { index.indexObject(WorkNote(id: $0, version: 1)) }
        index.indexingQueue.isSuspended = false
        await index.waitUntilAllOperationsAreFinished()
        for (id, operation) in operations.enumerated() {
            let isExpected = id % 10 == 1 || id % 10 == 2
            #expect(operation.error as? HookError == (isExpected ? HookError(id: id) : nil))
            #expect((operation.distinctTermCount != nil) == (!isExpected && id % 10 != 3))
        }
        let notes = try consistentNotes(index)
        #expect(Set(notes.keys) == Set((0..<200).filter { !(1...3).contains($0 % 10) }))
        try await onThread { try index.closeVerified() }
    }

    @Test("Slow hooks hold up neither order nor searches")
    func slowHooks() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = 8
        index.indexer = { note, _ in
            if note.version % 8 == 0 { Thread.sleep(forTimeInterval: 0.01) }
            return note.indexed
        }
        var expected: [Int: Int] = [:]
        for version in 1...160 {
            index.indexObject(WorkNote(id: version % 7, version: version))
            expected[version % 7] = version
            if version % 16 == 0 { _ = try await index.searchResults(forKeyword: "stamp") }
        }
        await index.waitUntilAllOperationsAreFinished()
        #expect(try consistentNotes(index) == expected)
        try await onThread { try index.closeVerified() }
    }

    @Test("Hooks may be set while operations run")
    func changingHooks() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        await onThreads(4) { thread in
            for number in 0..<100 {
                if thread == 0 {
                    index.indexer = { note, _ in note.indexed }
                    index.objectGetter = { _ in WorkNote(id: number, version: 1) }
                } else {
                    index.indexObject(WorkNote(id: thread * 100 + number, version: 1))
                    _ = try? index.searchResults(forKeyword: "stamp\(number)v").first?.object
                }
            }
        }
        await index.waitUntilAllOperationsAreFinished()
        #expect(try consistentNotes(index).count == 300)
        try await onThread { try index.closeVerified() }
    }

    @Test("A hook may search its own index, and an item outlives the index")
    func searchingHooks() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        _ = try await index.indexObject(WorkNote(id: 1, version: 1)).value()
        index.indexer = { [weak index] note, _ in
            _ = try index?.searchResults(forKeyword: "stamp")
            return note.indexed
        }
        _ = try await index.indexObject(WorkNote(id: 2, version: 1)).value()
        let item = try await #require(try index.searchResults(forKeyword: "stamp2v").first)
        try await onThread { try index.closeVerified() }
        #expect(item.identifier == WorkNote.identifier(2))
        #expect(item.object == nil)
    }

    @Test("value() gives the receipt, or throws what the operation failed of")
    func values() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        let receipt = try await index.indexObject(WorkNote(id: 1, version: 1)).value()
        #expect(receipt.identifier == WorkNote.identifier(1))
        #expect(receipt.distinctTermCount ?? 0 > 0)
        let removal = try await index.removeIndex(for: WorkNote(id: 1, version: 1)).value()
        #expect(removal.distinctTermCount == nil)
        index.indexer = { note, _ in throw HookError(id: note.id) }
        await #expect(throws: HookError(id: 5)) {
            try await index.indexObject(WorkNote(id: 5, version: 1)).value()
        }
        // Many waiters for one operation.
        index.indexer = { note, _ in note.indexed }
        index.indexingQueue.isSuspended = true
        let operation = index.indexObject(WorkNote(id: 6, version: 1))
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 { group.addTask { try await operation.value().identifier } }
            index.indexingQueue.isSuspended = false
            for try await identifier in group { #expect(identifier == WorkNote.identifier(6)) }
        }
        try await onThread { try index.closeVerified() }
    }

    @Test("A cancelled bulk load throws CancellationError; what was committed is kept, and whole")
    func cancelledLoad() async throws {
        for round in 0..<4 {
            let folder = try TemporaryFolder()
            let index = try openNotes(at: folder("index"), tinyBuffers())
            _ = try await index.indexObject(WorkNote(id: -1, version: 1)).value()
            let pulled = Shared(0)
            let task = Task {
                // More than any machine indexes before the cancellation.
                try await index.indexObjects(
                    (0..<50_000_000).lazy.map { id in
                        pulled.change { $0 += 1 }
                        return WorkNote(id: id, version: 1)
                    })
            }
            while pulled.current < [1, 500, 20_000, 100_000][round] { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let count = index.count
            #expect(count >= 1)
            #expect(count <= pulled.current + 1)
            // A prefix of the sequence: chunks are committed in their order.
            await #expect(try index.contains(identifier: WorkNote.identifier(-1)))
            if count > 1 {
                await #expect(try index.contains(identifier: WorkNote.identifier(count - 2)))
            }
            await #expect(try index.resultCount(forKeyword: "stamp") == count)
            _ = try await index.indexObject(WorkNote(id: -2, version: 1)).value()
            try await onThread { try index.closeVerified() }
            let again = try openNotes(at: folder("index"))
            #expect(again.count == count + 1)
            try await onThread { try again.closeVerified() }
        }
    }

    @Test("Bulk loads beside single operations leave each object once, and the later one wins")
    func loadsAndOperations() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for load in 0..<3 {
                group.addTask {
                    let report = try await index.indexObjects(
                        (0..<2000).map { WorkNote(id: $0, version: load) })
                    #expect(report.indexedCount == 2000)
                    #expect(report.failureCount == 0)
                }
            }
            group.addTask {
                for id in 0..<200 {
                    _ = try await index.indexObject(WorkNote(id: 3000 + id, version: 1)).value()
                }
            }
            try await group.waitForAll()
        }
        _ = try await index.indexObject(WorkNote(id: 0, version: 9)).value()
        let notes = try consistentNotes(index)
        #expect(notes.count == 2200)
        #expect(notes[0] == 9)
        try await onThread { try index.closeVerified() }
    }

    @Test("An index that is let go without closing keeps what was finished", arguments: 0..<4)
    func abandoned(round: Int) async throws {
        let folder = try TemporaryFolder()
        let directory = folder("index")
        try await onThread {
            let index = try openNotes(at: directory, tinyBuffers())
            for id in 0..<100 { index.indexObject(WorkNote(id: id, version: round)) }
            index.indexObject(WorkNote(id: 100, version: round)).waitUntilFinished()
            if round % 2 == 0 { try index.flush() }
            // Unfinished work keeps the index alive until it is done.
            for id in 101..<150 { index.indexObject(WorkNote(id: id, version: round)) }
        }
        var reopened: TextIndex<WorkNote>?
        for _ in 0..<2000 where reopened == nil {
            do {
                reopened = try openNotes(at: directory)
            } catch let error as TextIndexError where error.code == .locked {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let again = try #require(reopened)
        #expect(try consistentNotes(again).count == 150)
        try await onThread { try again.closeVerified() }
    }
}
