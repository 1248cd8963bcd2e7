/// Adds up the scores of the documents of a short range, in rows.
struct ScoreWindow: ~Copyable {
    /// How many documents a window covers.
    static let size = 2048

    private(set) var first: UInt32 = 0
    /// The last document that it covers, at most the largest number there is.
    private(set) var last: Int64 = 0
    private var rowCount = 0
    private var scores = Buffer<Double>()
    private var bits = Buffer<UInt64>(repeating: 0, count: size / 64)

    /// Covers the documents from `first` on.
    mutating func begin(at first: UInt32) {
        self.first = first
        last = min(Int64(first) + Int64(Self.size) - 1, Int64(UInt32.max))
    }

    mutating func makeRows(_ count: Int) {
        rowCount = count
        if scores.count < count * Self.size {
            scores = Buffer(repeating: 0, count: count * Self.size)
        }
    }

    /// Adds the scores of ascending documents from a place on, as far as the window goes; the place behind them.
    @inline(__always)
    mutating func add(
        _ documents: UnsafeBufferPointer<UInt32>, _ added: UnsafeBufferPointer<Double>,
        from start: Int, row: Int
    ) -> Int {
        let count = min(documents.count, added.count)
        let first = first
        let last = last
        let base = row * Self.size
        return scores.withMutableElements { scores in
            bits.withMutableElements { bits in
                var place = start
                while place < count, Int64(documents[place]) <= last {
                    // Documents ascend from the window's first one on.
                    let offset = Int(documents[place] &- first) & (Self.size - 1)
                    scores[base + offset] += added[place]
                    bits[offset >> 6] |= 1 << UInt64(offset & 63)
                    place += 1
                }
                return place
            }
        }
    }

    /// Calls `body` with each document whose scores sum up to `least` or more, ascending, with the sum over the rows; then the window is
    /// empty.
    ///
    /// - Returns: For how many documents something was added.
    @inline(__always)
    mutating func drain<E: Error>(
        atLeast least: Double,
        _ body: (
            _ document: UInt32, _ sum: Double, _ row: (_ number: Int) -> Double
        ) throws(E) -> Void
    ) throws(E) -> Int {
        let first = first
        let end = rowCount * Self.size
        var count = 0
        try scores.withMutableElements { scores throws(E) in
            try bits.withMutableElements { bits throws(E) in
                for word in bits.indices where bits[word] != 0 {
                    var rest = bits[word]
                    bits[word] = 0
                    count &+= rest.nonzeroBitCount
                    while rest != 0 {
                        let offset = word << 6 | rest.trailingZeroBitCount
                        rest &= rest &- 1
                        var sum = scores[offset]
                        var place = offset &+ Self.size
                        while place < end {
                            sum += scores[place]
                            place &+= Self.size
                        }
                        if sum >= least {
                            try body(first &+ UInt32(truncatingIfNeeded: offset), sum) {
                                scores[$0 * Self.size + offset]
                            }
                        }
                        place = offset
                        while place < end {
                            scores[place] = 0
                            place &+= Self.size
                        }
                    }
                }
            }
        }
        return count
    }
}
