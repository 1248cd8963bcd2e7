/// Deletes keys that no manifest names any more.
struct Sweeper: ~Copyable {
    private let store: IndexStore
    private let batch = StoreBatch()
    private var key = Buffer<UInt8>()

    init(store: IndexStore) {
        self.store = store
        batch.useReserve()
    }

    /// Deletes the keys of a segment, one by one. What cannot be read of one table keeps no other
    /// one.
    mutating func deleteSegment(_ number: UInt32, isCancelled: () -> Bool) throws {
        var failure: TextIndexError?
        for table in Table.ofSegments {
            do {
                try delete(table, of: number, isCancelled)
            } catch let error as TextIndexError where error.code == .corrupted {
                failure = failure ?? error
            }
            try store.commit(batch, sync: false)
        }
        if let failure { throw failure }
    }

    private mutating func delete(
        _ table: Table, of segment: UInt32, _ isCancelled: () -> Bool
    ) throws {
        var prefix = Buffer<UInt8>(capacity: 8)
        Key.segment(table, segment, into: &prefix)
        try store.makeCursor(fillCache: false).forEach(prefix: prefix, of: table) { key, _ in
            guard !isCancelled() else { throw CancellationError() }
            batch.delete(key)
            try commitIfLarge()
        }
    }

    /// Deletes records, identifiers, journal entries and tombstones of documents.
    mutating func deleteDocuments(
        _ documents: some Sequence<UInt32>, isCancelled: () -> Bool
    ) throws {
        for document in documents {
            guard !isCancelled() else { throw CancellationError() }
            Key.document(.objects, document, into: &key)
            let identifier = try store.withValue(key, .objects) {
                Array(try ObjectRecord.identifier($0))
            }
            // All of a document goes at once: nothing is left of one without a record.
            guard let identifier else { continue }
            identifier.withUnsafeBufferPointer { batch.deleteIdentifier($0, document) }
            for table in [Table.objects, .journal, .tombstones] { batch.delete(table, document) }
            try commitIfLarge()
        }
        try store.commit(batch, sync: false)
    }

    private mutating func commitIfLarge() throws {
        if batch.byteCount >= 256 << 10 { try store.commit(batch, sync: false) }
    }
}
