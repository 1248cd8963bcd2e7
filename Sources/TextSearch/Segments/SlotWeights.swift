// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What an occurrence counts at the most in the string of each slot of a segment, two bytes each: whether a document may be among the best is told without the lengths of its strings, for several
/// documents at a time.
///
/// The weights are `Impacts`, so that they last as long as the segment does; `ImpactScale` says by how much what a search scores by can exceed them.
///
/// **Thread safety**: immutable.
struct SlotWeights: Sendable {
    /// As `Impact.stored` has them.
    private let weights: [UInt16]

    /// Each document must have room for `width` strings.
    ///
    /// Complexity: linear in the slots; some nanoseconds each.
    init(_ lengths: LengthColumn, width: Int) {
        let impacts = Impacts(lengths)
        weights = [UInt16](unsafeUninitializedCapacity: lengths.slotCount) { weights, count in
            lengths.withTable { lengths in
                for string in 0..<width {
                    for slot in stride(from: string, to: lengths.count, by: width) {
                        let weight = impacts.weight(string: string, length: Int(lengths[slot]))
                        weights.initializeElement(at: slot, to: Impact.stored(weight))
                    }
                }
                count = lengths.count
            }
        }
    }

    /// Whether the occurrences in one of the documents of 64 slots may be enough. `counts` has those in all slots.
    @inline(__always)
    func mayReach(
        _ goal: Goal, inWord word: Int, _ counts: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        let first = word << 6
        guard goal.least > 0, first + 64 <= min(counts.count, weights.count) else { return true }
        return weights.withUnsafeBufferPointer { weights in
            goal.isPair
                ? Self.pairReaches(goal, counts, weights, first)
                : Self.slotReaches(goal, counts, weights, first)
        }
    }

    // The loops of both are such that the compiler makes vectors of four documents, with neither branches nor bits that are looked at one by one.

    private static func pairReaches(
        _ goal: Goal, _ counts: UnsafeBufferPointer<UInt32>,
        _ weights: UnsafeBufferPointer<UInt16>, _ first: Int
    ) -> Bool {
        var differences: UInt32 = 0
        for place in 0..<32 {
            let slot = first &+ 2 &* place
            let sum =
                product(counts[slot], goal.even, weights[slot])
                + product(counts[slot &+ 1], goal.odd, weights[slot &+ 1])
            differences |= (goal.least - sum).bitPattern
        }
        return isNegative(differences)
    }

    private static func slotReaches(
        _ goal: Goal, _ counts: UnsafeBufferPointer<UInt32>,
        _ weights: UnsafeBufferPointer<UInt16>, _ first: Int
    ) -> Bool {
        var differences: UInt32 = 0
        for slot in first..<first &+ 64 {
            let sum = product(counts[slot], goal.even, weights[slot])
            differences |= (goal.least - sum).bitPattern
        }
        return isNegative(differences)
    }

    /// A segment whose lengths are in a table has no string of 2^16 words, so that no count comes near 2^31.
    @inline(__always)
    private static func product(_ count: UInt32, _ scale: Float, _ weight: UInt16) -> Float {
        Float(Int32(bitPattern: count)) * scale * Float(bitPattern: UInt32(weight) &<< 16)
    }

    /// Whether one of the numbers was below zero whose bits were put together.
    @inline(__always)
    private static func isNegative(_ bits: UInt32) -> Bool { bits >> 31 != 0 }

    /// How much the occurrences in a document must add up to, and what those in its strings count.
    struct Goal {
        /// Whether a document has two slots, or one.
        fileprivate let isPair: Bool
        /// Those of slots with even and odd numbers, beside the largest one.
        fileprivate let even, odd: Float
        private let largest: Double
        /// 0 where anything may reach it.
        fileprivate private(set) var least: Float = 0

        /// `width` is 1 or 2.
        init(_ scale: ImpactScale, width: Int) {
            isPair = width == 2
            largest = scale.largest
            let scales = scale.ofStrings.prefix(width)
            even = Float((scales.first ?? 0) / largest)
            odd = Float((scales.last ?? 0) / largest)
        }

        /// What is left out does not have this normalised frequency.
        mutating func raise(to frequency: Double) {
            let share = frequency / largest
            // More than what rounding takes away; of numbers so small that it takes more nothing is known.
            least = share.isFinite && share > 1e-20 ? Float(share * (1 - 1e-5)) : 0
        }
    }
}

/// The weights of a segment's slots, made when they are asked for a second time: with one search alone they would not be worth while.
///
/// **Thread safety**: guarded.
final class LazySlotWeights: Sendable {
    private struct State {
        var wasAsked = false
        var made: SlotWeights?
    }

    private let state = Mutex(State())

    /// Nil where there is no such table, as also where it would take more than 1 MB.
    func get(_ lengths: LengthColumn, width: Int) -> SlotWeights? {
        guard lengths.slotCount <= SpareSlots.mostSlots else { return nil }
        return state.withLock { state in
            if let made = state.made { return made }
            if state.wasAsked { state.made = SlotWeights(lengths, width: width) }
            state.wasAsked = true
            return state.made
        }
    }
}
