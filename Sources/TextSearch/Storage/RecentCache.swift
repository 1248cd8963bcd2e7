import Synchronization

/// Keeps what was used of late, within a bound of bytes.
///
/// There are two generations. What is used is in the young one; when that holds half of the bytes it becomes the old one, and what the old one
/// held and nobody asked for since is dropped. So nothing is kept in order, and what is in use moves once a generation.
///
/// **Thread safety**: guarded. Values are given out whole, and stay as long as somebody holds them.
final class RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var byteCount: Int
    }

    private struct State {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var youngBytes = 0
    }

    private let generationBytes: Int
    private let state = Mutex(State())
    /// What an entry takes besides its value.
    private static var overhead: Int { 64 }

    /// Keeps nothing where `byteCount` is 0.
    init(byteCount: Int) { generationBytes = max(byteCount, 0) / 2 }

    /// The value of a key, if it is kept.
    func value(for key: Key) -> Value? {
        state.withLock { state in
            if let entry = state.young[key] { return entry.value }
            guard let entry = state.old.removeValue(forKey: key) else { return nil }
            add(entry, for: key, to: &state)
            return entry.value
        }
    }

    /// Keeps a value that takes `byteCount` bytes, unless that is a great part of all there is room for; it takes the place of the key's value.
    func insert(_ value: Value, for key: Key, byteCount: Int) {
        let entry = Entry(value: value, byteCount: byteCount + Self.overhead)
        guard entry.byteCount <= generationBytes / 4 else { return }
        state.withLock { state in
            if let known = state.young.removeValue(forKey: key) {
                state.youngBytes -= known.byteCount
            }
            add(entry, for: key, to: &state)
        }
    }

    private func add(_ entry: Entry, for key: Key, to state: inout State) {
        if state.youngBytes + entry.byteCount > generationBytes {
            state.old = state.young
            state.young = [:]
            state.youngBytes = 0
        }
        state.young[key] = entry
        state.youngBytes += entry.byteCount
    }
}
