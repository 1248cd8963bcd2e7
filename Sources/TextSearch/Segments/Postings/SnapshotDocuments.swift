/// Documents of a snapshot: in order while they are few, a bit each once they are many.
struct SnapshotDocuments {
    /// Bit 0 of the first word is this document.
    private let first: UInt32
    private let wordCount: Int
    /// Ascending; empty once there are words.
    private var few: [UInt32] = []
    private var words: [UInt64] = []

    /// More are many: so many take an eighth of the memory of bits at the most.
    private var mostFew: Int { min(wordCount / 4, 1_024) }
    /// So many are many as soon as one is inserted before others, which would be moved.
    private static let mostMoved = 64

    /// An empty one, for documents of a range.
    init(of documents: Range<UInt32>) {
        first = documents.lowerBound
        wordCount = documents.count / 64 + 1
    }

    var byteCount: Int { few.capacity * 4 + words.count * 8 }

    /// The most that ``byteCount`` can be.
    var greatestByteCount: Int { wordCount * 8 }

    private var areMany: Bool { !words.isEmpty }

    var isEmpty: Bool { few.isEmpty && words.allSatisfy { $0 == 0 } }

    var count: Int { words.reduce(few.count) { $0 &+ $1.nonzeroBitCount } }

    // MARK: Inserting

    /// Inserts a document, which must be in the range.
    @inline(__always)
    mutating func insert(_ document: UInt32) {
        if areMany { set(document) } else { insertAmongFew(document) }
    }

    @inline(__always)
    private mutating func set(_ document: UInt32) {
        let place = document &- first
        words[Int(place >> 6)] |= 1 &<< UInt64(place & 63)
    }

    private mutating func insertAmongFew(_ document: UInt32) {
        var place = few.count
        if let last = few.last, last >= document {
            place = few.firstPlace { $0 >= document }
            if few[place] == document { return }
        }
        if few.count < (place == few.count ? mostFew : min(mostFew, Self.mostMoved)) {
            return few.insert(document, at: place)
        }
        makeMany()
        set(document)
    }

    private mutating func makeMany() {
        words = [UInt64](repeating: 0, count: wordCount)
        for document in few { set(document) }
        few = []
    }

    mutating func insert(contentsOf documents: [UInt32]) {
        documents.withUnsafeBufferPointer { insert($0, from: 0) }
    }

    /// Inserts documents, which ascend, whose numbers count from one on.
    mutating func insert(_ documents: UnsafeBufferPointer<UInt32>, from start: UInt32) {
        if !areMany {
            if few.count + documents.count <= mostFew {
                for document in documents { insert(document &+ start) }
                return
            }
            makeMany()
        }
        let offset = start &- first
        words.withUnsafeMutableBufferPointer { words in
            for document in documents {
                let place = document &+ offset
                words[Int(place >> 6)] |= 1 &<< UInt64(place & 63)
            }
        }
    }

    // MARK: Sets

    func contains(_ document: UInt32) -> Bool {
        guard areMany else { return few[...].holds(document) }
        let place = document &- first
        return words[Int(place >> 6)] >> UInt64(place & 63) & 1 != 0
    }

    // The others are of the same range.

    mutating func formUnion(_ other: SnapshotDocuments) {
        guard other.areMany else {
            // Bits are not copied for nothing.
            if !areMany || !other.few.allSatisfy(contains) { insert(contentsOf: other.few) }
            return
        }
        if few.isEmpty, !areMany {
            self = other
            return
        }
        if !areMany { makeMany() }
        combine(other) { $0 | $1 }
    }

    mutating func formIntersection(_ other: SnapshotDocuments) {
        guard areMany, other.areMany else {
            few = areMany ? other.few.filter(contains) : few.filter(other.contains)
            words = []
            return
        }
        combine(other) { $0 & $1 }
    }

    mutating func subtract(_ other: SnapshotDocuments) {
        guard areMany else { return few.removeAll(where: other.contains) }
        guard !other.areMany else { return combine(other) { $0 & ~$1 } }
        for document in other.few {
            let place = document &- first
            words[Int(place >> 6)] &= ~(1 &<< UInt64(place & 63))
        }
    }

    mutating func subtract(_ dead: Tombstones) {
        guard dead.count > 0 else { return }
        few.removeAll(where: dead.contains)
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

    // MARK: Reading

    /// The documents, ascending.
    var documents: [UInt32] {
        guard areMany else { return few }
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

    /// Calls `body` with the place of each of some ascending documents that is here.
    ///
    /// Complexity: linear in the documents, or in those that are here while these are few.
    func forEachPlace(in documents: [UInt32], _ body: (Int) -> Void) {
        documents.withUnsafeBufferPointer { documents in
            guard !areMany else {
                return words.withUnsafeBufferPointer { words in
                    for place in documents.indices {
                        let number = documents[place] &- first
                        if words[Int(number >> 6)] &>> UInt64(number & 63) & 1 != 0 { body(place) }
                    }
                }
            }
            var next = 0
            for document in few {
                next = documents.firstPlace(of: document, from: next)
                guard next < documents.count else { return }
                if documents[next] == document { body(next) }
            }
        }
    }
}
