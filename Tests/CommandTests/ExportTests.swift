import Foundation
import Testing
import TextSearch

/// `export` and `import`, as processes.
@Suite struct ExportTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private func index() async throws {
        try folder.write(
            """
            {"id": "duck", "title": "A duck", "body": "in the reeds", "stars": 4, "price": 2.5, "day": "2024-05-01"}
            {"id": 7, "title": "Seven \\u001b[31mswans\\u202e", "body": "so white", "stars": 5}
            {"id": "gone", "title": "A goose", "body": "grey"}

            """, to: "birds.jsonl")
        let result = try await command.run(
            "index", "birds.jsonl", "--weight", "stars", "--attribute", "price", "--attribute",
            "day:date", "--stem", "english", "--index", "index")
        #expect(result.status == 0, "\(result.error)")
    }

    /// What an index says of everything in it.
    private func answers(_ index: String) async throws -> [String] {
        var answers: [String] = []
        for query in ["swan OR duck OR goose", "price:<3", "day:2024-05-01"] {
            let result = try await command.run(
                "search", query, "--sort", "relevance", "--index", index)
            answers.append(result.output.split(separator: "\n").dropLast().joined(separator: "\n"))
        }
        let listed = try await command.run("terms", "--json", "--index", index)
        return answers + [listed.output]
    }

    @Test func whatIsExportedIsImported() async throws {
        try await index()
        let exported = try await command.run("export", "--index", "index")
        #expect(exported.status == 0, "\(exported.error)")
        #expect(exported.output.split(separator: "\n").count == 5)
        // Nothing that acts on a terminal.
        #expect(
            !exported.output.unicodeScalars.contains {
                $0.value == 0x1B || $0.value == 0x202E
            })
        let imported = try await command.run(
            "import", "-", "--index", "copy", input: Data(exported.output.utf8))
        #expect(imported.status == 0, "\(imported.error)")
        #expect(imported.output == "3 objects imported\n")
        #expect(try await answers("copy") == answers("index"))
        let again = try await command.run("export", "--index", "copy")
        #expect(again.output == exported.output)
        let verified = try await command.run("verify", "--depth", "source", "--index", "copy")
        #expect(verified.status == 0, "\(verified.output)")
        // A second time it takes the place of the first.
        try folder.write(exported.output, to: "birds.export")
        let twice = try await command.run("import", "birds.export", "--index", "copy")
        #expect(twice.status == 0, "\(twice.error)")
        #expect(try await answers("copy") == answers("index"))
    }

    @Test func whatCannotBeReadIsTold() async throws {
        try await index()
        let piped = try await command.run(
            "index", "-", "--index", "index",
            input: Data(#"{"id": "pipe\u0007", "title": "from a pipe"}"#.utf8))
        #expect(piped.status == 0, "\(piped.error)")
        let exported = try await command.run("export", "--index", "index")
        #expect(exported.status == 2)
        #expect(exported.errorLines.count == 2, "\(exported.error)")
        #expect(exported.error.contains("textindex: pipe: it came from standard input"))
        #expect(exported.error.contains("1 object not exported"))
        #expect(exported.output.hasSuffix("{\"objectCount\":3}\n"))
        try folder.write("{}\n", to: "birds.jsonl")
        let changed = try await command.run("export", "--index", "index")
        #expect(changed.status == 2)
        #expect(changed.error.contains("4 objects not exported"), "\(changed.error)")
        #expect(changed.output.hasSuffix("{\"objectCount\":0}\n"))
    }

    @Test func brokenExports() async throws {
        try await index()
        let lines = try await command.run("export", "--index", "index").output
            .split(separator: "\n").map(String.init)
        func imported(_ lines: [String], to index: String) async throws -> Command.Result {
            try await command.run(
                "import", "-", "--index", index, input: Data(lines.joined(separator: "\n").utf8))
        }
        for other in [[], ["{}"], ["\u{1}"], [lines[1]]] {
            let result = try await imported(other, to: "none")
            #expect(result.status == 2, "\(other)")
            #expect(result.error.contains("no export"), "\(result.error)")
        }
        let newer = lines[0].replacingOccurrences(of: "\"version\":1}", with: "\"version\":2}")
        #expect(newer != lines[0])
        #expect(try await imported([newer], to: "none").error.contains("newer"))
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "none").path))
        // Cut short, a line missing, a line broken: the rest is there, and it is said.
        let cases: [(lines: [String], message: String, count: Int)] = [
            (lines.dropLast(), "its last line is missing", 3),
            (lines.dropLast(2) + [String(lines[3].dropLast(9))], "line 4", 2),
            ([lines[0]] + lines[2...], "2 of 3 objects", 2),
            ([lines[0], "{\"strings\":7}"] + lines[1...], "line 2: not an object", 3),
            (
                [lines[0], #"{"id":"x","strings":[],"weight":0,"attributes":{},"context":{}}"#]
                    + lines[1...], "origin is missing", 3
            ),
        ]
        for (number, (lines, message, count)) in cases.enumerated() {
            let result = try await imported(lines, to: "part \(number)")
            #expect(result.status == 2, "\(message): \(result.output)")
            #expect(result.error.contains(message), "\(result.error)")
            let statistics = try await command.run("stats", "--index", "part \(number)")
            #expect(
                statistics.output.hasPrefix("objects        \(count)\n"), "\(statistics.output)")
        }
        // Never into an index of other settings.
        try folder.write("text", to: "texts/1.txt")
        _ = try await command.run("index", "texts", "--index", "files")
        let mixed = try await imported(lines, to: "files")
        #expect(mixed.status == 2)
        #expect(mixed.error.contains("other settings"), "\(mixed.error)")
    }
}
