#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts
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
                #expect(try notes.index.verify(depth: .full).isClean)
                try await notes.close()
                try pool.close()
            }
        }

        private static func createMissing(_ db: Database) throws {
            if try !db.tableExists("note") { try createNotes(db) }
        }

        /// Does not return.
        private static func runUntilKilled(
            in path: String, _ seed: UInt64, _ lifetime: Double
        ) async throws {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            do {
                let folder = URL(fileURLWithPath: path, isDirectory: true)
                let pool = try DatabasePool(path: folder.appendingPathComponent("db.sqlite").path)
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
#endif
