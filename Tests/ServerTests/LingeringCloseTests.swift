import NIOCore
import NIOEmbedded
import Testing

@testable import TextIndexServer

/// Requests that are refused while their bodies still come: their clients read the answer.
@Suite(.timeLimit(.minutes(30))) struct LingeringCloseTests {
    private static let notes = [
        Note(identifier: "1", title: "duck", body: "", cuisine: "", minutes: 0, shelf: "")
    ]

    /// However slow the machine is, the time is not over.
    private static func patient(_ options: inout ServerOptions) {
        options.limits.lingerTime = .seconds(3600)
    }

    // MARK: Over connections

    /// The client sends all of a body that no socket holds, and reads only then.
    @Test func answersAreReadAfterTheBody() async throws {
        let json = ["Content-Type": "application/json"]
        let body = [UInt8](repeating: 0x20, count: 12 << 20)
        try await TestServer.run(Self.notes, Self.patient) { server in
            for (method, target, headers, status) in [
                ("POST", "/v1/search", json, 413), ("POST", "/v1/search", [:], 415),
                ("POST", "/v1/search?q=a", json, 400), ("POST", "/nothing", json, 404),
                ("PUT", "/v1/search", json, 405), ("GET", "/v1/status", [:], 400),
                ("POST", "/v1/search", ["Host": "evil.example"], 421),
            ] as [(String, String, [String: String], Int)] {
                let reply = try await Self.reply(
                    of: server, TestConnection.request(method, target, headers: headers, body: body)
                )
                #expect(reply.status == status, "\(method) \(target)")
                #expect(reply.headers["connection"] == "close")
                try server.contract.check(reply, to: method, target)
            }
        }
    }

    @Test func whoIsRefusedForOtherReasonsReadsWhy() async throws {
        let body = [UInt8](repeating: 0x20, count: 12 << 20)
        let post = TestConnection.request(
            "POST", "/v1/search", headers: ["Content-Type": "application/json"], body: body)
        try await TestServer.run(Self.notes) {
            $0.token = BearerToken("0123456789abcdef")
            // Next to nothing comes back in the time of a test.
            $0.limits.rate = 0.001
            Self.patient(&$0)
        } _: { server in
            for status in [401, 429] {
                let reply = try await Self.reply(of: server, post)
                #expect(reply.status == status)
            }
        }
    }

    /// A head that is too long is refused by the reader of heads, which stops reading then.
    @Test func answersAreReadAfterALongHead() async throws {
        let name = String(repeating: "a", count: 12 << 20)
        try await TestServer.run(Self.notes, Self.patient) { server in
            let reply = try await Self.reply(
                of: server, TestConnection.request("GET", "/health", headers: ["X-A": name]))
            #expect(reply.status == 400)
        }
    }

    /// What comes behind a refused body is not taken for a request.
    @Test func nothingIsAnsweredAfterwards() async throws {
        let refused = TestConnection.request("POST", "/v1/search", body: Array("{}".utf8))
        let next = TestConnection.request("GET", "/health")
        try await TestServer.run(Self.notes, Self.patient) { server in
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send(refused + next)
                #expect(try await connection.reply().status == 415)
                #expect(try await connection.isEnded())
            }
        }
    }

    private static func reply(of server: TestServer, _ request: [UInt8]) async throws -> Reply {
        try await TestConnection.open(port: server.port, readsAtOnce: false) { connection in
            try await connection.sendAll(request)
            try await connection.startReading()
            let reply = try await connection.reply()
            #expect(try await connection.isEnded())
            return reply
        }
    }

    // MARK: Bounds

    /// Notes how a channel is closed, and what comes through to it.
    private final class Recorder: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer

        var closes: [CloseMode] = []
        var byteCount = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            byteCount += unwrapInboundIn(data).readableBytes
        }

        func close(
            context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
        ) {
            closes.append(mode)
            // The channel of a test knows no halves.
            if mode == .all { context.close(mode: mode, promise: promise) }
        }
    }

    private func channel(
        _ recorder: Recorder, time: TimeAmount = .seconds(5), length: Int = 100
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: recorder)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 7))
        LingeringClose.begin(on: channel, time: time, length: length)
        channel.embeddedEventLoop.run()
        return channel
    }

    @Test func whatComesIsThrownAwayUntilTheClientCloses() throws {
        let recorder = Recorder()
        let channel = try channel(recorder)
        LingeringClose.begin(on: channel, time: .seconds(5), length: 0)
        channel.embeddedEventLoop.run()
        #expect(recorder.closes == [.output])
        for _ in 0..<10 { try channel.writeInbound(ByteBuffer(repeating: 1, count: 10)) }
        #expect(channel.isActive)
        // Only what came before.
        #expect(recorder.byteCount == 7)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }

    @Test func bytesAreBounded() throws {
        let channel = try channel(Recorder())
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 100))
        #expect(channel.isActive)
        try channel.writeInbound(ByteBuffer(repeating: 1, count: 1))
        #expect(!channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }

    @Test func timeIsBounded() throws {
        let channel = try channel(Recorder())
        for _ in 0..<4 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(repeating: 1, count: 1))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(try channel.finish(acceptAlreadyClosed: true).isClean)
    }

    /// A channel that is closed already stays so.
    @Test func closedChannels() throws {
        let recorder = Recorder()
        let channel = EmbeddedChannel(handler: recorder)
        LingeringClose.begin(on: channel, time: .seconds(1), length: 1)
        channel.embeddedEventLoop.run()
        #expect(recorder.closes.isEmpty)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
