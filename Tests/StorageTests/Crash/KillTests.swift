#if os(Linux) || os(macOS)
    import Foundation
    import LevelDB
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    /// Processes that index are killed at random moments; what they said they had finished is there
    /// afterwards.
    ///
    /// `SEED=…` in the environment repeats one run's choices (though not its moments).
    @Suite("Crash", .serialized, .timeLimit(.minutes(30)))
    struct KillTests {
        @Test(
            "An index killed with kill -9 loses nothing that was finished, and has nothing by halves",
            arguments: 0..<(3 * Scale.killRepetitions))
        func kills(series: Int) async throws {
            let folder = try TemporaryFolder("crash")
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            var known = WorkJournal.History()
            let rounds = Scale.killed(of: 12)
            for round in 0..<rounds {
                var work = CrashingWork(
                    seed: generator.next(), firstVersion: (round + 1) * 1_000_000,
                    isBulky: (round + series) % 3 == 0,
                    lifetime: Double.random(in: 0.002...0.3, using: &generator))
                work.finishesOne = round % 4 == 1
                try await killAndCheck(work, in: folder, &known, "seed \(seed), round \(round)")
            }
            #expect(known.finishedCount > 0)
            Scale.report(Scale.kills, "kills", ["kills": rounds, "finished": known.finishedCount])
        }

        @Test(
            "An index killed before a chosen operation on a file loses nothing that was finished",
            arguments: [Fault.Operation.create, .append, .sync, .rename, .remove, .close],
            0..<Scale.killRepetitions)
        func killsAtFileOperations(operation: Fault.Operation, series: Int) async throws {
            let folder = try TemporaryFolder("crash")
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            var known = WorkJournal.History()
            for round in Scale.killed(upTo: 6) {
                var work = CrashingWork(
                    seed: generator.next(), firstVersion: (round + 1) * 1_000_000,
                    isBulky: round % 3 == 2, lifetime: 0.5)
                work.fatalOperation = CrashingWork.operations.firstIndex(of: operation)
                let most = round * round * (operation == .append ? 40 : 1)
                work.operationsBefore = series == 0 ? most : generator.int(0...most)
                try await killAndCheck(
                    work, in: folder, &known, "\(operation), seed \(seed), round \(round)")
            }
            Scale.report(Scale.kills, "kills", ["kills": 6, "finished": known.finishedCount])
        }

        /// Lets a process do its work until it is killed, opens what it left, and compares.
        private func killAndCheck(
            _ work: CrashingWork, in folder: TemporaryFolder, _ known: inout WorkJournal.History,
            _ comment: Comment
        ) async throws {
            let path = folder.url.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, work = work as CrashingWork] in
                try work.runUntilKilled(in: URL(fileURLWithPath: path, isDirectory: true))
            }
            if let failure = try? String(
                contentsOf: CrashingWork.failureFile(in: folder.url), encoding: .utf8)
            {
                Issue.record("\(failure); \(comment.rawValue)")
            }
            try known.extend(with: WorkJournal(at: folder("journal")))
            let index = try openNotes(at: folder("index"), tinyBuffers())
            let notes = try consistentNotes(index, comment)
            for problem in known.problems(with: notes) {
                Issue.record("\(problem); \(comment.rawValue)")
            }
            known.accept(notes)
            try await onThread { try index.closeVerified() }
        }
    }

    /// What a child process does to an index until it is killed.
    struct CrashingWork: Codable, Sendable {
        var seed: UInt64
        var firstVersion: Int
        var isBulky: Bool
        /// Seconds until the process kills itself, from the moment before it opens the index.
        var lifetime: Double
        /// The kind of file operation, in `operations`, before which the process is killed, if it
        /// is not over earlier.
        var fatalOperation: Int?
        var operationsBefore = 0
        /// Whether the lifetime counts from the end of a first operation, or from the first segment
        /// of a rebuild, on however slow a machine.
        var finishesOne = false

        static let operations: [Fault.Operation] = [
            .create, .append, .sync, .rename, .remove, .close,
        ]

        /// Does not return.
        func runUntilKilled(in folder: URL) throws {
            let journal = WorkJournal(at: folder.appendingPathComponent("journal"))
            try journal.open()
            if !finishesOne { armDeath(in: folder) }
            let index = try openNotes(
                at: folder.appendingPathComponent("index"), tinyBuffers())
            if finishesOne {
                let version = (firstVersion / 4) * 4
                journal.write(.begin, 0, version)
                finish(
                    index.indexObject(WorkNote(id: 0, version: version)), 0, version, journal)
                armDeath(in: folder)
            }
            run(index, journal)
        }

        /// Where a child says what went wrong: nobody sees its output.
        static func failureFile(in folder: URL) -> URL { folder.appendingPathComponent("failure") }

        /// Ends a child that went wrong; its journal lies in the folder of its failure.
        static func end(_ failure: String, _ journal: WorkJournal) -> Never {
            let folder = journal.url.deletingLastPathComponent()
            try? Data(failure.utf8).write(to: failureFile(in: folder))
            fatalError(failure)
        }

        /// Has the process killed in time.
        func armDeath(in folder: URL) {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            if let fatalOperation {
                _ = Fault(
                    Self.operations[fatalOperation], at: folder.path, .kill,
                    skip: UInt64(operationsBefore)
                ).arm()
            }
        }

        /// Works for ever.
        func run(_ index: TextIndex<WorkNote>, _ journal: WorkJournal) {
            Thread.detachNewThread { Self.maintain(index, seed, journal) }
            for writer in 1..<3 {
                Thread.detachNewThread { write(to: index, writer: writer, journal) }
            }
            write(to: index, writer: 0, journal)
        }

        /// Flushes and optimizes at random, for ever.
        private static func maintain(
            _ index: TextIndex<WorkNote>, _ seed: UInt64, _ journal: WorkJournal
        ) {
            var generator = SeededGenerator(seed: seed ^ 1)
            while true {
                Thread.sleep(forTimeInterval: Double.random(in: 0...0.02, using: &generator))
                do {
                    if Int.random(in: 0..<3, using: &generator) == 0 {
                        try index.optimize()
                    } else {
                        try index.flush()
                    }
                } catch { end("maintenance: \(error)", journal) }
            }
        }

        /// Indexes and removes at random, for ever. Each writer has notes of its own, so that the
        /// journal's order is theirs.
        private func write(to index: TextIndex<WorkNote>, writer: Int, _ journal: WorkJournal) {
            var generator = SeededGenerator(seed: seed &+ UInt64(writer))
            var version = firstVersion + writer * 100_000
            while true {
                version += 1
                let id = Int.random(in: 0..<60, using: &generator) * 3 + writer
                if isBulky && writer == 0 {
                    // 2,000 notes are one journaled group; 20,000 are flushed without a journal.
                    let count = Int.random(in: 0..<2, using: &generator) == 0 ? 2_000 : 20_000
                    let isRemoval = Int.random(in: 0..<4, using: &generator) == 0
                    load(
                        (0..<count).map {
                            WorkNote(id: $0 * 3, version: isRemoval ? -version : version)
                        }, index, journal)
                } else if Int.random(in: 0..<5, using: &generator) == 0 {
                    journal.write(.begin, id, -version)
                    finish(
                        index.removeIndex(forIdentifier: WorkNote.identifier(id)), id, -version,
                        journal)
                } else {
                    journal.write(.begin, id, version)
                    finish(
                        index.indexObject(WorkNote(id: id, version: version)), id, version, journal)
                }
            }
        }

        private func finish(
            _ operation: IndexingOperation, _ id: Int, _ version: Int, _ journal: WorkJournal
        ) {
            // Most are left to be reported when they finish; some are waited for, so that the queue
            // stays short.
            if version % 4 == 0 {
                operation.waitUntilFinished()
                if let error = operation.error { Self.end("operation: \(error)", journal) }
                journal.write(.end, id, version)
            } else {
                operation.completionBlock = { [unowned operation] in
                    if operation.error == nil { journal.write(.end, id, version) }
                }
            }
        }

        /// Indexes notes; removes those with negative versions.
        private func load(_ notes: [WorkNote], _ index: TextIndex<WorkNote>, _ journal: WorkJournal)
        {
            journal.write(notes.map { (.begin, $0.id, $0.version) })
            let isDone = DispatchSemaphore(value: 0)
            Task.detached {
                do {
                    let isRemoval = notes.contains { $0.version < 0 }
                    let report =
                        isRemoval
                        ? try await index.removeObjects(notes)
                        : try await index.indexObjects(notes)
                    let count = isRemoval ? report.removedCount : report.indexedCount
                    guard count == notes.count else { Self.end("\(report)", journal) }
                } catch { Self.end("load: \(error)", journal) }
                isDone.signal()
            }
            isDone.wait()
            journal.write(notes.map { (.end, $0.id, $0.version) })
        }
    }
#endif
