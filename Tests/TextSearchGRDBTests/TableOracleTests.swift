#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Random transactions against the table itself.
    @Suite(
        "A searchable table against its table",
        .timeLimit(.minutes(30 + (Scale.oracle ?? 0) / 60)))
    struct TableOracleTests {
        private struct RolledBack: Error {}

        /// Random transactions of all kinds.
        private static func mutate(_ db: Database, _ generator: inout SeededGenerator) throws {
            let count = generator.int(1...20) == 1 ? 200 : generator.int(1...8)
            for _ in 0..<count {
                let id = generator.int(0...120)
                let slug = generator.int(0...5) == 0 ? nil : "s\(generator.int(0...120))"
                let (title, body) = (generator.text(2), generator.text(5))
                switch generator.int(0...11) {
                case 0...3:
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?)",
                        arguments: [id, slug, id % 10, title, body])
                case 4, 5:
                    try db.execute(
                        sql: "UPDATE note SET title = ? WHERE id = ?", arguments: [title, id])
                case 6:
                    try db.execute(
                        sql: "UPDATE note SET folder = folder + 1 WHERE id = ?", arguments: [id])
                case 7: try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
                case 8:
                    try db.execute(
                        sql: "UPDATE OR REPLACE note SET slug = ? WHERE id = ?",
                        arguments: [slug, id])
                case 9:
                    try db.execute(
                        sql: "UPDATE OR REPLACE note SET id = ? WHERE id = ?",
                        arguments: [generator.int(0...120), id])
                case 10:
                    try db.execute(
                        sql: """
                            INSERT INTO note VALUES (?, ?, 1, ?, ?)
                            ON CONFLICT DO UPDATE SET body = excluded.body
                            """, arguments: [id, slug, title, body])
                default: try savepoint(db, id, &generator)
                }
            }
            if generator.int(1...10) == 1 { throw RolledBack() }
        }

        private static func savepoint(
            _ db: Database, _ id: Int, _ generator: inout SeededGenerator
        ) throws {
            try db.inSavepoint {
                if generator.int(1...20) == 1 {
                    try db.execute(sql: "DELETE FROM note")
                } else {
                    try db.execute(
                        sql: "UPDATE note SET body = ? WHERE id > ?",
                        arguments: [generator.text(3), id])
                }
                return generator.int(0...1) == 0 ? .rollback : .commit
            }
        }

        @Test("An index equals its table once it has caught up", arguments: 0..<4)
        func random(series: Int) async throws {
            try await Scale.seeds(
                for: Scale.oracle, from: Scale.seed(series), stride: 1_000_003, random)
        }

        private func random(seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let slice = [1, 7, 60, 4_000][generator.int(0...3)]
            var notes = try openNotes(pool, place, slice: slice)
            for step in 0..<60 {
                for _ in 0..<generator.int(1...4) {
                    let before = generator
                    do {
                        generator = try await pool.write { db in
                            var generator = before
                            try Self.mutate(db, &generator)
                            return generator
                        }
                    } catch is RolledBack {
                        _ = generator.next()
                    }
                }
                switch generator.int(0...15) {
                case 0:
                    try await notes.close()
                    notes = try openNotes(pool, place, slice: slice)
                case 1: await notes.stop()
                case 2: try await pool.vacuum()
                case 3: try await notes.follower.reset()
                case 4:
                    try await pool.write {
                        try $0.execute(sql: "DROP TRIGGER grdb_textsearch_1_ad")
                    }
                default: break
                }
                try await notes.catchUp()
                let found = try await differences(notes, pool)
                #expect(found == [], "seed \(seed), step \(step)")
            }
            #expect(try await notes.follower.drift().isEmpty, "seed \(seed)")
            #expect(try await notes.index.verify(depth: .full).isClean, "seed \(seed)")
            try await notes.close()
            Scale.report(Scale.oracle, "oracle", ["histories": 1, "states": 60])
        }
    }
#endif
