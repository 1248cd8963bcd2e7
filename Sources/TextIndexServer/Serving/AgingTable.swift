/// What was used of late, within so many bytes.
///
/// **Invariants**: it holds at most so many bytes; what was used of late is there at least as long
/// as half of them are new.
struct AgingTable<Key: Hashable, Value> {
    private typealias Entry = (value: Value, size: Int)

    /// The younger half, and the older.
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var youngSize = 0
    private var oldSize = 0
    private let most: Int

    /// - Parameter most: how many bytes it may hold.
    init(most: Int) { self.most = most }

    /// How many bytes it holds, about.
    var size: Int { youngSize + oldSize }

    /// A value, which is used by that.
    mutating func value(for key: Key) -> Value? {
        if let entry = young[key] { return entry.value }
        guard let entry = old.removeValue(forKey: key) else { return nil }
        oldSize -= entry.size
        insert(entry.value, for: key, size: entry.size)
        return entry.value
    }

    mutating func insert(_ value: Value, for key: Key, size: Int) {
        guard size <= most / 2 else { return }
        if youngSize + size > most / 2 {
            (old, oldSize) = (young, youngSize)
            (young, youngSize) = ([:], 0)
        }
        if let replaced = young.updateValue((value, size), forKey: key) {
            youngSize -= replaced.size
        }
        youngSize += size
    }

    mutating func remove(_ key: Key) {
        if let entry = young.removeValue(forKey: key) { youngSize -= entry.size }
        if let entry = old.removeValue(forKey: key) { oldSize -= entry.size }
    }
}
