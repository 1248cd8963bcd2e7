/// How often words that begin with a prefix stand in each string of a flushed segment, those of
/// dead documents among them.
///
/// It depends on nothing but the segment, which never changes: it can be kept across commits, and
/// by whom it likes.
///
/// **Thread safety**: an immutable value.
struct PrefixCounts: Sendable {
    /// Which prefix, in which segment.
    struct Key: Hashable, Sendable {
        var segment: UInt32
        var prefix: [UInt8]
    }

    /// Ascending. A count that does not fit into a byte is several entries of one slot.
    private var slots: [UInt32] = []
    private var counts: [UInt8] = []
    /// How many terms of the segment begin with the prefix.
    let termCount: Int

    /// Takes what was added up.
    init(_ sums: SlotSums, termCount: Int) {
        self.termCount = termCount
        var slots: [UInt32] = []
        var counts: [UInt8] = []
        let found = sums.counter.sums()
        for number in 0..<found.count {
            var rest = found[number].count
            while rest > 0 {
                let part = min(rest, UInt32(UInt8.max))
                slots.append(found[number].slot)
                counts.append(UInt8(part))
                rest -= part
            }
        }
        self.slots = slots
        self.counts = counts
    }

    /// The memory it takes.
    var byteCount: Int { slots.count * 5 }

    /// Calls `body` with each slot, ascending, and its count.
    @inline(__always)
    func forEach(_ body: (_ slot: UInt32, _ count: UInt32) -> Void) {
        var place = 0
        while place < slots.count {
            let slot = slots[place]
            var count: UInt32 = 0
            while place < slots.count, slots[place] == slot {
                count += UInt32(counts[place])
                place += 1
            }
            body(slot, count)
        }
    }
}
