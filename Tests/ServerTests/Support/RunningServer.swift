import Foundation
import TextIndexInterface

@testable import TextIndexServer

/// A server that a test asks.
struct RunningServer: Sendable {
    let port: Int
    let contract: Contract
    private let server: SearchServer
    private let running: Task<Void, any Error>

    var address: String { "http://127.0.0.1:\(port)" }

    /// Starts a server at a port of its own.
    static func start(
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ make: (ServerOptions) throws -> SearchServer
    ) async throws -> RunningServer {
        var options = ServerOptions()
        options.port = 0
        options.limits.rate = 0
        options.limits.time = .seconds(60)
        options.interval = .milliseconds(10)
        change(&options)
        let server = try make(options)
        let (ports, sink) = AsyncStream.makeStream(of: Int.self)
        let running = Task {
            defer { sink.finish() }
            try await server.run { sink.yield($0) }
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await running.value
            throw CancellationError()
        }
        return RunningServer(
            port: port, contract: try Contract(), server: server, running: running)
    }

    /// Runs a server for as long as `body` runs.
    static func run<R>(
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ make: (ServerOptions) throws -> SearchServer, _ body: (RunningServer) async throws -> R
    ) async throws -> R {
        let server = try await start(change, make)
        let result: Result<R, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await server.stop()
        return try result.get()
    }

    /// Ends it: its port answers nobody any more.
    func stop() async throws {
        await server.stop()
        try await running.value
    }

    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let reply = try await TestConnection.open(port: port) { connection in
            try await connection.send(method, target, headers: headers, body: body)
            return try await connection.reply()
        }
        try contract.check(reply, to: method, target)
        return reply
    }

    func get(_ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws
        -> Reply
    {
        try await send("GET", TestServer.target(path, parameters))
    }

    func post(
        _ path: String, _ body: JSON, headers: [String: String] = [:]
    ) async throws -> Reply {
        try await send(
            "POST", path,
            headers: headers.merging(["Content-Type": "application/json"]) { $1 },
            body: body.bytes)
    }
}
