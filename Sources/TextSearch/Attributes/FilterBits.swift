/// Documents of one segment that a filter lets pass, a bit each.
///
/// **Thread safety**: immutable.
final class FilterBits: Sendable {
    /// A bit for each document, by its number in the segment, the first one's lowest; none is set behind the last.
    let words: [UInt64]
    /// How many are set.
    let count: Int

    init(_ words: [UInt64]) {
        self.words = words
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    var byteCount: Int { words.count * 8 + 64 }

    @inline(__always)
    func contains(_ document: UInt32) -> Bool {
        let word = Int(document >> 6)
        return word < words.count && words[word] >> UInt64(document & 63) & 1 != 0
    }

    /// The bits of 64 documents from one on.
    @inline(__always)
    func bits(from document: UInt32) -> UInt64 {
        let word = Int(document >> 6)
        let shift = UInt64(document & 63)
        let low = word < words.count ? words[word] >> shift : 0
        guard shift > 0, word + 1 < words.count else { return low }
        return low | words[word + 1] << (64 - shift)
    }

    /// Calls `body` with each document, ascending, until it is false.
    @inline(__always)
    func forEach(_ body: (UInt32) -> Bool) {
        for (word, bits) in words.enumerated() {
            var rest = bits
            while rest != 0 {
                guard body(UInt32(truncatingIfNeeded: word << 6 | rest.trailingZeroBitCount)) else {
                    return
                }
                rest &= rest &- 1
            }
        }
    }
}
