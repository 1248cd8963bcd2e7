#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    @Suite("Several indexes over one database")
    struct SharedTableTests {
        @Test("Each index of a table has a place of its own in the log")
        func twoIndexes() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            var options = quietOptions
            options.releaseInterval = 1
            options.onHistoryLost = .fail
            let tables = try ["a", "b"].map { name in
                try SearchableTable(
                    pool, index: place.url.appendingPathComponent(name), noteDefinition,
                    options: options)
            }
            for table in tables { try await table.catchUp() }
            for round in 0..<5 {
                try await pool.write { db in
                    for id in 0..<20 {
                        try db.execute(
                            sql: "INSERT OR REPLACE INTO note VALUES (?, ?, 0, ?, '')",
                            arguments: [id, "s\(id)", "round \(round)"])
                    }
                }
                // One of them trims the log several times before the other reads it.
                try await tables[round % 2].catchUp()
                await tables[round % 2].stop()
                if round % 2 == 1 {
                    for table in tables {
                        try await table.catchUp()
                        #expect(try await differences(table, pool) == [])
                    }
                }
            }
            for table in tables {
                try await table.catchUp()
                #expect(try await differences(table, pool) == [])
                try await table.close()
            }
            let consumers = try await pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_textsearch_consumer")
            }
            #expect(consumers == 2)
        }

        @Test("An index that is opened again keeps its place in the log")
        func reopening() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            for round in 0..<3 {
                let notes = try openNotes(pool, place)
                try await pool.write {
                    try $0.execute(
                        sql: "INSERT INTO note VALUES (?, NULL, 0, 'duck', '')",
                        arguments: [round])
                }
                try await notes.catchUp()
                try await notes.close()
            }
            let consumers = try await pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_textsearch_consumer")
            }
            #expect(consumers == 1)
        }

        @Test("A definition of another table with a name that is taken is refused")
        func oneName() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(sql: "CREATE TABLE other(id INTEGER PRIMARY KEY, title TEXT)")
            }
            @Sendable func definition(_ table: String) -> SearchDefinition<Note> {
                SearchDefinition<Note>(table: table, columns: ["title"], name: "shared") { _ in nil
                }
            }
            let notes = try SearchableTable(
                pool, index: place.index, definition("note"), options: quietOptions)
            let second = place.url.appendingPathComponent("second")
            let error = #expect(throws: TextIndexError.self) {
                _ = try SearchableTable(
                    pool, index: second, definition("other"), options: quietOptions)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("follows the table \"note\"") == true)
            #expect(!FileManager.default.fileExists(atPath: second.path))
            await #expect(throws: TextIndexError.self) {
                try await pool.write {
                    _ = try SearchableTable<Note>.install($0, definition("other"))
                }
            }
            try await notes.close()
            // A table that was renamed is the same one; one that was given up is free.
            try await pool.write { try $0.execute(sql: "ALTER TABLE note RENAME TO moved") }
            try await pool.write { _ = try SearchableTable<Note>.install($0, definition("moved")) }
            try await pool.write { try SearchableTable<Note>.uninstall($0, definition("moved")) }
            try await pool.write { _ = try SearchableTable<Note>.install($0, definition("other")) }
        }

        @Test("An index has one owner: a second table over it is refused")
        func twoOwners() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let notes = try openNotes(pool, place)
            let error = #expect(throws: TextIndexError.self) { _ = try openNotes(pool, place) }
            #expect(error?.code == .locked)
            try await notes.close()
            let again = try openNotes(pool, place)
            try await again.close()
        }

        @Test("How far an index is behind is known without following, also where it is read only")
        func lag() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(sql: "INSERT INTO note VALUES (1, NULL, 0, 'duck', '')")
            }
            let notes = try openNotes(pool, place)
            #expect(try notes.index.followedState(named: "note") == nil)
            try await notes.catchUp()
            var configuration = Configuration()
            configuration.readonly = true
            let reader = try DatabaseQueue(path: place.database.path, configuration: configuration)
            let source = TableSource(reader, noteDefinition)
            let state = try #require(try notes.index.followedState(named: "note"))
            #expect(state.phase == .following)
            #expect(try source.changeCount(after: state.position) == 0)
            try await pool.write {
                try $0.execute(
                    sql: "INSERT INTO note VALUES (2, NULL, 0, 'a', ''), (3, NULL, 0, 'b', '')")
            }
            #expect(try source.changeCount(after: state.position) == 2)
            #expect(try notes.follower.status.behind == 2)
            try await notes.catchUp()
            let next = try #require(try notes.index.followedState(named: "note"))
            #expect(try source.changeCount(after: next.position) == 0)
            let error = #expect(throws: TextIndexError.self) {
                try source.changeCount(after: SourcePosition(ordinal: 1, token: Data([1])))
            }
            #expect(error?.code == .historyLost)
            try await notes.close()
        }
    }
#endif
