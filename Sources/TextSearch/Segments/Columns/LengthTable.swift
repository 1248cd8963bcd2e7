/// The lengths of all strings of a segment, each found by document and string alone: where no
/// document that has strings has more than another.
///
/// Half of what they take in `LengthColumn` otherwise, and one look instead of three: scoring waits
/// for memory where documents lie far apart.
struct LengthTable: Sendable {
    /// Those of a document from its number times `width` on; 0 for documents without strings.
    private var lengths: [UInt16] = []
    /// How many strings each document has that has some; 0 where none has.
    private(set) var width = 0
    private(set) var documentCount = 0
    /// Whether all that was appended is in it; if not, nothing is.
    private(set) var isWhole = true

    /// Appends documents, whose strings' lengths end in `all` where `ends` says, the first one's
    /// beginning at `start`.
    mutating func append(_ ends: ArraySlice<UInt32>, of all: [UInt32], from start: Int) {
        guard isWhole, !ends.isEmpty else { return }
        if !makeRoom(for: ends, of: all, from: start) || !copy(ends, of: all, from: start) {
            self = Self()
            isWhole = false
        }
    }

    /// Appends documents of `width` strings each, with these lengths. All before must have as many,
    /// or be none.
    mutating func append(_ page: UnsafeBufferPointer<UInt16>, width: Int) {
        self.width = width
        documentCount += page.count / width
        lengths.append(contentsOf: page)
    }

    /// Makes room for so many strings.
    mutating func reserveCapacity(_ strings: Int) { lengths.reserveCapacity(strings) }

    /// Makes room for documents that are appended, with 0 for each of their strings; whether there
    /// can be such room.
    private mutating func makeRoom(
        for ends: ArraySlice<UInt32>, of all: [UInt32], from start: Int
    ) -> Bool {
        if width == 0, let first = ends.first(where: { Int($0) > start }) {
            // All before are without strings.
            width = Int(first) - start
        }
        documentCount += ends.count
        guard width > 0 else { return true }
        let (size, overflow) = documentCount.multipliedReportingOverflow(by: width)
        // Not much more memory than what is there, as it would be if nearly all were without
        // strings.
        guard !overflow, size <= 8 * all.count + Column.pageSize else { return false }
        lengths.append(contentsOf: repeatElement(0, count: size - lengths.count))
        return true
    }

    /// Copies the lengths of the documents that were appended last; whether they can be in the
    /// table.
    private mutating func copy(
        _ ends: ArraySlice<UInt32>, of all: [UInt32], from start: Int
    ) -> Bool {
        let width = width
        let first = (documentCount - ends.count) * width
        return lengths.withUnsafeMutableBufferPointer { lengths in
            all.withUnsafeBufferPointer { all in
                var bits: UInt32 = 0
                var (start, place) = (start, first)
                for end in ends {
                    let strings = Int(end) - start
                    guard strings == width || strings == 0 else { return false }
                    for string in 0..<strings {
                        bits |= all[start + string]
                        lengths[place + string] = UInt16(truncatingIfNeeded: all[start + string])
                    }
                    start = Int(end)
                    place += width
                }
                return bits <= UInt16.max
            }
        }
    }

    /// The length of a document's string; 0 where there is none.
    @inline(__always)
    func length(of document: Int, string: Int) -> Int {
        let slot = document &* width &+ string
        return string < width && slot < lengths.count ? Int(lengths[slot]) : 0
    }

    /// The length of a string by its slot, `width` times the document plus the string.
    @inline(__always)
    subscript(slot slot: Int) -> UInt16 { lengths[slot] }

    @inline(__always)
    func withLengths(_ body: (UnsafeBufferPointer<UInt16>) -> Void) {
        lengths.withUnsafeBufferPointer(body)
    }

    /// Makes `room` the lengths of a string of some documents, which ascend.
    @inline(__always)
    func load(
        _ documents: UnsafeBufferPointer<UInt32>, string: Int,
        into room: UnsafeMutablePointer<Double>
    ) {
        lengths.withUnsafeBufferPointer { lengths in
            let count = string < width ? lengths.count : 0
            // Where the last one is there all are.
            if let last = documents.last, Int(last) &* width &+ string < count {
                for place in documents.indices {
                    room[place] = Double(lengths[Int(documents[place]) &* width &+ string])
                }
                return
            }
            for place in documents.indices {
                let slot = Int(documents[place]) &* width &+ string
                room[place] = slot < count ? Double(lengths[slot]) : 0
            }
        }
    }
}
