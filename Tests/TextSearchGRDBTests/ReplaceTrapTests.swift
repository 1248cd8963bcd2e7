#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Rows that REPLACE deletes for a value that the statement does not name.
    @Suite(
        "Rows that a default puts in the way of others",
        .timeLimit(.minutes(30 + (Scale.oracle ?? 0) / 60)))
    struct ReplaceTrapTests {
        private let schemas = SchemaTrapTests()

        @Test(
            "REPLACE puts the default in the place of NULL, and deletes the row that has it",
            arguments: [
                "'x'", "\"x\"", "x", "`x`", "[x]", " 'it''s' ", "7", "-1.5e1", "0x1F", "x'6162'",
                "true",
                "current_date",
            ])
        func defaults(value: String) async throws {
            try await schemas.check(
                """
                CREATE TABLE entry(
                    id INTEGER PRIMARY KEY, u TEXT NOT NULL DEFAULT \(value) UNIQUE, x INTEGER, text TEXT);
                INSERT INTO entry(id, text) VALUES (1, 'a');
                INSERT INTO entry(id, u, text) VALUES (2, 'other', 'b'), (3, 'third', 'c');
                """,
                "INSERT OR REPLACE INTO entry(id, u, text) VALUES (4, NULL, 'd')",
                "UPDATE OR REPLACE entry SET u = NULL WHERE id = 2",
                "REPLACE INTO entry(id, text) VALUES (5, 'e')",
                "INSERT OR REPLACE INTO entry(id, u, text) VALUES (6, NULL, 'f'), (7, NULL, 'g')")
        }

        @Test("The table itself may say that NULL and other rows are replaced")
        func conflictClauses() async throws {
            try await schemas.check(
                """
                CREATE TABLE entry(
                    id INTEGER PRIMARY KEY,
                    u TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'x' UNIQUE ON CONFLICT REPLACE, text TEXT);
                INSERT INTO entry VALUES (1, 'x', 'a'), (2, 'y', 'b');
                """, "INSERT INTO entry VALUES (3, NULL, 'c')",
                "UPDATE entry SET u = NULL WHERE id = 2")
            try await schemas.check(
                """
                CREATE TABLE entry(
                    id TEXT NOT NULL DEFAULT 'x' COLLATE NOCASE PRIMARY KEY, text TEXT) WITHOUT ROWID;
                INSERT INTO entry VALUES ('X', 'a'), ('y', 'b');
                """, "INSERT OR REPLACE INTO entry VALUES (NULL, 'c')")
        }

        @Test("Random statements over keys with defaults", arguments: 0..<8)
        func random(series: Int) async throws {
            try await Scale.seeds(
                for: Scale.oracle, from: Scale.seed(series), stride: 1_000_003, random)
        }

        private func random(seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            func value(_ texts: [String]) -> String {
                texts[generator.int(0...(texts.count - 1))]
            }
            let (numbers, names) = (["NULL", "1", "2", "3"], ["NULL", "'x'", "'X'", "'y'"])
            let statements = (0..<60).map { step -> String in
                let (u, v, w) = (value(numbers), value(names), value(names))
                let id = generator.int(1...12)
                return switch generator.int(0...5) {
                case 0, 1:
                    "INSERT OR REPLACE INTO entry VALUES (\(id), \(u), \(v), \(w), 't\(step)')"
                case 2:
                    "INSERT OR REPLACE INTO entry(id, text) VALUES (\(id), 't\(step)')"
                case 3: "UPDATE OR REPLACE entry SET u = \(u), v = \(v) WHERE id = \(id)"
                case 4: "UPDATE OR REPLACE entry SET w = \(w) WHERE id = \(id)"
                default: "UPDATE OR IGNORE entry SET id = \(generator.int(1...12)) WHERE id = \(id)"
                }
            }
            try await schemas.check(
                """
                CREATE TABLE entry(
                    id INTEGER PRIMARY KEY, u INTEGER NOT NULL DEFAULT 2,
                    v TEXT NOT NULL DEFAULT 'x' COLLATE NOCASE, w TEXT DEFAULT 'y' UNIQUE, text TEXT,
                    UNIQUE (u, v));
                """, all: statements, comment: "seed \(seed)")
            Scale.report(Scale.oracle, "oracle", ["histories": 1, "states": statements.count])
        }

        @Test("A row that REPLACE names is found by columns whose defaults are expressions, too")
        func expressions() async throws {
            let drawn = "(lower(hex(randomblob(8))))"
            try await schemas.check(
                """
                CREATE TABLE entry(
                    id TEXT PRIMARY KEY COLLATE NOCASE NOT NULL DEFAULT \(drawn),
                    slug TEXT NOT NULL UNIQUE DEFAULT \(drawn), text TEXT);
                INSERT INTO entry VALUES ('abc', 's1', 'a'), ('def', 's2', 'b'), ('ghi', 's3', 'c');
                """,
                "REPLACE INTO entry VALUES ('ABC', 's9', 'd')",
                "REPLACE INTO entry VALUES ('xyz', 's2', 'e')",
                "UPDATE OR REPLACE entry SET slug = 's3' WHERE id = 'xyz'",
                "REPLACE INTO entry(slug, text) VALUES ('s9', 'f')",
                "REPLACE INTO entry(rowid, id, text) VALUES (1, 'new', 'g')")
            try await schemas.check(
                """
                CREATE TABLE entry(id TEXT PRIMARY KEY NOT NULL DEFAULT \(drawn), text TEXT);
                INSERT INTO entry VALUES ('a', 'a'), ('b', 'b');
                """,
                "REPLACE INTO entry(rowid, id, text) VALUES (1, 'c', 'c')",
                "REPLACE INTO entry(text) VALUES ('d')")
        }

        @Test("A default that is an expression, and a trigger that changes its row, are reported")
        func unwatched() async throws {
            let place = try Place()
            let pool = try place.pool()
            let warned = try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE entry(
                            id TEXT PRIMARY KEY NOT NULL DEFAULT (hex(randomblob(8))),
                            u TEXT NOT NULL DEFAULT (hex(randomblob(1))), v INT, seen INT, text TEXT);
                        CREATE UNIQUE INDEX drawn ON entry(u); CREATE UNIQUE INDEX plain ON entry(v);
                        CREATE TRIGGER changing BEFORE UPDATE OF text ON entry BEGIN
                            UPDATE OR IGNORE "entry" SET v = 9 WHERE id = OLD.id; END;
                        CREATE TRIGGER changing2 UPDATE ON entry BEGIN
                            UPDATE entry SET seen = 1, [V] = 9; END;
                        CREATE TRIGGER changing3 BEFORE/* y */UPDATE ON entry BEGIN
                            UPDATE entry SET `v` = 9 WHERE id = OLD.id; END;
                        CREATE TRIGGER "changing4 after" BEFORE UPDATE ON entry BEGIN\r
                            -- sets it\r
                            UPDATE"entry"SET seen = (SELECT 1 WHERE 1), v = 9; END;
                        CREATE TRIGGER harmless BEFORE UPDATE OF text ON entry BEGIN
                            UPDATE other SET v = 9; END;
                        CREATE TRIGGER touching BEFORE UPDATE OF text ON entry BEGIN
                            UPDATE entry SET seen = 5 WHERE id = OLD.id; END;
                        CREATE TRIGGER later AFTER INSERT ON entry BEGIN
                            /* before update begin */ UPDATE entry SET v = 7; END;
                        CREATE TABLE other(v);
                        """)
                return try SearchableTable<SchemaTrapTests.Entry>.install(
                    db, SearchDefinition(columns: ["text"]) { _ in nil })
            }
            #expect(warned == ["drawn", "changing", "changing2", "changing3", "changing4 after"])
        }
    }

    /// Names that Unicode takes for the same, and SQLite does not.
    @Suite("Names of columns and collations", .timeLimit(.minutes(10)))
    struct NameTrapTests {
        @Test("A collation may have any name")
        func collations() async throws {
            let place = try Place()
            var configuration = Configuration()
            let names = ["uni-code", "my coll", "select", "a\"b"]
            configuration.prepareDatabase { db in
                for name in names {
                    db.add(collation: DatabaseCollation(name) { $0.compare($1) })
                }
            }
            let pool = try DatabasePool(path: place.database.path, configuration: configuration)
            try await pool.write { db in
                let columns = names.enumerated().map { number, name in
                    "c\(number) TEXT UNIQUE COLLATE \"\(name.replacing("\"", with: "\"\""))\""
                }
                try db.execute(
                    sql:
                        "CREATE TABLE note(id INTEGER PRIMARY KEY, slug TEXT, folder INTEGER, title TEXT, body TEXT, \(columns.joined(separator: ", ")))"
                )
            }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for number in names.indices {
                try await pool.write { db in
                    for (id, title) in [(2 * number, "duck"), (2 * number + 1, "goose")] {
                        try db.execute(
                            sql:
                                "INSERT OR REPLACE INTO note(id, folder, title, body, c\(number)) VALUES (?, 0, ?, '', 'a')",
                            arguments: [id, title])
                    }
                }
                try await notes.catchUp()
                #expect(notes.index.count == number + 1)
            }
            #expect(try await notes.follower.drift().isEmpty)
            try await notes.close()
        }

        @Test("Columns whose names differ by more than the case of ASCII are others")
        func columns() async throws {
            let place = try Place()
            let pool = try place.pool()
            let decomposed = "cafe\u{301}"
            try await pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE entry(é TEXT, É INTEGER PRIMARY KEY, "\(decomposed)" TEXT, Text TEXT);
                        INSERT INTO entry VALUES ('x', 1, 'a', 'duck'), ('x', 2, 'b', 'duck')
                        """)
            }
            struct Entry: FetchableRecord, TableRecord, Sendable {
                static let databaseTableName = "entry"
                var text: String
                init(row: Row) { text = row[3] }
            }
            func open(_ columns: [String]) throws -> SearchableTable<Entry> {
                try SearchableTable(
                    pool, index: place.index,
                    SearchDefinition<Entry>(columns: columns) { IndexedObject(strings: [$0.text]) },
                    options: quietOptions)
            }
            for name in ["caf\u{e9}", "CAFÉ", "ê"] {
                #expect(throws: TextIndexError.self) { try open([name]) }
            }
            let table = try open(["tEXT", decomposed])
            try await table.catchUp()
            #expect(table.index.count == 2)
            try await pool.write { db in
                try db.execute(sql: "UPDATE entry SET TEXT = 'goose' WHERE É = 2")
            }
            try await table.catchUp()
            #expect(
                try await table.search("goose", where: Entry.filter(Column("é") == "x")).hits.count
                    == 1)
            #expect(try await table.follower.drift().isEmpty)
            try await table.close()
        }

        @Test("Tables that no trigger can watch, and those of the log, are refused and say why")
        func tables() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try SearchableTable<Note>.install(db, noteDefinition)
                try db.execute(sql: "CREATE VIRTUAL TABLE words USING fts5(text)")
            }
            for (table, part) in [
                ("words", "virtual table"), ("grdb_textsearch_log", "log of changes itself"),
                ("GRDB_TextSearch_source", "log of changes itself"),
                ("main.note", "without its schema"),
            ] {
                let definition = SearchDefinition<Note>(table: table, columns: []) { _ in nil }
                #expect {
                    _ = try SearchableTable(pool, index: place.index, definition)
                } throws: {
                    let error = $0 as? TextIndexError
                    return error?.code == .invalidArgument && error?.message.contains(part) == true
                }
            }
        }

        @Test("A log whose numbers are used up begins anew, and all rows are compared")
        func usedUpNumbers() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try createNotes($0) }
            let notes = try openNotes(pool, place)
            try await notes.catchUp()
            for step in 0..<3 {
                try await pool.write { db in
                    try db.execute(
                        sql: "INSERT INTO grdb_textsearch_log(seq, source) VALUES (?, 1)",
                        arguments: [Int64.max])
                    for id in 0..<5 {
                        try Note(id: Int64(5 * step + id), title: "duck", body: "").insert(db)
                    }
                }
                try await notes.catchUp()
                #expect(try await differences(notes, pool) == [])
            }
            #expect(try await notes.follower.drift().isEmpty)
            try await notes.close()
        }
    }
#endif
