/// Documents of a block that all parts of a query may have, and what each part gives them.
struct Candidates: ~Copyable {
    /// Of the part that the block is of.
    private static let blockSize = 128

    private var documents = Buffer<UInt32>(capacity: blockSize)
    /// The numbers of those that are left.
    private var left = Buffer<Int>(capacity: blockSize)
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
        for number in 0..<all.count { left.append(number) }
        rowLength = all.count
        while scores.count < rowLength * rowCount { scores.append(0) }
    }

    /// How many are left.
    var count: Int { left.count }
    var isEmpty: Bool { left.isEmpty }

    /// A document of those that are left.
    @inline(__always)
    func document(_ place: Int) -> UInt32 { documents[left[place]] }

    /// The place of the first one left that is not before a document, from a place on.
    func place(notBefore document: Int64, from start: Int) -> Int {
        var place = start
        while place < count, Int64(self.document(place)) < document { place += 1 }
        return place
    }

    /// Keeps the one at `place` as the `kept`-th, which is none behind it.
    @inline(__always)
    mutating func keep(_ place: Int, as kept: Int) { left[kept] = left[place] }

    @inline(__always)
    mutating func setScore(_ score: Double, of place: Int, row: Int) {
        scores[row * rowLength + left[place]] = score
    }

    mutating func removeAll(from kept: Int) { left.removeLast(left.count - kept) }

    /// Scores those that are left, by their places in the block.
    @inline(__always)
    mutating func setScores(row: Int, _ score: (_ number: Int) -> Double) {
        for place in 0..<left.count { setScore(score(left[place]), of: place, row: row) }
    }

    /// What the parts give one of those that are left, added up in their order.
    @inline(__always)
    func sum(_ place: Int) -> Double {
        var sum = 0.0
        for row in 0..<rowCount { sum += scores[row * rowLength + left[place]] }
        return sum
    }
}
