import Synchronization

/// How many signals came.
final class SignalCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Counts one more and gives the new count.
    func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
}
