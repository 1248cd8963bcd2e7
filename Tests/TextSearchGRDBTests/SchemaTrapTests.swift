#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    /// Schemas in which a change is easily missed, and schemas that change.
    @Suite("A searchable table and its schema", .timeLimit(.minutes(10)))
    struct SchemaTrapTests {
        /// A row of any table that has these columns.
        struct Entry: FetchableRecord, TableRecord, Sendable {
            static let databaseTableName = "entry"
            var id: String
            var text: String

            init(row: Row) {
                id = (row["id"] as DatabaseValue).description
                text = row["text"]
            }
        }

        private static let definition = SearchDefinition<Entry>(columns: ["text"]) { entry in
            IndexedObject(
                strings: [entry.text], context: ["stamp": .string("\(entry.id) \(entry.text)")])
        }

        /// What the table and the index have; the same where nothing was missed.
        private func states(
            _ table: SearchableTable<Entry>, _ reader: any DatabaseReader
        ) async throws -> (table: [String], index: [String]) {
            let rows = try await reader.read { try Entry.fetchAll($0) }
            let items = try await table.index.search(.everything, limit: 1_000).map { item in
                if case .string(let stamp) = item.context["stamp"] { stamp } else { "" }
            }
            return (rows.map { "\($0.id) \($0.text)" }.sorted(), items.sorted())
        }

        /// Runs statements one after the other by a connection of its own, and compares after each.
        func check(
            _ schema: String, _ statements: String..., isQueue: Bool = false,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await check(
                schema, all: statements, isQueue: isQueue, sourceLocation: sourceLocation)
        }

        /// The same of statements that are made elsewhere.
        func check(
            _ schema: String, all statements: [String], isQueue: Bool = false, comment: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let place = try Place()
            let path = place.database.path
            let other = try place.otherConnection()
            try await other.write { try $0.execute(sql: schema) }
            let writer: any DatabaseWriter =
                try isQueue ? DatabaseQueue(path: path) : DatabasePool(path: path)
            var options = quietOptions
            options.slice.count = 3
            let table = try SearchableTable(
                writer, index: place.index, Self.definition, options: options)
            try await table.catchUp()
            for statement in statements {
                try await other.writeWithoutTransaction { try $0.execute(sql: statement) }
                try await table.catchUp()
                let (rows, index) = try await states(table, other)
                #expect(index == rows, "\(statement) \(comment)", sourceLocation: sourceLocation)
            }
            let drift = try await table.follower.drift()
            #expect(drift.isEmpty, "\(comment)", sourceLocation: sourceLocation)
            try await table.close()
        }

        private static let plain = """
            CREATE TABLE entry(id INTEGER PRIMARY KEY, spare TEXT, text TEXT NOT NULL);
            INSERT INTO entry(id, text) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e');
            """

        @Test("An integer key has other names, by which it may change as well")
        func otherNamesOfKeys() async throws {
            try await check(
                Self.plain, "UPDATE entry SET rowid = 10 WHERE id = 1",
                "UPDATE entry SET _rowid_ = id + 100", "UPDATE OR REPLACE entry SET OID = 103",
                "INSERT OR REPLACE INTO entry(_rowid_, text) VALUES (103, 'f'), (NULL, 'g')",
                "DELETE FROM entry WHERE rowid = 104")
        }

        @Test("A column is called as another name of the key")
        func columnsCalledAsKeys() async throws {
            try await check(
                """
                CREATE TABLE entry(id INTEGER PRIMARY KEY, rowid TEXT, text TEXT NOT NULL);
                INSERT INTO entry VALUES (1, 'x', 'a'), (2, 'y', 'b');
                """,
                "UPDATE entry SET rowid = 'z'", "UPDATE entry SET oid = oid + 5",
                "UPDATE entry SET text = rowid")
        }

        @Test(
            "REPLACE deletes by the number of a row, too, whatever that is called",
            arguments: [
                ("id TEXT PRIMARY KEY, spare", "rowid"),
                ("id INTEGER PRIMARY KEY DESC, spare", "oid"),
                ("id INTEGER PRIMARY KEY DESC, rowid", "_rowid_"),
            ])
        func rowNumbers(columns: String, number: String) async throws {
            try await check(
                """
                CREATE TABLE entry(\(columns), text TEXT);
                INSERT INTO entry(id, text) VALUES (11, 'a'), (12, 'b'), (13, 'c'), (14, 'd'), (15, 'e');
                """,
                "REPLACE INTO entry(\(number), id, text) VALUES (5, 16, 'f')",
                "UPDATE OR REPLACE entry SET \(number) = 1 WHERE id = 12",
                "UPDATE OR REPLACE entry SET \(number) = 3, id = 17, text = 'g' WHERE id = 14",
                "UPDATE entry SET \(number) = \(number) + 100")
        }

        @Test("Unique indexes over generated columns, whose columns no UPDATE names")
        func generatedUniqueColumns() async throws {
            try await check(
                """
                CREATE TABLE entry(
                    id INTEGER PRIMARY KEY, raw TEXT, text TEXT, made TEXT AS (lower(raw)) UNIQUE);
                INSERT INTO entry(id, raw, text) VALUES (1, 'A', 'a'), (2, 'B', 'b'), (3, 'C', 'c');
                """,
                "INSERT OR REPLACE INTO entry(id, raw, text) VALUES (4, 'a', 'd')",
                "UPDATE OR REPLACE entry SET raw = 'b' WHERE id = 3")
        }

        @Test("A key that tells rows apart which its column takes for one is refused")
        func keysOfAnotherCollation() async throws {
            let place = try Place()
            let queue = try DatabaseQueue(path: place.database.path)
            try await queue.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE entry(
                            id TEXT COLLATE NOCASE, text TEXT, PRIMARY KEY (id COLLATE BINARY));
                        """)
            }
            let error = #expect(throws: TextIndexError.self) {
                _ = try SearchableTable(queue, index: place.index, Self.definition)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("collation") == true)
        }

        @Test("Numbers that are equal are one key, whole or with a fraction")
        func equalNumbers() async throws {
            try await check(
                """
                CREATE TABLE entry(id PRIMARY KEY, text TEXT);
                INSERT INTO entry VALUES (1, 'a'), (2.0, 'b'), (2.5, 'c'), (-0.0, 'd'), (1e300, 'e');
                """,
                "UPDATE entry SET id = 1.0, text = 'x' WHERE id = 1",
                "REPLACE INTO entry VALUES (2, 'y'), (0, 'z')", "UPDATE entry SET id = id + 1000",
                "DELETE FROM entry WHERE id = 1002")
        }

        @Test("A column that keeps what it is given: equal numbers are other texts")
        func equalNumbersAsText() async throws {
            try await check(
                """
                CREATE TABLE entry(id INTEGER PRIMARY KEY, text);
                INSERT INTO entry VALUES (1, 1), (2, 2.0), (3, '3');
                """,
                "UPDATE entry SET text = 1.0 WHERE id = 1",
                "UPDATE entry SET text = 2 WHERE id = 2",
                "UPDATE entry SET text = 3 WHERE id = 3")
        }

        @Test(
            "Columns come and go while an index follows, by another connection",
            arguments: [false, true])
        func columnsComeAndGo(isQueue: Bool) async throws {
            try await check(
                Self.plain, "UPDATE entry SET text = 'f' WHERE id = 1",
                "ALTER TABLE entry ADD COLUMN more TEXT DEFAULT 'more'",
                "UPDATE entry SET text = 'g' WHERE id = 2",
                "ALTER TABLE entry DROP COLUMN spare",
                "UPDATE entry SET text = 'h' WHERE id > 2",
                """
                BEGIN IMMEDIATE; CREATE TABLE new(text TEXT, id INTEGER PRIMARY KEY); INSERT INTO new SELECT text, id FROM entry;
                DROP TABLE entry; ALTER TABLE new RENAME TO entry; UPDATE entry SET text = 'i' WHERE id = 4; COMMIT
                """,
                "UPDATE entry SET text = 'j' WHERE id = 5", isQueue: isQueue)
        }

        @Test("A writer that has attached the database, and has a table of the same name")
        func attached() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { try $0.execute(sql: Self.plain) }
            let table = try SearchableTable(
                pool, index: place.index, Self.definition, options: quietOptions)
            try await table.catchUp()
            let other = try DatabaseQueue(path: place.url.appendingPathComponent("other").path)
            try await other.writeWithoutTransaction { db in
                try db.execute(
                    sql: "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT)")
                try db.execute(sql: "ATTACH ? AS it", arguments: [place.database.path])
                try db.execute(
                    sql: """
                        INSERT INTO main.entry VALUES (1, 'x');
                        UPDATE it.entry SET text = 'y' WHERE id = 1; DELETE FROM it.entry WHERE id = 2;
                        INSERT INTO it.entry(text) SELECT text FROM main.entry
                        """)
            }
            try await table.catchUp()
            let (rows, index) = try await states(table, pool)
            #expect(index == rows)
            try await table.close()
        }

        @Test("Triggers that call themselves, and triggers of the application")
        func otherTriggers() async throws {
            try await check(
                Self.plain + """
                    CREATE UNIQUE INDEX spares ON entry(spare);
                    CREATE TRIGGER own AFTER UPDATE OF text ON entry WHEN NEW.text = 'x' BEGIN
                        UPDATE entry SET text = 'y' WHERE id = NEW.id;
                        INSERT OR REPLACE INTO entry(spare, text) VALUES ('s', 'z'); END;
                    CREATE TRIGGER ignored BEFORE INSERT ON entry WHEN NEW.text = 'no' BEGIN
                        SELECT RAISE(IGNORE); END;
                    """,
                "UPDATE entry SET text = 'x' WHERE id < 3", "INSERT INTO entry(text) VALUES ('no')",
                "PRAGMA recursive_triggers = 1; UPDATE entry SET text = 'x' WHERE id = 4",
                "INSERT OR REPLACE INTO entry(spare, text) VALUES ('s', 'new')",
                "DELETE FROM entry")
        }
    }
#endif
