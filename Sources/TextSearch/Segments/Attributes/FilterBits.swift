/// Documents of one segment that a filter lets pass, a bit each.
///
/// **Thread safety**: immutable.
final class FilterBits: Sendable {
    /// A bit for each document, by its number in the segment, the first one's lowest; none is set
    /// behind the last.
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

    /// Makes `documents` the next `count` ones from `start` on, or as many as there are, and
    /// `start` what comes after them; false where there are none.
    func load(
        _ count: Int, from start: inout UInt32, into documents: inout Buffer<UInt32>
    ) -> Bool {
        documents.removeAll()
        var word = Int(start >> 6)
        guard word < words.count else { return false }
        var rest = words[word] & UInt64.max << UInt64(start & 63)
        while documents.count < count {
            while rest == 0 {
                word += 1
                guard word < words.count else {
                    start = UInt32(words.count) << 6
                    return !documents.isEmpty
                }
                rest = words[word]
            }
            start = UInt32(truncatingIfNeeded: word << 6 | rest.trailingZeroBitCount)
            documents.append(start)
            start += 1
            rest &= rest &- 1
        }
        return true
    }

    /// Calls `body` with each document of a range, of which the bounds are multiples of 64.
    @inline(__always)
    func forEach(in range: Range<Int>, _ body: (Int) -> Void) {
        words.withUnsafeBufferPointer { words in
            for word in (range.lowerBound >> 6)..<((range.upperBound + 63) >> 6) {
                var rest = words[word]
                if rest == .max {
                    for document in (word << 6)..<(word << 6 + 64) { body(document) }
                    continue
                }
                while rest != 0 {
                    body(word << 6 | rest.trailingZeroBitCount)
                    rest &= rest &- 1
                }
            }
        }
    }
}
