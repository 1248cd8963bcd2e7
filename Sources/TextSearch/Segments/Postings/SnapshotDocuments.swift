/// Documents of a snapshot, a bit each.
struct SnapshotDocuments {
    /// Bit 0 of the first word is this document.
    private let first: UInt32
    private var words: [UInt64]

    /// An empty one, for documents of a range.
    init(of documents: Range<UInt32>) {
        first = documents.lowerBound
        words = [UInt64](repeating: 0, count: documents.count / 64 + 1)
    }

    var byteCount: Int { words.count * 8 }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var count: Int { words.reduce(0) { $0 &+ $1.nonzeroBitCount } }

    /// Inserts a document, which must be in the range.
    @inline(__always)
    mutating func insert(_ document: UInt32) {
        let place = document &- first
        words[Int(place >> 6)] |= 1 &<< UInt64(place & 63)
    }

    mutating func insert(contentsOf documents: [UInt32]) {
        documents.withUnsafeBufferPointer { insert($0, from: 0) }
    }

    /// Inserts documents whose numbers count from one on.
    mutating func insert(_ documents: UnsafeBufferPointer<UInt32>, from start: UInt32) {
        let offset = start &- first
        words.withUnsafeMutableBufferPointer { words in
            for document in documents {
                let place = document &+ offset
                words[Int(place >> 6)] |= 1 &<< UInt64(place & 63)
            }
        }
    }

    func contains(_ document: UInt32) -> Bool {
        let place = document &- first
        return words[Int(place >> 6)] >> UInt64(place & 63) & 1 != 0
    }

    // The others are of the same range.

    mutating func formUnion(_ other: SnapshotDocuments) { combine(other) { $0 | $1 } }

    mutating func formIntersection(_ other: SnapshotDocuments) { combine(other) { $0 & $1 } }

    mutating func subtract(_ other: SnapshotDocuments) { combine(other) { $0 & ~$1 } }

    mutating func subtract(_ dead: Tombstones) {
        guard dead.count > 0 else { return }
        for word in words.indices where words[word] != 0 {
            words[word] &= ~dead.bits(from: first &+ UInt32(truncatingIfNeeded: word << 6))
        }
    }

    @inline(__always)
    private mutating func combine(
        _ other: SnapshotDocuments, _ operation: (UInt64, UInt64) -> UInt64
    ) {
        let count = min(words.count, other.words.count)
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for word in 0..<count { words[word] = operation(words[word], others[word]) }
            }
        }
    }

    /// The documents, ascending.
    var documents: [UInt32] {
        var documents: [UInt32] = []
        documents.reserveCapacity(count)
        for (word, bits) in words.enumerated() {
            var rest = bits
            while rest != 0 {
                documents.append(
                    first &+ UInt32(truncatingIfNeeded: word << 6 | rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
        return documents
    }
}
