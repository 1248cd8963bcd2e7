import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// The statistics of searches that were made before, so that a search for the same needs its second
/// phase alone.
///
/// They are those of sets, which never change. What a search finds tells nevertheless of which
/// content it was, and statistics of another one are forgotten.
///
/// **Thread safety**: guarded. **Invariants**: it holds at most so many bytes; what was used of
/// late is there at least as long as half of them are new.
final class KnownStatistics: Sendable {
    /// What a search is, for statistics.
    struct Key: Hashable {
        let generation: String
        /// The shards, by groups.
        let shards: [[Int]]
        let asked: [UInt8]

        fileprivate var size: Int {
            64 + generation.utf8.count + asked.count + shards.reduce(0) { $0 + 40 + 8 * $1.count }
        }
    }

    struct Sum: Equatable {
        /// The sum, as it is sent.
        let bytes: [UInt8]
        /// Of which content of each group it is.
        let marks: [IndexGeneration]

        fileprivate var size: Int { 128 + bytes.count + 8 * marks.count }
    }

    private let table: Mutex<AgingTable<Key, Sum>>

    /// - Parameter most: how many bytes it may hold.
    init(most: Int) { table = Mutex(AgingTable(most: most)) }

    /// How many bytes it holds, about.
    var size: Int { table.withLock { $0.size } }

    subscript(key: Key) -> Sum? { table.withLock { $0.value(for: key) } }

    func insert(_ sum: Sum, for key: Key) {
        table.withLock { $0.insert(sum, for: key, size: key.size + sum.size) }
    }

    func remove(_ key: Key) { table.withLock { $0.remove(key) } }
}
