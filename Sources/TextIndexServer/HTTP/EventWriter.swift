import HummingbirdCore
import NIOCore

/// Writes Server-Sent Events. A client that reads slowly is waited for.
struct EventWriter {
    private var writer: any ResponseBodyWriter
    private let connection: ClientConnection
    private var number = 0

    init(_ writer: any ResponseBodyWriter, _ connection: ClientConnection) {
        self.writer = writer
        self.connection = connection
    }

    /// Sends an event with one line of JSON.
    mutating func send(_ name: String, _ json: JSON) async throws {
        number += 1
        try await write("event: \(name)\nid: \(number)\ndata: ", json.bytes, "\n\n")
    }

    /// Sends what clients pass over, so that both sides find out when the other is gone.
    mutating func beat() async throws { try await write(": \n\n") }

    private mutating func write(
        _ start: String, _ bytes: [UInt8] = [], _ end: String = ""
    ) async throws {
        var buffer = ByteBuffer()
        buffer.writeString(start)
        buffer.writeBytes(bytes)
        buffer.writeString(end)
        connection.beginWriting()
        defer { connection.endWriting() }
        try await writer.write(buffer)
    }

    consuming func finish() async throws { try await writer.finish(nil) }
}
