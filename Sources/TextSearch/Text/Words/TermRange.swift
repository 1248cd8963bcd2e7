/// Offsets inside a term.
enum TermRange {
    /// The UTF-16 range of the whole characters that hold the bytes `range` of a term.
    static func utf16(of range: Range<Int>, in term: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        if term.allSatisfy({ $0 < 0x80 }) { return range }
        var lower = min(range.lowerBound, term.count)
        var upper = min(range.upperBound, term.count)
        while lower > 0, !GraphemeBreaks.isBoundary(at: lower, in: term) { lower -= 1 }
        while upper < term.count, !GraphemeBreaks.isBoundary(at: upper, in: term) { upper += 1 }
        return utf16Count(term[0..<lower])..<utf16Count(term[0..<upper])
    }

    private static func utf16Count(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var count = 0
        for byte in bytes where byte & 0xc0 != 0x80 { count += byte >= 0xf0 ? 2 : 1 }
        return count
    }
}
