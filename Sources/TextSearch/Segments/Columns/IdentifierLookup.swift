/// Finds the living document of an identifier.
struct IdentifierLookup: ~Copyable {
    private let store: IndexStore
    private var cursor: StoreCursor?
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// As a snapshot sees it.
    mutating func document(
        for identifier: UnsafeBufferPointer<UInt8>, in snapshot: Snapshot
    ) throws -> UInt32? {
        let probe = IdentifierProbe(identifier)
        for part in snapshot.memory.reversed() {
            if let found = Self.find(probe, in: part), !snapshot.dead.contains(found) {
                return found
            }
        }
        return try stored(identifier, where: snapshot.isLive)
    }

    static func find(
        _ identifier: IdentifierProbe, in part: PlacedSegment
    ) -> UInt32? {
        part.segment.identifierTable.document(for: identifier, in: part.segment.documents)
            .map { $0 + part.firstDocument }
    }

    /// The stored document of the identifier that `isLive` accepts; there is one at most.
    mutating func stored(
        _ identifier: UnsafeBufferPointer<UInt8>, where isLive: (UInt32) -> Bool
    ) throws -> UInt32? {
        let cursor = try self.cursor ?? store.makeCursor()
        self.cursor = cursor
        Key.identifier(identifier, into: &key)
        let length = key.count
        try cursor.seek(to: key)
        var found: UInt32?
        while try found == nil && cursor.isOn(prefix: key) {
            let document = try cursor.withEntry { key, _ in
                guard key.count == length + 4 else { throw MalformedData() }
                return try Key.lastNumber(key)
            }
            if isLive(document) { found = document }
            try cursor.next()
        }
        try cursor.check()
        return found
    }
}
