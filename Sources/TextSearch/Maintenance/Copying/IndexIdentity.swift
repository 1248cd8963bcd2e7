/// What tells an index from others, wherever it lies (`m` table, "identity"): sixteen random bytes,
/// made when it is first published. Its copies have it too.
enum IndexIdentity {
    static let key = Key.meta("identity")
    static let byteCount = 16

    /// That of an index that was published before; nil for any other.
    static func stored(in store: IndexStore) throws -> [UInt8]? { try store.value(key) }
}

extension IndexWriter {
    /// The identity of the index, which gets one where it has none.
    func identity() throws -> [UInt8] {
        if let stored = try IndexIdentity.stored(in: store) { return stored }
        let made = (0..<IndexIdentity.byteCount).map { _ in UInt8.random(in: 0...255) }
        let batch = StoreBatch()
        batch.put(IndexIdentity.key, made)
        try store.commit(batch, sync: true)
        return made
    }
}
