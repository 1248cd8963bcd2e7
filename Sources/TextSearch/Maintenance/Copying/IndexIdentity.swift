/// What tells an index from others, wherever it lies (`m` table, "identity"): sixteen random bytes,
/// made when it is first published. Its copies have it too.
enum IndexIdentity {
    static let key = Key.meta("identity")
    static let byteCount = 16

    /// That of an index that was published before; nil for any other.
    static func stored(in store: IndexStore) throws -> [UInt8]? { try store.value(key) }

    /// The identity of an index, which gets one where it has none.
    static func ensured(in store: IndexStore) throws -> [UInt8] {
        if let stored = try stored(in: store) { return stored }
        let made = (0..<byteCount).map { _ in UInt8.random(in: 0...255) }
        let batch = StoreBatch()
        batch.put(key, made)
        try store.commit(batch, sync: true)
        return made
    }
}
