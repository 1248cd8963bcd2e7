// The form in which processes of one version send statistics to each other:
//
//     version, analysis, generation (8 bytes), indexes
//     flags: 1 the steps ended, 2 there is an `enough`; then that number
//     readings: their number, and of each the way (0 best, 1 whole), rounds left, and shared
//     counts: their number and each
//     words: four tables
//     a checksum of all bytes before (8 bytes)
//
// Every number is written to its last bit. JSON is the form for others, and for files.

extension QueryStatistics {
    /// The statistics in a compact form that ``init(bytes:)`` of the same version reads.
    package var bytes: [UInt8] {
        var writer = MessageWriter()
        writer.write(version)
        writer.write(analysis)
        writer.write(word: generation.word)
        writer.write(indexCount)
        writer.write(byte: (isEnded ? 1 : 0) | (enough == nil ? 0 : 2))
        if let enough { writer.write(enough) }
        writer.write(readings.count)
        for reading in readings {
            writer.write(byte: reading.way == .best ? 0 : 1)
            writer.write(reading.roundsLeft)
            reading.shared.write(to: &writer)
        }
        writer.write(counts.count)
        for count in counts { writer.write(count) }
        words.write(to: &writer)
        writer.write(word: writer.bytes.withUnsafeBufferPointer { Checksum.of($0) })
        return writer.bytes
    }

    /// Reads statistics of the same version.
    ///
    /// - Parameter bytes: what ``bytes`` gave.
    /// - Throws: ``TextIndexError`` `.invalidArgument` for anything else.
    package init(bytes: ArraySlice<UInt8>) throws {
        do {
            var reader = MessageReader(bytes)
            let version = try reader.number()
            guard version == Self.currentVersion, bytes.count > 8 else { throw MalformedMessage() }
            var end = MessageReader(bytes.suffix(8))
            let told = bytes.dropLast(8)
            guard
                try end.word() == told.withUnsafeBufferPointer({ Checksum.of($0) })
            else { throw MalformedMessage() }
            reader = MessageReader(told)
            _ = try reader.number()
            self = try Self(reading: &reader)
            guard reader.isAtEnd else { throw MalformedMessage() }
        } catch is MalformedMessage {
            throw TextIndexError(
                .invalidArgument, "These bytes are no statistics of a query, or of another version."
            )
        }
        try check()
    }

    private init(reading reader: inout MessageReader) throws {
        let analysis = try reader.text()
        self.init(analysis: analysis, generation: IndexGeneration(try reader.word()))
        indexCount = try reader.number()
        let flags = try reader.byte()
        guard flags < 4 else { throw MalformedMessage() }
        isEnded = flags & 1 != 0
        enough = flags & 2 == 0 ? nil : try reader.number()
        for _ in 0..<(try reader.count(ofAtLeast: 7)) {
            let way = try reader.byte()
            guard way < 2 else { throw MalformedMessage() }
            let roundsLeft = try reader.number()
            readings.append(
                Reading(
                    way: way == 0 ? .best : .whole,
                    shared: try SharedStatistics(reading: &reader), roundsLeft: roundsLeft))
        }
        for _ in 0..<(try reader.count()) { counts.append(try reader.number()) }
        words = try WordStatistics(reading: &reader)
    }
}

extension WordStatistics {
    func write(to writer: inout MessageWriter) {
        Self.write(frequencies, to: &writer) { $1.write($0) }
        Self.write(parts, to: &writer) { $1.write(byte: $0 ? 1 : 0) }
        for near in [nearTerms, nearParts] {
            Self.write(near, to: &writer) { terms, writer in
                Self.write(terms, to: &writer) { $1.write($0) }
            }
        }
    }

    init(reading reader: inout MessageReader) throws {
        frequencies = try Self.table(&reader) { try $0.number() }
        parts = try Self.table(&reader) { try $0.byte() != 0 }
        nearTerms = try Self.table(&reader) { try Self.table(&$0) { try $0.number() } }
        nearParts = try Self.table(&reader) { try Self.table(&$0) { try $0.number() } }
    }

    /// In the order of the names, so that equal tables have equal bytes.
    private static func write<Value>(
        _ table: [String: Value], to writer: inout MessageWriter,
        _ write: (Value, inout MessageWriter) -> Void
    ) {
        writer.write(table.count)
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            write(value, &writer)
        }
    }

    private static func table<Value>(
        _ reader: inout MessageReader, _ value: (inout MessageReader) throws -> Value
    ) throws -> [String: Value] {
        var table: [String: Value] = [:]
        for _ in 0..<(try reader.count(ofAtLeast: 2)) {
            let name = try reader.text()
            table[name] = try value(&reader)
        }
        return table
    }
}
