#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// What happens to whole files and schemas while an index follows.
    @Suite(
        "A searchable table and its files", .timeLimit(.minutes(30 + (Scale.oracle ?? 0) / 60)))
    struct TableTrapTests {
        private enum Trap: CaseIterable {
            /// The database of some steps ago is put back.
            case olderDatabase
            /// The index of some steps ago is put back.
            case olderIndex
            /// A compact copy takes the place of the database.
            case copiedDatabase
            /// The table is made anew, with some of its rows.
            case newTable
            /// The table is called otherwise for a while.
            case renamedTable
            /// A column is called otherwise and back.
            case renamedColumn
            /// An index is made that REPLACE deletes by.
            case uniqueIndex
            case noTriggers
            case noLog
        }

        private static func mutate(_ db: Database, _ generator: inout SeededGenerator) throws {
            for _ in 0..<generator.int(1...12) {
                let id = generator.int(0...80)
                if generator.int(0...3) == 0 {
                    try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
                } else {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?, ?, ?)",
                        arguments: [
                            id, "s\(generator.int(0...80))", id % 7, generator.text(2),
                            generator.text(4),
                        ])
                }
            }
        }

        /// Copies the files of a store that nobody has open.
        private static func copy(_ source: URL, to target: URL) throws {
            try? FileManager.default.removeItem(at: target)
            try FileManager.default.copyItem(at: source, to: target)
        }

        private static func spring(
            _ trap: Trap, _ db: Database, _ generator: inout SeededGenerator
        ) throws {
            switch trap {
            case .newTable:
                try db.execute(sql: "ALTER TABLE note RENAME TO old")
                try createNotes(db)
                try db.execute(
                    sql: "INSERT INTO note SELECT * FROM old WHERE id % 5 <> ?; DROP TABLE old",
                    arguments: [generator.int(0...4)])
            case .renamedTable:
                try db.execute(sql: "ALTER TABLE note RENAME TO other")
                try db.execute(
                    sql: "UPDATE other SET title = 'moved' WHERE id % 9 = ?",
                    arguments: [generator.int(0...8)])
                try db.execute(sql: "ALTER TABLE other RENAME TO note")
            case .renamedColumn:
                try db.execute(sql: "ALTER TABLE note RENAME COLUMN title TO name")
                try db.execute(
                    sql: "UPDATE note SET name = 'called' WHERE id % 9 = ?",
                    arguments: [generator.int(0...8)])
                try db.execute(sql: "ALTER TABLE note RENAME COLUMN name TO title")
            case .uniqueIndex:
                try db.execute(
                    sql: """
                        UPDATE note SET folder = id;
                        CREATE UNIQUE INDEX IF NOT EXISTS folders ON note(folder) WHERE folder > 70
                        """)
            case .noTriggers:
                for suffix in ["ai", "ad", "au", "ak", "bi0"] where generator.int(0...1) == 0 {
                    try db.execute(sql: "DROP TRIGGER IF EXISTS grdb_textsearch_1_\(suffix)")
                }
            case .noLog: try SearchableTable<Note>.uninstall(db, noteDefinition)
            case .olderDatabase, .olderIndex, .copiedDatabase: break
            }
        }

        @Test(
            "Files that are put back, tables and columns that change: the index is what the table is",
            arguments: 0..<Scale.repetitions(Scale.kills, of: 4))
        func traps(series: Int) async throws {
            for part in 0..<4 {
                try await Scale.seeds(
                    for: Scale.oracle.map { $0 / 4 }, from: Scale.seed(series * 4 + part),
                    stride: 1_000_003, traps)
            }
        }

        private func traps(seed: UInt64) async throws {
            do {
                var generator = SeededGenerator(seed: seed)
                let place = try Place()
                var pool = try place.pool()
                try await pool.write { try createNotes($0) }
                var savedDatabase: URL?
                var savedIndex: URL?
                for step in 0..<14 {
                    let notes = try openNotes(pool, place, slice: generator.int(1...40))
                    try await notes.catchUp()
                    generator = try await written(pool, generator)
                    if generator.int(0...1) == 0 { try await notes.catchUp() }
                    let trap = Trap.allCases[generator.int(0...(Trap.allCases.count - 1))]
                    let before = generator
                    generator = try await pool.write { db in
                        var generator = before
                        try Self.spring(trap, db, &generator)
                        return generator
                    }
                    generator = try await written(pool, generator)
                    let comment: Comment = "seed \(seed), step \(step), \(trap)"
                    if generator.int(0...1) == 0 {
                        try await notes.catchUp()
                        #expect(try await differences(notes, pool) == [], comment)
                    }
                    try await notes.close()
                    pool = try exchange(trap, pool, place, savedDatabase, savedIndex)
                    generator = try await written(pool, generator)
                    let again = try openNotes(pool, place)
                    try await again.catchUp()
                    #expect(try await differences(again, pool) == [], comment)
                    #expect(try await again.follower.drift().isEmpty, comment)
                    try await again.close()
                    if generator.int(0...2) == 0 {
                        let copy = place.url.appendingPathComponent("copy.sqlite")
                        try? FileManager.default.removeItem(at: copy)
                        try await pool.vacuum(into: copy.path)
                        savedDatabase = copy
                    }
                    if generator.int(0...2) == 0 {
                        let copy = place.url.appendingPathComponent("copy.index")
                        try Self.copy(place.index, to: copy)
                        savedIndex = copy
                    }
                }
            }
        }

        private func written(
            _ pool: DatabasePool, _ generator: SeededGenerator
        ) async throws -> SeededGenerator {
            try await pool.write { db in
                var generator = generator
                try Self.mutate(db, &generator)
                return generator
            }
        }

        /// Exchanges the files of a store, while neither is open.
        private func exchange(
            _ trap: Trap, _ pool: DatabasePool, _ place: Place, _ savedDatabase: URL?,
            _ savedIndex: URL?
        ) throws -> DatabasePool {
            var database: URL?
            switch trap {
            case .olderDatabase: database = savedDatabase
            case .copiedDatabase:
                let copy = place.url.appendingPathComponent("compact.sqlite")
                try? FileManager.default.removeItem(at: copy)
                try pool.vacuum(into: copy.path)
                database = copy
            case .olderIndex:
                if let savedIndex { try Self.copy(savedIndex, to: place.index) }
            default: break
            }
            guard let database else { return pool }
            try pool.close()
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: place.database.path + suffix)
            }
            try Self.copy(database, to: place.database)
            return try place.pool()
        }

        @Test(
            "Without the triggers that look for rows in the way, a row that REPLACE deletes stays: this control fails"
        )
        func control() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(
                    sql: "INSERT INTO note VALUES (1, 'a', 0, 'duck', ''), (2, 'b', 0, 'goose', '')"
                )
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            try await pool.write { db in
                let trigger = try String.fetchOne(
                    db, sql: "SELECT sql FROM sqlite_master WHERE name = 'grdb_textsearch_1_bi0'")
                try db.execute(sql: "DROP TRIGGER grdb_textsearch_1_bi0")
                try db.execute(sql: "REPLACE INTO note VALUES (3, 'a', 0, 'swan', '')")
                try db.execute(sql: try #require(trigger))
            }
            try await notes.catchUp()
            #expect(try await differences(notes, pool) == ["3 objects for 2 rows"])
            #expect(try await notes.follower.repairDrift().extra.count == 1)
            #expect(try await differences(notes, pool) == [])
            try await notes.close()
        }
    }
#endif
