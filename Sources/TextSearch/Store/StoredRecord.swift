import Foundation

/// What the index keeps of one document, with the places of its words as they are stored.
///
/// **Thread safety**: immutable.
final class StoredRecord: Sendable {
    let head: RecordHead
    private let bytes: [UInt8]

    init(_ stored: UnsafeRawBufferPointer) throws(MalformedData) {
        head = try RecordHead(stored)
        bytes = Array(stored)
    }

    /// The record with where its words are.
    func record() throws -> ObjectRecord {
        try IndexStore.translating(.objects) { try ObjectRecord(bytes, head: head) }
    }

    /// Of memory, but for what is written in context and attributes.
    var byteCount: Int { bytes.count + 160 }
}

extension IndexStore {
    /// The record of a document that a snapshot names, kept for a while in `recent`, which are
    /// `recentRecords`: who asks for many looks those up once.
    ///
    /// Complexity: as a look-up in a hash table where it was asked for of late.
    func record(
        of document: UInt32, _ recent: RecentCache<UInt32, StoredRecord>
    ) throws -> StoredRecord {
        if let known = recent.value(for: document) { return known }
        var key = Buffer<UInt8>(capacity: 8)
        Key.document(.objects, document, into: &key)
        guard let record = try withValue(key, .objects, { try StoredRecord($0) }) else {
            throw TextIndexError.corrupted("the record of document \(document)")
        }
        // Context and attributes take several times what they take as bytes.
        recent.insert(
            record, for: document,
            byteCount: record.byteCount
                + (record.head.context.isEmpty && record.head.attributes.isEmpty
                    ? 0 : 4 * record.byteCount))
        return record
    }
}

extension IndexStore {
    /// How many entries a walk steps over before it looks for the next document by its key.
    private static let longestStep = 8

    /// Calls `body` with the place and the stored record of each of many documents, in the order of
    /// documents; nothing of it is kept.
    ///
    /// - Throws: `.corrupted` where a record is not there: the snapshot names it.
    func forEachRecord(
        of documents: [UInt32],
        _ body: (_ place: Int, _ stored: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let cursor = try makeCursor(fillCache: false)
        var key = Buffer<UInt8>(capacity: 8)
        var steps = Self.longestStep
        for place in documents.indices.sorted(by: { documents[$0] < documents[$1] }) {
            Key.document(.objects, documents[place], into: &key)
            while steps < Self.longestStep, try cursor.isBefore(key) {
                try cursor.next()
                steps += 1
            }
            if try steps == Self.longestStep && !cursor.isOn(prefix: key) {
                try cursor.seek(to: key)
            }
            guard try cursor.isOn(prefix: key) else {
                throw TextIndexError.corrupted("the record of document \(documents[place])")
            }
            try cursor.withEntry { try body(place, $1) }
            steps = 0
        }
    }
}

extension StoreCursor {
    /// Whether it stands on an entry that comes before a key.
    fileprivate func isBefore(_ key: borrowing Buffer<UInt8>) throws -> Bool {
        guard isValid else { return false }
        return try withEntry { stored, _ in
            key.withBytes { stored.lexicographicallyPrecedes($0) }
        }
    }
}
