/// Adds up numbers under slots, to be read in the order of the slots.
///
/// While there are few they are sorted; once there are many for the number of slots, they are added up in place.
struct SlotCounter: ~Copyable {
    private let slotCount: Int
    private var pending = Buffer<SlotCount>()
    private var counts = Buffer<UInt32>(capacity: 1)
    private var touched = Buffer<UInt64>(capacity: 1)
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

    /// Calls `body` with each slot that something was added to, ascending, and the sum; then all sums are gone.
    mutating func drain(_ body: (_ slot: UInt32, _ count: UInt32) -> Void) {
        if !counts.isEmpty {
            for word in 0..<touched.count where touched[word] != 0 {
                var rest = touched[word]
                touched[word] = 0
                while rest != 0 {
                    let slot = word << 6 | rest.trailingZeroBitCount
                    rest &= rest - 1
                    body(UInt32(slot), counts[slot])
                    counts[slot] = 0
                }
            }
            return
        }
        if !isSorted {
            pending.withMutableElements { all in
                var elements = all
                elements.sort { $0.slot < $1.slot }
            }
        }
        var index = 0
        while index < pending.count {
            let slot = pending[index].slot
            var count: UInt32 = 0
            while index < pending.count, pending[index].slot == slot {
                count &+= pending[index].count
                index += 1
            }
            body(slot, count)
        }
        pending.removeAll()
        isSorted = true
    }
}

/// A counter that lies with others in an array.
final class SlotSums {
    var counter: SlotCounter

    init(slotCount: Int) { counter = SlotCounter(slotCount: slotCount) }
}
