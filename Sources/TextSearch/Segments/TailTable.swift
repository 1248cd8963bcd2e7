/// Finds terms by what stands behind their first character.
///
/// The terms' numbers, by a hash of that, in buckets: a few of each bucket are others.
///
/// **Thread safety**: immutable.
struct TailTable: Sendable {
    /// Where each bucket begins, and behind the last one where another would.
    private let bucketStarts: [UInt32]
    /// The numbers of terms, bucket after bucket; those of a part follow those of the one before.
    private let numbers: [UInt32]
    /// The number of each part's first term.
    private let firstNumbers: [UInt32]

    private static let termsPerBucket = 4

    /// Complexity: linear in the bytes of the terms, eight at a time.
    init(_ parts: [VocabularyPart]) {
        var firstNumbers: [UInt32] = []
        var termCount: UInt32 = 0
        for part in parts {
            firstNumbers.append(termCount)
            termCount += UInt32(part.termCount)
        }
        var bucketCount = 1
        while bucketCount * Self.termsPerBucket < Int(termCount) { bucketCount *= 2 }
        // A counting sort.
        var buckets = Buffer<UInt32>(capacity: Int(termCount))
        var ends = Buffer<UInt32>(repeating: 0, count: bucketCount + 1)
        for part in parts {
            part.withTerms { terms in
                for number in 0..<part.termCount {
                    let bucket =
                        Self.hash(terms.bytes, Self.tail(of: terms, number)) & (bucketCount &- 1)
                    buckets.append(UInt32(truncatingIfNeeded: bucket))
                    ends[bucket &+ 1] &+= 1
                }
            }
        }
        for bucket in 0..<bucketCount { ends[bucket + 1] &+= ends[bucket] }
        bucketStarts = ends.withElements { Array($0) }
        var numbers = Buffer<UInt32>(repeating: 0, count: Int(termCount))
        for number in 0..<Int(termCount) {
            let bucket = Int(buckets[number])
            numbers[Int(ends[bucket])] = UInt32(truncatingIfNeeded: number)
            ends[bucket] &+= 1
        }
        self.numbers = numbers.withElements { Array($0) }
        self.firstNumbers = firstNumbers
    }

    /// Where what stands behind the first character of a term is.
    @inline(__always)
    static func tail(of terms: VocabularyPart.Terms, _ number: Int) -> Range<Int> {
        let term = terms.range(of: number)
        guard !term.isEmpty else { return term }
        let first = terms.bytes[term.lowerBound]
        let width = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        return min(term.lowerBound &+ width, term.upperBound)..<term.upperBound
    }

    /// A hash of the first eight of some bytes, the last eight, and how many there are.
    @inline(__always)
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        func word(_ place: Int) -> UInt64 {
            UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        let end = range.upperBound
        let count = end &- range.lowerBound
        var hash = UInt64(truncatingIfNeeded: count)
        if count > 8 {
            hash = (hash ^ word(range.lowerBound)) &* 0xc2b2_ae3d_27d4_eb4f ^ word(end &- 8)
        } else if count > 0, end >= 8 {
            hash ^= word(end &- 8) &>> UInt64(64 &- 8 &* count)
        } else {
            for place in range {
                hash ^= UInt64(raw[place]) &<< UInt64(8 &* (place &- range.lowerBound))
            }
        }
        hash = hash &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: hash &>> 32)
    }

    /// Calls `body` with the terms behind whose first character a byte string may stand.
    ///
    /// Complexity: as a look-up in a hash table.
    func forEachTerm(withTail tail: [UInt8], _ body: (TermPlace) -> Void) {
        let hash = tail.withUnsafeBufferPointer { Self.hash($0, 0..<$0.count) }
        let bucket = hash & (bucketStarts.count - 2)
        for number in numbers[Int(bucketStarts[bucket])..<Int(bucketStarts[bucket + 1])] {
            let part = firstNumbers.firstPlace { $0 > number } - 1
            body(TermPlace(part: UInt32(part), term: number - firstNumbers[part]))
        }
    }
}
