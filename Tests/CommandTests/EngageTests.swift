import Foundation
import Testing

/// What `engage` remembers.
@Suite struct EngageTests {
    private struct Line: Decodable {
        let query: String
        let identifier: String
        let strength: Double
        let date: String
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        let lines = (0..<5).map { "{\"id\":\"\($0)\",\"body\":\"red duck number \($0)\"}\n" }
        try folder.write(lines.joined(), to: "notes.jsonl")
        try await command.run("index", "notes.jsonl", "--index", "index")
    }

    private func list(_ options: String..., index: String = "index") async throws -> [Line] {
        let result = try await command.run(
            ["engage", "list", "--json", "--index", index] + options)
        #expect(result.status == (result.output.isEmpty ? 1 : 0), "\(result.error)")
        return try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test func whatWasChosenComesFirst() async throws {
        #expect(try await command.search("duck").identifiers.first == "0")
        let result = try await command.run(
            "engage", "record", "Duck", "3", "4", "nobody", "--index", "index")
        #expect(result.status == 1 && result.error.contains("nobody is not in the index"))
        try await command.run(
            "engage", "record", "duck", "4", "--strength", "2", "--index", "index")
        #expect(
            try await command.search("duck", "--learned").identifiers == ["4", "3", "0", "1", "2"])
        #expect(try await command.search("duck").identifiers.first == "0")
        #expect(try await command.search("red duck", "--learned").identifiers.first == "0")
        let listed = try await list()
        #expect(listed.map(\.query) == ["duck", "duck"])
        #expect(listed.map(\.identifier) == ["3", "4"])
        #expect(listed.allSatisfy { $0.date.hasSuffix("Z") && $0.date.count == 20 })
        let text = try await command.run("engage", "list", "--index", "index")
        #expect(text.output.hasPrefix("duck\t3\t"), "\(text.output)")
    }

    @Test func itIsForgotten() async throws {
        for (query, id) in [("duck", "1"), ("duck", "2"), ("red", "2"), ("red", "3")] {
            try await command.run("engage", "record", query, id, "--index", "index")
        }
        #expect(try await list("--query", "DUCK").map(\.identifier) == ["1", "2"])
        try await command.run("engage", "forget", "2", "--index", "index")
        #expect(try await list().map(\.identifier) == ["1", "3"])
        try await command.run("engage", "forget", "--older-than", "1", "--index", "index")
        #expect(try await list().count == 2)
        try await command.run("engage", "forget", "--query", "Red", "--index", "index")
        #expect(try await list().map(\.query) == ["duck"])
        try await command.run("engage", "forget", "--all", "--index", "index")
        #expect(try await list().isEmpty)
    }

    @Test func exportsHaveIt() async throws {
        for (query, id) in [("duck", "1"), ("\"red duck\"", "2")] {
            try await command.run("engage", "record", query, id, "--index", "index")
        }
        let export = try await command.run("export", "--index", "index")
        try folder.write(export.output, to: "all.export")
        let imported = try await command.run("import", "all.export", "--index", "other")
        #expect(imported.status == 0, "\(imported.error)")
        let (one, other) = (try await list(), try await list(index: "other"))
        #expect(one.map(\.query) == other.map(\.query) && one.map(\.date) == other.map(\.date))
        #expect(other.map(\.identifier) == ["2", "1"])
    }

    @Test(arguments: [
        (["record", "duck", "1", "--strength", "0"], "--strength"), (["forget"], "--query"),
        (["forget", "--all", "1"], "--query"), (["record", "*", "1"], "everything"),
    ]) func mistakesAreSaid(_ arguments: [String], _ message: String) async throws {
        let result = try await command.run(["engage"] + arguments + ["--index", "index"])
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains(message), "\(result.error)")
    }
}
