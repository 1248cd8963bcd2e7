#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Everything that changes a table is seen.
    @Suite("Triggers", .timeLimit(.minutes(10)))
    struct TriggerTests {
        private func check(
            _ statements: String..., setUp: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(sql: setUp)
                for id in 1...20 {
                    try db.execute(
                        sql: "INSERT INTO note(id, slug, title, body) VALUES (?, ?, ?, 'duck')",
                        arguments: [id, "s\(id)", "title \(id)"])
                }
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for statement in statements {
                try await pool.writeWithoutTransaction { try $0.execute(sql: statement) }
                try await notes.catchUp()
                let found = try await differences(notes, pool)
                #expect(found == [], "\(statement)", sourceLocation: sourceLocation)
            }
            try await notes.close()
        }

        @Test(
            "The log has rows that REPLACE deletes over a unique column, by inserting and by updating"
        )
        func replacing() async throws {
            try await check(
                "INSERT OR REPLACE INTO note(id, slug, title, body) VALUES (30, 's3', 'new', 'goose')",
                "UPDATE OR REPLACE note SET slug = 's4' WHERE id = 5",
                "UPDATE OR REPLACE note SET slug = 's' || (id + 1) WHERE id BETWEEN 6 AND 9",
                "UPDATE OR REPLACE note SET id = 11 WHERE id = 10",
                "REPLACE INTO note(id, slug, title, body) VALUES (12, 's13', 'both', 'gone')",
                "INSERT INTO note(id, slug, title, body) VALUES (14, 'x', 'upsert', '') ON CONFLICT DO UPDATE SET title = excluded.title",
                "INSERT OR IGNORE INTO note(id, slug, title, body) VALUES (15, 's16', 'ignored', '')"
            )
        }

        @Test(
            "The log has rows that REPLACE deletes over several columns, a collation or a partial index"
        )
        func replacingOverIndexes() async throws {
            try await check(
                "INSERT OR REPLACE INTO note(id, slug, folder, title, body) VALUES (40, 'q', 0, 'TITLE 3', 'x')",
                "UPDATE OR REPLACE note SET title = 'tItLe 5' WHERE id = 6",
                "UPDATE note SET folder = 1 WHERE id = 7",
                "INSERT OR REPLACE INTO note(id, slug, folder, title, body) VALUES (41, 'r', 1, 'other', 'duck')",
                setUp: """
                    CREATE UNIQUE INDEX one ON note(title COLLATE NOCASE);
                    CREATE UNIQUE INDEX two ON note(folder, body) WHERE folder > 0;
                    """)
        }

        @Test(
            "The log has changes of keys, deletions with and without a condition, and equal values")
        func ordinary() async throws {
            try await check(
                "UPDATE note SET id = 100 WHERE id = 1", "UPDATE note SET id = id + 1000",
                "UPDATE note SET title = 'Title' WHERE id = 1003",
                "UPDATE note SET title = 'title' WHERE id = 1003",
                "UPDATE note SET title = title, folder = 7", "DELETE FROM note WHERE id = 1004",
                "DELETE FROM note", "INSERT INTO note(title, body) VALUES ('a', 'b')")
        }

        @Test("Rollbacks and savepoints leave nothing")
        func rollbacks() async throws {
            try await check(
                "BEGIN; UPDATE note SET title = 'x'; DELETE FROM note WHERE id > 5; ROLLBACK",
                """
                BEGIN; UPDATE note SET title = 'kept' WHERE id = 1;
                SAVEPOINT s; DELETE FROM note; INSERT INTO note(title, body) VALUES ('gone', ''); ROLLBACK TO s;
                UPDATE note SET title = 'kept too' WHERE id = 2; RELEASE s; COMMIT
                """)
        }

        @Test("The log has rows that cascades change")
        func cascades() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE folder(id INTEGER PRIMARY KEY);
                        CREATE TABLE note(
                            id INTEGER PRIMARY KEY, slug TEXT,
                            folder INTEGER NOT NULL REFERENCES folder(id) ON DELETE CASCADE ON UPDATE CASCADE,
                            title TEXT NOT NULL, body TEXT NOT NULL);
                        INSERT INTO folder VALUES (1), (2);
                        INSERT INTO note VALUES (1, NULL, 1, 'a', 'b'), (2, NULL, 2, 'c', 'd');
                        """)
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            try await pool.write { try $0.execute(sql: "DELETE FROM folder WHERE id = 1") }
            try await notes.catchUp()
            #expect(try await differences(notes, pool) == [])
            #expect(notes.index.count == 1)
            try await notes.close()
        }

        struct Entry: Codable, FetchableRecord, TableRecord, Sendable {
            static let databaseTableName = "entry"
            var lang: String
            var word: String
            var text: String
        }

        @Test("A table WITHOUT ROWID is followed, with a key of two columns that ignores case")
        func withoutRowid() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE entry(
                            lang TEXT, word TEXT COLLATE NOCASE, text TEXT, PRIMARY KEY (lang, word)
                        ) WITHOUT ROWID;
                        INSERT INTO entry VALUES ('en', 'Duck', 'a bird'), ('en', 'Goose', 'another bird');
                        """)
            }
            let entries = try SearchableTable(
                pool, index: place.index,
                SearchDefinition<Entry>(columns: ["text"]) {
                    IndexedObject(strings: [$0.word, $0.text])
                }, options: quietOptions)
            try await entries.catchUp()
            func texts(_ text: String) async throws -> [String] {
                try await entries.search(text).hits.map { "\($0.record.word): \($0.record.text)" }
                    .sorted()
            }
            #expect(
                try await texts("bird") == ["Duck: a bird", "Goose: another bird"])
            try await pool.write {
                try $0.execute(sql: "REPLACE INTO entry VALUES ('en', 'DUCK', 'a louder bird')")
                try $0.execute(sql: "UPDATE entry SET word = 'goose' WHERE word = 'Goose'")
            }
            try await entries.catchUp()
            #expect(entries.index.count == 2)
            #expect(
                try await texts("bird") == ["DUCK: a louder bird", "goose: another bird"])
            let matching = try await pool.read {
                try Entry.all().matching(.term("louder"), in: entries).fetchAll($0).map(\.word)
            }
            #expect(matching == ["DUCK"])
            #expect(try await entries.follower.drift().isEmpty)
            try await entries.close()
        }

        struct Keyed: Codable, FetchableRecord, TableRecord, Sendable {
            static let databaseTableName = "keyed"
            var text: String
        }

        @Test("Keys of every kind; a row whose key is NULL is passed over and counted")
        func kindsOfKeys() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE keyed(id PRIMARY KEY, text TEXT);
                        INSERT INTO keyed VALUES (1, 'duck'), (-1, 'duck'), (1.5, 'duck'), (-0.5, 'duck'), ('a', 'duck'),
                            ('a'' b', 'duck'), ('"\\', 'duck'), ('', 'duck'), (x'', 'duck'), (x'00ff00', 'duck'),
                            (x'61', 'duck'), (9223372036854775807, 'duck'), (NULL, 'duck');
                        """)
            }
            var options = quietOptions
            options.slice.count = 2
            let table = try SearchableTable(
                pool, index: place.index,
                SearchDefinition<Keyed>(columns: ["text"]) { IndexedObject(strings: [$0.text]) },
                options: options)
            let report = try await table.catchUp()
            #expect(report.skippedCount == 1)
            #expect(table.index.count == 12)
            let count = try await pool.read {
                try Keyed.all().matching(.term("duck"), in: table).fetchCount($0)
            }
            #expect(count == 12)
            try await pool.write {
                try $0.execute(sql: "UPDATE keyed SET text = 'goose'")
            }
            try await table.catchUp()
            #expect(try await table.search("goose").hits.count == 12)
            try await pool.write {
                try $0.execute(sql: "DELETE FROM keyed WHERE typeof(id) IN ('blob', 'text')")
            }
            try await table.catchUp()
            #expect(table.index.count == 5)
            #expect(try await table.follower.drift().isEmpty)
            try await table.close()
        }

        @Test(
            "Rows whose keys are longer than an index takes are left out and counted",
            arguments: [1, 4])
        func longKeys(slice: Int) async throws {
            let place = try Place()
            let pool = try place.pool()
            @Sendable func insert(_ key: String, _ db: Database) throws {
                try db.execute(
                    sql: "INSERT INTO keyed VALUES (?, 'duck')", arguments: [key])
            }
            @Sendable func key(_ letter: String, _ count: Int) -> String {
                String(repeating: letter, count: count)
            }
            try await pool.write { db in
                try db.execute(sql: "CREATE TABLE keyed(id TEXT PRIMARY KEY, text TEXT)")
                for letter in ["a", "c"] { try insert(key(letter, 7_000), db) }
                for letter in ["b", "d"] { try insert(key(letter, 4_093), db) }
                try insert("e", db)
                for letter in ["f", "g"] { try insert(key(letter, 4_094), db) }
            }
            var options = quietOptions
            options.slice.count = slice
            let table = try SearchableTable(
                pool, index: place.index,
                SearchDefinition<Keyed>(columns: ["text"]) { IndexedObject(strings: [$0.text]) },
                options: options)
            let first = try await table.catchUp()
            #expect(first.skippedCount == 4)
            #expect(table.index.count == 3)
            try await pool.write { db in
                try insert(key("h", 9_000), db)
                try insert("i", db)
                try db.execute(
                    sql: "UPDATE keyed SET id = ? WHERE id = 'e'", arguments: [key("e", 5_000)])
            }
            #expect(try await table.catchUp().skippedCount > 0)
            #expect(table.index.count == 3)
            #expect(try await table.follower.drift().isEmpty)
            #expect(try await table.search("duck").hits.count == 3)
            try await table.close()
        }

        @Test("A table with a generated column is followed")
        func generated() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE keyed(id INTEGER PRIMARY KEY, raw TEXT, text TEXT AS (raw || '!'));
                        INSERT INTO keyed(raw) VALUES ('duck');
                        """)
            }
            let table = try SearchableTable(
                pool, index: place.index,
                SearchDefinition<Keyed>(columns: ["text"]) { IndexedObject(strings: [$0.text]) },
                options: quietOptions)
            try await table.catchUp()
            try await pool.write { try $0.execute(sql: "UPDATE keyed SET raw = 'goose'") }
            try await table.catchUp()
            #expect(try await table.search("goose").hits.map(\.record.text) == ["goose!"])
            try await table.close()
        }

        @Test("A table that cannot be followed is refused, and the message says why")
        func refusals() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(
                    sql: """
                        CREATE TABLE plain(title TEXT); CREATE VIEW view AS SELECT * FROM note;
                        CREATE TABLE wide(a, b, c, d, e, PRIMARY KEY (a, b, c, d, e));
                        """)
            }
            for (table, columns, part) in [
                ("plain", ["title"], "no primary key"), ("nothing", [], "no table"),
                ("view", [], "is a view"), ("note", ["text"], "no column \"text\""),
                ("wide", [], "5 columns"),
            ] {
                let definition = SearchDefinition<Note>(table: table, columns: columns) { _ in nil }
                #expect {
                    _ = try SearchableTable(pool, index: place.index, definition)
                } throws: {
                    let error = $0 as? TextIndexError
                    return error?.code == .invalidArgument && error?.message.contains(part) == true
                }
            }
            #expect(!FileManager.default.fileExists(atPath: place.index.path))
            let warned = try await pool.write { db in
                try db.execute(sql: "CREATE UNIQUE INDEX expression ON note(lower(title))")
                return try SearchableTable<Note>.install(db, noteDefinition)
            }
            #expect(warned == ["expression"])
            try await pool.write { db in
                try db.execute(sql: "UPDATE grdb_textsearch_store SET layout = 3")
            }
            #expect {
                _ = try SearchableTable(pool, index: place.index, noteDefinition)
            } throws: {
                ($0 as? TextIndexError)?.code == .unsupportedFormat
            }
        }
    }
#endif
