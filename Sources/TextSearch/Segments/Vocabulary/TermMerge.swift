/// Terms of several memory segments in one order, each with the segments that hold it.
final class TermMerge: Sendable {
    struct Entry: BitwiseCopyable, Sendable {
        var prefix: UInt64
        var segment: UInt32
        var term: UInt32
    }

    /// By term, then by segment.
    let entries: Buffer<Entry>
    private let segments: SegmentRow

    /// All terms, or those of `slice`.
    ///
    /// Complexity: n log s for n terms in s segments.
    init(_ segments: [MemorySegment], _ slice: TermSlice? = nil) {
        let row = SegmentRow(segments)
        self.segments = row
        entries = Self.merge(row, 0..<row.count, slice ?? TermSlice(allOf: segments))
    }

    private static func merge(
        _ segments: SegmentRow, _ range: Range<Int>, _ slice: TermSlice
    ) -> Buffer<Entry> {
        guard range.count > 1 else {
            guard let segment = range.first else { return Buffer() }
            var entries = Buffer<Entry>(capacity: slice.terms[segment].count)
            for term in slice.terms[segment] {
                let prefix = segments.with(segment) { $0.terms.prefixes[term] }
                entries.append(
                    Entry(prefix: prefix, segment: UInt32(segment), term: UInt32(term)))
            }
            return entries
        }
        let middle = (range.lowerBound + range.upperBound) / 2
        let left = merge(segments, range.lowerBound..<middle, slice)
        let right = merge(segments, middle..<range.upperBound, slice)
        var merged = Buffer<Entry>(capacity: left.count + right.count)
        var i = 0
        var j = 0
        while i < left.count, j < right.count {
            let a = left[i]
            let b = right[j]
            if order(a, b, segments) <= 0 {
                merged.append(a)
                i += 1
            } else {
                merged.append(b)
                j += 1
            }
        }
        while i < left.count {
            merged.append(left[i])
            i += 1
        }
        while j < right.count {
            merged.append(right[j])
            j += 1
        }
        return merged
    }

    @inline(__always)
    private static func order(_ a: Entry, _ b: Entry, _ segments: SegmentRow) -> Int {
        if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
        // A prefix that ends in zero bytes is a whole term.
        if a.prefix & 0xff == 0 { return 0 }
        return segments.with(Int(a.segment)) { segment in
            segment.terms.withTerm(Int(a.term)) { first in
                segments.with(Int(b.segment)) { segment in
                    segment.terms.withTerm(Int(b.term)) { TermOrder.compare(first, $0) }
                }
            }
        }
    }

    /// Calls `body` with each distinct term and the range of its entries, in term order.
    func forEachTerm(
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>) throws -> Void
    ) rethrows {
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, Self.order(entries[start], entries[end], segments) == 0 {
                end += 1
            }
            let entry = entries[start]
            try segments.with(Int(entry.segment)) { segment in
                try segment.terms.withTerm(Int(entry.term)) { try body($0, start..<end) }
            }
            start = end
        }
    }
}
