#if GRDB
    import Foundation
    import GRDB
    import Testing
    import TextIndexInterface
    import TextSearch

    @testable import TextIndexCommand

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// What `serve` says of an index that `follow` keeps.
    @Suite(.timeLimit(.minutes(30))) struct ServeFollowingTests {
        private struct Status: Decodable {
            struct Index: Decodable {
                let generation: Int?
                let objects: Int
                let following: Following?
            }

            struct Following: Decodable, Equatable {
                let table: String
                let phase: String
                var behind: Int?
                var problem: String?
            }

            let indexes: [Index]
        }

        let folder: TestFolder
        let command: Command

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            try await write(
                """
                CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT);
                INSERT INTO note VALUES (1, 'Pekin duck'), (2, 'Goose')
                """)
        }

        private func write(_ sql: String, to name: String = "notes.sqlite") async throws {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let queue = try DatabaseQueue(
                path: folder.url.appending(path: name).path, configuration: configuration)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }

        private func follow() async throws {
            let result = try await command.run(
                "follow", "notes.sqlite", "--table", "note", "--columns", "title", "--index",
                "index", "--once", "--publish", "published")
            #expect(result.status == 0, "\(result.error)")
        }

        /// Serves for as long as `body` runs.
        private func serving(
            _ arguments: [String], _ body: (_ address: String) async throws -> Void
        ) async throws {
            let output = folder.scratch.appending(path: "\(UUID().uuidString).out")
            try Data().write(to: output)
            var launch = try Command.launch(
                ["serve", "--port", "0", "--interval", "0.01"] + arguments, in: folder.url)
            launch.output = try FileHandle(forWritingTo: output)
            let process = try ChildProcess(launch)
            defer { process.send(SIGTERM) }
            var text = ""
            while !text.hasSuffix("/\n") {
                try await Task.sleep(for: .milliseconds(5))
                text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            }
            try await body(String(text.dropFirst("serving at ".count).dropLast()))
            process.send(SIGTERM)
            #expect(try await process.finish() == 0)
        }

        private func status(_ address: String) async throws -> Status.Index {
            // A client is answered so many times a second only.
            try await Task.sleep(for: .milliseconds(50))
            let url = try #require(URL(string: "\(address)v1/status"))
            let (data, _) = try await URLSession.shared.data(from: url)
            return try #require(try JSONDecoder().decode(Status.self, from: data).indexes.first)
        }

        @Test func howFarBehind() async throws {
            try await follow()
            let found = try await command.run("search", "duck", "--index", "published")
            #expect(found.output.contains("Pekin duck"), "\(found.error)")
            try await serving(["--index", "published"]) { address in
                var expected = Status.Following(table: "note", phase: "following", behind: 0)
                #expect(try await status(address).following == expected)
                try await write(
                    "INSERT INTO note VALUES (3, 'Swan'); UPDATE note SET title = 'Duck' WHERE id = 2"
                )
                expected.behind = 2
                // A status is up to a second old.
                while try await status(address).following?.behind == 0 {}
                #expect(try await status(address).following == expected)
                try await follow()
                while try await status(address).generation == 1 {}
                expected.behind = 0
                while try await status(address).following?.behind == 2 {}
                let caughtUp = try await status(address)
                #expect(caughtUp.following == expected)
                #expect(caughtUp.objects == 3)
                // A table without the triggers of before has another history.
                for (statement, problem) in [
                    ("DROP TABLE note", "table is not there"),
                    ("CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT)", "compared"),
                ] {
                    try await write(statement)
                    while try await status(address).following?.problem?.contains(problem) != true {}
                    #expect(try await status(address).following?.behind == nil)
                }
            }
        }

        @Test func databaseElsewhere() async throws {
            try await follow()
            let (old, new) = (
                folder.url.appending(path: "notes.sqlite"),
                folder.url.appending(path: "moved.sqlite")
            )
            try FileManager.default.moveItem(at: old, to: new)
            try await serving(["--index", "published"]) { address in
                let following = try await status(address).following
                #expect(following?.behind == nil)
                #expect(following?.problem == "the database cannot be read")
            }
            try await write("DELETE FROM note WHERE id = 1", to: "moved.sqlite")
            try await serving(["--index", "a=index", "--following", "a=moved.sqlite"]) { address in
                let following = try await status(address).following
                #expect(following == Status.Following(table: "note", phase: "following", behind: 1))
            }
        }

        /// Nobody knows how many of the changes since then are read along.
        @Test func unknownWhileAllRowsAreRead() async throws {
            try await follow()
            let location = IndexOption(
                path: folder.url.appending(path: "index").path, opening: OpeningOptions(wait: 5))
            try await IndexFolder.use(existing: location) { folder in
                let followed = try #require(folder.settings.followed)
                #expect(followed.lag(of: folder.index, columns: folder.settings.fields).behind == 0)
                // The state of a follower that has begun to read a database named "a".
                let state = Data([1, 0, 1, UInt8(ascii: "a"), 0, 0, 0, 0])
                try await folder.index.apply([.mark(ClientState("follower default", state))])
                let lag = followed.lag(of: folder.index, columns: folder.settings.fields)
                #expect(lag.phase == .reading)
                #expect(lag.behind == nil)
                #expect(lag.problem == nil)
            }
        }

        @Test("A log of a newer version and a locked database are told as what they are")
        func problemsOfTheDatabase() async throws {
            try await follow()
            try await folder.useIndex { folder in
                let followed = try #require(folder.settings.followed)
                let (index, columns) = (folder.index, folder.settings.fields)
                try await write("UPDATE grdb_textsearch_store SET layout = layout + 7")
                let newer = followed.lag(of: index, columns: columns)
                #expect(newer.problem == "a newer version made the log of the database")
                try await write("UPDATE grdb_textsearch_store SET layout = layout - 7")
                #expect(followed.lag(of: index, columns: columns).behind == 0)
                let holder = try DatabaseQueue(path: followed.database)
                let locked = try await holder.writeWithoutTransaction { db in
                    try db.execute(sql: "BEGIN EXCLUSIVE")
                    defer { try? db.execute(sql: "ROLLBACK") }
                    return followed.lag(of: index, columns: columns).problem
                }
                #expect(locked == "another program has locked the database")
                #expect(followed.lag(of: index, columns: columns).behind == 0)
                try holder.close()
            }
            let stats = try await command.run("stats", "--index", "index")
            #expect(stats.output.hasSuffix("behind         nothing\n"), "\(stats.output)")
        }

        @Test func refusals() async throws {
            try await follow()
            try folder.write("one duck", to: "docs/one.txt")
            let files = try await command.run("index", "docs", "--index", "files")
            #expect(files.status == 0, "\(files.error)")
            let cases: [([String], String)] = [
                (["--index", "files", "--following", "notes.sqlite"], "follows no table"),
                (["--index", "index", "--following", "b=notes.sqlite"], "b, which is not served"),
                (["--index", "index", "--following", "none.sqlite"], "no file at none.sqlite"),
                (
                    ["--index", "index", "--following", "a.sqlite", "--following", "b.sqlite"],
                    "two databases for one index"
                ),
            ]
            for (arguments, message) in cases {
                let result = try await command.run(["serve", "--port", "0"] + arguments)
                #expect(result.status == 2)
                #expect(result.error.contains(message), "\(result.error)")
            }
            let taken = try await command.run(
                "follow", "notes.sqlite", "--table", "note", "--columns", "title", "--index",
                "index", "--once", "--publish", "docs")
            #expect(taken.status == 2)
            #expect(taken.error.contains("holds something else"), "\(taken.error)")
        }
    }
#endif
