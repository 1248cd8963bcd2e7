import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A node and a server that asks it, as processes.
@Suite(.timeLimit(.minutes(30))) struct ServeManyTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    /// A server, and where it answers.
    private func serve(_ arguments: [String], name: String) async throws -> (ChildProcess, String) {
        let output = folder.scratch.appending(path: "\(name).out")
        try Data().write(to: output)
        try Data().write(to: error(name))
        var launch = try Command.launch(
            ["serve", "--port", "0", "--interval", "0.01"] + arguments, in: folder.url)
        launch.output = try FileHandle(forWritingTo: output)
        launch.error = try FileHandle(forWritingTo: error(name))
        let process = try ChildProcess(launch)
        while true {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            if text.hasSuffix("/\n") {
                return (process, String(text.dropFirst("serving at ".count).dropLast(2)))
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func error(_ name: String) -> URL { folder.scratch.appending(path: "\(name).err") }

    private func errors(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: error(name)), as: UTF8.self)
    }

    private func get(_ address: String, token: String) async throws -> (Int, String) {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return (
            (response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self)
        )
    }

    /// Behind a proxy all people are one client: without --rate there is no limit of requests. And
    /// a server that tells nodes another token says so, once.
    @Test func aServerOfNodes() async throws {
        let lines = (0..<20).map { "{\"id\":\"n\($0)\",\"title\":\"duck\"}\n" }.joined()
        let steps: [[String]] = [
            ["index", "-", "--index", "whole"],
            ["split", "whole", "--of", "1", "--output", "parts"],
            [
                "set", "add", "set", "--shard", "0", "--of", "1", "--index",
                "parts/shard-00000-of-00001",
            ], ["set", "commit", "set"],
        ]
        for step in steps {
            let result = try await command.run(step, input: Data(lines.utf8))
            #expect(result.status == 0, "\(step): \(result.error)")
        }
        let tokens = ["0123456789abcdef", "fedcba9876543210"]
        for (number, token) in tokens.enumerated() { try folder.write(token, to: "token\(number)") }
        let (node, address) = try await serve(
            ["--index", "set", "--token-file", "token0"], name: "node")
        defer { node.send(SIGTERM) }
        let many = ["--set", "set", "--replica", "0=\(address)"]
        let (right, first) = try await serve(many + ["--token-file", "token0"], name: "right")
        defer { right.send(SIGTERM) }
        let (wrong, second) = try await serve(many + ["--token-file", "token1"], name: "wrong")
        defer { wrong.send(SIGTERM) }

        for _ in 0..<600 {
            let (status, text) = try await get("\(first)/v1/search?q=duck", token: tokens[0])
            try #require(status == 200, "\(text)")
        }
        while try !errors("wrong").contains("another token") {
            try await Task.sleep(for: .milliseconds(5))
        }
        // A second search is answered after further looks at the node.
        for _ in 0..<3 {
            let (status, text) = try await get("\(second)/v1/search?q=duck", token: tokens[1])
            #expect(status == 503 && text.contains("status 401"), "\(text)")
        }
        let said = try errors("wrong").split(separator: "\n")
        #expect(said.count { $0.contains("another token") } == 1, "\(said)")
        for process in [wrong, right, node] {
            process.send(SIGTERM)
            #expect(try await process.finish() == 0)
        }
    }
}
