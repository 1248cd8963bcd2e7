/// Says of terms, by a byte each, which cannot end as is wanted, so that they need not be read.
///
/// **Thread safety**: immutable.
struct EndingHashes: Sendable {
    /// Hashes of the last two bytes of each term; sixteen more are behind the last one.
    private let hashes: [UInt8]

    /// How many are looked at together.
    private static let width = 16

    /// The terms that begin at `starts`, each followed by a zero byte; behind the last one is another start.
    ///
    /// Complexity: linear in the terms.
    init(_ bytes: UnsafeBufferPointer<UInt8>, starts: [UInt32]) {
        let termCount = starts.count - 1
        var hashes = [UInt8](repeating: 0, count: termCount + Self.width)
        for number in 0..<termCount {
            let range = Int(starts[number])..<(Int(starts[number + 1]) - 1)
            hashes[number] = Self.hash(UnsafeBufferPointer(rebasing: bytes[range]))
        }
        self.hashes = hashes
    }

    @inline(__always)
    private static func hash(_ term: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard let last = term.last else { return 0 }
        let other = term.count > 1 ? term[term.count - 2] : 0
        return UInt8(truncatingIfNeeded: (UInt32(other) << 8 | UInt32(last)) &* 0x9e37_79b1 >> 24)
    }

    /// Calls `body` with the numbers of the terms in a range that may end with a byte string of two bytes or more, ascending.
    ///
    /// Complexity: linear in the range, sixteen terms at a time.
    @inline(__always)
    func forEachTerm(
        ending bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, _ body: (Int) -> Void
    ) {
        let wanted = SIMD16<UInt8>(repeating: Self.hash(bytes))
        hashes.withUnsafeBytes { hashes in
            var place = range.lowerBound
            while place < range.upperBound, place + Self.width <= hashes.count {
                let some = hashes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                let lanes = unsafeBitCast(some .== wanted, to: SIMD2<UInt64>.self)
                if lanes[0] | lanes[1] != 0 {
                    for half in 0..<2 {
                        var rest = lanes[half]
                        while rest != 0 {
                            let lane = rest.trailingZeroBitCount >> 3
                            rest &= ~(0xff << UInt64(lane * 8))
                            let found = place + half * 8 + lane
                            if found < range.upperBound { body(found) }
                        }
                    }
                }
                place += Self.width
            }
        }
    }
}
