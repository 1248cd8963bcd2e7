import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// The order in which operations take effect, whatever order they are run in.
@Suite("Concurrency: order", .timeLimit(.minutes(30)))
struct ConcurrencyOrderTests {
    @Test(
        "The last submitted operation wins, whatever the priorities and the number of threads",
        arguments: [1, 2, 8])
    func lastSubmittedWins(threads: Int) async throws {
        for seed in testSeeds(2) {
            let folder = try TemporaryFolder()
            let index = try openNotes(at: folder("index"), tinyBuffers())
            index.indexingQueue.maxConcurrentOperationCount = threads
            var generator = SeededGenerator(seed: seed)
            var expected: [Int: Int] = [:]
            for version in 1...600 {
                let id = Int.random(in: 0..<20, using: &generator)
                let note = WorkNote(id: id, version: version)
                let operation: IndexingOperation
                switch Int.random(in: 0..<5, using: &generator) {
                case 0:
                    operation = index.removeIndex(forIdentifier: note.identifier)
                    expected[id] = nil
                case 1:
                    operation = index.updateIndex(for: note)
                    expected[id] = version
                default:
                    operation = index.indexObject(note)
                    expected[id] = version
                }
                // Too late for some, which is the point: the queue reorders, the index does not.
                operation.queuePriority =
                    [.veryLow, .low, .normal, .high, .veryHigh][
                        Int.random(in: 0..<5, using: &generator)]
            }
            await index.waitUntilAllOperationsAreFinished()
            #expect(try consistentNotes(index) == expected, "seed \(seed)")
            try await index.shutdown()
        }
    }

