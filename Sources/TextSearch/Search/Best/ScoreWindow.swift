/// Adds up the scores of the documents of a short range.
struct ScoreWindow: ~Copyable {
    /// How many documents a window covers: no more than `filled` has bits for.
    static let size = 4096

    private(set) var first: UInt32 = 0
    /// The last document that it covers, at most the largest number there is.
    private(set) var last: Int64 = 0
    /// What was added for each document, and for which documents something was: a bit for each in
    /// one of the `laneCount` words that 64 documents have, side by side.
    private var sums = Buffer<Double>(repeating: 0, count: size)
    private var bits = Buffer<UInt64>(repeating: 0, count: wordCount * laneCount)
    /// The same, for each part a row of its own; what stands in it for other documents than its
    /// bits say is nothing.
    private var rows = Buffer<Double>()
    private var rowBits = Buffer<UInt64>()

    private static let wordCount = size / 64
    /// Documents that follow each other set bits in different words in turn, as they would wait for
    /// the same one: where a part adds so many at a time that this matters more than that all words
    /// are read at the end.
    private static let laneCount = 4
    private static let leastForLanes = 32
    /// Where so much was added, it is seen sooner by all 64 sums that none of them is enough, as is
    /// mostly so.
    private static let leastForAll = size / 4
    /// Whether other words than the first of 64 documents have bits.
    private var usesLanes = false
    /// A bit for each 64 documents: if it is not set, nothing was added for any of them, as for
    /// most where words are rare.
    private var filled: UInt64 = 0
    /// How much was added.
    private var added = 0

    /// Covers the documents from `first` on.
    mutating func begin(at first: UInt32) {
        self.first = first
        last = min(Int64(first) + Int64(Self.size) - 1, Int64(UInt32.max))
    }

    /// Empties the rows of so many parts.
    mutating func makeRows(_ count: Int) {
        let missing = count * Self.size - rows.count
        if missing > 0 {
            // Not made 0: nothing is read where no bit is set.
            rows.reserve(missing)
            rows.commit(missing)
        }
        rowBits.removeAll()
        let words = count * Self.wordCount
        rowBits.tail(room: words).initialize(repeating: 0, count: words)
        rowBits.commit(words)
    }

    /// Adds the scores of ascending documents from a place on, as far as the window goes, and notes
    /// them in a row if one is given; the place behind them.
    @inline(__always)
    mutating func add(
        _ documents: UnsafeBufferPointer<UInt32>, _ added: UnsafeBufferPointer<Double>,
        from start: Int, row: Int?
    ) -> Int {
        let count = min(documents.count, added.count)
        guard start < count else { return start }
        let isWhole = Int64(documents[count - 1]) <= last
        let end =
            isWhole ? count : documents.firstPlace(of: UInt32(clamping: last + 1), from: start)
        let first = first
        let lanes = end - start < Self.leastForLanes ? 0 : Self.laneCount - 1
        if lanes > 0 { usesLanes = true }
        self.added &+= end &- start
        sums.withMutableElements { sums in
            bits.withMutableElements { bits in
                for place in start..<end {
                    // Documents ascend from the window's first one on.
                    let offset = Int(documents[place] &- first) & (Self.size - 1)
                    sums[offset] += added[place]
                    let word = offset >> 6 &* Self.laneCount &+ (place & lanes)
                    bits[word] |= 1 << UInt64(offset & 63)
                }
            }
        }
        fill(UnsafeBufferPointer(rebasing: documents[start..<end]))
        if let row {
            for place in start..<end { set(added[place], of: documents[place], row: row) }
        }
        return end
    }

    /// Notes that something was added for some ascending documents: for all between them, if they
    /// are many.
    @inline(__always)
    private mutating func fill(_ documents: UnsafeBufferPointer<UInt32>) {
        guard let least = documents.first, let most = documents.last else { return }
        guard documents.count >= Self.leastForLanes else {
            for document in documents { filled |= 1 << UInt64((document &- first) >> 6 & 63) }
            return
        }
        let (low, high) = (UInt64((least &- first) >> 6 & 63), UInt64((most &- first) >> 6 & 63))
        filled |= UInt64.max << low & UInt64.max >> (63 &- high)
    }

