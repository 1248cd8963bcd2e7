import Foundation

/// The identifiers that a repair lost (`m` table, "lost"): the count, and each with its length
/// first.
enum LostObjects {
    static let key = Key.meta("lost")

    static func stored(in store: IndexStore) throws -> [Data] {
        guard let stored = try store.value(key) else { return [] }
        return try IndexStore.translating(.meta) { try stored.withUnsafeBytes { try decode($0) } }
    }

    static func encode(_ identifiers: [Data]) -> [UInt8] {
        var output = Buffer<UInt8>()
        output.appendVarint(identifiers.count)
        for identifier in identifiers { output.appendPrefixed(Array(identifier)) }
        return output.toArray()
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) -> [Data] {
        var reader = ByteReader(bytes)
        var identifiers: [Data] = []
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            identifiers.append(Data(try reader.prefixed()))
        }
        guard reader.isAtEnd else { throw MalformedData() }
        return identifiers
    }

    /// Stores which objects are still lost.
    static func store(_ identifiers: [Data], in store: IndexStore, sync: Bool) throws {
        let batch = StoreBatch()
        if identifiers.isEmpty {
            key.withUnsafeBytes { batch.delete($0) }
        } else {
            batch.put(key, encode(identifiers))
        }
        try store.commit(batch, sync: sync)
    }

    /// Stores that nothing is lost, and nothing uncertain.
    static func forget(in store: IndexStore) throws {
        let batch = StoreBatch()
        key.withUnsafeBytes { batch.delete($0) }
        Uncertainty.key.withUnsafeBytes { batch.delete($0) }
        try store.commit(batch, sync: true)
    }
}
