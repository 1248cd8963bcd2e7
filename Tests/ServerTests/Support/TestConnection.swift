import Foundation
import NIOCore
import NIOPosix

@testable import TextIndexServer

/// An answer as it came over the wire.
struct Reply: Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> JSON { try JSON(reading: body) }
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(body))
    }
}

/// A client that sends what a test says, byte for byte, and reads answers.
struct TestConnection {
    /// The connection breaks off.
    struct Ended: Error {}
    /// A stream comes to its end in order.
    struct Finished: Error {}

    private var reader: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var buffer: [UInt8] = []
    let channel: any Channel

    /// Connects for as long as `body` runs, from an address of this machine. A client that does not
    /// read at once does when ``startReading()`` is called.
    static func open<R>(
        port: Int, from address: String = "127.0.0.1", readsAtOnce: Bool = true,
        _ body: (inout TestConnection) async throws -> R
    ) async throws -> R {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: try SocketAddress(ipAddress: address, port: 0))
            .channelOption(.autoRead, value: readsAtOnce)
            // Who still writes does not stop because the server is done.
            .channelOption(.allowRemoteHalfClosure, value: !readsAtOnce)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = TestConnection(
                reader: inbound.makeAsyncIterator(), writer: outbound, channel: channel.channel)
            return try await body(&connection)
        }
    }

    func send(_ bytes: [UInt8]) async throws { try await writer.write(ByteBuffer(bytes: bytes)) }

    /// Sends bytes, and returns when the system has taken the last of them.
    func sendAll(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func startReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    /// Sends a request.
    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) async throws {
        try await send(Self.request(method, target, headers: headers, body: body))
    }

    /// The bytes of a request.
    static func request(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1"]
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "localhost" }
        if !body.isEmpty { headers["Content-Length"] = "\(body.count)" }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            lines.append("\(name): \(value)")
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// Reads an answer.
    mutating func reply(hasBody: Bool = true) async throws -> Reply {
        var reply = try await head()
        guard hasBody else { return reply }
        if let length = reply.headers["content-length"].flatMap({ Int($0) }) {
            while buffer.count < length { try await readMore() }
            reply.body = Array(buffer.prefix(length))
            buffer.removeFirst(length)
        }
        return reply
    }

    /// Reads the lines before a body.
    mutating func head() async throws -> Reply {
        let lines = try await read(upTo: "\r\n\r\n").split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        return Reply(status: status ?? 0, headers: headers, body: [])
    }

    /// Reads the data of the next event of a stream that comes in chunks.
    mutating func event() async throws -> JSON {
        try JSON(reading: Array(try await eventText().utf8))
    }

    /// The same as it was written.
    mutating func eventText() async throws -> String {
        while true {
            guard let size = Int(try await read(upTo: "\r\n"), radix: 16), size > 0 else {
                throw Finished()
            }
            while buffer.count < size + 2 { try await readMore() }
            let chunk = String(decoding: buffer.prefix(size), as: UTF8.self)
            buffer.removeFirst(size + 2)
            guard let data = chunk.split(separator: "\n").first(where: { $0.hasPrefix("data: ") })
            else { continue }
            return String(data.dropFirst(6))
        }
    }

    /// Whether the other side has closed the connection, and sends nothing before.
    mutating func isEnded() async throws -> Bool { try await reader.next() == nil }

    private mutating func read(upTo end: String) async throws -> String {
        let end = Array(end.utf8)
        while true {
            if let place = buffer.indices.first(where: { buffer[$0...].starts(with: end) }) {
                defer { buffer.removeFirst(place + end.count) }
                return String(decoding: buffer[..<place], as: UTF8.self)
            }
            try await readMore()
        }
    }

    private mutating func readMore() async throws {
        guard let more = try await reader.next() else { throw Ended() }
        buffer += more.readableBytesView
    }
}
