#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    @Suite("Consumers of a log")
    struct LogConsumerTests {
        private func makePool(_ place: Place) async throws -> DatabasePool {
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(sql: "INSERT INTO note VALUES (1, NULL, 0, 'duck', 'goose')")
            }
            return pool
        }

        private func open(
            _ pool: DatabasePool, _ place: Place, _ name: String, _ columns: [String],
            fails: Bool = false
        ) throws -> SearchableTable<Note> {
            var options = quietOptions
            options.releaseInterval = 1
            if fails { options.onHistoryLost = .fail }
            return try SearchableTable(
                pool, index: place.url.appendingPathComponent(name),
                SearchDefinition<Note>(columns: columns) { note in
                    IndexedObject(
                        strings: [columns.contains("title") ? note.title : note.body],
                        context: ["stamp": .string("\(note.title)|\(note.body)")])
                }, options: options)
        }

        private func triggers(_ pool: DatabasePool) async throws -> Int? {
            try await pool.read {
                try Int.fetchOne(
                    $0,
                    sql:
                        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'grdb_*'"
                )
            }
        }

        @Test("Definitions of one name with other columns leave each other's triggers alone")
        func columns() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            var titles = try open(pool, place, "titles", ["title"])
            var bodies = try open(pool, place, "bodies", ["body"])
            try await titles.catchUp()
            try await bodies.catchUp()
            for round in 0..<3 {
                try await pool.write {
                    try $0.execute(
                        sql: "UPDATE note SET \(round % 2 == 0 ? "body" : "title") = ?",
                        arguments: ["swan x\(round)"])
                }
                if round == 1 {
                    try await titles.close()
                    try await bodies.close()
                    titles = try open(pool, place, "titles", ["title"], fails: true)
                    bodies = try open(pool, place, "bodies", ["body"], fails: true)
                }
                // Nothing is read anew, and no history is lost.
                let first = try await titles.catchUp()
                let second = try await bodies.catchUp()
                #expect(first.indexedCount == round % 2)
                #expect(second.indexedCount == 1 - round % 2)
                #expect(try await titles.search("x\(round)").hits.count == round % 2)
                #expect(try await bodies.search("x\(round)").hits.count == 1 - round % 2)
            }
            try await titles.close()
            try await bodies.close()
        }

        @Test("Where the columns of an index change, their old triggers go")
        func changedColumns() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            let titles = try open(pool, place, "index", ["title"])
            try await titles.catchUp()
            let count = try await triggers(pool)
            try await titles.close()
            let bodies = try open(pool, place, "index", ["body"])
            try await bodies.catchUp()
            #expect(try await bodies.search("goose").hits.count == 1)
            #expect(try await triggers(pool) == count)
            try await pool.write { try $0.execute(sql: "UPDATE note SET body = 'swan'") }
            try await bodies.catchUp()
            #expect(try await bodies.search("swan").hits.count == 1)
            try await bodies.close()
        }

        @Test(
            "An index that was deleted is seen, and its part of the log goes when it is forgotten")
        func forgetting() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            let kept = try open(pool, place, "kept", ["title", "body"])
            let gone = try open(pool, place, "gone", ["title", "body"])
            try await kept.catchUp()
            try await gone.catchUp()
            try await gone.close()
            for round in 0..<20 {
                try await pool.write {
                    try $0.execute(sql: "UPDATE note SET title = ?", arguments: ["x\(round)"])
                }
                try await kept.catchUp()
            }
            let consumers = try await pool.read { try LogConsumer.all($0) }
            #expect(consumers.count == 2)
            #expect(consumers.allSatisfy { $0.table == "note" && $0.lastSeen > .now - 3_600 })
            let path = place.url.appendingPathComponent("gone").path
            let deleted = try #require(consumers.first { $0.place == path })
            #expect(deleted.keptCount == 21)
            #expect(try await pool.write { try LogConsumer.forget(deleted.name, $0) })
            #expect(try await pool.write { try !LogConsumer.forget(deleted.name, $0) })
            let rest = try await pool.read { try LogConsumer.all($0) }
            #expect(rest.map(\.keptCount) == [1])
            // One that is still in use comes back, and so does one that was thought to be gone.
            let name = try #require(rest.first).name
            #expect(try await pool.write { try LogConsumer.forget(name, $0) })
            #expect(try await triggers(pool) == 0)
            #expect(try await pool.read { try LogConsumer.all($0) }.isEmpty)
            try await pool.write { try $0.execute(sql: "UPDATE note SET title = 'river'") }
            try await kept.catchUp()
            #expect(try await differences(kept, pool) == [])
            let again = try open(pool, place, "gone", ["title", "body"])
            try await again.catchUp()
            #expect(try await differences(again, pool) == [])
            #expect(try await pool.read { try LogConsumer.all($0) }.count == 2)
            try await kept.close()
            try await again.close()
        }

        @Test("A log that somebody has emptied begins anew, and all rows are compared")
        func emptiedLog() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for title in ["swan", "heron"] {
                try await pool.write { db in
                    try db.execute(sql: "UPDATE note SET title = ?", arguments: [title])
                    try db.execute(sql: "DELETE FROM grdb_textsearch_log")
                }
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [])
                #expect(try await notes.follower.drift().isEmpty)
            }
            try await notes.close()
        }

        @Test("What others have written to the tables of the log is an error, or passed over")
        func foreignValues() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            try await pool.write {
                try $0.execute(
                    sql: "UPDATE grdb_textsearch_consumer SET seen = 'x', place = x'ff'")
            }
            let consumers = try await pool.read(LogConsumer.all)
            #expect(consumers.map(\.lastSeen) == [Date(timeIntervalSince1970: 0)])
            try await notes.catchUp()
            try await pool.write { db in
                try db.execute(sql: "UPDATE grdb_textsearch_log SET nonce = 'x'")
                try db.execute(sql: "UPDATE note SET title = 'swan'")
            }
            try await notes.catchUp()
            #expect(try await differences(notes, pool) == [])
            try await notes.close()
            try await pool.write {
                try $0.execute(sql: "UPDATE grdb_textsearch_store SET uuid = x'ff'")
            }
            let error = #expect(throws: TextIndexError.self) { try openNotes(pool, place) }
            #expect(error?.code == .corrupted)
        }

        @Test("A log that an early version made is made anew, and all rows are compared")
        func earlyLog() async throws {
            let place = try Place()
            let pool = try await makePool(place)
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            try await notes.close()
            try await pool.write { db in
                try db.execute(
                    sql: """
                        UPDATE grdb_textsearch_store SET layout = 1;
                        DROP TABLE grdb_textsearch_source;
                        CREATE TABLE grdb_textsearch_source(
                            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                            epoch INTEGER NOT NULL DEFAULT (random()), followed TEXT);
                        DROP TABLE grdb_textsearch_consumer;
                        CREATE TABLE grdb_textsearch_consumer(name TEXT PRIMARY KEY, seq INTEGER NOT NULL);
                        UPDATE note SET title = 'swan';
                        """)
            }
            let again = try openNotes(pool, place)
            try await again.catchUp()
            #expect(try await differences(again, pool) == [])
            try await again.close()
        }
    }
#endif
