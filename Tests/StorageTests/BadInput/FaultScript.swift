import Foundation
import LevelDB
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Work on an index that goes on whatever fails, and tells what must be there afterwards.
struct FaultScript: Sendable, CustomTestStringConvertible {
    enum Work: Sendable { case operations, bulkLoads, copies }

    /// What became of it.
    struct Outcome {
        var expectation = NoteExpectation()
        var failedOperations = 0
        /// Whether nothing at all failed.
        var isWhole = true
    }

    var work: Work
    var durability = Durability.process

    static let all = [
        FaultScript(work: .operations), FaultScript(work: .operations, durability: .power),
        FaultScript(work: .bulkLoads), FaultScript(work: .copies),
    ]

    var testDescription: String { "\(work) \(durability)" }

    private var configuration: TextIndexConfiguration {
        var configuration = tinyBuffers()
        configuration.durability = durability
        return configuration
    }

    /// Lets `body` work in an empty directory, on a simulated disk where copies can be made without
    /// one.
    func onDisk(_ directory: URL, _ body: () throws -> Void) throws {
        if work == .copies {
            try? FileManager.default.removeItem(at: directory.deletingLastPathComponent())
            try FileManager.default.createDirectory(
                at: directory.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try body()
        } else {
            try SimulatedDisk().mounted(at: directory.path, body)
        }
    }

    /// Makes what the work begins with; nothing fails yet.
    func prepare(at directory: URL) throws -> Outcome {
        var outcome = Outcome()
        guard work == .copies else { return outcome }
        let index = try openNotes(at: directory, configuration)
        for id in 0..<20 {
            outcome.expectation.note(
                id % 10, id + 1, index.indexObject(WorkNote(id: id % 10, version: id + 1)))
            if id == 12 { try index.flush() }
        }
        try index.close()
        return outcome
    }

    func run(at directory: URL, _ outcome: inout Outcome, _ comment: Comment) {
        switch work {
        case .operations: runOperations(at: directory, &outcome, comment)
        case .bulkLoads: runBulkLoads(at: directory, &outcome, comment)
        case .copies: runCopies(at: directory, &outcome, comment)
        }
    }

    /// Opens the index with the disk in order again, and compares.
    func check(_ outcome: Outcome, at directory: URL, _ comment: Comment) throws {
        let index = try openNotes(at: directory, tinyBuffers())
        let found = try consistentNotes(index, comment)
        for id in 0..<30 {
            #expect(
                outcome.expectation.allows(found[id] ?? 0, for: id),
                "note \(id) is \(found[id] ?? 0), not \(outcome.expectation.certain[id] ?? 0); \(comment)"
            )
        }
        let report = try index.verify(depth: .full)
        #expect(report.isClean, "\(report); \(comment)")
        try index.close()
        let backup = directory.deletingLastPathComponent().appendingPathComponent("backup")
        guard work == .copies, FileManager.default.fileExists(atPath: backup.path) else { return }
        let copy = try openNotes(at: backup, tinyBuffers())
        #expect(try consistentNotes(copy, comment).count == 10, comment)
        try copy.closeVerified()
    }

    // MARK: What is done

    private func attempt<R>(
        _ outcome: inout Outcome, _ comment: Comment, _ body: () throws -> R
    ) -> R? {
        do {
            return try body()
        } catch {
            outcome.isWhole = false
            Self.expectTyped(error, comment)
            return nil
        }
    }

    static func expectTyped(_ error: any Error, _ comment: Comment) {
        let code = (error as? TextIndexError)?.code
        #expect(code == .diskFull || code == .io || code == .corrupted, "\(error); \(comment)")
    }

    /// Two openings with operations, a flush and an optimization.
    private func runOperations(
        at directory: URL, _ outcome: inout Outcome, _ comment: Comment
    ) {
        var generator = SeededGenerator(seed: 77)
        for life in 0..<2 {
            guard
                let index = attempt(
                    &outcome, comment, { try openNotes(at: directory, configuration) })
            else { return }
            for step in 1...12 {
                let id = generator.int(0...5)
                let version = step % 5 == 0 ? 0 : life * 100 + step
                let operation =
                    version == 0
                    ? index.removeIndex(forIdentifier: WorkNote.identifier(id))
                    : index.indexObject(WorkNote(id: id, version: version))
                operation.waitUntilFinished()
                _ = attempt(&outcome, comment) { if let error = operation.error { throw error } }
                outcome.expectation.note(id, version, operation)
                outcome.failedOperations += operation.error == nil ? 0 : 1
                if step == 8 { _ = attempt(&outcome, comment) { try index.flush() } }
                if step == 10, life == 1 { _ = attempt(&outcome, comment) { try index.optimize() } }
            }
            _ = attempt(&outcome, comment) { try index.close() }
        }
    }

    /// Two openings with bulk loads, searches and a verification.
    private func runBulkLoads(
        at directory: URL, _ outcome: inout Outcome, _ comment: Comment
    ) {
        for life in 0..<2 {
            guard
                let index = attempt(
                    &outcome, comment, { try openNotes(at: directory, configuration) })
            else { return }
            for step in 1...3 {
                let version = life * 100 + step
                let notes = (step * 5..<step * 5 + 15).map { WorkNote(id: $0, version: version) }
                let isDone = attempt(&outcome, comment) { try Self.load(notes, index) } != nil
                outcome.failedOperations += isDone ? 0 : 1
                for note in notes { outcome.expectation.note(note.id, version, isDone: isDone) }
                _ = attempt(&outcome, comment) {
                    _ = try index.searchResults(forKeyword: "stamp")
                    _ = try index.search("heading stamp1*", limit: .max)
                }
                if step == 2 { _ = attempt(&outcome, comment) { try index.flush() } }
            }
            _ = attempt(&outcome, comment) { try index.verify(depth: .full) }
            _ = attempt(&outcome, comment) { try index.close() }
        }
    }

    private static func load(_ notes: [WorkNote], _ index: TextIndex<WorkNote>) throws {
        let isDone = DispatchSemaphore(value: 0)
        let outcome = Shared<Result<IndexingReport, any Error>?>(nil)
        Task.detached {
            do {
                let report = try await index.indexObjects(notes)
                outcome.change { $0 = .success(report) }
            } catch {
                outcome.change { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        let report = try outcome.current?.get()
        #expect(report?.indexedCount == notes.count)
    }

    /// A backup, a purge, and an operation.
    private func runCopies(at directory: URL, _ outcome: inout Outcome, _ comment: Comment) {
        let backup = directory.deletingLastPathComponent().appendingPathComponent("backup")
        _ = attempt(&outcome, comment) {
            let index = try openNotes(at: directory, configuration)
            defer { try? index.close() }
            try index.backup(to: backup)
        }
        _ = attempt(&outcome, comment) {
            try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
        }
        guard
            let index = attempt(
                &outcome, comment, { try openNotes(at: directory, configuration) })
        else { return }
        let operation = index.indexObject(WorkNote(id: 3, version: 90))
        operation.waitUntilFinished()
        _ = attempt(&outcome, comment) { if let error = operation.error { throw error } }
        outcome.expectation.note(3, 90, operation)
        outcome.failedOperations += operation.error == nil ? 0 : 1
        _ = attempt(&outcome, comment) { try index.close() }
    }
}

/// The files below a directory that this process has open; empty where the system does not tell.
func openFiles(below directory: URL) -> [String] {
    #if os(Linux)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(directory.path) }
    #else
        return []
    #endif
}
