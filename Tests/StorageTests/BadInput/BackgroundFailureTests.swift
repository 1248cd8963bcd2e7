import Dispatch
import Foundation
import LevelDB
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

/// Writes of flushes and merges fail while others work.
@Suite("Failures in the background", .timeLimit(.minutes(30)))
struct BackgroundFailureTests {
    @Test("What comes after a write in the background that failed is done", arguments: 0..<5)
    func afterTheBackground(work: Int) async throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        let index = try openNotes(at: directory)
        #expect(failure(of: index.indexObject(WorkNote(id: 1, version: 1))) == nil)
        // As a flush that fails and has not come to say so.
        Fault(.append, at: folder.url.path, .fail(errno: EIO)).whileArmed { _ in
            let batch = StoreBatch()
            batch.put([1, 2, 3], [4])
            #expect(throws: TextIndexError.self) {
                try index.writer.store.commit(batch, sync: false)
            }
        }
        switch work {
        case 0: #expect(failure(of: index.indexObject(WorkNote(id: 1, version: 2))) == nil)
        case 1:
            #expect(failure(of: index.removeIndex(forIdentifier: WorkNote.identifier(1))) == nil)
        case 2:
            let notes = (0..<100).map { WorkNote(id: $0, version: 2) }
            #expect(try await index.indexObjects(notes).indexedCount == 100)
        case 3:
            let report = try await index.removeObjects(
                withIdentifiers: (0..<9000).map(WorkNote.identifier))
            #expect(report.removedCount == 9000)
        default: try await index.removeAll()
        }
        try await index.shutdown()
        let again = try openNotes(at: directory)
        #expect(again.count == [1, 0, 100, 0, 0][work])
        await #expect(
            try again.item(for: WorkNote.identifier(1))?.weight == [2, nil, 2, nil, nil][work])
        try again.closeVerified()
    }

    @Test(
        "Removals before a failed commit stay removed, and objects after it stay",
        arguments: 0..<4)
    func removalsFail(skip: UInt64) async throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        let index = try openNotes(at: directory)
        try await index.indexObjects((0..<9000).map { WorkNote(id: $0, version: 1) })
        try await index.flush()
        await index.waitForMaintenance()
        let fault = Fault(.append, at: folder.url.path, .fail(errno: EIO), skip: skip, times: 1)
            .arm()
        let result = await Result {
            try await index.removeObjects(withIdentifiers: (0..<9000).map(WorkNote.identifier))
        }
        Fault.disarm(fault)
        let left = try consistentNotes(index)
        switch result {
        case .success: #expect(left.isEmpty)
        case .failure(let error):
            FaultScript.expectTyped(error, "skip \(skip)")
            #expect(!left.isEmpty)
        }
        // Else no segment would be merged any more.
        let underWay = index.writer.state.withLock { ($0.bulk.loadCount, $0.bulk.removingCount) }
        #expect(underWay == (0, 0))
        // What was not removed is removed by another call.
        try await index.removeObjects(withIdentifiers: (0..<9000).map(WorkNote.identifier))
        #expect(try consistentNotes(index).isEmpty)
        try await index.shutdown()
        let again = try openNotes(at: directory)
        #expect(again.count == 0)
        try again.closeVerified()
    }

    @Test("What a bulk load had pending when a write in the background failed is told as lost")
    func pendingWhileTheBackgroundFails() async throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        let index = try openNotes(at: directory)
        let path = folder.url.path
        let hasFailed = Shared(false)
        // Two chunks, too large to be journaled; after the first a write fails that nobody tells
        // the writer of.
        await #expect(throws: TextIndexError.self) {
            try await index.indexObjects((0..<45_000).map { WorkNote(id: $0, version: 1) }) { _ in
                guard !hasFailed.current else { return }
                hasFailed.change { $0 = true }
                index.writer.background.sync {}
                Fault(.append, at: path, .fail(errno: EIO)).whileArmed { _ in
                    let batch = StoreBatch()
                    batch.put([1, 2, 3], [4])
                    _ = try? index.writer.store.commit(batch, sync: false)
                }
            }
        }
        #expect(hasFailed.current)
        #expect(failure(of: index.indexObject(WorkNote(id: 1, version: 2))) == nil)
        await #expect(try index.item(for: WorkNote.identifier(1))?.weight == 2)
        try await index.shutdown()
    }

    @Test("A bulk load that says it failed has lost something", arguments: 0..<24 as Range<UInt64>)
    func bulkLosses(skip: UInt64) async throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        let index = try openNotes(at: directory, tinyBuffers())
        let notes = (0..<100).map { WorkNote(id: $0, version: 1) }
        let fault = Fault(.append, at: folder.url.path, .fail(errno: EIO), skip: skip, times: 1)
            .arm()
        // So few are journaled; their flush begins with their commit, and its failure is known
        // before the load ends.
        let result: Result<IndexingReport, any Error>
        do {
            result = .success(
                try await index.indexObjects(notes) { _ in index.writer.flusher.waitForFlush() })
        } catch {
            result = .failure(error)
        }
        Fault.disarm(fault)
        try? await index.shutdown()
        let again = try openNotes(at: directory, tinyBuffers())
        switch result {
        case .success: #expect(again.count == 100)
        case .failure(let error):
            FaultScript.expectTyped(error, "skip \(skip)")
            #expect(again.count == 0)
        }
        try again.closeVerified()
    }

    @Test(
        "What a flush or a merge wrote before it failed is deleted",
        arguments: 0..<24 as Range<UInt64>)
    func failuresLeaveNothing(skip: UInt64) async throws {
        let folder = try TemporaryFolder("points")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        for version in 1...3 {
            try await index.indexObjects((0..<300).map { WorkNote(id: $0, version: version) })
        }
        await index.waitForMaintenance()
        let fault = Fault(.append, at: folder.url.path, .fail(errno: EIO), skip: skip, times: 1)
            .arm()
        _ = try? await index.indexObjects((0..<300).map { WorkNote(id: $0, version: 4) })
        _ = try? await index.optimize()
        Fault.disarm(fault)
        // Goes on after the failure.
        #expect(failure(of: index.indexObject(WorkNote(id: 1, version: 5))) == nil)
        try await index.flush()
        await index.waitForMaintenance()
        let manifest = index.writer.state.withLock { $0.manifest }
        let unnamed = try IndexOpening.unnamedSegments(index.writer.store, besides: manifest) {
            true
        }
        #expect(unnamed.isEmpty, "\(unnamed) beside \(manifest.segments.map(\.number))")
        try await index.shutdown()
        try openNotes(at: folder("index"), tinyBuffers()).closeVerified()
    }

    @Test("A flush that waits is not forgotten when the one before it fails behind its commit")
    func flushBehindAFailure() async throws {
        var tried = 0
        var skip: UInt64 = 0
        // How many writes there are differs from run to run, by what LevelDB's own thread does
        // meanwhile: behind the last one it is looked for once more from some before.
        var endCount = 0
        while tried < 2, endCount < 20 {
            let stalling = skip
            let outcome = try await OwnThreads.run {
                try await Self.failAfterStalling(at: stalling, on: $0)
            }
            if outcome.isTried { tried += 1 }
            if outcome.isStalled {
                skip += 1
            } else {
                endCount += 1
                skip -= min(skip, 12)
            }
        }
        #expect(tried == 2)
    }

    /// Has a bulk load begin while a flush is stalled at its `skip`th write, and the flush's next
    /// write fail; whether there is such a write, and whether it was behind the commit.
    private static func failAfterStalling(
        at skip: UInt64, on threads: OwnThreads
    ) async throws -> (isStalled: Bool, isTried: Bool) {
        let folder = try TemporaryFolder("points")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let stall = Fault(.append, at: folder.url.path, .stall, skip: skip, times: 1).arm()
        let isIdle = Shared(false)
        // So many that what their flush removes from the journal takes two writes.
        let first = Task(executorPreference: threads) {
            _ = try await index.indexObjects((0..<4000).map { WorkNote(id: $0, version: 1) })
        }
        Task(executorPreference: threads) {
            _ = await first.result
            index.writer.background.async { isIdle.change { $0 = true } }
        }
        while Fault.seen(stall) <= skip, !isIdle.current {
            try await Task.sleep(for: .milliseconds(1))
        }
        let isStalled = Fault.seen(stall) > skip
        var isNamed: Bool?
        // Whoever is stalled may hold the lock, which nobody else does for long.
        for _ in 0..<100 where isStalled && isNamed == nil {
            isNamed = index.writer.state.withLockIfAvailable {
                $0.flush == nil && !$0.flushed.isEmpty
            }
            if isNamed == nil { try await Task.sleep(for: .milliseconds(1)) }
        }
        if isStalled, isNamed == true {
            try await first.value
            let second = Task(executorPreference: threads) {
                try await index.indexObjects((0..<40_000).map { WorkNote(id: $0, version: 2) })
            }
            while index.writer.state.withLock({ $0.flush == nil }) {
                try await Task.sleep(for: .milliseconds(1))
            }
            let fault = Fault(.append, at: folder.url.path, .fail(errno: EIO), times: 1).arm()
            Fault.disarm(stall)
            if case .failure(let error) = await second.result {
                FaultScript.expectTyped(error, "skip \(skip)")
            }
            #expect(Fault.seen(fault) > 0)
            Fault.disarm(fault)
        }
        Fault.disarm(stall)
        try await first.value
        #expect(failure(of: index.indexObject(WorkNote(id: 1, version: 3))) == nil)
        #expect(index.count >= 4000)
        try await index.shutdown()
        return (isStalled, isStalled && isNamed == true)
    }
}
