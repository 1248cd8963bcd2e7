/// What the index consists of: the one value that makes segments exist.
///
/// Stored form (`m` table, "manifest"): format byte; checksum of the rest; next document; next
/// segment; journal watermark; number of segments, and for each its number, first document,
/// documents, terms, parts of its vocabulary and digest (eight bytes); the same of the segments
/// that a rebuild has written so far; number of segments whose keys are still to be deleted, and
/// these. All varints.
struct Manifest: Sendable, Equatable {
    /// The format that is written.
    ///
    /// 8 has packed positions, and fingerprints in records. What 7 wrote is read as it is: a merge
    /// packs its positions, and its records have no fingerprint until their objects are indexed
    /// again.
    static let format: UInt8 = 8
    /// The oldest format that is read.
    static let oldestFormat: UInt8 = 7
    /// The format of the database as LevelDB knows it, which a database keeps for good.
    static let databaseFormat: UInt32 = 7
    static let key = Key.meta("manifest")

    struct Segment: Sendable, Equatable {
        var number: UInt32
        var firstDocument: UInt32
        var documentCount: Int
        var termCount: Int
        /// Of the vocabulary.
        var partCount: Int
        /// Of all entries under its keys (`v`, `p`, `q`, `s`, `c`).
        var digest: UInt64 = 0

        var documents: Range<UInt32> {
            firstDocument..<(firstDocument + UInt32(documentCount))
        }
    }

    var nextDocument: UInt32 = 0
    var nextSegment: UInt32 = 0
    /// Journal entries of documents below this are part of a segment.
    var watermark: UInt32 = 0
    /// What searches see, in the order of their documents.
    var segments: [Segment] = []
    /// What an unfinished rebuild has written, in the order of their documents: durable, seen by no
    /// search.
    var rebuilt: [Segment] = []
    /// Segments that were replaced, with keys that may still be there.
    var retired: [UInt32] = []

    func encoded() -> [UInt8] {
        var body = Buffer<UInt8>()
        body.appendVarint(UInt64(nextDocument))
        body.appendVarint(UInt64(nextSegment))
        body.appendVarint(UInt64(watermark))
        Self.encode(segments, into: &body)
        Self.encode(rebuilt, into: &body)
        body.appendVarint(retired.count)
        for number in retired { body.appendVarint(UInt64(number)) }
        var output = Buffer<UInt8>()
        output.append(Self.format)
        output.appendLittleEndian(body.withElements { Checksum.of($0) })
        body.withElements { output.append(contentsOf: $0) }
        return output.toArray()
    }

    private static func encode(_ segments: [Segment], into body: inout Buffer<UInt8>) {
        body.appendVarint(segments.count)
        for segment in segments {
            body.appendVarint(UInt64(segment.number))
            body.appendVarint(UInt64(segment.firstDocument))
            body.appendVarint(segment.documentCount)
            body.appendVarint(segment.termCount)
            body.appendVarint(segment.partCount)
            body.appendLittleEndian(segment.digest)
        }
    }

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws {
        var reader = ByteReader(bytes)
        let format = try reader.byte()
        guard format <= Self.format else {
            throw TextIndexError(
                .unsupportedFormat,
                "The index was written by a newer version (format \(format)); use that version.")
        }
        guard format >= Self.oldestFormat else {
            throw TextIndexError(
                .unsupportedFormat,
                "The index was written by an earlier version (format \(format)); make it anew from its objects."
            )
        }
        let checksum = try reader.littleEndian64()
        let rest = UnsafeRawBufferPointer(rebasing: bytes[reader.offset...])
        guard checksum == Checksum.of(rest.bindMemory(to: UInt8.self)) else {
            throw MalformedData()
        }
        nextDocument = try reader.uint32()
        nextSegment = try reader.uint32()
        watermark = try reader.uint32()
        segments = try Self.segments(&reader)
        rebuilt = try Self.segments(&reader)
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            retired.append(try reader.uint32())
        }
    }

    private static func segments(_ reader: inout ByteReader) throws(MalformedData) -> [Segment] {
        var segments: [Segment] = []
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let segment = Segment(
                number: try reader.uint32(), firstDocument: try reader.uint32(),
                documentCount: try reader.varint(atMost: Int(UInt32.max)),
                termCount: try reader.varint(atMost: Int(UInt32.max)),
                partCount: try reader.varint(atMost: Int(UInt32.max)),
                digest: try reader.littleEndian64())
            guard Int(segment.firstDocument) + segment.documentCount <= Int(UInt32.max) else {
                throw MalformedData()
            }
            segments.append(segment)
        }
        return segments
    }
}
