/// The tables of the key space. The byte of one begins its keys; those of segments lie together,
/// segment by segment, and the byte of the table comes behind the segment's number.
///
/// Stored; never renumber.
enum Table: UInt8, CaseIterable, Sendable {
    /// name → format version, settings, manifest.
    case meta = 0x6d  // m
    /// identifier, document → nothing. Many documents of one identifier may be named; one at most
    /// is alive.
    case identifiers = 0x69  // i
    /// document → object record.
    case objects = 0x6f  // o
    /// document → its strings, until the next flush.
    case journal = 0x6a  // j
    /// document → nothing: a tombstone.
    case tombstones = 0x64  // d
    /// query → the objects that were chosen for it.
    case engagements = 0x65  // e
    /// identifier → the queries that the object was chosen for.
    case engagedObjects = 0x67  // g
    /// Of a segment: column, page → values of neighbouring documents.
    case columns = 0x63  // c
    /// Of a segment: term → postings chunk.
    case postings = 0x70  // p
    /// Of a segment: term, page → positions, where the postings chunk does not hold them; the first
    /// page has no number.
    case positions = 0x71  // q
    /// Of a segment: language, stem → the terms that have the stem.
    case stems = 0x73  // s
    /// Of a segment: part → sorted terms.
    case vocabulary = 0x76  // v

    /// What the keys of all segments begin with; behind it comes the segment's number. No table
    /// that is of no segment comes behind it.
    static let segments: UInt8 = 0x73  // s

    /// The tables of segments, in the order of their keys.
    static let ofSegments = [Table.columns, .postings, .positions, .stems, .vocabulary]

    /// The other tables, in the order of their keys.
    static let besideSegments = [
        Table.tombstones, .engagements, .engagedObjects, .identifiers, .journal, .meta, .objects,
    ]

    var isOfSegments: Bool { Table.ofSegments.contains(self) }
}

/// Writes keys of the key space into a reused buffer. Integers are big-endian, so byte order is
/// number order.
enum Key {
    static func document(_ table: Table, _ document: UInt32, into key: inout Buffer<UInt8>) {
        key.removeAll()
        key.append(table.rawValue)
        key.appendBigEndian(document)
    }

    static func document(_ table: Table, _ document: UInt32) -> [UInt8] {
        var key = Buffer<UInt8>(capacity: 8)
        self.document(table, document, into: &key)
        return key.toArray()
    }

    /// The range of all documents of an identifier, less the document itself.
    static func identifier(
        _ identifier: UnsafeBufferPointer<UInt8>, into key: inout Buffer<UInt8>
    ) {
        key.removeAll()
        key.append(Table.identifiers.rawValue)
        key.append(UInt8(truncatingIfNeeded: identifier.count >> 8))
        key.append(UInt8(truncatingIfNeeded: identifier.count))
        key.append(contentsOf: identifier)
    }

    /// The identifier in a key of `identifiers`; nil where there is none.
    static func identifier(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard key.count >= 8, Int(key[1]) << 8 | Int(key[2]) == key.count - 7 else { return nil }
        return UnsafeRawBufferPointer(rebasing: key.dropFirst(3).dropLast(4))
    }

    /// Comes after all identifiers and is always there: what looks for the last ones would
    /// otherwise walk over the deleted keys of the journal, the next table, of which there can be
    /// any number.
    static let identifiersEnd: [UInt8] = [Table.identifiers.rawValue, 0xff, 0xff]

    /// How many bytes come before what a table of segments says of its own.
    static let segmentPrefixLength = 6

    /// What all keys of a segment begin with. Its tables lie together, so that what one flush or
    /// merge writes is one run of keys, which LevelDB need not write again for the sake of others.
    static func segment(_ segment: UInt32, into key: inout Buffer<UInt8>) {
        key.removeAll()
        key.append(Table.segments)
        key.appendBigEndian(segment)
    }

    /// What all keys of a segment in a table begin with.
    static func segment(_ table: Table, _ segment: UInt32, into key: inout Buffer<UInt8>) {
        self.segment(segment, into: &key)
        key.append(table.rawValue)
    }

    /// The segment in a key of a segment's table; nil where there is none.
    static func segment(of key: UnsafeRawBufferPointer) -> UInt32? {
        guard key.first == Table.segments, key.count >= segmentPrefixLength else { return nil }
        return UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    }

    static func term(
        _ table: Table, _ term: UnsafeBufferPointer<UInt8>, segment: UInt32,
        into key: inout Buffer<UInt8>
    ) {
        self.segment(table, segment, into: &key)
        key.append(contentsOf: term)
        key.append(0)
    }

    static func positions(
        _ term: UnsafeBufferPointer<UInt8>, segment: UInt32, page: Int,
        into key: inout Buffer<UInt8>
    ) {
        self.term(.positions, term, segment: segment, into: &key)
        if page > 0 { key.appendBigEndian(UInt32(truncatingIfNeeded: page)) }
    }

    static func part(
        _ table: Table, segment: UInt32, part: UInt32, into key: inout Buffer<UInt8>
    ) {
        self.segment(table, segment, into: &key)
        key.appendBigEndian(part)
    }

    static func stem(
        segment: UInt32, _ stem: ArraySlice<UInt8>, into key: inout Buffer<UInt8>
    ) {
        self.segment(.stems, segment, into: &key)
        stem.withUnsafeBufferPointer { key.append(contentsOf: $0) }
    }

    static func column(
        segment: UInt32, column: UInt8, page: UInt32, into key: inout Buffer<UInt8>
    ) {
        self.segment(.columns, segment, into: &key)
        key.append(column)
        key.appendBigEndian(page)
    }

    static func meta(_ name: String) -> [UInt8] { [Table.meta.rawValue] + Array(name.utf8) }

    /// The number in the last four bytes of a key.
    @inline(__always)
    static func lastNumber(_ key: UnsafeRawBufferPointer) throws(MalformedData) -> UInt32 {
        guard key.count >= 5 else { throw MalformedData() }
        return UInt32(
            bigEndian: key.loadUnaligned(fromByteOffset: key.count - 4, as: UInt32.self))
    }
}
