#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts
    import Synchronization
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Processes that write and follow are killed at random moments.
    @Suite("Crash of a searchable table", .serialized, .timeLimit(.minutes(30)))
    struct TableKillTests {
        @Test(
            "An index killed with kill -9 while it writes and follows goes on where it was",
            arguments: 0..<Scale.repetitions(Scale.kills, of: 8))
        func kills(series: Int) async throws {
            let place = try Place()
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<8 {
                let (path, childSeed) = (place.url.path, generator.next())
                let lifetime = Double.random(in: 0.01...0.3, using: &generator)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        path = path as String, seed = childSeed as UInt64,
                        lifetime = lifetime as Double
                    ] in
                    try await Self.runUntilKilled(in: path, seed, lifetime)
                }
                let failure = try? String(
                    contentsOfFile: "\(path)/failure", encoding: .utf8)
                #expect(failure == nil, "seed \(seed), round \(round)")
                let pool = try place.pool()
                try await pool.write { try Self.createMissing($0) }
                let notes = try openNotes(pool, place, slice: 20)
                try await notes.catchUp()
                #expect(
                    try await differences(notes, pool) == [], "seed \(seed), round \(round)")
                #expect(try await notes.index.verify(depth: .full).isClean)
                try await notes.close()
                try pool.close()
            }
        }

        /// The statements before which a process ends: each is a point at which one store is ahead
        /// of the other, or a transaction is half done.
        static let points = [
            // The writer: amid a transaction, and between the commit and the wake-up.
            "INSERT OR REPLACE INTO note", "DELETE FROM note", "COMMIT",
            // Reading: the rows of the first reading, the log, the rows of a slice.
            "SELECT * FROM \"note\"", "SELECT seq, nonce, k0 FROM",
            // The index has the changes, and the database does not know it yet; amid trimming the
            // log.
            "INSERT INTO grdb_textsearch_consumer", "DELETE FROM grdb_textsearch_consumer",
            "DELETE FROM grdb_textsearch_log",
            // Amid installing.
            "CREATE TRIGGER", "UPDATE grdb_textsearch_source", "DROP TRIGGER",
        ]

        @Test(
            "Killed with kill -9 at a named point, an index goes on where it was",
            arguments: points,
            0..<Scale.repetitions(Scale.kills, of: 2 * points.count))
        func killsAtPoints(point: String, series: Int) async throws {
            let place = try Place()
            let seed = Scale.seed(series) &+ UInt64(point.utf8.count)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<2 {
                let comment: Comment = "\(point), seed \(seed), round \(round)"
                let (path, childSeed) = (place.url.path, generator.next())
                let count = generator.int(1...(point.hasPrefix("CREATE") ? 5 : 12))
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        path = path as String, seed = childSeed as UInt64, point = point as String,
                        count = count as Int
                    ] in
                    let killer = StatementKiller(point, count)
                    try await Self.runUntilKilled(in: path, seed, 10, killer)
                }
                let failure = try? String(contentsOfFile: "\(path)/failure", encoding: .utf8)
                #expect(failure == nil, comment)
                let pool = try place.pool()
                try await pool.write { try Self.createMissing($0) }
                let notes = try openNotes(pool, place, slice: 20)
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [], comment)
                #expect(try await notes.follower.drift().isEmpty, comment)
                #expect(try await notes.index.verify(depth: .full).isClean, comment)
                try await notes.close()
                // The triggers of another time have to be exchanged.
                if point.hasPrefix("DROP") {
                    try await pool.write {
                        try $0.execute(sql: "DROP TRIGGER IF EXISTS grdb_textsearch_1_bu0")
                    }
                }
                try pool.close()
            }
            Scale.report(Scale.kills, "follow", ["kills": 2])
        }

        private static func createMissing(_ db: Database) throws {
            if try !db.tableExists("note") { try createNotes(db) }
        }

        /// Does not return.
        private static func runUntilKilled(
            in path: String, _ seed: UInt64, _ lifetime: Double, _ killer: StatementKiller? = nil
        ) async throws {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            do {
                let folder = URL(fileURLWithPath: path, isDirectory: true)
                var configuration = Configuration()
                if let killer {
                    configuration.prepareDatabase { db in
                        db.trace { event in
                            if case .statement(let statement) = event {
                                killer.meet(statement.sql)
                            }
                        }
                    }
                }
                let pool = try DatabasePool(
                    path: folder.appendingPathComponent("db.sqlite").path,
                    configuration: configuration)
                try await pool.write { try createMissing($0) }
                var options = quietOptions
                options.slice.count = 20
                options.releaseInterval = 30
                let notes = try SearchableTable(
                    pool, index: folder.appendingPathComponent("index"), noteDefinition,
                    options: options)
                try notes.start()
                var generator = SeededGenerator(seed: seed)
                while true {
                    let (id, slug) = (generator.int(0...300), "s\(generator.int(0...300))")
                    let (title, body) = (generator.text(2), generator.text(5))
                    try await pool.write { db in
                        try db.execute(
                            sql: "INSERT OR REPLACE INTO note VALUES (?, ?, 0, ?, ?)",
                            arguments: [id, slug, title, body])
                        try db.execute(
                            sql: "DELETE FROM note WHERE id = ?", arguments: [(id &* 7) % 300])
                    }
                }
            } catch {
                try Data("\(error)".utf8).write(to: URL(fileURLWithPath: "\(path)/failure"))
                throw error
            }
        }
    }

    /// Kills the process before a statement, the next time or a later one.
    final class StatementKiller: Sendable {
        private let start: String
        private let left: Mutex<Int>

        init(_ start: String, _ count: Int) {
            self.start = start
            left = Mutex(count)
        }

        func meet(_ sql: String) {
            guard sql.hasPrefix(start) else { return }
            let isNow = left.withLock { left in
                left -= 1
                return left <= 0
            }
            if isNow { kill(getpid(), SIGKILL) }
        }
    }
#endif
