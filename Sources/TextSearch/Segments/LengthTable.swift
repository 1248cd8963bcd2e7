/// The lengths of all strings of a segment, each found by document and string alone: where no document that has strings has more than another.
///
/// Half of what `LengthColumn` takes for them, and one look instead of three: scoring waits for memory where documents lie far apart.
struct LengthTable: Sendable {
    /// Those of a document from its number times `width` on; 0 for documents without strings.
    private var lengths: [UInt16] = []
    private var width = 0
    private var count = 0
    /// Whether all that was appended is in it; if not, nothing is.
    private(set) var isWhole = true

    /// Appends documents, whose strings' lengths end in `all` where `ends` says, the first one's beginning at `start`.
    mutating func append(_ ends: ArraySlice<UInt32>, of all: [UInt32], from start: Int) {
        guard isWhole else { return }
        var start = start
        for end in ends {
            guard append(all[start..<Int(end)], outOf: all.count) else {
                self = Self()
                isWhole = false
                return
            }
            start = Int(end)
        }
    }

    /// Appends a document; whether that can be. Of all lengths, some may belong to others.
    @inline(__always)
    private mutating func append(_ strings: ArraySlice<UInt32>, outOf all: Int) -> Bool {
        if width == 0, !strings.isEmpty {
            width = strings.count
            guard holds(count, outOf: all) else { return false }
            lengths = [UInt16](repeating: 0, count: count * width)
        }
        guard strings.isEmpty || strings.count == width, holds(count + 1, outOf: all) else {
            return false
        }
        count += 1
        if strings.isEmpty {
            for _ in 0..<width { lengths.append(0) }
            return true
        }
        var longest: UInt32 = 0
        for length in strings {
            longest = max(longest, length)
            lengths.append(UInt16(truncatingIfNeeded: length))
        }
        return longest <= UInt16.max
    }

    /// Whether so many documents do not take much more memory than what is there, as they would if nearly all were without strings.
    private func holds(_ count: Int, outOf all: Int) -> Bool {
        let (size, overflow) = count.multipliedReportingOverflow(by: width)
        return !overflow && size <= 8 * all + Column.pageSize
    }

    /// The length of a document's string; 0 where there is none.
    @inline(__always)
    func length(of document: Int, string: Int) -> Int {
        let slot = document &* width &+ string
        return string < width && slot < lengths.count ? Int(lengths[slot]) : 0
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