    /// Notes what a part gives to a document.
    @inline(__always)
    mutating func set(_ score: Double, of document: UInt32, row: Int) {
        let offset = Int(document &- first) & (Self.size - 1)
        rows[row &* Self.size &+ offset] = score
        rowBits[row &* Self.wordCount &+ offset >> 6] |= 1 << UInt64(offset & 63)
    }

    /// What the parts give to a document by their rows, added up in their order.
    func sum(of document: UInt32) -> Double {
        let offset = Int(document &- first) & (Self.size - 1)
        var sum = 0.0
        var word = offset >> 6
        var place = offset
        while word < rowBits.count {
            if rowBits[word] >> UInt64(offset & 63) & 1 != 0 { sum += rows[place] }
            word &+= Self.wordCount
            place &+= Self.size
        }
        return sum
    }

    /// Calls `body` with each document of a segment that is not left out and whose sum is `least`
    /// or more, ascending; then no sums are left.
    ///
    /// - Returns: For how many documents of those that are not left out something was added.
    @inline(__always)
    mutating func drain<E: Error>(
        atLeast least: Double, in segment: TopDocuments.Segment,
        _ body: (_ document: UInt32, _ sum: Double) throws(E) -> Void
    ) throws(E) -> Int {
        let first = first
        let lanes = usesLanes ? Self.laneCount : 1
        let isDense = added >= Self.leastForAll
        var words = filled
        usesLanes = false
        filled = 0
        added = 0
        var count = 0
        try sums.withMutableElements { sums throws(E) in
            try bits.withMutableElements { bits throws(E) in
                while words != 0 {
                    let word = words.trailingZeroBitCount
                    words &= words &- 1
                    var rest: UInt64 = 0
                    for lane in 0..<lanes {
                        rest |= bits[word &* Self.laneCount &+ lane]
                        bits[word &* Self.laneCount &+ lane] = 0
                    }
                    guard rest != 0 else { continue }
                    if segment.leavesSomeOut {
                        let offset = UInt32(truncatingIfNeeded: word << 6)
                        let gone = rest & segment.bitsLeftOut(from: first &+ offset)
                        Self.forget(gone, of: word, sums)
                        rest ^= gone
                    }
                    if isDense, !Self.anyReaches(least, of: word, sums) {
                        count &+= rest.nonzeroBitCount
                        sums[(word << 6)..<(word << 6 + 64)].update(repeating: 0)
                        continue
                    }
                    while rest != 0 {
                        let offset = word << 6 | rest.trailingZeroBitCount
                        rest &= rest &- 1
                        count &+= 1
                        let sum = sums[offset]
                        sums[offset] = 0
                        if sum >= least {
                            try body(first &+ UInt32(truncatingIfNeeded: offset), sum)
                        }
                    }
                }
            }
        }
        return count
    }

    /// Whether one of the sums of 64 documents is `least` or more.
    @inline(__always)
    private static func anyReaches(
        _ least: Double, of word: Int, _ sums: UnsafeMutableBufferPointer<Double>
    ) -> Bool {
        let bytes = UnsafeRawBufferPointer(sums)
        let least = SIMD8(repeating: least)
        var reached = SIMDMask<SIMD8<Int64>>(repeating: false)
        for eight in 0..<8 {
            let some = bytes.loadUnaligned(
                fromByteOffset: word << 9 | eight << 6, as: SIMD8<Double>.self)
            reached .|= some .>= least
        }
        return any(reached)
    }

    /// Makes the sums 0 of some of 64 documents.
    private static func forget(
        _ bits: UInt64, of word: Int, _ sums: UnsafeMutableBufferPointer<Double>
    ) {
        var rest = bits
        while rest != 0 {
            sums[word << 6 | rest.trailingZeroBitCount] = 0
            rest &= rest &- 1
        }
    }
}
