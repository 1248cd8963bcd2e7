/// Deletes keys that no manifest names any more.
struct Sweeper: ~Copyable {
    private let store: IndexStore
    private let batch = StoreBatch()
    private var key = Buffer<UInt8>()

    init(store: IndexStore) {
        self.store = store
        batch.useReserve()
    }

    /// Deletes a segment. Its columns and its vocabulary, by which one that a crash left is found, go last.
    mutating func deleteSegment(_ number: UInt32, isCancelled: () -> Bool) throws {
        for table in [Table.postings, .positions, .stems, .columns, .vocabulary] {
            let cursor = try store.makeCursor(fillCache: false)
            Key.segment(table, number, into: &key)
            let prefix = key.toArray()
            try cursor.forEach(in: table, from: prefix) { key, _ in
                guard !isCancelled() else { throw CancellationError() }
                guard key.starts(with: prefix) else { return false }
                batch.delete(key)
                try commitIfLarge()
                return true
            }
            try store.commit(batch, sync: false)
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
            identifier?.withUnsafeBufferPointer { batch.deleteIdentifier($0, document) }
            for table in [Table.objects, .journal, .tombstones] { batch.delete(table, document) }
            try commitIfLarge()
        }
        try store.commit(batch, sync: false)
    }

    private mutating func commitIfLarge() throws {
        if batch.byteCount >= 256 << 10 { try store.commit(batch, sync: false) }
    }
}
