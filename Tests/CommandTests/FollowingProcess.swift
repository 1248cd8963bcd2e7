#if GRDB
    import Foundation
    import GRDB
    import Testing

    @testable import TextIndexCommand

    /// A process that follows, and what it has written so far. One for each folder.
    struct FollowingProcess {
        let process: ChildProcess
        let output: URL
        let errors: URL

        init(_ arguments: [String], in folder: TestFolder) throws {
            output = folder.scratch.appending(path: "follow.out")
            errors = folder.scratch.appending(path: "follow.err")
            for file in [output, errors] { try Data().write(to: file) }
            var launch = try Command.launch(
                arguments + ["--interval", "0.01"], in: folder.url)
            launch.output = try FileHandle(forWritingTo: output)
            launch.error = try FileHandle(forWritingTo: errors)
            process = try ChildProcess(launch)
        }

        private static func lines(_ file: URL) throws -> [String] {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            return text.components(separatedBy: "\n").dropLast()
        }

        func line(_ number: Int) async throws -> String {
            while true {
                let found = try Self.lines(output)
                if found.count > number { return found[number] }
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        /// Waits until it has reported something new that has a text in it.
        func waitForReport(of text: String, beyond count: Int) async throws {
            while try !reports.dropFirst(count).contains(where: { $0.contains(text) }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        /// What it has reported.
        var reports: [String] { get throws { try Self.lines(errors) } }

        var reportCount: Int { get throws { try reports.count } }
    }

    extension TestFolder {
        /// A database of three notes.
        func writeNotes(to name: String = "notes.sqlite") async throws {
            try await write(
                """
                CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body TEXT);
                INSERT INTO note VALUES
                    (1, 'Pekin duck', 'with sugar'), (2, 'Goose', 'with orange'), (3, NULL, 'A duck.');
                """, toDatabase: name)
        }

        /// Runs statements in a database.
        func write(_ sql: String, toDatabase name: String = "notes.sqlite") async throws {
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            let queue = try DatabaseQueue(
                path: url.appending(path: name).path, configuration: configuration)
            try await queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }

        /// Uses the index in the folder, as a command does.
        func useIndex<R>(
            _ name: String = "index", _ body: (IndexFolder) async throws -> R
        ) async throws -> R {
            let location = IndexOption(
                path: url.appending(path: name).path, opening: OpeningOptions(wait: 60))
            return try await IndexFolder.use(existing: location, body)
        }

        /// Removes objects from an index without its follower.
        func removeBehindTheFollower(_ identifiers: String...) async throws {
            try await useIndex { folder in
                try await folder.remove(identifiers.map { Data($0.utf8) })
            }
        }
    }

    extension Command {
        /// Follows the notes of a database until the index has them.
        func follow(
            _ database: String = "notes.sqlite", table: String = "note",
            columns: [String] = ["--columns", "title,body"], _ more: String...
        ) async throws -> Result {
            try await run(
                ["follow", database, "--table", table] + columns
                    + ["--index", "index", "--once"] + more)
        }
    }
#endif
