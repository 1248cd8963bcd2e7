import Synchronization

/// The score that a document has to reach to be among the best of several indexes, as far as it is
/// known: some index has as many with that score, or a higher one, as are wanted.
///
/// **Thread safety**: may be used from any thread. **Invariants**: it only rises.
final class ScoreFloor: Sendable {
    private let bits = Atomic<UInt64>((-Double.infinity).bitPattern)

    var score: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    /// Raises it to a score, if it is lower.
    func raise(to score: Double) {
        var known = bits.load(ordering: .relaxed)
        while Double(bitPattern: known) < score {
            let (isDone, other) = bits.compareExchange(
                expected: known, desired: score.bitPattern, ordering: .relaxed)
            if isDone { return }
            known = other
        }
    }
}
