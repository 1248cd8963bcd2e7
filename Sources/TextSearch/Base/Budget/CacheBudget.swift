import Synchronization

/// Memory for recently read data that several open indexes share, as the shards of a set.
///
/// ```swift
/// let budget = CacheBudget(byteCount: 128 << 20)
/// let shards = try places.map { place in
///     var configuration = TextIndexConfiguration()
///     configuration.cacheBudget = budget
///     return try TextIndex<Note>(published: place, configuration: configuration)
/// }
/// ```
///
/// Blocks of the store are kept together, those that were used last. The rest is divided equally
/// among the indexes that are open. If another one opens, each gives back what is beyond its new
/// share as soon as it reads something new.
///
/// **Thread safety**: may be used from any thread.
public final class CacheBudget: Sendable {
    /// The bytes that all indexes keep together; see ``TextIndexConfiguration/cacheSize`` for what
    /// is kept besides.
    public let byteCount: Int
    private let members = Atomic<Int>(0)
    /// What the store keeps in common.
    private let shared = Mutex<(any Sendable)?>(nil)

    /// Creates a budget for the caches of several indexes.
    ///
    /// - Parameter byteCount: how much the indexes keep together.
    public init(byteCount: Int) { self.byteCount = max(byteCount, 0) }

    /// How many indexes share it, at least one.
    var memberCount: Int { max(members.load(ordering: .relaxed), 1) }

    func join() { members.add(1, ordering: .relaxed) }

    func leave() { members.subtract(1, ordering: .relaxed) }

    /// What all members have in common, made by the first.
    func shared<Value: Sendable>(_ make: () -> Value) -> Value {
        shared.withLock { shared in
            if let known = shared as? Value { return known }
            let made = make()
            shared = made
            return made
        }
    }
}
