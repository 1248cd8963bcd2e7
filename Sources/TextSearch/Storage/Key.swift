/// The tables of the key space, by the first byte of their keys.
///
/// Stored; never renumber.
enum Table: UInt8, CaseIterable, Sendable {
    /// name → format version, settings, manifest.
    case meta = 0x6d  // m
    /// identifier, document → nothing. Many documents of one identifier may be named; one at most is alive.
    case identifiers = 0x69  // i
    /// document → object record.
    case objects = 0x6f  // o
    /// document → its strings, until the next flush.
    case journal = 0x6a  // j
    /// segment, term → postings chunk.
    case postings = 0x70  // p
    /// segment, term, page → positions, where the postings chunk does not hold them; the first page has no number.
    case positions = 0x71  // q
    /// segment, part → sorted terms.
    case vocabulary = 0x76  // v
    /// segment, language, stem → the terms that have the stem.
    case stems = 0x73  // s
    /// segment, column, page → values of neighbouring documents.
    case columns = 0x63  // c
    /// document → nothing: a tombstone.
    case tombstones = 0x64  // d
    /// query → the objects that were chosen for it.
    case engagements = 0x65  // e
    /// identifier → the queries that the object was chosen for.
    case engagedObjects = 0x67  // g
}

/// Writes keys of the key space into a reused buffer. Integers are big-endian, so byte order is number order.
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

    /// Comes after all identifiers and is always there: what looks for the last ones would otherwise walk over the deleted keys of
    /// the journal, the next table, of which there can be any number.
    static let identifiersEnd: [UInt8] = [Table.identifiers.rawValue, 0xff, 0xff]

    /// What all keys of a segment in a table begin with.
    static func segment(_ table: Table, _ segment: UInt32, into key: inout Buffer<UInt8>) {
        key.removeAll()
        key.append(table.rawValue)
        key.appendBigEndian(segment)
    }

    /// The segment comes first, so that what one flush or merge writes is one run of keys, which LevelDB moves as it is.
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

extension Buffer where Element == UInt8 {
    @inline(__always)
    borrowing func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withElements { (elements) throws(E) in try body(UnsafeRawBufferPointer(elements)) }
    }
}
