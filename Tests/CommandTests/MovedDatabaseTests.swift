#if GRDB
    import Foundation
    import GRDB
    import Testing

    /// Following a database that was moved, and one that is another.
    @Suite("Moved databases", .timeLimit(.minutes(30))) struct MovedDatabaseTests {
        let folder: TestFolder
        let command: Command

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            try await folder.writeNotes()
            let first = try await command.follow()
            #expect(first.output == "3 rows indexed\n", "\(first.error)")
        }

        private func move(_ old: String, to new: String) throws {
            let (old, new) = (folder.url.appending(path: old), folder.url.appending(path: new))
            try FileManager.default.createDirectory(
                at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: old, to: new)
        }

        private func copy(_ old: String, to new: String) throws {
            try FileManager.default.copyItem(
                at: folder.url.appending(path: old), to: folder.url.appending(path: new))
        }

        @Test("A database that was moved is followed on, and found there from then on")
        func moved() async throws {
            try move("notes.sqlite", to: "other/moved.sqlite")
            try await folder.write(
                "INSERT INTO note VALUES (4, 'a duck', '')", toDatabase: "other/moved.sqlite")
            let lost = try await command.run("drift", "--index", "index")
            #expect(lost.status == 2)
            #expect(lost.error.contains("--database FILE"), "\(lost.error)")
            let followed = try await command.follow("other/moved.sqlite")
            #expect(followed.status == 0, "\(followed.error)")
            #expect(followed.output == "1 row indexed\n")
            #expect(try await command.search("duck").identifiers.sorted() == ["1", "3", "4"])
            // Nothing that the index has depends on where the database lies.
            let drift = try await command.run("drift", "--index", "index")
            #expect(drift.output == "4 rows compared\nnothing differs\n", "\(drift.error)")
            let stats = try await command.run("stats", "--index", "index")
            #expect(stats.output.contains("/other/moved.sqlite\n"), "\(stats.output)")
            #expect(stats.output.hasSuffix("behind         nothing\n"), "\(stats.output)")
        }

        @Test("Drift takes the new place of a database, and notes it")
        func driftInAnotherPlace() async throws {
            try move("notes.sqlite", to: "moved.sqlite")
            let there = try await command.run(
                "drift", "--index", "index", "--database", "moved.sqlite")
            #expect(there.status == 0, "\(there.error)")
            #expect(there.output == "3 rows compared\nnothing differs\n")
            let again = try await command.run("drift", "--index", "index")
            #expect(again.status == 0, "\(again.error)")
            let followed = try await command.follow("moved.sqlite")
            #expect(followed.output == "0 rows indexed\n", "\(followed.error)")
        }

        @Test("A link to the database is the database")
        func link() async throws {
            try FileManager.default.createSymbolicLink(
                at: folder.url.appending(path: "link.sqlite"),
                withDestinationURL: folder.url.appending(path: "notes.sqlite"))
            let followed = try await command.follow("link.sqlite")
            #expect(followed.status == 0, "\(followed.error)")
            #expect(followed.output == "0 rows indexed\n")
            let back = try await command.follow("notes.sqlite")
            #expect(back.status == 0, "\(back.error)")
        }

        @Test("Another database is refused, wherever the first one is")
        func another() async throws {
            try copy("notes.sqlite", to: "copy.sqlite")
            try await folder.writeNotes(to: "other.sqlite")
            func refused(_ name: String) async throws {
                for result in [
                    try await command.follow(name),
                    try await command.run("drift", "--index", "index", "--database", name),
                ] {
                    #expect(result.status == 2)
                    #expect(result.error.contains("follows the table note of /"), "\(result.error)")
                }
            }
            // A copy beside the database is another one.
            try await refused("copy.sqlite")
            try await refused("other.sqlite")
            let none = try await command.run(
                "drift", "--index", "index", "--database", "none.sqlite")
            #expect(none.status == 2)
            try folder.remove("notes.sqlite")
            try await refused("other.sqlite")
            // Nothing was written to it.
            let queue = try DatabaseQueue(path: folder.url.appending(path: "other.sqlite").path)
            let tables = try await queue.read {
                try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
            }
            #expect(tables == ["note"])
            try queue.close()
            // A copy that takes the place of a database that is gone is followed on.
            let followed = try await command.follow("copy.sqlite")
            #expect(followed.output == "0 rows indexed\n", "\(followed.error)")
        }
    }
#endif
