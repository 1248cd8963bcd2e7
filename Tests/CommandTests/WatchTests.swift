import Foundation
import Testing

/// What `watch` prints while generations come.
@Suite(.timeLimit(.minutes(30))) struct WatchTests {
    private struct Change: Decodable {
        struct Place: Decodable {
            let identifier: String
            let rank: Int?
            let oldRank: Int
        }

        struct Item: Decodable {
            let identifier: String
            let rank: Int
        }

        let generation: Int
        let total: Int
        let removed: [Place]
        let moved: [Place]
        let inserted: [Item]
        let updated: [Item]
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try await command.publish([
            "a": "One duck among birds of many other kinds.", "b": "Duck duck.",
            "z": "Geese alone.",
        ])
    }

    /// Starts watching; gives the process and the file that it writes to.
    private func watch(_ arguments: [String]) throws -> (ChildProcess, URL) {
        let output = folder.scratch.appending(path: "watch.out")
        try Data().write(to: output)
        var launch = try Command.launch(
            ["watch", "--index", "published", "--interval", "0.01"] + arguments, in: folder.url)
        launch.output = try FileHandle(forWritingTo: output)
        return (try ChildProcess(launch), output)
    }

    /// Waits until there are so many whole lines.
    private func lines(_ count: Int, in file: URL) async throws -> [Substring] {
        while true {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            let lines = text.split(separator: "\n")
            if lines.count >= count, text.hasSuffix("\n") { return lines }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func differences() async throws {
        let (process, file) = try watch(["duck", "--json", "--changes", "2"])
        defer { process.send(SIGTERM) }
        func change(_ number: Int) async throws -> Change {
            let line = try await lines(number + 1, in: file)[number]
            return try JSONDecoder().decode(Change.self, from: Data(line.utf8))
        }
        let first = try await change(0)
        #expect(first.generation == 1 && first.total == 2)
        #expect(first.inserted.map(\.identifier) == ["b", "a"])
        #expect(first.inserted.map(\.rank) == [0, 1])

        try await command.publish([
            "a": "Duck duck duck.", "b": "Duck duck.",
            "z": "Geese alone.", "d": "Duck at last, and much else that is none at all.",
        ])
        let second = try await change(1)
        #expect(second.generation == 2 && second.total == 3)
        #expect(second.inserted.map(\.identifier) == ["d"])
        #expect(second.updated.map(\.identifier).contains("a"))
        #expect(second.moved.count == 1 && second.removed.isEmpty)

        // Nothing that matches: no change.
        try await command.publish([
            "a": "Duck duck duck.", "b": "Duck duck.",
            "z": "Geese.", "d": "Duck at last, and much else that is none at all.",
        ])
        try await command.publish(["b": "Duck duck."])
        let last = try await change(2)
        #expect(last.total == 1)
        #expect(Set(last.removed.map(\.identifier)) == ["a", "d"])
        #expect(try await process.finish() == 0)
    }

    @Test func forPeople() async throws {
        let result = try await command.run(
            "watch", "duck", "--index", "published", "--changes", "0", "--snippets", "0")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix("generation 1: 2 hits\n+ 1. b"), "\(result.output)")
    }

    @Test func aPartOfTheHits() async throws {
        let some = try await command.run(
            "watch", "duck", "--filter", "birds -geese", "--index", "published", "--changes", "0",
            "--snippets", "0")
        #expect(some.status == 0, "\(some.error)")
        #expect(some.output.hasPrefix("generation 1: 1 hit\n+ 1. a"), "\(some.output)")
        let none = try await command.run(
            "watch", "duck", "--field", "nowhere", "--index", "published", "--changes", "0")
        #expect(none.status == 2)
        #expect(none.error.contains("nowhere"), "\(none.error)")
    }

    @Test func anIndexItselfIsNotWatched() async throws {
        let result = try await command.run("watch", "duck", "--index", "index")
        #expect(result.status == 2)
        #expect(result.error.contains("textindex publish"), "\(result.error)")
    }

    @Test(arguments: [
        (["x", "--limit=-1"], "--limit"), (["x", "--interval", "0"], "--interval"),
        (["x", "--changes=-1"], "--changes"), ([], "query"),
    ]) func mistakesAreSaid(_ arguments: [String], _ message: String) async throws {
        let result = try await command.run(["watch", "--index", "published"] + arguments)
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains(message), "\(result.error)")
    }
}
