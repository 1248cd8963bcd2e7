/// Documents of one segment, a bit each.
struct DocumentBits: ~Copyable {
    private let count: Int
    private var words: Buffer<UInt64>

    init(count: Int) {
        self.count = count
        words = Buffer(repeating: 0, count: count / 64 + 1)
    }

    /// Inserts a document, relative to the segment; false where the segment has none of this
    /// number.
    @inline(__always)
    mutating func insert(_ document: UInt32) -> Bool {
        guard document < count else { return false }
        words[Int(document >> 6)] |= 1 &<< UInt64(document & 63)
        return true
    }

    /// Inserts the documents of a chunk; false where the segment does not have them all.
    mutating func insert(_ chunk: borrowing PostingsChunk) -> Bool {
        chunk.documents.withElements { documents in
            // They ascend.
            guard let last = documents.last, last < count else { return documents.isEmpty }
            words.withMutableElements { words in
                for document in documents {
                    words[Int(document >> 6)] |= 1 &<< UInt64(document & 63)
                }
            }
            return true
        }
    }

    /// Calls `body` with each document, ascending.
    @inline(__always)
    borrowing func forEach(_ body: (UInt32) throws -> Void) rethrows {
        for word in 0..<words.count {
            var rest = words[word]
            while rest != 0 {
                try body(UInt32(truncatingIfNeeded: word &<< 6 | rest.trailingZeroBitCount))
                rest &= rest &- 1
            }
        }
    }
}

/// A set that lies with others in an array.
final class DocumentBitSet {
    var bits: DocumentBits

    init(count: Int) { bits = DocumentBits(count: count) }
}

extension DocumentBitSet: PostingsTaker {
    func expect(termCount: Int) {}

    func take(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader
    ) throws -> Bool {
        try Self.insert(postings, &reader, into: &bits)
    }

    func take(
        _ places: Range<Int>, of part: VocabularyPart, _ reader: inout TermPostingsReader,
        entries: inout Buffer<UInt32>
    ) throws -> Bool {
        try Self.insert(places, of: part, &reader, into: &bits, &entries)
    }

    private static func insert(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader,
        into bits: inout DocumentBits
    ) throws -> Bool {
        if let (document, _) = try TermPostingsReader.readSingle(postings) {
            return bits.insert(document)
        }
        try reader.readDocuments(postings)
        return bits.insert(reader.chunk)
    }

    private static func insert(
        _ places: Range<Int>, of part: VocabularyPart, _ reader: inout TermPostingsReader,
        into bits: inout DocumentBits, _ entries: inout Buffer<UInt32>
    ) throws -> Bool {
        var isSound = true
        try part.forEachChunk(in: places, entries: &entries) {
            isSound = try insert($0, &reader, into: &bits) && isSound
        }
        return isSound
    }
}
