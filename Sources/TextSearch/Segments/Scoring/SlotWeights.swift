// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What an occurrence counts at the most in each string of a segment's documents, two bytes each:
/// whether a document may be among the best is told without the lengths of its strings, for several
/// documents at a time.
///
/// The weights are `Impacts`, so that they last as long as the segment does; `ImpactScale` says by
/// how much what a search scores by can exceed them.
///
/// **Thread safety**: immutable.
struct SlotWeights: Sendable {
    /// As `Impact.stored` has them, where a `SlotMemory` has the sums.
    private let weights: [UInt16]

    /// Each document must have room for `width` strings.
    ///
    /// Complexity: linear in the slots; some nanoseconds each.
    init(_ lengths: LengthColumn, width: Int) {
        let impacts = Impacts(lengths)
        let documentCount = lengths.slotCount / width
        var weights = [UInt16](repeating: 0, count: (documentCount + 63) / 64 * width * 64)
        lengths.withTable { lengths in
            for string in 0..<width {
                for document in 0..<documentCount {
                    let length = lengths[document &* width &+ string]
                    weights[SlotMemory.place(document, string: string, width: width)] =
                        Impact.stored(impacts.weight(string: string, length: Int(length)))
                }
            }
        }
        self.weights = weights
    }

    /// Those of 64 documents, a bit each, whose occurrences may be enough, and some near them: all
    /// of sixteen, if one of these is.
    @inline(__always)
    func candidates(_ goal: Goal, inWord word: Int, of sums: SlotMemory.Sums) -> UInt64 {
        guard goal.least > 0, sums.counts.count == weights.count else { return .max }
        return weights.withUnsafeBufferPointer { weights in
            let first = word &* sums.width << 6
            guard goal.isPair, sums.documents(word, string: 1) != 0 else {
                return Self.candidates(goal.least, sums.counts, weights, first, goal.first)
            }
            // Most words stand in one of the strings.
            let second = first &+ 64
            guard sums.documents(word, string: 0) != 0 else {
                return Self.candidates(goal.least, sums.counts, weights, second, goal.second)
            }
            return Self.pairCandidates(goal, sums.counts, weights, first, second)
        }
    }

    private static func candidates(
        _ least: Float, _ counts: UnsafeBufferPointer<UInt32>,
        _ weights: UnsafeBufferPointer<UInt16>, _ first: Int, _ scale: Float
    ) -> UInt64 {
        sixteens(above: least) { product(counts[first &+ $0], scale, weights[first &+ $0]) }
    }

    private static func pairCandidates(
        _ goal: Goal, _ counts: UnsafeBufferPointer<UInt32>,
        _ weights: UnsafeBufferPointer<UInt16>, _ first: Int, _ second: Int
    ) -> UInt64 {
        sixteens(above: goal.least) {
            product(counts[first &+ $0], goal.first, weights[first &+ $0])
                + product(counts[second &+ $0], goal.second, weights[second &+ $0])
        }
    }

    /// The bits of those sixteens of 64 documents one of which has a sum above `least`.
    ///
    /// Such that the compiler makes vectors of four documents, with neither branches nor bits that
    /// are looked at one by one.
    @inline(__always)
    private static func sixteens(above least: Float, _ sum: (Int) -> Float) -> UInt64 {
        var all: UInt64 = 0
        for start in stride(from: 0, to: 64, by: 16) {
            var differences: UInt32 = 0
            for place in start..<start &+ 16 { differences |= (least - sum(place)).bitPattern }
            all |= (0 &- UInt64(differences >> 31)) & 0xffff &<< UInt64(start)
        }
        return all
    }

    /// A segment whose lengths are in a table has no string of 2^16 words, so that no count comes
    /// near 2^31.
    @inline(__always)
    private static func product(_ count: UInt32, _ scale: Float, _ weight: UInt16) -> Float {
        Float(Int32(bitPattern: count)) * scale * Float(bitPattern: UInt32(weight) &<< 16)
    }

    /// How much the occurrences in a document must add up to, and what those in its strings count.
    struct Goal {
        /// Whether a document has two strings, or one.
        fileprivate let isPair: Bool
        /// Those in the first string and in the second, beside the largest one.
        fileprivate let first, second: Float
        private let largest: Double
        /// 0 where anything may reach it.
        fileprivate private(set) var least: Float = 0

        /// `width` is 1 or 2.
        init(_ scale: ImpactScale, width: Int) {
            isPair = width == 2
            largest = scale.largest
            let scales = scale.ofStrings.prefix(width)
            first = Float((scales.first ?? 0) / largest)
            second = Float((scales.last ?? 0) / largest)
        }

        /// What is left out does not have this normalised frequency.
        mutating func raise(to frequency: Double) {
            let share = frequency / largest
            // More than what rounding takes away; of numbers so small that it takes more nothing is
            // known.
            least = share.isFinite && share > 1e-20 ? Float(share * (1 - 1e-5)) : 0
        }
    }
}

/// The weights of a segment's slots, made when they are asked for a second time: with one search
/// alone they would not be worth while.
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
