import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What `serve` says and how it ends; what it answers is tested with the server.
@Suite(.timeLimit(.minutes(30))) struct ServeTests {
    private struct Answer: Decodable {
        struct Hit: Decodable {
            let id: String
            let title: String?
        }

        let total: Int
        let generation: Int
        let hits: [Hit]
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try await command.publish(["a": "One duck.", "b": "Geese alone."])
    }

    private func search(_ address: String) async throws -> Answer {
        let url = try #require(URL(string: "\(address)v1/search?q=duck"))
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode(Answer.self, from: data)
    }

    @Test func newerGenerationsAndTheEnd() async throws {
        let output = folder.scratch.appending(path: "serve.out")
        try Data().write(to: output)
        var launch = try Command.launch(
            ["serve", "--index", "published", "--port", "0", "--interval", "0.01"], in: folder.url)
        launch.output = try FileHandle(forWritingTo: output)
        let process = try ChildProcess(launch)
        defer { process.send(SIGTERM) }
        var address = ""
        while address.isEmpty {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if text.hasSuffix("/\n") {
                address = String(text.dropFirst("serving at ".count).dropLast())
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        let first = try await search(address)
        #expect(first.generation == 1)
        #expect(first.hits.map(\.id) == ["a"])
        // The index itself is free for other commands meanwhile.
        try await command.publish(["a": "One duck.", "b": "Geese and a duck."])
        while try await search(address).generation == 1 {}
        #expect(try await search(address).total == 2)
        process.send(SIGTERM)
        #expect(try await process.finish() == 0)
    }

    @Test(arguments: [
        (["--index", "nowhere"], "no index at nowhere"),
        (["--index", "published", "--host", "0.0.0.0"], "--token-file"),
        (["--index", "published", "--token", "short"], "16 characters"),
        (["--index", "published", "--token-file", "none"], "none cannot be read"),
        (["--index", "published", "--queries", "notes.jsonl"], "notes.jsonl is no JSON object"),
        (["--index", "a=published", "--index", "a=published"], "two indexes are called a"),
        (["--index", "published", "--port", "70000"], "--port"),
    ]) func whatCannotBeServed(arguments: [String], message: String) async throws {
        let result = try await command.run(["serve"] + arguments)
        #expect(result.status == 2)
        #expect(result.error.contains(message), "\(result.error)")
    }
}
