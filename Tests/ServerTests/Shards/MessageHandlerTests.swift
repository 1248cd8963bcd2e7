import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Messages between servers: answered in their order, and only where they are allowed.
@Suite(.timeLimit(.minutes(10))) struct MessageHandlerTests {
    private static let path = "/v1/shard/search"

    /// A service of which only the options matter.
    private struct Stub: AnsweringService {
        var options = ServerOptions()
        let metrics = ServerMetrics()
        let gate = SearchGate(ServerLimits())
        var routes: [Route] { [] }

        func tick() async -> [String] { [] }
        func close() async throws {}
    }

    /// What was begun, to be answered by the test.
    private final class Begun: Sendable {
        private let all = Mutex<[(body: [UInt8], done: MessageAnswers.Done)]>([])
        let cancelled = Mutex(0)

        var answers: MessageAnswers {
            MessageAnswers(paths: [path]) { exchange, done in
                self.all.withLock { $0.append((exchange.body, done)) }
                return { self.cancelled.withLock { $0 += 1 } }
            }
        }

        var bodies: [[UInt8]] { all.withLock { $0.map(\.body) } }

        func finish(_ place: Int, _ result: Result<Answer, any Error>) {
            all.withLock { $0[place].done }(result)
        }
    }

    private func answer(_ text: String) -> Answer {
        Answer(type: ShardMessage.type, bytes: Array(text.utf8))
    }

    private func channel(
        _ begun: Begun, _ change: (inout ServerOptions) -> Void = { _ in }
    ) throws -> EmbeddedChannel {
        var stub = Stub()
        change(&stub.options)
        let channel = EmbeddedChannel(
            handler: MessageHandler(
                begun.answers, stub, HostNames(stub.options), ClientConnections()))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func head(
        _ headers: [(String, String)] = [], _ method: HTTPMethod = .POST, _ uri: String = path,
        length: Int = 1
    ) -> HTTPServerRequestPart {
        var all = HTTPHeaders([
            ("Host", "localhost"), ("Content-Type", ShardMessage.type),
            ("Content-Length", "\(length)"),
        ])
        for (name, value) in headers { all.replaceOrAdd(name: name, value: value) }
        return .head(.init(version: .http1_1, method: method, uri: uri, headers: all))
    }

    private func send(_ body: UInt8, to channel: EmbeddedChannel) throws {
        try channel.writeInbound(head())
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(bytes: [body])))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func sendOther(to channel: EmbeddedChannel) throws {
        try channel.writeInbound(head([("Content-Length", "0")], .GET, "/health"))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    /// The bodies that were written, or the status where there is none.
    private func written(_ channel: EmbeddedChannel) throws -> [String] {
        channel.embeddedEventLoop.run()
        var all: [String] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            switch part {
            case .head(let head): all.append("\(head.status.code)")
            case .body(.byteBuffer(let buffer)): all[all.count - 1] = String(buffer: buffer)
            default: break
            }
        }
        return all
    }

    private func passed(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head = part { count += 1 }
        }
        return count
    }

    private func answerOther(_ channel: EmbeddedChannel) throws {
        try channel.writeOutbound(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: .noContent)))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    @Test func answersComeInTheOrderOfTheRequests() throws {
        let begun = Begun()
        let channel = try channel(begun)
        try send(1, to: channel)
        try send(2, to: channel)
        try sendOther(to: channel)
        try send(3, to: channel)
        #expect(begun.bodies == [[1]])
        begun.finish(0, .success(answer("a")))
        #expect(try written(channel) == ["a"])
        #expect(begun.bodies == [[1], [2]])
        #expect(try passed(channel) == 0)
        begun.finish(1, .failure(Problem.outOfTime))
        #expect(try written(channel).first?.contains("out-of-time") == true)
        // The message behind the other request waits for its answer.
        #expect(try passed(channel) == 1)
        #expect(begun.bodies == [[1], [2]])
        try answerOther(channel)
        #expect(try written(channel) == ["204"])
        #expect(begun.bodies == [[1], [2], [3]])
        begun.finish(2, .success(answer("c")))
        #expect(try written(channel) == ["c"])
        #expect(try channel.finish().isClean)
    }

    /// What says what is wrong is behind it.
    @Test func onlyWhatIsAllowedIsAnswered() throws {
        let token = "0123456789abcdef"
        let refused: [[(String, String)]] = [
            [], [("Authorization", "Bearer 0123456789abcdeg")], [("Host", "elsewhere")],
            [("Content-Type", "application/json")], [("Content-Length", "x")],
            [("Content-Length", "2000000")], [("Transfer-Encoding", "chunked")],
            [("Origin", "http://localhost")], [("Sec-Fetch-Site", "same-site")],
            [("Expect", "100-continue")], [("Connection", "close")],
        ]
        let right = ("Authorization", "Bearer \(token)")
        for (number, headers) in refused.enumerated() {
            let begun = Begun()
            let channel = try channel(begun) { $0.token = BearerToken(token) }
            try channel.writeInbound(head(number < 2 ? headers : [right] + headers))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            #expect(try passed(channel) == 1, "\(headers)")
            #expect(begun.bodies.isEmpty)
            _ = try channel.finish()
        }
        let begun = Begun()
        let channel = try channel(begun) { $0.token = BearerToken(token) }
        try channel.writeInbound(head([right], .POST, Self.path + "?a"))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(try passed(channel) == 1)
        try answerOther(channel)
        try channel.writeInbound(head([right]))
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(bytes: [7])))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(begun.bodies == [[7]])
        begun.finish(0, .success(answer("a")))
        #expect(try written(channel) == ["204", "a"])
        #expect(try channel.finish().isClean)
    }

    @Test func aSearchEndsWithItsClient() throws {
        for closes in [true, false] {
            let begun = Begun()
            let channel = try channel(begun)
            try send(1, to: channel)
            #expect(begun.cancelled.withLock { $0 } == 0)
            if closes {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            } else {
                channel.pipeline.fireChannelInactive()
            }
            #expect(begun.cancelled.withLock { $0 } == 1)
            begun.finish(0, .failure(CancellationError()))
            #expect(try written(channel).isEmpty)
            #expect(!channel.isActive)
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    /// Whoever closes the connection does not know of the message that is answered.
    @Test func anAnswerIsWrittenBeforeTheConnectionIsClosed() throws {
        let begun = Begun()
        let channel = try channel(begun)
        try send(1, to: channel)
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        #expect(channel.isActive)
        begun.finish(0, .success(answer("a")))
        #expect(try written(channel) == ["a"])
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func aBodyThatDoesNotComeIsNotWaitedFor() throws {
        let begun = Begun()
        let channel = try channel(begun) { $0.limits.time = .seconds(5) }
        try channel.writeInbound(head(length: 2))
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(bytes: [1])))
        channel.pipeline.fireChannelReadComplete()
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
        #expect(begun.bodies.isEmpty)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// A connection with a message that is not answered yet is not idle, however long that takes.
    @Test func onlyIdleConnectionsAreClosed() throws {
        let (begun, stub, connections) = (Begun(), Stub(), ClientConnections())
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        let messages = MessageHandler(begun.answers, stub, HostNames(stub.options), connections)
        try pipeline.addHandler(ConnectionHandler(connections, stub.limits, messages: messages))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        func closeIdle() {
            connections.closeStalled(
                after: .seconds(10), idle: .seconds(10), at: .now + .seconds(3_600))
        }
        let request = TestConnection.request(
            "POST", Self.path, headers: ["Content-Type": ShardMessage.type], body: [7])
        for number in 0..<2 {
            try channel.writeInbound(ByteBuffer(bytes: request))
            #expect(begun.bodies.count == number + 1)
            closeIdle()
            #expect(channel.isActive)
            begun.finish(number, .success(answer("a")))
            channel.embeddedEventLoop.run()
            var text = ""
            while var part = try channel.readOutbound(as: ByteBuffer.self) {
                text += part.readString(length: part.readableBytes) ?? ""
            }
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.hasSuffix("a"))
        }
        closeIdle()
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    // MARK: A node

    /// On one connection, with other requests in between, and in pieces.
    @Test func aNodeAnswersMessagesAndOtherRequests() async throws {
        var generator = SeededGenerator(seed: 6)
        let notes = (0..<30).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            try await RunningServer.run(
                { _ in }, { try SearchServer(set: shards.source(), options: $0) }
            ) { node in
                let asked = Array("{\"q\":\"duck\",\"limit\":3}".utf8)
                let message = ShardMessage.Request(
                    deadline: 3_600_000, generation: "g1", shards: "0-1", asked: asked[...]
                ).bytes
                let type = ["Content-Type": ShardMessage.type]
                let request = TestConnection.request(
                    "POST", "/v1/shard/statistics", headers: type, body: message)
                let other = TestConnection.request("GET", "/v1/shards")
                try await TestConnection.open(port: node.port) { connection in
                    try await connection.sendAll(request + other + request + request + other)
                    for isMessage in [true, false, true, true, false] {
                        let reply = try await connection.reply()
                        #expect(reply.status == 200)
                        #expect((StatisticsReply(reply.body) != nil) == isMessage)
                        #expect(try isMessage || reply.json()["sets"] != nil)
                    }
                    for start in stride(from: 0, to: request.count, by: 40) {
                        try await connection.sendAll(Array(request[start...].prefix(40)))
                    }
                    #expect(StatisticsReply(try await connection.reply().body) != nil)
                }
                var wrong = ShardMessage.Request(
                    deadline: 3_600_000, generation: "g2", shards: "0-1", asked: asked[...])
                let cases: [(ShardMessage.Request, Int)] = [
                    (wrong, 409),
                    {
                        wrong.generation = "g1"
                        wrong.shards = "7"
                        return (wrong, 404)
                    }(),
                    {
                        wrong.shards = "0-1"
                        wrong.deadline = 0
                        return (wrong, 400)
                    }(),
                ]
                var newer = wrong
                newer.deadline = 1_000
                var bytes = newer.bytes
                bytes[1] += 1
                try await TestConnection.open(port: node.port) { [bytes] connection in
                    try await connection.send(
                        "POST", "/v1/shard/statistics", headers: type, body: bytes)
                    let reply = try await connection.reply()
                    #expect(reply.status == 415)
                    #expect(try reply.json()["code"]?.text == "unsupported-media-type")
                }
                for (message, status) in cases {
                    try await TestConnection.open(port: node.port) { connection in
                        try await connection.send(
                            "POST", "/v1/shard/statistics", headers: type, body: message.bytes)
                        let reply = try await connection.reply()
                        #expect(reply.status == status, "\(reply.text)")
                        #expect(reply.headers["content-type"] == "application/problem+json")
                    }
                }
            }
        }
    }
}
