import Foundation
import LevelDB
import PowerCuts
import Testing

@testable import TextSearch

/// Every operation on files that a run of work on an index makes fails once, one after the other: the index says so, goes on by itself,
/// and loses nothing that had finished.
@Suite("Fault points", .timeLimit(.minutes(20)))
struct FaultPointTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var operation: Fault.Operation
        var action: Fault.Action
        var testDescription: String { "\(operation) \(action)" }
    }

    static let kinds: [Kind] = [
        Kind(operation: .create, action: .fail(errno: EMFILE)),
        Kind(operation: .create, action: .fail(errno: ENOSPC)),
        Kind(operation: .append, action: .fail(errno: EIO)),
        Kind(operation: .append, action: .shortWrite(errno: ENOSPC)),
        Kind(operation: .sync, action: .fail(errno: EIO)),
        Kind(operation: .syncDirectory, action: .fail(errno: EIO)),
        Kind(operation: .close, action: .fail(errno: EIO)),
        Kind(operation: .rename, action: .fail(errno: EIO)),
        Kind(operation: .remove, action: .fail(errno: EIO)),
        Kind(operation: .open, action: .fail(errno: EMFILE)),
        Kind(operation: .read, action: .fail(errno: EIO)),
        Kind(operation: .space, action: .fail(errno: ENOSPC)),
    ]

    /// What became of the script.
    private struct Outcome {
        var expectation = NoteExpectation()
        var failedOperations = 0
        var isOpened = true
    }

    private func expectTyped(_ error: (any Error)?, _ comment: Comment) {
        guard let error else { return }
        let code = (error as? TextIndexError)?.code
        #expect(code == .diskFull || code == .io || code == .corrupted, "\(error); \(comment)")
    }

    /// Two openings with operations, a flush and an optimization.
    private func script(
        at directory: URL, _ durability: Durability, _ outcome: inout Outcome, _ comment: Comment
    ) {
        var configuration = tinyBuffers()
        configuration.durability = durability
        var generator = SeededGenerator(seed: 77)
        for life in 0..<2 {
            let index: TextIndex<WorkNote>
            do {
                index = try openNotes(at: directory, configuration)
            } catch {
                expectTyped(error, comment)
                outcome.isOpened = false
                return
            }
            for step in 1...12 {
                let id = Int.random(in: 0..<6, using: &generator)
                let version = step % 5 == 0 ? 0 : life * 100 + step
                let operation =
                    version == 0
                    ? index.removeIndex(forIdentifier: WorkNote.identifier(id))
                    : index.indexObject(WorkNote(id: id, version: version))
                operation.waitUntilFinished()
                expectTyped(operation.error, comment)
                outcome.expectation.note(id, version, operation)
                outcome.failedOperations += operation.error == nil ? 0 : 1
                do {
                    if step == 8 { try index.flush() }
                    if step == 10, life == 1 { try index.optimize() }
                } catch {
                    expectTyped(error, comment)
                }
            }
            do { try index.close() } catch { expectTyped(error, comment) }
        }
    }

    private func check(
        _ outcome: Outcome, at directory: URL, _ comment: Comment
    ) throws {
        let index = try openNotes(at: directory, tinyBuffers())
        let found = try consistentNotes(index, comment)
        for id in 0..<6 {
            #expect(
                outcome.expectation.allows(found[id] ?? 0, for: id),
                "note \(id) is \(found[id] ?? 0), not \(outcome.expectation.certain[id] ?? 0); \(comment)"
            )
        }
        try index.close()
    }

    @Test("Each operation of each kind fails once", arguments: kinds, [Durability.process, .power])
    func once(kind: Kind, durability: Durability) throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        var total: UInt64 = 0
        try SimulatedDisk().mounted(at: directory.path) {
            var outcome = Outcome()
            Fault(kind.operation, at: folder.url.path, .count).whileArmed { seen in
                script(at: directory, durability, &outcome, "no fault")
                total = seen()
            }
            #expect(outcome.failedOperations == 0 && outcome.isOpened)
            try check(outcome, at: directory, "no fault")
        }
        #expect(total > 0)
        for skip in 0..<total {
            let comment: Comment = "\(kind.testDescription), number \(skip) of \(total)"
            try SimulatedDisk().mounted(at: directory.path) {
                var outcome = Outcome()
                Fault(kind.operation, at: folder.url.path, kind.action, skip: skip, times: 1)
                    .whileArmed { _ in script(at: directory, durability, &outcome, comment) }
                // One that failed, and one that came while the failure in the background was not known yet.
                #expect(outcome.failedOperations <= 2, comment)
                try check(outcome, at: directory, comment)
            }
        }
    }

    @Test("Operations in the queue go on after one that failed", arguments: [1, 2, 3] as [UInt64])
    func queue(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        try SimulatedDisk().mounted(at: directory.path) {
            let index = try openNotes(at: directory, tinyBuffers())
            var expectation = NoteExpectation()
            for round in 1...8 {
                let skip = UInt64.random(in: 0..<12, using: &generator)
                let fault = Fault(
                    .append, at: folder.url.path, .shortWrite(errno: ENOSPC), skip: skip, times: 1)
                fault.whileArmed { _ in
                    let operations = (0..<60).map {
                        index.indexObject(WorkNote(id: $0, version: round))
                    }
                    for (id, operation) in operations.enumerated() {
                        operation.waitUntilFinished()
                        expectTyped(operation.error, "seed \(seed)")
                        expectation.note(id, round, operation)
                    }
                }
                // Without the index being closed.
                let operation = index.indexObject(WorkNote(id: 99, version: round))
                #expect(failure(of: operation) == nil, "seed \(seed), round \(round)")
            }
            let found = try consistentNotes(index, "seed \(seed)")
            for id in 0..<60 { #expect(expectation.allows(found[id] ?? 0, for: id)) }
            #expect(found[99] == 8)
            try index.close()
        }
    }

    @Test(
        "A bulk load whose accepted objects are lost says so, though the index goes on",
        arguments: [0, 1, 2, 4, 8, 16, 40])
    func bulk(skip: Int) async throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        let index = try openNotes(at: directory, tinyBuffers())
        let fault = Fault(
            .append, at: folder.url.path, .fail(errno: EIO), skip: UInt64(skip), times: 1
        ).arm()
        let count = 40_000
        let result: Result<IndexingReport, any Error>
        do {
            result = .success(
                try await index.indexObjects((0..<count).map { WorkNote(id: $0, version: 1) }))
        } catch {
            result = .failure(error)
        }
        Fault.disarm(fault)
        switch result {
        case .success: #expect(index.count == count, "skip \(skip)")
        case .failure(let error): expectTyped(error, "skip \(skip)")
        }
        try await index.indexObjects((0..<100).map { WorkNote(id: $0, version: 2) })
        #expect(try index.item(for: WorkNote.identifier(50))?.weight == 2)
        try await index.background.close()
    }
}
