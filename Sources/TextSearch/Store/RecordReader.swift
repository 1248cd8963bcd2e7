/// Reads object records, or what they begin with.
struct RecordReader: ~Copyable {
    private let store: IndexStore
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// The record of a document that a snapshot names: it must be there.
    mutating func record(of document: UInt32) throws -> ObjectRecord {
        Key.document(.objects, document, into: &key)
        return try Self.found(store.withValue(key, .objects) { try ObjectRecord($0) }, document)
    }

    /// What the record of a document begins with: there may be millions of places of words after
    /// it.
    mutating func head(of document: UInt32) throws -> RecordHead {
        Key.document(.objects, document, into: &key)
        return try Self.found(store.withValue(key, .objects) { try RecordHead($0) }, document)
    }

    /// The fingerprint of what its object says of itself; nil in a record of an earlier version.
    mutating func fingerprint(of document: UInt32) throws -> UInt64? {
        Key.document(.objects, document, into: &key)
        return try Self.found(
            store.withValue(key, .objects) { bytes in
                var reader = ByteReader(bytes)
                return try ObjectRecord.begin(&reader)
            }, document
        ).fingerprint
    }

    private static func found<Record>(_ record: Record?, _ document: UInt32) throws -> Record {
        guard let record else {
            throw TextIndexError.corrupted("the record of document \(document)")
        }
        return record
    }
}
