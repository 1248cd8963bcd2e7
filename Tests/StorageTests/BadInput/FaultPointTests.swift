import Foundation
import LevelDB
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Every operation on files that a run of work on an index makes fails once, or it and all later
/// ones, one after the other: the index says so, goes on by itself as soon as it can, loses nothing
/// that had finished, and leaves no file open.
@Suite("Fault points", .timeLimit(.minutes(30)))
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

    /// The suite lets every operation fail once in the first script, or every eighth, and a few of
    /// the others.
    private static let step = Scale.faults != nil ? 1 : Scale.isWhole ? 11 : 23
    private static let firstStep = Scale.faults == nil && !Scale.isWhole ? 8 : 1

    @Test(
        "An index survives every failing operation on files, once or from then on",
        arguments: kinds,
        FaultScript.all)
    func fails(kind: Kind, script: FaultScript) async throws {
        // What it waits for needs the threads of Swift's tasks.
        try await onThread { try Self.fail(kind, script) }
    }

    private static func fail(_ kind: Kind, _ script: FaultScript) throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("parent").appendingPathComponent("index")
        var total: UInt64 = 0
        try script.onDisk(directory) {
            var outcome = try script.prepare(at: directory)
            Fault(kind.operation, at: folder.url.path, .count).whileArmed { seen in
                script.run(at: directory, &outcome, "no fault")
                total = seen()
            }
            #expect(outcome.isWhole)
            try script.check(outcome, at: directory, "no fault")
        }
        #expect(total > 0)
        var faults = 0
        for times in [1, .max] as [UInt64] {
            let isEach = script.work == .operations && times == 1
            for skip in stride(from: 0, to: total, by: isEach ? firstStep : step) {
                let comment: Comment =
                    "\(kind.testDescription), \(times == 1 ? "once" : "for ever") from number \(skip) of \(total), \(script.testDescription)"
                try script.onDisk(directory) {
                    var outcome = try script.prepare(at: directory)
                    let fault = Fault(
                        kind.operation, at: folder.url.path, kind.action, skip: skip, times: times)
                    fault.whileArmed { _ in script.run(at: directory, &outcome, comment) }
                    // One that failed, and one that came while the failure in the background was
                    // not known yet.
                    #expect(times > 1 || outcome.failedOperations <= 2, comment)
                    #expect(openFiles(below: folder.url) == [], comment)
                    try script.check(outcome, at: directory, comment)
                }
                faults += 1
            }
        }
        Scale.report(Scale.faults, "faults", ["faults": faults])
    }

    @Test("What a failed operation may have written is not taken for absent by a removal")
    func removalOfWhatMayBeThere() throws {
        let folder = try TemporaryFolder("points")
        let directory = folder("index")
        var configuration = tinyBuffers()
        configuration.durability = .power
        let note = WorkNote(id: 1, version: 1)
        try SimulatedDisk().mounted(at: directory.path) {
            let index = try openNotes(at: directory, configuration)
            Fault(.sync, at: folder.url.path, .fail(errno: EIO)).whileArmed { _ in
                #expect(failure(of: index.indexObject(note))?.code == .io)
                #expect(failure(of: index.removeIndex(forIdentifier: note.identifier)) != nil)
            }
            try? index.close()
            // What was written and not synced is there without a power cut.
            let again = try openNotes(at: directory, configuration)
            #expect(try again.contains(identifier: note.identifier))
            #expect(failure(of: again.removeIndex(forIdentifier: note.identifier)) == nil)
            try again.close()
            let last = try openNotes(at: directory, configuration)
            #expect(try !last.contains(identifier: note.identifier))
            try last.close()
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
                        if let error = operation.error {
                            FaultScript.expectTyped(error, "seed \(seed)")
                        }
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
        // Nothing runs in the background any more that may have failed and not said so.
        try? await index.flush()
        index.writer.background.sync {}
        switch result {
        case .success: #expect(index.count == count, "skip \(skip)")
        case .failure(let error): FaultScript.expectTyped(error, "skip \(skip)")
        }
        try await index.indexObjects((0..<100).map { WorkNote(id: $0, version: 2) })
        await #expect(try index.item(for: WorkNote.identifier(50))?.weight == 2)
        try await index.shutdown()
    }
}
