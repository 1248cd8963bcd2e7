import LevelDB

/// Changes that are written together or not at all.
final class StoreBatch {
    let batch: WriteBatch
    private var entries: DocumentEntries
    /// The digest of the entries put under keys of a segment, since the batch was made: see
    /// `EntryDigest`.
    private(set) var digest: UInt64 = 0

    init() {
        batch = WriteBatch()
        entries = DocumentEntries(batch)
    }

    var byteCount: Int { batch.byteCount }

    /// Lends what puts entries of documents: where they are many, with one access that is checked
    /// for all.
    func withEntries<R>(_ body: (inout DocumentEntries) throws -> R) rethrows -> R {
        try body(&entries)
    }

    /// Puts an entry of a segment.
    func put(_ key: borrowing Buffer<UInt8>, _ value: UnsafeRawBufferPointer) {
        key.withBytes {
            batch.put($0, value)
            digest &+= EntryDigest.of($0, value)
        }
    }

    func put(_ key: borrowing Buffer<UInt8>, _ value: borrowing Buffer<UInt8>) {
        value.withBytes { put(key, $0) }
    }

    func put(_ key: [UInt8], _ value: [UInt8]) { batch.put(key, value) }

    /// Puts an entry as another store has it.
    func copy(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        batch.put(key, value)
    }

    /// Lets the batch be written with the space kept in reserve: it frees space, or leads to that.
    func useReserve() { batch.useReserve(true) }

    /// Puts a value that carries a seal of its own: what it is and whose.
    func putSealed(_ table: Table, _ document: UInt32, _ value: UnsafeRawBufferPointer) {
        entries.putSealed(table, document, value)
    }

    func putTombstone(_ document: UInt32) { entries.putTombstone(document) }

    func putIdentifier(_ identifier: UnsafeBufferPointer<UInt8>, _ document: UInt32) {
        entries.putIdentifier(identifier, document)
    }

    func deleteIdentifier(_ identifier: UnsafeBufferPointer<UInt8>, _ document: UInt32) {
        entries.deleteIdentifier(identifier, document)
    }

    func delete(_ table: Table, _ document: UInt32) { entries.delete(table, document) }

    func delete(_ key: UnsafeRawBufferPointer) { batch.delete(key) }
}

/// Puts entries of documents into a batch, put together in one place.
struct DocumentEntries: ~Copyable {
    private let batch: WriteBatch
    private var key = Buffer<UInt8>(capacity: 64)
    private var sealed = Buffer<UInt8>(capacity: 256)

    fileprivate init(_ batch: WriteBatch) { self.batch = batch }

    /// Bytes in the batch.
    var byteCount: Int { batch.byteCount }

    mutating func putSealed(_ table: Table, _ document: UInt32, _ value: UnsafeRawBufferPointer) {
        Key.document(table, document, into: &key)
        sealed.removeAll()
        sealed.append(bytes: value)
        sealed.appendBigEndian(key.withBytes { Seal.of($0, value) })
        key.withBytes { key in sealed.withBytes { batch.put(key, $0) } }
    }

    mutating func putTombstone(_ document: UInt32) {
        Key.document(.tombstones, document, into: &key)
        putKey()
    }

    mutating func putIdentifier(_ identifier: UnsafeBufferPointer<UInt8>, _ document: UInt32) {
        Key.identifier(identifier, into: &key)
        key.appendBigEndian(document)
        putKey()
    }

    mutating func deleteIdentifier(_ identifier: UnsafeBufferPointer<UInt8>, _ document: UInt32) {
        Key.identifier(identifier, into: &key)
        key.appendBigEndian(document)
        key.withBytes { batch.delete($0) }
    }

    mutating func delete(_ table: Table, _ document: UInt32) {
        Key.document(table, document, into: &key)
        key.withBytes { batch.delete($0) }
    }

    /// Puts an entry that has no value.
    private func putKey() {
        key.withBytes { batch.put($0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}
