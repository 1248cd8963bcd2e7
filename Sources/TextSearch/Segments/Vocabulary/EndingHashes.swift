/// Says of terms, by a byte each, which cannot end as is wanted, so that they need not be read.
///
/// **Thread safety**: immutable.
struct EndingHashes: Sendable {
    /// Hashes of the last two bytes of each term; sixteen more are behind the last one.
    private let hashes: [UInt8]

    /// How many are looked at together.
    private static let width = 16

    /// Complexity: linear in the terms.
    init(_ part: VocabularyPart) {
        var hashes = Buffer<UInt8>(capacity: part.termCount + Self.width)
        part.withTerms { terms in
            for number in 0..<part.termCount {
                let range = terms.range(of: number)
                hashes.append(Self.hash(terms.bytes, before: range.upperBound, range.count))
            }
        }
        for _ in 0..<Self.width { hashes.append(0) }
        self.hashes = hashes.toArray()
    }

    /// A hash of the last two of some bytes that end before a place, or of the only one.
    @inline(__always)
    private static func hash(
        _ bytes: UnsafeBufferPointer<UInt8>, before end: Int, _ count: Int
    ) -> UInt8 {
        guard count > 0 else { return 0 }
        let other = count > 1 ? UInt32(bytes[end &- 2]) : 0
        let pair = other << 8 | UInt32(bytes[end &- 1])
        return UInt8(truncatingIfNeeded: (pair &* 0x9e37_79b1) >> 24)
    }

    /// Calls `body` with the numbers of the terms in a range that may end with a byte string of two
    /// bytes or more, ascending.
    ///
    /// Complexity: linear in the range, sixteen terms at a time.
    @inline(__always)
    func forEachTerm(
        ending bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, _ body: (Int) -> Void
    ) {
        let wanted = SIMD16<UInt8>(repeating: Self.hash(bytes, before: bytes.count, bytes.count))
        hashes.withUnsafeBytes { hashes in
            var place = range.lowerBound
            while place < range.upperBound, place + Self.width <= hashes.count {
                let some = hashes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
                (some .== wanted).forEachLane { lane in
                    if place + lane < range.upperBound { body(place + lane) }
                }
                place += Self.width
            }
        }
    }
}
