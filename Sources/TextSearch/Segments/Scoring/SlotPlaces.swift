/// Where the strings of the documents of a segment stand when all of them are in a row: each has a
/// slot.
///
/// Where no document that has strings has more than another, those without any have room for as
/// many, so that a slot is found without a look at others, and `LengthTable` has its length. Else
/// the strings stand one after the other.
struct SlotPlaces: Sendable {
    /// Where the strings of each document end, where there is no width.
    private let ends: [UInt32]
    /// How many strings each document has room for; 0 where some have more than others, or none has
    /// any.
    let width: Int
    private let documentCount: Int

    /// Without a width `ends` has all documents.
    init(ends: [UInt32], width: Int, documentCount: Int) {
        self.ends = ends
        self.width = width
        self.documentCount = documentCount
    }

    /// The slot of a document's string; nil where there is no room for such a string.
    @inline(__always)
    func slot(of document: Int, string: Int) -> Int? {
        guard document < documentCount else { return nil }
        if width > 0 { return string < width ? document &* width &+ string : nil }
        let start = document == 0 ? 0 : Int(ends[document - 1])
        let slot = start + string
        return slot < Int(ends[document]) ? slot : nil
    }

    /// Where the document of a slot begins that lies at or behind the end of `document`, and where
    /// it ends.
    @inline(__always)
    fileprivate func range(
        of slot: Int, behind document: Int
    ) -> (document: Int, start: Int, end: Int) {
        if width > 0 {
            let document = Int(UInt32(truncatingIfNeeded: slot) / UInt32(truncatingIfNeeded: width))
            return (document, document &* width, document &* width &+ width)
        }
        // Steps that double, as the next slot is mostly not far: halving all that follows would
        // wait for memory each time.
        var next = document &+ 1
        var step = 8
        while next &+ step < ends.count, Int(ends[next &+ step &- 1]) <= slot {
            next &+= step
            step &*= 2
        }
        next = ends[next..<min(next &+ step, ends.count)].firstPlace { Int($0) > slot }
        return (next, next == 0 ? 0 : Int(ends[next &- 1]), Int(ends[next]))
    }
}

/// Goes through slots that ascend.
struct SlotWalk {
    private let slots: SlotPlaces
    private let lengths: [UInt32]
    private let table: LengthTable
    private var document = -1
    private var start = 0
    /// Where the strings of the document end that the last slot belongs to.
    private(set) var end = 0

    init(_ slots: SlotPlaces, _ lengths: [UInt32], _ table: LengthTable) {
        self.slots = slots
        self.lengths = lengths
        self.table = table
    }

    /// The document that a slot belongs to, and the string. There must be such a slot, and it must
    /// not be before the last one.
    ///
    /// Complexity: logarithmic in the documents between them.
    @inline(__always)
    mutating func place(of slot: UInt32) -> (document: UInt32, string: UInt32) {
        if slot >= end {
            (document, start, end) = slots.range(of: Int(slot), behind: document)
        }
        return (UInt32(truncatingIfNeeded: document), slot &- UInt32(truncatingIfNeeded: start))
    }

    /// The length of the string of a slot, in words.
    @inline(__always)
    func length(of slot: UInt32) -> UInt32 {
        slots.width > 0 ? UInt32(table[slot: Int(slot)]) : lengths[Int(slot)]
    }
}
