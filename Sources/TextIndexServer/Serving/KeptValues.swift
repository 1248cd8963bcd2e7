#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// Values that are kept for clients between two requests: so many at most, and none that nobody
/// asked for in a while.
///
/// **Thread safety**: guarded.
final class KeptValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var lastUse: ContinuousClock.Instant
    }

    private let most: Int
    private let age: Duration
    private let entries = Mutex<[Key: Entry]>([:])

    init(most: Int, age: Duration) {
        self.most = max(most, 1)
        self.age = age
    }

    var count: Int { entries.withLock { $0.count } }

    /// A value that is kept, which is used now.
    func value(for key: Key, at now: ContinuousClock.Instant = .now) -> Value? {
        entries.withLock { entries in
            guard let entry = entries[key], now - entry.lastUse <= age else { return nil }
            entries[key]?.lastUse = now
            return entry.value
        }
    }

    /// Keeps a value.
    ///
    /// - Returns: What it takes the place of: one under the same key, those that are too old, and
    ///   the one that nobody used for longest where there are too many.
    func keep(_ value: Value, for key: Key, at now: ContinuousClock.Instant = .now) -> [Value] {
        entries.withLock { entries in
            var gone: [Value] = []
            if let old = entries.removeValue(forKey: key) { gone.append(old.value) }
            gone += expire(&entries, now)
            while entries.count >= most,
                let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                entries[oldest.key] = nil
                gone.append(oldest.value.value)
            }
            entries[key] = Entry(value: value, lastUse: now)
            return gone
        }
    }

    /// Removes what is too old.
    func expire(at now: ContinuousClock.Instant = .now) -> [Value] {
        entries.withLock { expire(&$0, now) }
    }

    private func expire(
        _ entries: inout [Key: Entry], _ now: ContinuousClock.Instant
    ) -> [Value] {
        let old = entries.filter { now - $0.value.lastUse > age }
        for key in old.keys { entries[key] = nil }
        return old.values.map(\.value)
    }
}
