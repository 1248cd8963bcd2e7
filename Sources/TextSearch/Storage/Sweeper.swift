/// Deletes keys that no manifest names any more.
struct Sweeper: ~Copyable {
    private let store: IndexStore
    private let batch = StoreBatch()
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// Deletes a segment: its vocabulary says which postings there are, and goes last.
    mutating func deleteSegment(_ number: UInt32, isCancelled: () -> Bool) throws {
        let cursor = try store.makeCursor(fillCache: false)
        Key.part(.vocabulary, segment: number, part: 0, into: &key)
        let start = key.toArray()
        var parts: [[UInt8]] = []
        try cursor.forEach(in: .vocabulary, from: start) { key, value in
            guard !isCancelled() else { throw CancellationError() }
            guard key.prefix(5).elementsEqual(start.prefix(5)) else { return false }
            parts.append(Array(key))
            try VocabularyPart(value).forEachTerm { term in
                for table in [Table.postings, .positions] {
                    Key.term(table, term, segment: number, into: &self.key)
                    batch.delete(self.key)
                }
                try commitIfLarge()
            }
            return true
        }
        Key.column(segment: number, column: 0, page: 0, into: &key)
        let firstColumn = key.toArray()
        try cursor.forEach(in: .columns, from: firstColumn) { key, _ in
            guard key.prefix(5).elementsEqual(firstColumn.prefix(5)) else { return false }
            batch.delete(key)
            return true
        }
        try StoredStems(store: store).forEach(of: number) { key, _ in
            batch.delete(key)
            try commitIfLarge()
        }
        try store.commit(batch, sync: false)
        for part in parts { part.withUnsafeBytes { batch.delete($0) } }
        try store.commit(batch, sync: false)
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
