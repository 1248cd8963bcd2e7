import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Connections to a node: kept, used again, and given up.
@Suite(.timeLimit(.minutes(10))) struct NodeClientTests {
    /// What a node does with a request.
    private enum Doing: Sendable {
        case answer
        /// With a header that says that the connection ends.
        case answerAndEnd
        /// Ends the connection behind an answer that does not say so.
        case answerAndClose
        case close
        case answerHalf
    }

    /// What a node does with its requests, one after the other, and what it saw.
    private final class Script: Sendable {
        private let state: Mutex<(doings: [Doing], connections: Int, requests: Int)>

        init(_ doings: [Doing]) { state = Mutex((doings, 0, 0)) }

        func noteConnection() { state.withLock { $0.connections += 1 } }

        func next() -> Doing {
            state.withLock { state in
                state.requests += 1
                return state.doings.isEmpty ? .close : state.doings.removeFirst()
            }
        }

        var connections: Int { state.withLock { $0.connections } }
        var requests: Int { state.withLock { $0.requests } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let script: Script

        init(_ script: Script) { self.script = script }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let doing = script.next()
            let channel = context.channel
            if case .close = doing { return channel.close(promise: nil) }
            var headers = HTTPHeaders([("Content-Length", "2")])
            if case .answerAndEnd = doing { headers.add(name: "Connection", value: "close") }
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let body = if case .answerHalf = doing { "o" } else { "ok" }
            context.write(wrapOutboundOut(.body(.byteBuffer(.init(string: body)))), promise: nil)
            if case .answerHalf = doing {
                context.flush()
                return channel.close(promise: nil)
            }
            let written = context.eventLoop.makePromise(of: Void.self)
            if case .answerAndClose = doing {
                written.futureResult.whenComplete { _ in channel.close(promise: nil) }
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        }
    }

    /// Runs `body` with a client of such a node, on one event loop.
    private func use(
        _ doings: [Doing], _ body: @escaping @Sendable (NodeClient, Script) async throws -> Void
    ) async throws {
        let script = Script(doings)
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                script.noteConnection()
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let address = try #require(NodeAddress("http://127.0.0.1:\(port)"))
        let client = NodeClient(address, token: nil, longest: 1_000)
        let result: Result<Void, any Error>
        do {
            try await withTaskExecutorPreference(LoopExecutor(group.any())) {
                try await body(client, script)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await server.close()
        try result.get()
    }

    /// Asks, and expects an answer.
    private func ask(_ client: NodeClient) async throws {
        let reply = try await client.send("/x", [1], until: .now + .seconds(60))
        #expect(reply.status == 200)
        #expect(String(decoding: reply.body, as: UTF8.self) == "ok")
    }

    /// Whether a request fails because the node closed the connection.
    private func isClosed(_ client: NodeClient) async -> Bool {
        do {
            _ = try await client.send("/x", [1], until: .now + .seconds(60))
            return false
        } catch NodeFailure.closed {
            return true
        } catch NodeFailure.malformed {
            // Half of an answer is none.
            return true
        } catch {
            Issue.record("\(error)")
            return false
        }
    }

    /// Waits until so many connections are kept.
    private func wait(_ client: NodeClient, idle count: Int) async throws {
        while client.idleCount != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func aConnectionIsUsedAgain() async throws {
        try await use([.answer, .answer, .answer]) { client, script in
            for _ in 0..<3 { try await ask(client) }
            #expect(script.connections == 1)
            #expect(script.requests == 3)
            #expect(client.idleCount == 1)
        }
    }

    /// Off the threads of event loops, as nodes are asked what they serve: each loop has one
    /// connection at most, however often that is.
    @Test func connectionsAreUsedAgainByOtherThreads() async throws {
        let count = 4 * System.coreCount
        try await use(Array(repeating: .answer, count: count)) { client, script in
            try await Task.detached {
                for _ in 0..<count { try await ask(client) }
            }.value
            #expect(script.connections <= System.coreCount)
            #expect(script.requests == count)
        }
    }

    @Test func aConnectionThatEndsWithItsAnswerIsNotKept() async throws {
        try await use([.answerAndEnd, .answer]) { client, script in
            try await ask(client)
            #expect(client.idleCount == 0)
            try await ask(client)
            #expect(script.connections == 2)
        }
    }

    /// Whoever is asked by another event loop, or not at all, does not hold it for ever.
    @Test func anIdleConnectionThatTheNodeClosesIsForgotten() async throws {
        try await use([.answerAndClose, .answer]) { client, script in
            try await ask(client)
            try await wait(client, idle: 0)
            try await ask(client)
            #expect(script.connections == 2)
            #expect(script.requests == 2)
            #expect(client.idleCount == 1)
        }
    }

    /// It may have been closed as idle just then, so the question is asked once more.
    @Test func aQuestionOnAKeptConnectionIsAskedAgain() async throws {
        try await use([.answer, .close, .answer]) { client, script in
            try await ask(client)
            try await ask(client)
            #expect(script.connections == 2)
            #expect(script.requests == 3)
            #expect(client.idleCount == 1)
        }
    }

    /// A node that was just connected to is not asked again: another one may answer.
    @Test func aNewConnectionThatIsClosedIsAFailure() async throws {
        try await use([.close, .answerHalf, .answer]) { client, script in
            #expect(await isClosed(client))
            #expect(script.requests == 1)
            #expect(await isClosed(client))
            #expect(script.requests == 2)
            #expect(client.idleCount == 0)
            try await ask(client)
        }
    }

    @Test func aNodeThatIsGoneIsUnreachable() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        try await server.close()
        let address = try #require(NodeAddress("http://127.0.0.1:\(port)"))
        let client = NodeClient(address, token: nil, longest: 1_000)
        do {
            _ = try await client.send("/x", nil, until: .now + .seconds(60))
            Issue.record("somebody answers")
        } catch NodeFailure.unreachable {
            #expect(client.idleCount == 0)
        }
    }
}
