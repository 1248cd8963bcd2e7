#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch
    import TextSearchGRDB

    @Suite("Taking the place of FTS5")
    struct ReplacedTableTests {
        @Test("An FTS5 table of GRDB goes with its triggers, and the index finds what it found")
        func synchronized() async throws {
            let place = try Place()
            let pool = try place.pool()
            let configuration = try await pool.write { db in
                try createNotes(db)
                try db.create(virtualTable: "note_ft", using: FTS5()) { table in
                    table.synchronize(withTable: "note")
                    table.tokenizer = .porter()
                    table.column("title")
                    table.column("body")
                    table.column("slug").notIndexed()
                }
                try db.execute(
                    sql: "INSERT INTO note VALUES (1, 'a', 0, 'Swimming ducks', 'in a lake')")
                return try SearchableTable<Note>.replaceFTS5(db, table: "Note_FT")
            }
            #expect(configuration.fields == ["title", "body"])
            try await pool.write { db in
                #expect(try !db.tableExists("note_ft"))
                try db.execute(sql: "INSERT INTO note VALUES (2, 'b', 0, 'A swimmer', '')")
                try db.execute(sql: "UPDATE note SET body = 'a pond' WHERE id = 1")
                try db.execute(sql: "DELETE FROM note WHERE id = 2")
            }
            let notes = try SearchableTable(
                pool, index: place.index, noteDefinition, configuration: configuration,
                options: quietOptions)
            try await notes.catchUp()
            #expect(try await notes.search("title:duck").hits.map(\.record.id) == [1])
            #expect(try await notes.search("swims").hits.map(\.record.id) == [1])
            #expect(try await notes.search("pond").hits.map(\.record.id) == [1])
            try await notes.close()
        }

        @Test("Triggers written by hand go, too; one that does something else is refused")
        func triggers() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(
                    sql: """
                        CREATE TABLE other(id INTEGER PRIMARY KEY);
                        CREATE VIRTUAL TABLE ft USING fts5(title, [body], content='note', content_rowid='id');
                        CREATE TRIGGER own AFTER INSERT ON note BEGIN
                            INSERT INTO "ft"(rowid, title, body) VALUES (new.id, new.title, new.body); END;
                        CREATE TRIGGER both AFTER DELETE ON note BEGIN
                            INSERT INTO ft(ft, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
                            INSERT INTO other VALUES (old.id); END;
                        CREATE TRIGGER apart AFTER DELETE ON note BEGIN INSERT INTO other VALUES (old.id + 100); END;
                        """)
            }
            func replace() async throws -> TextIndexConfiguration {
                try await pool.write { try SearchableTable<Note>.replaceFTS5($0, table: "ft") }
            }
            await #expect(throws: TextIndexError.self) { try await replace() }
            #expect(try await pool.read { try $0.tableExists("ft") })
            try await pool.write { try $0.execute(sql: "DROP TRIGGER both") }
            #expect(try await replace().fields == ["title", "body"])
            let left = try await pool.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            }
            #expect(left == ["apart"])
        }

        @Test("Names in any quotes are read, and a trigger that may use the table is no rest")
        func quotedNames() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(
                    sql: """
                        CREATE VIRTUAL TABLE "note search" USING fts5(title, content='note', content_rowid='id');
                        CREATE TRIGGER a AFTER INSERT ON note BEGIN
                            INSERT INTO "note search"(rowid, title) VALUES (new.id, new.title); END;
                        CREATE TRIGGER b AFTER INSERT ON note BEGIN
                            INSERT INTO 'note search'(rowid, title) VALUES (new.id, new.title); END;
                        CREATE TRIGGER c AFTER DELETE ON note BEGIN
                            /* first */ DELETE FROM [note search] WHERE rowid = old.id; END;
                        """)
            }
            let error = await #expect(throws: TextIndexError.self) {
                try await pool.write {
                    _ = try SearchableTable<Note>.replaceFTS5($0, table: "note search")
                }
            }
            #expect(error?.message.contains("\"c\"") == true)
            try await pool.write { db in
                try db.execute(sql: "DROP TRIGGER c")
                _ = try SearchableTable<Note>.replaceFTS5(db, table: "note search")
            }
            let left = try await pool.read {
                try Int.fetchOne(
                    $0, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
            }
            #expect(left == 0)
        }

        @Test("A table that holds its own text, another table and none are refused")
        func refusals() async throws {
            let place = try Place()
            let pool = try place.pool()
            try await pool.write { db in
                try createNotes(db)
                try db.execute(
                    sql: """
                        CREATE VIRTUAL TABLE ft USING fts5(title, tokenize = 'porter ascii');
                        CREATE VIRTUAL TABLE bare USING fts5(title, content='');
                        """)
            }
            for (table, message) in [
                ("ft", "in no other table"), ("bare", "in no other table"),
                ("note", "There is no FTS5 table"),
                ("none", "There is no FTS5 table"),
            ] {
                let error = await #expect(throws: TextIndexError.self) {
                    try await pool.write {
                        _ = try SearchableTable<Note>.replaceFTS5($0, table: table)
                    }
                }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(message) == true)
            }
            #expect(try await pool.read { try $0.tableExists("ft") })
        }
    }
#endif