    @Test("Operations submitted from many threads under a lock take effect in its order")
    func manySubmitters() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let expected = Shared<[Int: Int]>([:])
        let versions = Shared(0)
        await onThreads(8) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<150 {
                let id = Int.random(in: 0..<10, using: &generator)
                let isRemoval = Int.random(in: 0..<4, using: &generator) == 0
                let version = versions.change { version in
                    version += 1
                    return version
                }
                // The submission itself must be in the lock: its place in the order is taken there.
                expected.change { expected in
                    if isRemoval {
                        index.removeIndex(forIdentifier: WorkNote.identifier(id))
                        expected[id] = nil
                    } else {
                        index.indexObject(WorkNote(id: id, version: version))
                        expected[id] = version
                    }
                }
            }
        }
        await index.waitUntilAllOperationsAreFinished()
        #expect(try consistentNotes(index) == expected.current)
        try await index.shutdown()
        let again = try openNotes(at: folder("index"))
        #expect(try consistentNotes(again) == expected.current)
        try await again.shutdown()
    }

    @Test(
        "Dependencies between operations, backward ones too, neither hang nor reorder",
        arguments: [1, 8])
    func dependencies(threads: Int) async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = threads
        index.indexingQueue.isSuspended = true
        let operations = (1...40).map { index.indexObject(WorkNote(id: $0 % 3, version: $0)) }
        // Each of these has to wait for one that was submitted after it.
        for number in stride(from: 0, to: 39, by: 2) {
            operations[number].addDependency(operations[number + 1])
        }
        index.indexingQueue.isSuspended = false
        for operation in operations { _ = try await operation.value() }
        #expect(try consistentNotes(index) == [0: 39, 1: 40, 2: 38])
        try await index.shutdown()
    }

    @Test(
        "Threads that wait for operations do not let more of them run at once than the queue may",
        arguments: [1, 2])
    func waiting(most: Int) async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = most
        let running = Shared(0)
        index.indexer = { note, _ in
            running.change { $0 += 1 }
            #expect(running.current <= most)
            defer { running.change { $0 -= 1 } }
            return note.indexed
        }
        await onThreads(4) { thread in
            for version in 1...50 {
                let operation = index.indexObject(WorkNote(id: thread, version: version))
                operation.waitUntilFinished()
                #expect(operation.isFinished && operation.error == nil)
            }
        }
        #expect(try consistentNotes(index) == [0: 50, 1: 50, 2: 50, 3: 50])
        try await index.shutdown()
    }

    @Test(
        "Threads that all wait for their queues to be empty leave these one to run in",
        .timeLimit(.minutes(10)))
    func waitingThreads() async throws {
        let folder = try TemporaryFolder()
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let indexes = try (0..<count).map { try openNotes(at: folder("index\($0)")) }
        let done = DispatchGroup()
        for index in indexes {
            DispatchQueue.global().async(group: done) {
                for version in 1...40 {
                    index.indexObject(WorkNote(id: version % 5, version: version))
                        .waitUntilFinished()
                    index.indexingQueue.waitUntilAllOperationsAreFinished()
                }
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: DispatchQueue(label: "done")) { continuation.resume() }
        }
        for index in indexes {
            #expect(try consistentNotes(index) == [0: 40, 1: 36, 2: 37, 3: 38, 4: 39])
            try await onThread { try index.closeVerified() }
        }
    }

    #if !canImport(Darwin)
        @Test("A waiting thread does not wait for a queue that is busy with other work")
        func ahead() async throws {
            let folder = try TemporaryFolder()
            let index = try openNotes(at: folder("index"))
            let queue = index.indexingQueue
            queue.maxConcurrentOperationCount = 1
            let isBusy = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
            queue.addOperation {
                isBusy.signal()
                mayEnd.wait()
            }
            // More than these wait for the queue, which has to keep each until it comes to it.
            let first = try await onThread {
                isBusy.wait()
                return (1...64).map { version in
                    let operation = index.indexObject(WorkNote(id: version % 5, version: version))
                    operation.waitUntilFinished()
                    return operation
                }
            }
            #expect(first.allSatisfy { $0.isFinished && $0.error == nil })
            // Neither does who waits for one that somebody has waited for.
            try await onThread { for operation in first { operation.waitUntilFinished() } }
            #expect(try consistentNotes(index) == [0: 60, 1: 61, 2: 62, 3: 63, 4: 64])
            mayEnd.signal()
            try await onThread {
                queue.waitUntilAllOperationsAreFinished()
                for version in 65...300 {
                    let operation = index.indexObject(WorkNote(id: version % 5, version: version))
                    operation.waitUntilFinished()
                    #expect(operation.isFinished && operation.error == nil)
                }
            }
            #expect(first.allSatisfy { $0.isFinished && $0.error == nil })
            #expect(try consistentNotes(index) == [0: 300, 1: 296, 2: 297, 3: 298, 4: 299])
            try await index.shutdown()
            #expect(queue.operationCount == 0)
        }
    #endif

    @Test("A suspended queue begins nothing for those who wait, either")
    func suspendedWaiting() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.isSuspended = true
        let isBegun = Shared(false)
        index.indexer = { note, _ in
            isBegun.change { $0 = true }
            return note.indexed
        }
        let operation = index.indexObject(WorkNote(id: 1, version: 1))
        let waiting = Shared(false)
        async let waited: Void = onThread {
            waiting.change { $0 = true }
            operation.waitUntilFinished()
        }
        while !waiting.current { await Task.yield() }
        #expect(!isBegun.current && !operation.isFinished)
        index.indexingQueue.isSuspended = false
        try await waited
        #expect(isBegun.current && operation.isFinished)
        try await index.shutdown()
    }

    @Test("A suspended queue begins nothing; resumed, it goes on")
    func suspended() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.isSuspended = true
        let begun = Shared(0)
        index.indexer = { note, _ in
            begun.change { $0 += 1 }
            return note.indexed
        }
        let operations = (0..<50).map { index.indexObject(WorkNote(id: $0, version: 1)) }
        #expect(begun.current == 0)
        #expect(index.count == 0)
        index.indexingQueue.isSuspended = false
        for operation in operations { _ = try await operation.value() }
        #expect(begun.current == 50)
        #expect(index.count == 50)
        try await index.shutdown()
    }

    @Test("Suspending while an operation runs that has older ones to wait for does not hang")
    func suspendedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.maxConcurrentOperationCount = 1
        index.indexingQueue.isSuspended = true
        let isBegun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        index.indexer = { note, _ in
            if note.id == 2 {
                isBegun.signal()
                mayEnd.wait()
            }
            return note.indexed
        }
        let older = index.indexObject(WorkNote(id: 1, version: 1))
        let newer = index.indexObject(WorkNote(id: 2, version: 1))
        // The newer one takes the only place of the queue first.
        older.addDependency(newer)
        index.indexingQueue.isSuspended = false
        try await onThread {
            isBegun.wait()
            index.indexingQueue.isSuspended = true
            mayEnd.signal()
            // It finds the queue suspended, whenever it looks.
            Thread.sleep(forTimeInterval: 0.05)
            index.indexingQueue.isSuspended = false
        }
        _ = try await newer.value()
        _ = try await older.value()
        #expect(index.count == 2)
        try await index.shutdown()
    }

    @Test("An operation cancelled before it begins has no effect and says so")
    func cancelledBefore() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        index.indexingQueue.isSuspended = true
        let operations = (0..<30).map { index.indexObject(WorkNote(id: $0, version: 1)) }
        for operation in operations where operations.firstIndex(of: operation).map({ $0 % 3 }) == 0
        {
            operation.cancel()
        }
        index.indexingQueue.isSuspended = false
        await index.waitUntilAllOperationsAreFinished()
        for (number, operation) in operations.enumerated() {
            let code = failure(of: operation)?.code
            #expect(code == (number % 3 == 0 ? .cancelled : nil))
            let awaited = await Result { try await operation.value() }
            #expect((try? awaited.get()) != nil || number % 3 == 0)
        }
        #expect(index.count == 20)
        try await index.shutdown()
    }

    @Test("An operation cancelled at any moment takes effect or says that it did not")
    func cancelledMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let index = try openNotes(at: folder("index"))
        let kept = Shared(0)
        await onThreads(4) { thread in
            for number in 0..<150 {
                let note = WorkNote(id: thread * 1000 + number, version: 1)
                let operation = index.indexObject(note)
                operation.cancel()
                operation.waitUntilFinished()
                let isThere = (try? index.contains(identifier: note.identifier)) ?? false
                #expect(isThere == (operation.error == nil))
                if isThere { kept.change { $0 += 1 } }
            }
        }
        #expect(index.count == kept.current)
        try await index.shutdown()
    }

    @Test("What was removed in the commit that indexed it does not come back at the next opening")
    func removalOfAllInTheSameCommit() async throws {
        let folder = try TemporaryFolder()
        for round in 0..<5 {
            let index = try openNotes(at: folder("index"))
            // Prepared together, so that they are one group.
            index.indexingQueue.isSuspended = true
            for id in 0..<4 { index.indexObject(WorkNote(id: id, version: 1)) }
            let removal = try index.submitRemovalOfAll()
            index.indexObject(WorkNote(id: 9, version: round + 1))
            index.indexingQueue.isSuspended = false
            _ = try await removal.value()
            try await onThread { try index.close() }
            let again = try openNotes(at: folder("index"))
            #expect(try consistentNotes(again) == [9: round + 1])
            try await onThread { try again.close() }
        }
    }
}

extension Result where Failure == any Error {
    /// What an awaited `body` gives or throws.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
