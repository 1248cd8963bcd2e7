#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextSearch

    @testable import TextIndexCommand

    /// What other commands do with an index that follows a table, and rows that it cannot have.
    @Suite("Indexes of tables", .timeLimit(.minutes(30))) struct FollowedIndexTests {
        let folder: TestFolder
        let command: Command

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            try await folder.writeNotes()
        }

        @Test("Nothing but its follower changes the objects of an index")
        func othersAreRefused() async throws {
            _ = try await command.follow()
            try folder.write("one duck", to: "docs/1")
            try folder.write("one duck", to: "docs/one.txt")
            _ = try await command.run("index", "docs", "--index", "files")
            let exported = try await command.run("export", "--index", "files")
            try folder.write(exported.output, to: "files.export")
            for arguments in [
                ["remove", "1"], ["remove", "--under", "."], ["remove", "--under", "notes.sqlite"],
                ["index", "docs"], ["import", "files.export"],
                ["verify", "docs", "--depth", "source"],
            ] {
                let result = try await command.run(arguments + ["--index", "index"])
                #expect(result.status == 2, "\(arguments)")
                #expect(
                    result.error.contains("this index follows the table note; "), "\(result.error)")
            }
            let drift = try await command.run("drift", "--index", "index")
            #expect(drift.output == "3 rows compared\nnothing differs\n", "\(drift.error)")
        }

        @Test("A row that cannot be indexed is named with the reason, and drift counts it")
        func failedRow() async throws {
            // Larger than an index takes.
            try await folder.write(
                "INSERT INTO note VALUES (4, 'duck', printf('%.*c', \((64 << 20) + 1), 'x'))")
            let reason = "maximumTextLength is \(64 << 20)"
            let first = try await command.follow()
            #expect(first.status == 2)
            #expect(first.output == "3 rows indexed, 1 failed\n")
            #expect(
                first.error.contains("textindex: row 4 cannot be indexed: The object has"),
                "\(first.error)")
            #expect(first.error.contains(reason), "\(first.error)")
            let second = try await command.follow()
            #expect(second.status == 0, "\(second.error)")
            let drift = try await command.run("drift", "--index", "index")
            #expect(drift.status == 0, "\(drift.error)")
            let lines = drift.output.components(separatedBy: "\n")
            #expect(lines.count == 5, "\(lines)")
            #expect(lines.prefix(2) == ["4 rows compared", "1 row cannot be indexed"])
            #expect(lines[2].hasPrefix("4: The object has"))
            #expect(lines[3] == "nothing else differs")
            let json = try await command.run("drift", "--index", "index", "--json")
            let report = try JSONDecoder().decode(Drift.self, from: Data(json.output.utf8))
            #expect(report.failed.map(\.row) == ["4"])
            #expect(report.failed.first?.reason?.contains(reason) == true)
            #expect(report.leftOut == 0)
        }

        private struct Drift: Decodable {
            struct Failure: Decodable {
                let row: String
                let reason: String?
            }

            let failed: [Failure]
            let leftOut: Int
        }

        @Test("A row without a usable key is counted as left out")
        func leftOutRow() async throws {
            try await folder.write(
                """
                CREATE TABLE word(word TEXT PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO word VALUES (NULL, 'duck', ''), ('duck', 'bird', '');
                """)
            let first = try await command.follow(table: "word")
            #expect(
                first.output
                    == "1 row indexed, 1 left out: keys that are NULL, too long or no text\n",
                "\(first.error)")
            let json = try await command.run("drift", "--index", "index", "--json")
            #expect(json.status == 0, "\(json.error)")
            let report = try JSONDecoder().decode(Drift.self, from: Data(json.output.utf8))
            #expect(report.failed.isEmpty)
            #expect(report.leftOut == 1)
        }

        @Test("A table whose index has a collation of another program is followed")
        func foreignCollation() async throws {
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                db.add(collation: DatabaseCollation("own") { $0.compare($1) })
            }
            let path = folder.url.appending(path: "notes.sqlite").path
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try await queue.write {
                try $0.execute(sql: "CREATE INDEX own ON note(title COLLATE own)")
            }
            try queue.close()
            try await folder.write("CREATE TABLE plain(id INTEGER PRIMARY KEY, title TEXT)")
            // SQLite cannot count the rows, and nobody has to know how many there are.
            for (table, count) in [("note", nil), ("plain", 0), ("none", nil)] {
                let database = try FollowedDatabase(
                    .init(database: path, table: table, consumer: ""), columns: ["title"])
                #expect(database.count() == count)
                database.close()
            }
            let first = try await command.follow()
            #expect(first.status == 0, "\(first.error)")
            #expect(first.output == "3 rows indexed\n")
        }

        @Test("A column whose name has a comma is named by itself")
        func comma() async throws {
            try await folder.write(
                """
                CREATE TABLE odd(id INTEGER PRIMARY KEY, "a,b" TEXT, c TEXT);
                INSERT INTO odd VALUES (1, 'duck', 'goose');
                """)
            for _ in 0..<2 {
                let result = try await command.follow(
                    table: "odd", columns: ["--columns", "c", "--column", "a,b"])
                #expect(result.status == 0, "\(result.error)")
            }
            #expect(try await command.search("duck").identifiers == ["1"])
            #expect(try await command.search("goose").identifiers == ["1"])
        }

        @Test("Rows are exported as they are in the table")
        func export() async throws {
            let long = String(repeating: "a word ", count: 100) + "heron"
            try await folder.write("INSERT INTO note VALUES (4, 'Bird', '\(long)')")
            _ = try await command.follow()
            let exported = try await command.run("export", "--index", "index")
            #expect(exported.status == 0, "\(exported.error)")
            #expect(exported.output.split(separator: "\n").count == 6)
            let verified = try await command.run("verify", "--depth", "source", "--index", "index")
            #expect(verified.status == 0, "\(verified.output)")
            #expect(verified.output.contains("4 objects compared with the source\n"))
            try FileManager.default.moveItem(
                at: folder.url.appending(path: "index"),
                to: folder.url.appending(path: "followed"))
            let imported = try await command.run(
                "import", "-", "--index", "index", input: Data(exported.output.utf8))
            #expect(imported.output == "4 objects imported\n", "\(imported.error)")
            #expect(try await command.search("heron").identifiers == ["4"])
            #expect(try await command.search("duck").identifiers.sorted() == ["1", "3"])
            // What was imported follows nothing, and is not changed by what happens to files.
            let drift = try await command.run("drift", "--index", "index")
            #expect(drift.error.contains("follows no table"), "\(drift.error)")
            let again = try await command.run("export", "--index", "index")
            #expect(again.status == 2)
            #expect(again.error.contains("the row of a table"), "\(again.error)")
            let removed = try await command.run("remove", "--under", ".", "--index", "index")
            #expect(removed.output == "0 objects removed\n", "\(removed.error)")
        }

        @Test("A row that the index has not as it is now is not exported, and it is said why")
        func changedRows() async throws {
            _ = try await command.follow()
            try await folder.write(
                "UPDATE note SET body = 'with salt' WHERE id = 1; DELETE FROM note WHERE id = 2")
            let exported = try await command.run("export", "--index", "index")
            #expect(exported.status == 2)
            #expect(exported.errorLines.count == 3, "\(exported.error)")
            #expect(exported.error.contains("textindex: 1: its row has changed"))
            #expect(exported.error.contains("textindex: 2: its row is gone"))
            #expect(exported.output.hasSuffix("{\"objectCount\":1}\n"))
            try folder.remove("notes.sqlite")
            let gone = try await command.run("export", "--index", "index")
            #expect(gone.status == 2)
            #expect(gone.output.isEmpty)
            #expect(gone.error.contains("no file at /"), "\(gone.error)")
        }

        @Test("What a repair of an index of a table cannot prove the table proves")
        func repaired() async throws {
            _ = try await command.follow()
            // A file with the name of a key is not the row.
            try folder.write("a heron", to: "1")
            try folder.remove("index/CURRENT")
            let repaired = try await command.run("repair", "--index", "index")
            #expect(repaired.status == 1, "\(repaired.error)")
            #expect(
                repaired.output.contains("\ntextindex follow brings back what is lost\n"),
                "\(repaired.output)")
            #expect(repaired.output.contains("verify --depth source finds nothing"))
            let followed = try await command.follow()
            #expect(followed.status == 0, "\(followed.error)")
            let sampled = try await command.run(
                "verify", "--depth", "source", "--sample", "1", "--index", "index")
            #expect(sampled.status == 1, "\(sampled.output)")
            try await folder.write("INSERT INTO note VALUES (4, 'Swan', '')")
            let behind = try await command.run("verify", "--depth", "source", "--index", "index")
            #expect(behind.status == 1)
            #expect(behind.output.hasPrefix("1 finding\n"), "\(behind.output)")
            _ = try await command.follow()
            let proved = try await command.run("verify", "--depth", "source", "--index", "index")
            #expect(proved.status == 0, "\(proved.output)\(proved.error)")
            let settled = try await command.run("verify", "--index", "index")
            #expect(settled.status == 0 && settled.error.isEmpty, "\(settled.output)")
            #expect(try await command.search("heron").identifiers == [])
        }

        @Test("The meter of rows begins anew with each reading of all rows")
        func meter() {
            let meter = RowMeter(total: 30)
            meter.add(10, 100, isFirst: true)
            meter.add(20, 100, isFirst: false)
            #expect(meter.rows.read == 30)
            #expect(meter.rows.total == 30)
            // What is there now nobody has counted.
            meter.add(25, 100, isFirst: true)
            meter.add(15, 100, isFirst: false)
            #expect(meter.rows.read == 40)
            #expect(meter.rows.total == nil)
        }
    }
#endif
