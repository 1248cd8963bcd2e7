/// Deletes keys that no manifest names any more.
struct Sweeper: ~Copyable {
    private let store: IndexStore
    private let batch = StoreBatch()
    private var key = Buffer<UInt8>()
    private var chunk = PostingsChunk()

    init(store: IndexStore) {
        self.store = store
        batch.useReserve()
    }

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
            let part = try VocabularyPart(value)
            try part.forEachTerm(where: { !part.hasInlinePostings(of: $0) }) { term, _ in
                try deletePostings(term, number)
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

    /// Chunk and positions go together: the chunk alone says how many pages of them there are.
    private mutating func deletePostings(
        _ term: UnsafeBufferPointer<UInt8>, _ segment: UInt32
    ) throws {
        Key.term(.postings, term, segment: segment, into: &key)
        let pageCount = try store.withValue(key, .postings) { bytes in
            try chunk.open(bytes)
            return chunk.pageCount
        }
        batch.delete(key)
        for page in 0..<(pageCount ?? 0) {
            Key.positions(term, segment: segment, page: page, into: &key)
            batch.delete(key)
        }
        try commitIfLarge()
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
