/// Byte order of terms.
enum TermOrder {
    /// The first eight bytes as a number that compares as the bytes do.
    @inline(__always)
    static func prefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        let count = min(bytes.count, 8)
        for index in 0..<count { prefix = prefix << 8 | UInt64(bytes[index]) }
        return count == 0 ? 0 : prefix << UInt64(8 * (8 - count))
    }

    /// Negative, zero or positive as `a` comes before, is, or comes after `b`.
    @inline(__always)
    static func compare(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let count = min(a.count, b.count)
        for index in 0..<count where a[index] != b[index] {
            return Int(a[index]) - Int(b[index])
        }
        return a.count - b.count
    }

    @inline(__always)
    static func compare(
        _ bytes: UnsafeBufferPointer<UInt8>, _ a: Range<Int>, _ b: Range<Int>
    ) -> Int {
        compare(
            UnsafeBufferPointer(rebasing: bytes[a]), UnsafeBufferPointer(rebasing: bytes[b]))
    }
}
