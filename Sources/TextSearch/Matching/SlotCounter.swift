/// Adds up numbers under slots, to be read in the order of the slots.
///
/// While there are few they are sorted; once there are many for the number of slots, they are added up in place.
struct SlotCounter: ~Copyable {
    private let slotCount: Int
    private var pending = Buffer<SlotCount>()
    private var counts = Buffer<UInt32>()
    private var touched = Buffer<UInt64>()
    /// Whether what is pending came in ascending order.
    private var isSorted = true

    struct SlotCount: BitwiseCopyable {
        var slot: UInt32
        var count: UInt32
    }

    init(slotCount: Int) { self.slotCount = slotCount }

    @inline(__always)
    mutating func add(_ slot: UInt32, _ count: UInt32) {
        if counts.isEmpty {
            if !pending.isEmpty, pending[pending.count &- 1].slot >= slot { isSorted = false }
            pending.append(SlotCount(slot: slot, count: count))
            if !isSorted, pending.count >= 64, pending.count &* 64 > slotCount { spill() }
        } else {
            counts[Int(slot)] &+= count
            touched[Int(slot >> 6)] |= 1 &<< UInt64(slot & 63)
        }
    }

    @inline(never)
    private mutating func spill() {
        counts = Buffer(repeating: 0, count: slotCount)
        touched = Buffer(repeating: 0, count: slotCount / 64 + 1)
        for place in 0..<pending.count { add(pending[place].slot, pending[place].count) }
        pending.removeAll()
        isSorted = true
    }

    /// Takes out each slot that something was added to, ascending, with its sum.
    mutating func drain() -> Buffer<SlotCount> {
        guard !counts.isEmpty else { return drainPending() }
        var sums = Buffer<SlotCount>()
        let count = touched.withElements { $0.reduce(0) { $0 &+ $1.nonzeroBitCount } }
        let output = sums.tail(room: count)
        counts.withMutableElements { counts in
            touched.withMutableElements { touched in
                var place = 0
                for word in touched.indices where touched[word] != 0 {
                    var rest = touched[word]
                    touched[word] = 0
                    while rest != 0 {
                        let slot = word << 6 | rest.trailingZeroBitCount
                        rest &= rest &- 1
                        output[place] = SlotCount(
                            slot: UInt32(truncatingIfNeeded: slot), count: counts[slot])
                        counts[slot] = 0
                        place &+= 1
                    }
                }
            }
        }
        sums.commit(count)
        return sums
    }

    private mutating func drainPending() -> Buffer<SlotCount> {
        if !isSorted {
            pending.withMutableElements { all in
                var elements = all
                elements.sort { $0.slot < $1.slot }
            }
        }
        var sums = Buffer<SlotCount>(capacity: pending.count)
        for place in 0..<pending.count {
            let next = pending[place]
            if !sums.isEmpty, sums[sums.count - 1].slot == next.slot {
                sums[sums.count - 1].count &+= next.count
            } else {
                sums.append(next)
            }
        }
        pending.removeAll()
        isSorted = true
        return sums
    }
}

/// A counter that lies with others in an array.
final class SlotSums {
    var counter: SlotCounter

    init(slotCount: Int) { counter = SlotCounter(slotCount: slotCount) }
}
