#if GRDB
    import Foundation
    import GRDB
    import Testing

    @testable import TextIndexCommand

    /// `follow` and `drift` over real files of SQLite.
    @Suite(.timeLimit(.minutes(30))) struct FollowTests {
        let folder: TestFolder
        let command: Command

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            let queue = try database()
            try await queue.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT, folder INTEGER);
                        INSERT INTO note VALUES
                            (1, 'Pekin duck', 'with sugar', 1), (2, 'Goose', 'with orange', 1), (3, NULL, 'A duck.', 2);
                        CREATE TABLE plain(title TEXT);
                        CREATE TABLE word(lang TEXT, word TEXT, text TEXT, PRIMARY KEY (lang, word));
                        INSERT INTO word VALUES ('en', 'duck''s', 'bird'), ('en', '7', 'number'), ('', 'a,b', 'bird');
                        """)
            }
            try queue.close()
        }

        private func database() throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            return try DatabaseQueue(
                path: folder.url.appending(path: "notes.sqlite").path,
                configuration: configuration)
        }

        private func write(_ sql: String) async throws {
            let queue = try database()
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }

        private static let arguments = [
            "follow", "notes.sqlite", "--table", "note", "--columns", "title,body", "--index",
            "index",
        ]

        private func follow(_ more: String...) async throws -> Command.Result {
            try await command.run(Self.arguments + ["--once"] + more)
        }

        @Test func once() async throws {
            let first = try await follow()
            #expect(first.status == 0, "\(first.error)")
            #expect(first.output == "3 rows indexed\n")
            #expect(try await command.search("duck").identifiers.sorted() == ["1", "3"])
            let hit = try #require(try await command.search("sugar").hits.first)
            #expect(hit.title == "Pekin duck")
            #expect(hit.snippets.contains { $0.text.contains("sugar") })
            try await write(
                "UPDATE note SET title = 'Swan' WHERE id = 1; DELETE FROM note WHERE id = 3; INSERT INTO note VALUES (9, 'duck', '', 1)"
            )
            let behind = try await command.run("stats", "--index", "index")
            #expect(behind.output.contains("note of \(folder.url.path)"), "\(behind.output)")
            #expect(behind.output.hasSuffix("behind         3 changes\n"), "\(behind.output)")
            let second = try await follow()
            #expect(second.output == "2 rows indexed, 1 removed\n", "\(second.error)")
            #expect(try await command.search("duck").identifiers == ["9"])
            #expect(try await command.search("body:sugar").identifiers == ["1"])
            let nothing = try await follow()
            #expect(nothing.output == "0 rows indexed\n")
            try await write("INSERT INTO note VALUES (10, 'goose', '', 1)")
            let known = try await command.run(
                "follow", "notes.sqlite", "--index", "index", "--once")
            #expect(known.output == "1 row indexed\n", "\(known.error)")
        }

        @Test func keysOfSeveralColumns() async throws {
            let result = try await command.run(
                "follow", "notes.sqlite", "--table", "word", "--columns", "text", "--index",
                "index",
                "--once")
            #expect(result.output == "3 rows indexed\n", "\(result.error)")
            #expect(
                try await command.search("bird").identifiers.sorted()
                    == ["'','a,b'", "en,'duck''s'"])
            #expect(try await command.search("number").identifiers == ["en,'7'"])
            try await write("DELETE FROM word WHERE word <> '7'")
            let drift = try await command.run("drift", "--index", "index")
            #expect(drift.status == 0, "\(drift.error)")
            #expect(drift.output == "1 row compared\nnothing differs\n")
            #expect(try await command.search("bird").identifiers == [])
        }

        @Test func untilInterrupted() async throws {
            let following = try FollowingProcess(Self.arguments, in: folder)
            #expect(try await following.line(0) == "3 rows indexed")
            // The index has an owner now.
            let other = try await follow("--wait", "0")
            #expect(other.status == 2)
            #expect(other.error.contains("in use by another process"))
            #expect(other.error.contains("--publish"))
            try await write("INSERT INTO note VALUES (4, 'a duck', '', 1)")
            #expect(try await following.line(1) == "1 row indexed")
            following.process.send(SIGINT)
            #expect(try await following.process.finish() == 0)
            #expect(try await command.search("duck").identifiers.sorted() == ["1", "3", "4"])
        }

        @Test func drift() async throws {
            _ = try await follow()
            // What is written without the triggers.
            try await write(
                """
                DROP TRIGGER grdb_textsearch_1_ad;
                CREATE TRIGGER grdb_textsearch_1_ad AFTER DELETE ON "note" BEGIN SELECT 1; END;
                DELETE FROM note WHERE id = 2
                """)
            // They are put back, and all is compared: no drift is left.
            let none = try await command.run("drift", "--index", "index", "--json")
            #expect(none.status == 0, "\(none.error)")
            #expect(none.output.contains("\"compared\" : 2"))
            // A removal from the index is drift.
            try await folder.removeBehindTheFollower("1")
            let found = try await command.run("drift", "--index", "index")
            #expect(found.status == 1, "\(found.error)")
            #expect(found.output == "2 rows compared\n1 missing: 1\n")
            let repaired = try await command.run("drift", "--index", "index", "--repair")
            #expect(repaired.status == 0)
            #expect(repaired.output.hasSuffix("all of it was put right\n"))
            #expect(try await command.search("pekin").identifiers == ["1"])
        }

        @Test func followers() async throws {
            let none = try await command.run("followers", "notes.sqlite")
            #expect(none.status == 1)
            #expect(none.error.contains("no index follows"))
            _ = try await follow()
            let other = try await command.run(
                "follow", "notes.sqlite", "--table", "word", "--columns", "text", "--index",
                "words", "--once")
            #expect(other.status == 0, "\(other.error)")
            try await write("INSERT INTO note VALUES (4, 'a duck', '', 1), (5, 'swan', '', 1)")
            try FileManager.default.removeItem(at: folder.url.appending(path: "index"))
            let both = try await command.run("followers", "notes.sqlite")
            #expect(both.status == 0, "\(both.error)")
            let lines = both.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines[0].hasPrefix("note: /"))
            #expect(
                lines[0].contains("/index, which is not there any more; 3 rows of the log kept"))
            #expect(lines[1].contains("/words; 3 rows of the log kept, last seen 20"))
            let unknown = try await command.run("followers", "notes.sqlite", "--forget", "nothing")
            #expect(unknown.status == 2)
            let forgotten = try await command.run(
                "followers", "notes.sqlite", "--forget", "index")
            #expect(forgotten.status == 0, "\(forgotten.error)")
            #expect(forgotten.output == "forgotten; 3 rows of the log were kept for it\n")
            let rest = try await command.run("followers", "notes.sqlite", "--json")
            #expect(rest.output.contains("\"isGone\" : false"))
            #expect(!rest.output.contains("\"isGone\" : true"))
            // What is not followed any more writes nothing to the log.
            try await write("DELETE FROM note")
            let queue = try database()
            let triggers = try await queue.read {
                try String.fetchAll(
                    $0, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
            }
            #expect(triggers == ["word"])
        }

        @Test func longKeys() async throws {
            try await write(
                """
                CREATE TABLE blob(id BLOB PRIMARY KEY, text TEXT);
                WITH number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
                INSERT INTO blob SELECT CAST(printf('%05d', n) || zeroblob(0) AS BLOB) || x'', 'duck' FROM number;
                UPDATE blob SET id = CAST(id || printf('%.*c', 3000, 'x') AS BLOB) WHERE rowid % 2 = 0;
                """)
            let result = try await command.run(
                "follow", "notes.sqlite", "--table", "blob", "--columns", "text", "--index",
                "index", "--once")
            #expect(result.status == 0, "\(result.error)")
            #expect(
                result.output
                    == "2,500 rows indexed, 2,500 left out: keys that are NULL, too long or no text\n"
            )
            let drift = try await command.run("drift", "--index", "index")
            #expect(
                drift.output == """
                    2,500 rows compared
                    2,500 left out: keys that are NULL, too long or no text
                    nothing else differs

                    """, "\(drift.error)")
        }

        @Test(.timeLimit(.minutes(2))) func replacedFile() async throws {
            let following = try FollowingProcess(Self.arguments, in: folder)
            #expect(try await following.line(0) == "3 rows indexed")
            let (file, other) = (
                folder.url.appending(path: "notes.sqlite"),
                folder.url.appending(path: "other.sqlite")
            )
            let queue = try DatabaseQueue(path: other.path)
            try await queue.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                        INSERT INTO note VALUES (2, 'Heron', ''), (7, 'duck', '')
                        """)
            }
            try queue.close()
            // There is no file for a while, then one that is no database yet, and an empty one.
            try FileManager.default.moveItem(
                at: file, to: folder.url.appending(path: "old.sqlite"))
            try await following.waitForReport(of: "no file", beyond: 0)
            for (text, report) in [("no database, or half of one", "no SQLite"), ("", "no table")] {
                let count = try following.reportCount
                let next = folder.url.appending(path: "next.sqlite")
                try Data(text.utf8).write(to: next)
                #expect(rename(next.path, file.path) == 0)
                try await following.waitForReport(of: report, beyond: count)
            }
            #expect(rename(other.path, file.path) == 0)
            #expect(try await following.line(1) == "2 rows indexed, 2 removed")
            try await write("INSERT INTO note VALUES (8, 'a duck', '')")
            #expect(try await following.line(2) == "1 row indexed")
            following.process.send(SIGINT)
            #expect(try await following.process.finish() == 0)
            #expect(try await command.search("duck").identifiers.sorted() == ["7", "8"])
            // What was wrong is told as other errors of the command are.
            let path = folder.url.appending(path: "notes.sqlite").path
            let reports = try following.reports
            #expect(reports.contains("textindex: trying again: no file at \(path)"), "\(reports)")
            #expect(reports.allSatisfy { !$0.contains("CommandError") }, "\(reports)")
        }

        @Test(.timeLimit(.minutes(2))) func replacedFileWithTheSameLog() async throws {
            let following = try FollowingProcess(Self.arguments, in: folder)
            #expect(try await following.line(0) == "3 rows indexed")
            let file = folder.url.appending(path: "notes.sqlite")
            let other = folder.url.appending(path: "other.sqlite")
            let queue = try database()
            try await queue.vacuum(into: other.path)
            try queue.close()
            // As by a dump that was edited: the triggers see nothing of it.
            let copy = try DatabaseQueue(path: other.path)
            try await copy.write {
                let triggers = try Row.fetchAll(
                    $0, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
                for row in triggers {
                    try $0.execute(sql: "DROP TRIGGER \"\(row["name"] as String)\"")
                }
                try $0.execute(sql: "UPDATE note SET title = 'Swan' WHERE id = 1")
                for row in triggers { try $0.execute(sql: row["sql"] as String) }
            }
            try copy.close()
            #expect(rename(other.path, file.path) == 0)
            #expect(try await following.line(1) == "1 row put right")
            following.process.send(SIGINT)
            #expect(try await following.process.finish() == 0)
            #expect(try await command.search("swan").identifiers == ["1"])
        }

        @Test func whatFailsLeavesNoIndex() async throws {
            let index = folder.url.appending(path: "index").path
            try await write("CREATE TABLE grdb_textsearch_log(x)")
            let failed = try await follow()
            #expect(failed.status == 2, "\(failed.output)")
            #expect(!FileManager.default.fileExists(atPath: index))
            try await write("DROP TABLE grdb_textsearch_log")
            let names = (0..<1_500).map { "c\($0)" }.joined(separator: ",")
            try await write("CREATE TABLE wide(id INTEGER PRIMARY KEY, \(names))")
            let wide = try await command.run(
                "follow", "notes.sqlite", "--table", "wide", "--columns", names, "--index",
                "index", "--once")
            #expect(wide.status == 2)
            #expect(wide.error.contains("name fewer"), "\(wide.error)")
            #expect(!FileManager.default.fileExists(atPath: index))
            let done = try await follow()
            #expect(done.output == "3 rows indexed\n", "\(done.error)")
        }

        @Test func namesAreThoseOfSQLite() async throws {
            _ = try await follow()
            let again = try await command.run(
                "follow", "notes.sqlite", "--table", "NOTE", "--columns", "Title,BODY",
                "--index", "index", "--once")
            #expect(again.output == "0 rows indexed\n", "\(again.error)")
            let other = try await command.run(
                "follow", "notes.sqlite", "--table", "note", "--columns", "body,title",
                "--index", "index", "--once")
            #expect(other.status == 2)
        }

        @Test(.timeLimit(.minutes(2))) func tableThatIsMadeAnew() async throws {
            let following = try FollowingProcess(Self.arguments, in: folder)
            #expect(try await following.line(0) == "3 rows indexed")
            try await write("DROP TABLE note")
            try await following.waitForReport(of: "no table", beyond: 0)
            try await write(
                """
                CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO note VALUES (9, 'swan', '')
                """)
            #expect(try await following.line(1) == "1 row indexed, 3 removed")
            // It ends as usual where the table is gone.
            let count = try following.reportCount
            try await write("DROP TABLE note")
            try await following.waitForReport(of: "no table", beyond: count)
            let reports = try following.reports
            #expect(reports.allSatisfy { !$0.contains("invalidArgument") }, "\(reports)")
            following.process.send(SIGINT)
            #expect(try await following.process.finish() == 0)
        }

        @Test func expressionIndex() async throws {
            try await write("CREATE UNIQUE INDEX lowered ON note(lower(title))")
            let result = try await follow()
            #expect(result.status == 0)
            #expect(
                result.error.contains(
                    "warning: lowered cannot be watched, since it is a unique index"))
        }

        @Test func refusals() async throws {
            try folder.write("hello, this is no database at all, but some text", to: "text.txt")
            try folder.write("one duck", to: "docs/one.txt")
            let files = try await command.run("index", "docs", "--index", "files")
            #expect(files.status == 0)
            let cases: [([String], String)] = [
                (["notes.sqlite", "--table", "plain", "--columns", "title"], "no primary key"),
                (["notes.sqlite", "--table", "note", "--columns", "titel"], "no column \"titel\""),
                (["notes.sqlite", "--table", "notes", "--columns", "title"], "no table \"notes\""),
                (["text.txt", "--table", "note", "--columns", "title"], "is no SQLite database"),
                (["none.sqlite", "--table", "note", "--columns", "title"], "no file at"),
                (["docs", "--table", "note", "--columns", "title"], "is no file"),
                (["notes.sqlite", "--table", "note", "--columns", "title,,body"], "empty name"),
                (["notes.sqlite", "--table", "note", "--columns", "title,TITLE"], "twice"),
                (["notes.sqlite", "--table", "note", "--columns", "a", "--column", "A"], "twice"),
                (["notes.sqlite", "--table", "note"], "name the columns"),
                (["notes.sqlite", "--columns", "title"], "name the table"),
            ]
            for (arguments, message) in cases {
                let result = try await command.run(
                    ["follow"] + arguments + ["--index", "index", "--once"])
                #expect(result.status == 2, "\(arguments)")
                #expect(result.error.contains(message), "\(result.error)")
                #expect(result.errorLines.count == 1)
            }
            #expect(
                !FileManager.default.fileExists(atPath: folder.url.appending(path: "index").path))
            let other = try await command.run(
                [
                    "follow", "notes.sqlite", "--table", "note", "--columns", "title", "--index",
                    "files",
                ])
            #expect(other.status == 2)
            #expect(other.error.contains("an index of files"))
            let none = try await command.run("drift", "--index", "files")
            #expect(none.status == 2)
            #expect(none.error.contains("follows no table"))
            _ = try await follow()
            let mixed = try await command.run("index", "docs", "--index", "index")
            #expect(mixed.status == 2)
            #expect(mixed.error.contains("follows the table note"))
            let columns = try await command.run(
                "follow", "notes.sqlite", "--table", "note", "--columns", "body", "--index", "index"
            )
            #expect(columns.error.contains("has the columns title,body"))
            try await write("UPDATE grdb_textsearch_store SET layout = 9")
            let layout = try await follow()
            #expect(layout.status == 2)
            #expect(layout.error.contains("layout 9"))
        }
    }
#endif
