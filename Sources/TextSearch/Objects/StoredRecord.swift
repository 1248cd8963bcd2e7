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
        try IndexStore.translating(.objects) { try bytes.withUnsafeBytes { try ObjectRecord($0) } }
    }

    /// Of memory, but for what is written in context and attributes.
    var byteCount: Int { bytes.count + 160 }
}

/// Who an object is, its weight, context and attributes.
struct RecordHead: Sendable {
    let identifier: Data
    let weight: Double
    let context: [String: ContextValue]
    let attributes: [String: AttributeValue]
}

extension IndexStore {
    /// The record of a document that a snapshot names, kept for a while.
    ///
    /// Complexity: as a look-up in a hash table where it was asked for of late.
    func record(of document: UInt32) throws -> StoredRecord {
        if let known = recentRecords.value(for: document) { return known }
        var key = Buffer<UInt8>(capacity: 8)
        Key.document(.objects, document, into: &key)
        guard let record = try withValue(key, .objects, { try StoredRecord($0) }) else {
            throw TextIndexError.corrupted("the record of document \(document)")
        }
        // Context and attributes take several times what they take as bytes.
        recentRecords.insert(
            record, for: document,
            byteCount: record.byteCount
                + (record.head.context.isEmpty && record.head.attributes.isEmpty
                    ? 0 : 4 * record.byteCount))
        return record
    }
}
