/// Adds up numbers under slots, to be read in the order of the slots.
///
/// While there are few they are sorted; once there are many for the number of slots, they are added
/// up in place, as ``SlotMemory`` has them.
struct SlotCounter: ~Copyable {
    private let slotCount: Int
    /// How many slots each document has.
    private let width: Int
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

    /// Documents have `width` slots each; slots that are not counted by documents have a width of
    /// 1.
    init(slotCount: Int, width: Int = 1, _ spare: SpareSlots? = nil) {
        self.slotCount = slotCount
        self.width = width
        self.spare = spare
    }

    /// Makes room at once where as many numbers as are expected would come to lie in place, if room
    /// is left over from others.
    mutating func expect(_ count: Int) {
        guard !isInPlace, slotCount <= SpareSlots.mostSlots else { return }
        if (count &+ pending.count) &* 64 > slotCount { spill() }
    }

    /// Adds a number for a slot, where documents have one each.
    @inline(__always)
    mutating func add(_ slot: UInt32, _ count: UInt32) { add(slot, string: 0, count) }

    /// Adds a number for a string of a document. There must be such a slot.
    @inline(__always)
    mutating func add(_ document: UInt32, string: UInt32, _ count: UInt32) {
        if !isInPlace {
            let slot = document &* UInt32(truncatingIfNeeded: width) &+ string
            if !pending.isEmpty, pending[pending.count &- 1].slot >= slot { isSorted = false }
            pending.append(SlotCount(slot: slot, count: count))
            if !isSorted, pending.count >= 64, pending.count &* 64 > slotCount { spill() }
        } else {
            memory.add(document, string: Int(string), count)
        }
    }

    /// Adds, where sums lie in place, numbers for a string of ascending documents; false, and
    /// nothing is added, where there is no such slot.
    ///
    /// Where a number is 0 the slot counts as one that something was added to.
    mutating func add(
        _ added: UnsafeBufferPointer<UInt32>, to documents: UnsafeBufferPointer<UInt32>,
        string: Int
    ) -> Bool {
        guard let last = documents.last, string < width, added.count >= documents.count,
            Int(last) < memory.documentCount
        else { return false }
        memory.add(added, to: documents, string: string)
        return true
    }

    @inline(never)
    private mutating func spill() {
        let documentCount = slotCount / width
        memory =
            spare?.take(documentCount: documentCount, width: width)
            ?? SlotMemory(documentCount: documentCount, width: width)
        let width = UInt32(truncatingIfNeeded: width)
        for place in 0..<pending.count {
            let (document, string) = pending[place].slot.quotientAndRemainder(dividingBy: width)
            memory.add(document, string: Int(string), pending[place].count)
        }
        pending.removeAll()
        isSorted = true
    }

    /// Whether sums are added up in place.
    var isInPlace: Bool { memory.documentCount > 0 }

    /// The bytes of memory held.
    var byteCount: Int { pending.byteCount + memory.byteCount }

    /// How many slots something was added to, at the most.
    var touchedCount: Int {
        var count = pending.count
        memory.withSums { count += $0.touchedCount }
        return count
    }

    /// Gives the room of sums back, with all that was added up.
    mutating func giveBack() {
        guard let spare, isInPlace else { return }
        var given = SlotMemory()
        swap(&given, &memory)
        spare.keep(given)
    }

    /// Lends all sums, if they lie in place.
    @inline(__always)
    borrowing func withSums(_ body: (SlotMemory.Sums) -> Void) { memory.withSums(body) }

    /// Each slot that something was added to, ascending, with its sum.
    mutating func sums() -> Buffer<SlotCount> {
        guard isInPlace else { return pendingSums() }
        var found = Buffer<SlotCount>()
        memory.withSums { sums in
            // Where a sum is 0, the next takes its place.
            let output = found.tail(room: sums.touchedCount)
            var place = 0
            for word in 0..<sums.wordCount {
                sums.forEachDocument(of: sums.documents(word), in: word) { document in
                    for string in 0..<sums.width {
                        let bits = sums.documents(word, string: string)
                        if bits &>> UInt64(document & 63) & 1 == 0 { continue }
                        let count = sums.count(document, string: string)
                        let slot = document &* sums.width &+ string
                        output[place] = SlotCount(
                            slot: UInt32(truncatingIfNeeded: slot), count: count)
                        place &+= count == 0 ? 0 : 1
                    }
                }
            }
            found.commit(place)
        }
        return found
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
