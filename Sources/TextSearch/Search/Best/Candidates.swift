/// Documents of a block that all parts of a query may have, and what each part gives them.
struct Candidates: ~Copyable {
    /// Of the part that the block is of.
    static let blockSize = 128

    private var documents = Buffer<UInt32>(capacity: blockSize)
    /// The places in the block of those that are left.
    private var left = Buffer<UInt32>(capacity: blockSize)
    /// Where they are in the block of another part, that they were found in last.
    private var found = Buffer<UInt32>(capacity: blockSize)
    /// The places in the block of those that a part gives something that is not required.
    private var given = Buffer<UInt32>(capacity: blockSize)
    /// A row for each part, in their order.
    private var scores = Buffer<Double>(capacity: 2 * blockSize)
    private var rowCount = 0
    private var rowLength = 0

    mutating func makeRows(_ count: Int) { rowCount = count }

    /// Begins with all documents of a block, ascending.
    mutating func begin(_ all: UnsafeBufferPointer<UInt32>) {
        documents.removeAll()
        documents.append(contentsOf: all)
        left.removeAll()
        for place in 0..<all.count { left.append(UInt32(truncatingIfNeeded: place)) }
        while found.count < all.count {
            found.append(0)
            given.append(0)
        }
        rowLength = all.count
        while scores.count < rowLength * rowCount { scores.append(0) }
    }

    /// How many are left.
    var count: Int { left.count }
    var isEmpty: Bool { left.isEmpty }

    /// A document of those that are left.
    @inline(__always)
    func document(_ place: Int) -> UInt32 { documents[Int(left[place])] }

    /// The place of the first one left that is not before a document, from a place on.
    func place(notBefore document: Int64, from start: Int) -> Int {
        var place = start
        while place < count, Int64(self.document(place)) < document { place += 1 }
        return place
    }

    /// Keeps the one at `place` as the `kept`-th, which is none behind it; it was found at a place
    /// of another block.
    @inline(__always)
    mutating func keep(_ place: Int, as kept: Int, foundAt found: Int) {
        left[kept] = left[place]
        self.found[kept] = UInt32(truncatingIfNeeded: found)
    }

    /// Leaves those that a filter lets pass.
    mutating func keep(_ allowed: FilterBits) {
        left.keep { allowed.contains(documents[Int($0)]) ? 1 : 0 }
    }

    mutating func removeAll(from kept: Int) { left.removeLast(left.count - kept) }

    /// Lends the places in the block of those that are left.
    func withPlaces(_ body: (UnsafeBufferPointer<UInt32>) -> Void) { left.withElements(body) }

    /// Lends where some of those that were kept were found.
    func withFound(_ kept: Range<Int>, _ body: (UnsafeBufferPointer<UInt32>) -> Void) {
        found.withElements { body(UnsafeBufferPointer(rebasing: $0[kept])) }
    }

    /// Sets what a part gives those that are left from one on.
    mutating func setScores(_ some: borrowing Buffer<Double>, from start: Int, row: Int) {
        for number in 0..<some.count {
            scores[row * rowLength + Int(left[start + number])] = some[number]
        }
    }

    // MARK: Parts that are not required

    /// Has a part give nothing to any of those that are left.
    mutating func clear(row: Int) {
        for place in 0..<left.count { scores[row * rowLength + Int(left[place])] = 0 }
    }

    /// Notes the one at `place` as the `number`-th that a part gives something; it was found at a
    /// place of another block.
    @inline(__always)
    mutating func note(_ place: Int, as number: Int, foundAt found: Int) {
        given[number] = left[place]
        self.found[number] = UInt32(truncatingIfNeeded: found)
    }

    /// Sets what a part gives the first ones that were noted.
    mutating func setNoted(_ some: borrowing Buffer<Double>, row: Int) {
        for number in 0..<some.count {
            scores[row * rowLength + Int(given[number])] = some[number]
        }
    }

    /// Leaves those that can reach a threshold where no more than `rest` comes to what the first
    /// rows give.
    mutating func keepThoseReaching(_ threshold: Double, with rest: Double, rows: Int) {
        left.keep { place in
            var sum = 0.0
            for row in 0..<rows { sum += scores[row * rowLength + Int(place)] }
            return TopDocuments.reaches(sum + rest, threshold) ? 1 : 0
        }
    }

    /// What the parts give one of those that are left, added up in their order.
    @inline(__always)
    func sum(_ place: Int) -> Double {
        var sum = 0.0
        for row in 0..<rowCount { sum += scores[row * rowLength + Int(left[place])] }
        return sum
    }
}
