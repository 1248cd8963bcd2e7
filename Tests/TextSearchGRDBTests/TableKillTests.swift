#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Processes that write and follow are killed, at random moments and at named points.
    @Suite("Crash of a searchable table", .serialized, .timeLimit(.minutes(120)))
    struct TableKillTests {
        /// Processes that the tests of the suite kill.
        private static let killCount = 8 * 4 + 2 * (points.count + KilledTable.Place.allCases.count)
        private static let repetitions = Scale.repetitions(Scale.kills, of: killCount)

        @Test(
            "An index goes on where it was after kill -9 of a process that writes and follows",
            arguments: 0..<(2 * repetitions))
        func kills(series: Int) async throws {
            try await killAtRandom(Scale.seed(series), [.both])
        }

        @Test(
            "An index goes on where it was after kill -9 of a writer and of a process that follows",
            arguments: 0..<repetitions)
        func killsOfTwo(series: Int) async throws {
            try await killAtRandom(Scale.seed(series) &+ 1, [.writer, .follower])
        }

        private func killAtRandom(_ seed: UInt64, _ roles: [KilledTable.Role]) async throws {
            let place = try Place()
            // Two that make a database at once would wait for each other's journal mode.
            _ = try await Self.leftovers(in: place)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<8 {
                let children = roles.map { role in
                    KilledTable(
                        role: role, seed: generator.next(),
                        lifetime: Double.random(in: 0.01...0.3, using: &generator))
                }
                let comment: Comment = "seed \(seed), round \(round)"
                try await run(children, place)
                #expect(try await Self.leftovers(in: place) == [], comment)
            }
            Scale.report(Scale.kills, "follow", ["kills": 8 * roles.count])
        }

        /// Runs processes at the same time, until all are killed.
        private func run(_ children: [KilledTable], _ place: Place) async throws {
            let path = place.url.path
            try await withThrowingTaskGroup(of: Void.self) { group in
                for child in children {
                    group.addTask {
                        await #expect(processExitsWith: .signal(SIGKILL)) {
                            [path = path as String, child = child as KilledTable] in
                            try await child.runUntilKilled(in: path)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let failure = try? String(contentsOfFile: "\(path)/failure", encoding: .utf8)
            #expect(failure == nil, "\(children)")
        }

        /// The statements before which a process ends: each is a point at which one store is ahead
        /// of the other, or a transaction is half done.
        static let points = [
            // The writer: amid a transaction, and before its commit.
            "INSERT OR REPLACE INTO note", "DELETE FROM note", "COMMIT",
            // Reading: the rows of the first reading, the log, the rows of a slice.
            "SELECT * FROM \"note\"", "SELECT _row.*, log.seq",
            // The index has the changes, and the database does not know it yet; amid trimming the
            // log.
            "INSERT INTO grdb_textsearch_consumer", "DELETE FROM grdb_textsearch_consumer",
            "DELETE FROM grdb_textsearch_log",
            // Amid installing.
            "CREATE TRIGGER", "UPDATE grdb_textsearch_source", "DROP TRIGGER",
        ]

        /// How often statements come that install triggers in place of others.
        private static let timesInstalling = [
            "CREATE TRIGGER": 5, "UPDATE grdb_textsearch_source": 1, "DROP TRIGGER": 4,
        ]

        @Test(
            "Killed with kill -9 before a statement, an index goes on where it was",
            arguments: points, 0..<repetitions)
        func killsAtStatements(statement: String, series: Int) async throws {
            let place = try Place()
            let seed = Scale.seed(series) &+ UInt64(statement.utf8.count)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<Scale.killed(of: 2) {
                if Self.timesInstalling[statement] != nil {
                    // All others have to be exchanged, too.
                    _ = try await Self.leftovers(in: place)
                    let pool = try place.pool()
                    try await pool.write {
                        try $0.execute(sql: "DROP TRIGGER grdb_textsearch_1_bu0")
                    }
                    try pool.close()
                }
                let child = KilledTable(
                    seed: generator.next(), statement: statement,
                    count: generator.int(1...(Self.timesInstalling[statement] ?? 12)))
                try await run([child], place)
                let comment: Comment = "\(statement), seed \(seed), round \(round)"
                #expect(try await Self.leftovers(in: place) == [], comment)
            }
            Scale.report(Scale.kills, "follow", ["kills": 2])
        }

        @Test(
            "Killed with kill -9 at a named point, an index goes on where it was",
            arguments: KilledTable.Place.allCases, 0..<repetitions)
        func killsAtPlaces(point: KilledTable.Place, series: Int) async throws {
            let place = try Place()
            let seed = Scale.seed(series) &+ UInt64(point.rawValue.utf8.count)
            var generator = SeededGenerator(seed: seed)
            for round in 0..<Scale.killed(of: 2) {
                let child = KilledTable(
                    seed: generator.next(), place: point,
                    count: generator.int(1...(point == .indexer ? 60 : 8)))
                try await run([child], place)
                let comment: Comment = "\(point), seed \(seed), round \(round)"
                #expect(try await Self.leftovers(in: place) == [], comment)
            }
            Scale.report(Scale.kills, "follow", ["kills": 2])
        }

        @Test(
            "Without triggers that look for rows in the way, and with positions stored too early, rows are missed: these controls fail",
            arguments: [KilledTable.Flaw.noBeforeTriggers, .positionFirst])
        func controls(flaw: KilledTable.Flaw) async throws {
            let place = try Place()
            var generator = SeededGenerator(seed: 11)
            var found: [String] = []
            for _ in 0..<30 where found.isEmpty {
                let child = KilledTable(
                    flaw: flaw, seed: generator.next(),
                    lifetime: Double.random(in: 0.1...0.4, using: &generator))
                try await run([child], place)
                found = try await Self.leftovers(in: place)
            }
            #expect(!found.isEmpty)
        }

        /// What is wrong once the index has caught up with what killed processes left.
        private static func leftovers(in place: Place) async throws -> [String] {
            let pool = try place.pool()
            try await pool.write { try KilledTable.createMissing($0) }
            let notes = try openNotes(pool, place, slice: 20)
            try await notes.catchUp()
            var found = try await differences(notes, pool)
            let drift = try await notes.follower.drift()
            if !drift.isEmpty { found.append("\(drift)") }
            let report = try await notes.index.verify(depth: .full)
            if !report.isClean { found.append("\(report)") }
            try await notes.close()
            try pool.close()
            return found
        }
    }
#endif
