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
/// Answers are in ``StatisticsReply`` and ``ShardReply``. Problems are answered in JSON.
enum ShardMessage {
    /// The media type.
    static let type = "application/vnd.textindex.shard"
    /// No byte of UTF-8.
    private static let mark: UInt8 = 0xF5
    /// Increased with every change of what is written, and of the rounds in which a text is
    /// searched. Nodes name it with their shards.
    static let version: UInt8 = 5

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

/// What shards know of a query, as their node answers it: the statistics alone.
enum StatisticsReply {
    static func bytes(_ statistics: QueryStatistics) -> [UInt8] {
        var writer = ShardMessage.writer()
        writer.write(rest: statistics.bytes)
        return writer.bytes
    }

    /// Nil for what is no answer of a node.
    static func read(_ body: [UInt8]) -> QueryStatistics? {
        guard let reader = try? ShardMessage.reader(body) else { return nil }
        return try? QueryStatistics(bytes: reader.rest)
    }
}
