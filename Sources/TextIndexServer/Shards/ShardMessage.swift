import TextSearch

/// How servers of one version talk to nodes: a compact form of what clients ask and are answered in
/// JSON. It begins with a byte that no text has.
///
/// A request is, behind the two bytes of the form:
///
///     deadline in milliseconds, generation, shards
///     what is asked, and what is shown: objects of JSON (the second may be empty)
///     statistics: what is left, none in the first round
///
/// What is shown is named in the first round, too, where hits may be found in it.
///
/// Answers are in ``StatisticsReply`` and ``ShardReply``. Problems are answered in JSON.
enum ShardMessage {
    /// The media type.
    static let type = "application/vnd.textindex.shard"
    /// No byte of UTF-8.
    private static let mark: UInt8 = 0xF5
    /// Increased with every change of what is written, and of the rounds in which a text is
    /// searched. Nodes name it with their shards.
    static let version: UInt8 = 7

    static func isOne(_ bytes: some Collection<UInt8>) -> Bool { bytes.first == mark }

    /// A writer that has written what every message begins with.
    static func writer(capacity: Int = 256) -> MessageWriter {
        var writer = MessageWriter(capacity: capacity)
        writer.write(byte: mark)
        writer.write(byte: version)
        return writer
    }

    /// A reader behind what every message begins with.
    static func reader(_ bytes: [UInt8]) throws(MalformedMessage) -> MessageReader {
        var reader = MessageReader(bytes[...])
        guard try reader.byte() == mark, try reader.byte() == version else {
            throw MalformedMessage()
        }
        return reader
    }

    /// What a node is asked.
    struct Request {
        var deadline: Int
        var generation: String
        var shards: String
        var asked: ArraySlice<UInt8>
        var shown: ArraySlice<UInt8> = []
        var statistics: ArraySlice<UInt8> = []

        var bytes: [UInt8] {
            var writer = ShardMessage.writer(
                capacity: 128 + asked.count + shown.count + statistics.count)
            writer.write(deadline)
            writer.write(generation)
            writer.write(shards)
            writer.write(asked)
            writer.write(shown)
            writer.write(rest: statistics)
            return writer.bytes
        }
    }
}

extension ShardMessage.Request {
    init(_ bytes: [UInt8]) throws(MalformedMessage) {
        var reader = try ShardMessage.reader(bytes)
        deadline = try reader.number()
        generation = try reader.text()
        shards = try reader.text()
        asked = try reader.slice()
        shown = try reader.slice()
        statistics = reader.rest
    }
}

/// What shards know of a query, as their node answers it; and what they found by the sums that the
/// node expected of that, where it did.
///
///     statistics
///     those of the next round, for when no node found anything: empty where they are not told
///     what was found: how often, and each time the expected sums and a ``ShardReply``
struct StatisticsReply: Sendable {
    /// What was found by some sums.
    struct Early: Sendable {
        /// The bytes of ``QueryStatistics/essence``.
        let sums: [UInt8]
        let reply: ShardReply
    }

    let statistics: QueryStatistics
    let next: QueryStatistics?
    let early: [Early]

    static func bytes(
        _ statistics: QueryStatistics, next: QueryStatistics? = nil,
        early: [(sums: QueryStatistics, reply: [UInt8])] = []
    ) -> [UInt8] {
        var writer = ShardMessage.writer(capacity: early.reduce(512) { $0 + $1.reply.count })
        writer.write(statistics.bytes)
        writer.write(next?.bytes ?? [])
        writer.write(early.count)
        for (sums, reply) in early {
            writer.write(sums.bytes)
            writer.write(reply)
        }
        return writer.bytes
    }

    /// Nil for what is no answer of a node.
    init?(_ body: [UInt8]) {
        do { try self.init(reading: body) } catch { return nil }
    }

    private init(reading body: [UInt8]) throws {
        var reader = try ShardMessage.reader(body)
        statistics = try QueryStatistics(bytes: try reader.slice())
        let next = try reader.slice()
        self.next = next.isEmpty ? nil : try QueryStatistics(bytes: next)
        var early: [Early] = []
        for _ in 0..<(try reader.count(ofAtLeast: 2)) {
            let sums = Array(try reader.slice())
            guard let reply = ShardReply(Array(try reader.slice())) else {
                throw MalformedMessage()
            }
            early.append(Early(sums: sums, reply: reply))
        }
        self.early = early
        guard reader.isAtEnd else { throw MalformedMessage() }
    }
}
