import Foundation

/// A store of all that can be read of the files of an index, whether or not LevelDB opens them.
///
/// It lies beside the index for as long as a repair takes. The index stays locked meanwhile, and no
/// byte of it is changed.
struct Wreck {
    let store: IndexStore
    /// The names of the files that cannot be read in part, or at all.
    let damagedFiles: [String]
    /// Whether the state that it has is the last one that was committed: what cannot be read could
    /// not say anything else.
    let isLast: Bool
    private let place: URL
    private let files: StoreWreck

    /// The values that say what there is. All others are proved by their sums in these.
    private static let state = [
        Manifest.key, LivingDocuments.key, IndexOpening.fingerprintKey, LostObjects.key,
        Uncertainty.key,
    ]

    /// Reads the files of an index. What lies in the way is of a repair that was cut short.
    init(of directory: URL, _ configuration: TextIndexConfiguration) throws {
        files = try StoreWreck(at: directory)
        damagedFiles = files.damagedFiles
        place = directory.deletingLastPathComponent()
            .appendingPathComponent(
                ".\(directory.lastPathComponent).reading", isDirectory: true)
        store = try IndexCopy.makeStore(at: place, configuration)
        do {
            isLast = try Self.fill(store, from: files)
        } catch {
            try? store.close()
            try? IndexCopy.remove(place)
            throw error
        }
    }

    private static func fill(_ store: IndexStore, from files: StoreWreck) throws -> Bool {
        let batch = StoreBatch()
        var uncertain = Set(state.filter { files.mayLack($0) })
        try files.forEachKey { key, value, isCertain in
            if key.first == Table.meta.rawValue, isCertain { uncertain.remove(Array(key)) }
            guard let value else { return }
            batch.copy(key, value)
            if batch.byteCount >= SegmentWriter.batchSize { try store.commit(batch, sync: false) }
        }
        try store.commit(batch, sync: false)
        return uncertain.isEmpty
    }

    /// Removes the store.
    func remove() {
        try? store.close()
        try? IndexCopy.remove(place)
    }
}
