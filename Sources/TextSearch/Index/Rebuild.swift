/// An index that takes on other analysis settings: its objects' records stay until all are indexed again.
enum Rebuild {
    /// The first document number that belongs to the new settings; there only while a rebuild is due.
    static let key = Key.meta("rebuild")

    /// Empties the index for searches and stores the new settings, in one commit.
    static func begin(
        _ store: IndexStore, _ fingerprint: [UInt8], _ state: inout IndexWriter.State
    ) throws {
        try IndexOpening.findNextNumbers(store, &state)
        var manifest = state.manifest
        manifest.retired += manifest.segments.map(\.number)
        manifest.segments = []
        manifest.watermark = state.nextDocument
        manifest.nextDocument = state.nextDocument
        var bound = Buffer<UInt8>()
        bound.appendVarint(UInt64(state.nextDocument))
        let batch = StoreBatch()
        batch.put(IndexOpening.fingerprintKey, fingerprint)
        batch.put(Manifest.key, manifest.encoded())
        batch.put(key, bound.toArray())
        try store.commit(batch, sync: true)
        state.manifest = manifest
    }

    /// The bound, while a rebuild is due.
    static func bound(_ store: IndexStore) throws -> UInt32? {
        guard let bytes = try store.value(key) else { return nil }
        return try IndexStore.translating(.meta) {
            try bytes.withUnsafeBytes {
                var reader = ByteReader($0)
                return try reader.uint32()
            }
        }
    }

    /// Deletes what is left of the old settings.
    static func finish(_ store: IndexStore, _ bound: UInt32) throws {
        var sweeper = Sweeper(store: store)
        try sweeper.deleteDocuments(0..<bound)
        let batch = StoreBatch()
        key.withUnsafeBytes { batch.delete($0) }
        try store.commit(batch, sync: false)
    }
}
