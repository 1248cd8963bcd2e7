/// Adds up numbers under slots, to be read in the order of the slots.
///
/// While there are few they are sorted; once there are many for the number of slots, they are added up in place.
struct SlotCounter: ~Copyable {
    private let slotCount: Int
    private var pending = Buffer<SlotCount>()
    private var memory = SlotMemory()
    /// Where room for sums comes from, and goes to.
    private let spare: SpareSlots?
    /// Whether what is pending came in ascending order.
    private var isSorted = true

    struct SlotCount: BitwiseCopyable {
        var slot: UInt32
        var count: UInt32
    }

    init(slotCount: Int, _ spare: SpareSlots? = nil) {
        self.slotCount = slotCount
        self.spare = spare
    }

    /// Makes room at once where as many numbers as are expected would come to lie in place, if room is left over from others.
    mutating func expect(_ count: Int) {
        guard !isInPlace, slotCount <= SpareSlots.mostSlots else { return }
        if (count &+ pending.count) &* 64 > slotCount { spill() }
    }

    @inline(__always)
    mutating func add(_ slot: UInt32, _ count: UInt32) {
        if !isInPlace {
            if !pending.isEmpty, pending[pending.count &- 1].slot >= slot { isSorted = false }
            pending.append(SlotCount(slot: slot, count: count))
            if !isSorted, pending.count >= 64, pending.count &* 64 > slotCount { spill() }
        } else {
            memory.counts[Int(slot)] &+= count
            memory.touched[Int(slot >> 6)] |= 1 &<< UInt64(slot & 63)
        }
    }

    /// Adds, where sums lie in place, numbers for a string of ascending documents that have `width` slots each; false, and nothing is added, where there is no such slot.
    ///
    /// Where a number is 0 the slot counts as one that something was added to.
    mutating func add(
        _ added: UnsafeBufferPointer<UInt32>, to documents: UnsafeBufferPointer<UInt32>,
        string: Int, width: Int
    ) -> Bool {
        let slotCount = memory.counts.count
        guard let last = documents.last, string < width, added.count >= documents.count,
            Int(last) * width + string < slotCount
        else { return false }
        memory.counts.withMutableElements { counts in
            memory.touched.withMutableElements { touched in
                for place in documents.indices {
                    let slot = Int(documents[place]) &* width &+ string
                    counts[slot] &+= added[place]
                    touched[slot >> 6] |= 1 &<< UInt64(slot & 63)
                }
            }
        }
        return true
    }

    @inline(never)
    private mutating func spill() {
        memory = spare?.take(slotCount: slotCount) ?? SlotMemory(slotCount: slotCount)
        for place in 0..<pending.count { add(pending[place].slot, pending[place].count) }
        pending.removeAll()
        isSorted = true
    }

    /// Whether sums lie where their slots say.
    var isInPlace: Bool { !memory.counts.isEmpty }

    /// Gives the room of sums back, with all that was added up.
    mutating func giveBack() {
        guard let spare, isInPlace else { return }
        var given = SlotMemory()
        swap(&given, &memory)
        spare.keep(given)
    }

    /// Lends the sums of all slots, and words that have a bit for each slot, set where something was added, if sums lie in place.
    @inline(__always)
    borrowing func withSlots(
        _ body: (_ sums: UnsafeBufferPointer<UInt32>, _ touched: UnsafeBufferPointer<UInt64>) ->
            Void
    ) {
        memory.counts.withElements { counts in memory.touched.withElements { body(counts, $0) } }
    }

    /// Each slot that something was added to, ascending, with its sum.
    mutating func sums() -> Buffer<SlotCount> {
        guard isInPlace else { return pendingSums() }
        var sums = Buffer<SlotCount>()
        let most = memory.touched.withElements { $0.reduce(0) { $0 &+ $1.nonzeroBitCount } }
        let output = sums.tail(room: most)
        let count = memory.counts.withElements { counts in
            memory.touched.withElements { touched in
                var place = 0
                for word in touched.indices {
                    var rest = touched[word]
                    while rest != 0 {
                        let slot = word << 6 | rest.trailingZeroBitCount
                        rest &= rest &- 1
                        output[place] = SlotCount(
                            slot: UInt32(truncatingIfNeeded: slot), count: counts[slot])
                        place &+= counts[slot] == 0 ? 0 : 1
                    }
                }
                return place
            }
        }
        sums.commit(count)
        return sums
    }

    private mutating func pendingSums() -> Buffer<SlotCount> {
        if !isSorted {
            pending.withMutableElements { all in
                var elements = all
                elements.sort { $0.slot < $1.slot }
            }
            isSorted = true
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
        return sums
    }
}

/// A counter that lies with others in an array.
final class SlotSums {
    var counter: SlotCounter

    init(slotCount: Int) { counter = SlotCounter(slotCount: slotCount) }
}
