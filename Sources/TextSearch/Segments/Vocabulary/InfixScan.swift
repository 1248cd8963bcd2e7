/// Finds the terms that hold a byte string, in terms laid end to end with zero bytes between them.
enum InfixScan {
    /// Calls `body` with the range of the term and the offset in it, for every place at which
    /// `needle` stands.
    ///
    /// Complexity: as that for places, and linear in the terms found.
    @inline(__always)
    static func forEachMatch(
        of needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>,
        _ body: (_ term: Range<Int>, _ offset: Int) throws -> Void
    ) rethrows {
        try forEachPlace(of: needle, in: bytes) { place in
            var start = place
            while start > 0, bytes[start - 1] != 0 { start -= 1 }
            var end = place + needle.count
            while end < bytes.count, bytes[end] != 0 { end += 1 }
            try body(start..<end, place - start)
        }
    }

    /// Calls `body` with every place at which `needle` stands, ascending.
    ///
    /// Sixteen places at a time are asked whether the first and the last byte of the needle stand
    /// there (W. Muła, "SIMD-friendly algorithms for substring searching").
    ///
    /// Complexity: linear in `bytes`, times the length of the needle at the worst.
    @inline(__always)
    static func forEachPlace(
        of needle: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>,
        _ body: (_ place: Int) throws -> Void
    ) rethrows {
        guard let firstByte = needle.first, let lastByte = needle.last,
            bytes.count >= needle.count
        else { return }
        let raw = UnsafeRawBufferPointer(bytes)
        let first = SIMD16<UInt8>(repeating: firstByte)
        let last = SIMD16<UInt8>(repeating: lastByte)
        let reach = needle.count - 1
        let end = bytes.count - reach
        var place = 0
        while place < end {
            guard place + 16 + reach <= bytes.count else {
                if matches(needle, bytes, place) { try body(place) }
                place += 1
                continue
            }
            let heads = raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            let tails = raw.loadUnaligned(fromByteOffset: place + reach, as: SIMD16<UInt8>.self)
            let both = (heads .== first) .& (tails .== last)
            try both.forEachLane { lane in
                if matches(needle, bytes, place + lane) { try body(place + lane) }
            }
            place += 16
        }
    }

    @inline(__always)
    private static func matches(
        _ needle: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int
    ) -> Bool {
        for index in 0..<needle.count where bytes[place + index] != needle[index] { return false }
        return true
    }
}
