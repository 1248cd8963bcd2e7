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

    private struct State {
        /// The younger half, and the older.
        var young: [Key: Sum] = [:]
        var old: [Key: Sum] = [:]
        var youngSize = 0
        var oldSize = 0
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: how many bytes it may hold.
    init(most: Int) { self.most = most }

    /// How many bytes it holds, about.
    var size: Int { state.withLock { $0.youngSize + $0.oldSize } }

    subscript(key: Key) -> Sum? {
        state.withLock { state in
            if let sum = state.young[key] { return sum }
            guard let sum = state.old.removeValue(forKey: key) else { return nil }
            state.oldSize -= key.size + sum.size
            insert(sum, for: key, &state)
            return sum
        }
    }

    func insert(_ sum: Sum, for key: Key) {
        state.withLock { insert(sum, for: key, &$0) }
    }

    func remove(_ key: Key) {
        state.withLock { state in
            if let sum = state.young.removeValue(forKey: key) {
                state.youngSize -= key.size + sum.size
            }
            if let sum = state.old.removeValue(forKey: key) {
                state.oldSize -= key.size + sum.size
            }
        }
    }

    private func insert(_ sum: Sum, for key: Key, _ state: inout State) {
        let size = key.size + sum.size
        guard size <= most / 2 else { return }
        if state.youngSize + size > most / 2 {
            (state.old, state.oldSize) = (state.young, state.youngSize)
            (state.young, state.youngSize) = ([:], 0)
        }
        if let replaced = state.young.updateValue(sum, forKey: key) {
            state.youngSize -= key.size + replaced.size
        }
        state.youngSize += size
    }
}
