#if os(Linux) || os(macOS)
    import Foundation
    import PowerCuts
    import Synchronization
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    /// Processes that follow are killed at random moments; the next one goes on, and nothing is
    /// missing or too much.
    ///
    /// `SEED=…` in the environment repeats one run's choices (though not its moments).
    @Suite("Crash while following", .serialized, .timeLimit(.minutes(30)))
    struct FollowerKillTests {
        @Test(
            "An index killed with kill -9 while it reads, sweeps or follows goes on where it was",
            arguments: 0..<(3 * Scale.repetitions(Scale.kills, of: 24)))
        func kills(series: Int) async throws {
            let folder = try TemporaryFolder("follower-crash")
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<8 {
                let work = KilledFollower(
                    seed: seed, lifetime: Double.random(in: 0.002...0.15, using: &generator),
                    version: round / 3, growth: generator.int(1...40))
                let path = folder.url.path
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, work = work as KilledFollower] in
                    try await work.runUntilKilled(in: URL(fileURLWithPath: path, isDirectory: true))
                }
                try await check(
                    work, folder, generator.int(0...2) == 0, "seed \(seed), round \(round)")
            }
        }

        /// Goes on with what is left, sometimes to the end.
        private func check(
            _ work: KilledFollower, _ folder: TemporaryFolder, _ goesOn: Bool, _ comment: Comment
        ) async throws {
            let failure = try? String(contentsOf: folder("failure"), encoding: .utf8)
            #expect(failure == nil, comment)
            let (index, follower) = try work.open(in: folder.url)
            let report = try await index.verify(depth: .full)
            #expect(report.isClean, "\(report); \(comment.rawValue)")
            if goesOn || index.count > 0 {
                // The database went on beyond what the child saw.
                let reached = try follower.status.position?.ordinal ?? 0
                follower.source.grow(to: Int(reached) + 5)
                try await follower.catchUp()
                let notes = follower.source.notes
                #expect(try FollowedModel(notes: notes).differences(from: index) == [], comment)
            }
            try await index.shutdown()
        }
    }

    /// A database of which each transaction follows from its number: all processes see the same
    /// one, up to where they let it come.
    final class ScriptedSource: ChangeSource {
        private struct Contents: Sendable {
            var notes: [String: PlainNote] = [:]
            var reached = 0
        }

        private let seed: UInt64
        private let contents = Mutex(Contents())

        init(seed: UInt64) { self.seed = seed }

        var notes: [String: PlainNote] { contents.withLock { $0.notes } }
        let storeIdentifier = "script"

        private func change(_ number: Int) -> (id: String, isGone: Bool, note: PlainNote) {
            var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 104_729)
            let id = "\(generator.int(0...200))"
            let isGone = generator.once(in: 4)
            return (id, isGone, FollowedModel.note(id, &generator))
        }

        /// Commits all transactions up to one.
        func grow(to number: Int) {
            contents.withLock { contents in
                while contents.reached < number {
                    contents.reached += 1
                    let (id, isGone, note) = change(contents.reached)
                    contents.notes[id] = isGone ? nil : note
                }
            }
        }

        func grow(by count: Int) { grow(to: contents.withLock { $0.reached } + count) }

        func currentPosition() throws -> SourcePosition {
            SourcePosition(ordinal: UInt64(contents.withLock { $0.reached }))
        }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<PlainNote> {
            // A new process begins where the last one was.
            grow(to: Int(position.ordinal))
            let contents = contents.withLock { $0 }
            let start = Int(position.ordinal) + 1
            let numbers = start..<min(start + limit.count, contents.reached + 1)
            let changes = numbers.map { number in
                let id = change(number).id
                return SourceObject(Data(id.utf8), contents.notes[id])
            }
            let end = numbers.upperBound - 1
            return ChangeSlice(
                changes, position: SourcePosition(ordinal: UInt64(end)),
                isLast: end == contents.reached)
        }

        func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<PlainNote> {
            let start = identifier.map { String(decoding: $0, as: UTF8.self) }
            let sorted = notes.sorted { $0.key < $1.key }
                .drop { note in start.map { note.key <= $0 } ?? false }
            let found = sorted.prefix(limit.count)
            return ObjectSlice(
                found.map { SourceObject(Data($0.key.utf8), $0.value) },
                next: sorted.count > found.count ? found.last.map { Data($0.key.utf8) } : nil)
        }

        func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<PlainNote>] {
            identifiers.map { SourceObject($0, notes[String(decoding: $0, as: UTF8.self)]) }
        }
    }

    /// What a child process does until it is killed.
    struct KilledFollower: Codable, Sendable {
        var seed: UInt64
        /// Seconds until the process kills itself.
        var lifetime: Double
        /// Another one than before has everything read again.
        var version: Int
        /// Transactions between two times that it catches up.
        var growth: Int

        func open(
            in folder: URL
        ) throws -> (TextIndex<PlainNote>, IndexFollower<ScriptedSource>) {
            let index = try FollowedModel.makeIndex(
                at: folder.appendingPathComponent("index"), tinyBuffers())
            var options = FollowerOptions()
            options.polling = nil
            options.slice.count = 15
            options.version = version
            options.releaseInterval = 50
            let source = ScriptedSource(seed: seed)
            let follower = try IndexFollower(index, following: source, options: options)
            source.grow(to: max(400, Int(try storedPosition(index))))
            return (index, follower)
        }

        private func storedPosition(_ index: TextIndex<PlainNote>) throws -> UInt64 {
            guard let stored = try index.clientState(named: "follower default") else { return 0 }
            return try FollowerState(stored).position.ordinal
        }

        /// Does not return.
        func runUntilKilled(in folder: URL) async throws {
            let lifetime = lifetime
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            do {
                let (_, follower) = try open(in: folder)
                while true {
                    try await follower.catchUp()
                    follower.source.grow(by: growth)
                }
            } catch {
                try Data("\(error)".utf8).write(to: folder.appendingPathComponent("failure"))
                throw error
            }
        }
    }
#endif
