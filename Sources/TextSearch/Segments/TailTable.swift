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

    /// Complexity: linear in the bytes of the terms.
    init(_ parts: [VocabularyPart]) {
        var firstNumbers: [UInt32] = []
        var termCount: UInt32 = 0
        for part in parts {
            firstNumbers.append(termCount)
            termCount += UInt32(part.termCount)
        }
        var bucketCount = 1
        while bucketCount * Self.termsPerBucket < Int(termCount) { bucketCount *= 2 }
        var buckets: [UInt32] = []
        buckets.reserveCapacity(Int(termCount))
        var counts = [UInt32](repeating: 0, count: bucketCount + 1)
        for part in parts {
            part.forEachTerm { term in
                let bucket = Self.hash(Self.tail(of: term)) & UInt32(bucketCount - 1)
                buckets.append(bucket)
                counts[Int(bucket) + 1] += 1
            }
        }
        for bucket in 0..<bucketCount { counts[bucket + 1] += counts[bucket] }
        bucketStarts = counts
        var numbers = [UInt32](repeating: 0, count: Int(termCount))
        for number in 0..<Int(termCount) {
            let bucket = Int(buckets[number])
            numbers[Int(counts[bucket])] = UInt32(number)
            counts[bucket] += 1
        }
        self.numbers = numbers
        self.firstNumbers = firstNumbers
    }

    /// What stands behind the first character of a term.
    @inline(__always)
    static func tail(of term: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let first = term.first else { return term }
        let width = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        return UnsafeBufferPointer(rebasing: term.dropFirst(width))
    }

    /// FNV-1a, with its high bits brought down.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var hash: UInt32 = 0x811c_9dc5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return hash ^ hash >> 15
    }

    /// Calls `body` with the terms behind whose first character a byte string may stand.
    ///
    /// Complexity: as a look-up in a hash table.
    func forEachTerm(withTail tail: [UInt8], _ body: (TermPlace) -> Void) {
        let hash = tail.withUnsafeBufferPointer { Self.hash($0) }
        let bucket = Int(hash) & (bucketStarts.count - 2)
        for number in numbers[Int(bucketStarts[bucket])..<Int(bucketStarts[bucket + 1])] {
            let part = firstNumbers.firstPlace { $0 > number } - 1
            body(TermPlace(part: UInt32(part), term: number - firstNumbers[part]))
        }
    }
}
