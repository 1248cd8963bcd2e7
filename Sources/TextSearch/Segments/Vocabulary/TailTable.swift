/// Finds terms by what stands behind their first character.
///
/// The terms' numbers, by a hash of that, in buckets: a few of each bucket are others.
///
/// **Thread safety**: immutable.
struct TailTable: Sendable {
    /// The bucket is what a shift by this leaves of the hash.
    private let shift: UInt64
    /// Where each bucket begins, and behind the last one where another would.
    private let bucketStarts: [UInt32]
    /// The numbers of terms, bucket after bucket; those of a part follow those of the one before.
    private let numbers: [UInt32]
    /// The number of each part's first term.
    private let firstNumbers: [UInt32]

    private static let termsPerBucket = 4

    /// Complexity: linear in the number of terms.
    init(_ parts: [VocabularyPart]) {
        var firstNumbers: [UInt32] = []
        var termCount: UInt32 = 0
        for part in parts {
            firstNumbers.append(termCount)
            termCount += UInt32(part.termCount)
        }
        var bits: UInt64 = 1
        while Self.termsPerBucket << Int(bits) < Int(termCount) { bits += 1 }
        let bucketCount = 1 << Int(bits)
        let shift = 64 - bits
        // A counting sort.
        var buckets = Buffer<UInt32>(repeating: 0, count: Int(termCount))
        var next = 0
        var ends = Buffer<UInt32>(repeating: 0, count: bucketCount + 1)
        for part in parts {
            part.withTerms { terms in
                for number in 0..<part.termCount {
                    let tail = Self.tail(of: terms, number)
                    let bucket = Self.bucket(of: terms.bytes, tail, shift)
                    buckets[next] = UInt32(truncatingIfNeeded: bucket)
                    next &+= 1
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
        self.shift = shift
    }

    /// Where what stands behind the first character of a term is.
    @inline(__always)
    static func tail(of terms: VocabularyPart.Terms, _ number: Int) -> Range<Int> {
        let term = terms.range(of: number)
        guard !term.isEmpty else { return term }
        let width = width(ofCharacter: terms.bytes[term.lowerBound])
        return min(term.lowerBound &+ width, term.upperBound)..<term.upperBound
    }

    /// How many bytes a character takes, by its first one.
    @inline(__always)
    static func width(ofCharacter first: UInt8) -> Int {
        first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    }

    /// The highest bits of a hash of the first eight of some bytes, the last eight, and how many
    /// there are.
    @inline(__always)
    private static func bucket(
        of bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ shift: UInt64
    ) -> Int {
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
        // The highest bits of a product depend on all that is multiplied.
        hash = hash &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: hash &>> shift)
    }

    /// Calls `body` with the terms behind whose first character a byte string may stand.
    ///
    /// Complexity: as a look-up in a hash table, and logarithmic in the parts for each term.
    func forEachTerm(withTail tail: [UInt8], _ body: (TermPlace) -> Void) {
        let bucket = tail.withUnsafeBufferPointer { Self.bucket(of: $0, 0..<$0.count, shift) }
        for number in numbers[Int(bucketStarts[bucket])..<Int(bucketStarts[bucket + 1])] {
            let part = firstNumbers.firstPlace { $0 > number } - 1
            body(TermPlace(part: UInt32(part), term: number - firstNumbers[part]))
        }
    }
}
