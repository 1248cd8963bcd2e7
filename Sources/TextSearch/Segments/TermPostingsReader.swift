/// Reads the postings of one term in one flushed segment after the other.
struct TermPostingsReader: ~Copyable {
    private let store: IndexStore
    private(set) var chunk = PostingsChunk()
    private var positions = Buffer<UInt8>()
    private var key = Buffer<UInt8>()

    init(store: IndexStore) { self.store = store }

    /// Decodes the chunk and fetches its positions. A term that the vocabulary names must have postings.
    mutating func read(_ term: UnsafeBufferPointer<UInt8>, _ segment: UInt32) throws {
        guard try readIfPresent(term, segment) else {
            throw TextIndexError.corrupted("postings of segment \(segment)")
        }
    }

    /// Decodes the chunk and fetches its positions; false when the segment does not have the term.
    mutating func readIfPresent(
        _ term: UnsafeBufferPointer<UInt8>, _ segment: UInt32
    ) throws -> Bool {
        Key.term(.postings, term, segment: segment, into: &key)
        let found: Bool? = try store.withValue(key, .postings) { bytes in
            try chunk.decode(bytes)
            positions.removeAll()
            guard let start = chunk.inlinePositions else { return false }
            positions.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            return true
        }
        guard let isInline = found else { return false }
        if !isInline { try readPositions(term, segment) }
        return true
    }

    /// Decodes a stored chunk alone.
    mutating func readCounts(_ postings: UnsafeRawBufferPointer) throws {
        try IndexStore.translating(.postings) { try chunk.decode(postings) }
    }

    private mutating func readPositions(
        _ term: UnsafeBufferPointer<UInt8>, _ segment: UInt32
    ) throws {
        for page in 0..<chunk.pageCount {
            Key.positions(term, segment: segment, page: page, into: &key)
            let found: Void? = try store.withValue(key, .positions) { positions.append(bytes: $0) }
            if found == nil { throw TextIndexError.corrupted("positions of segment \(segment)") }
        }
    }

    /// Calls `body` with every occurrence of the documents that `wanted` lets pass, in text order.
    borrowing func forEachOccurrence(
        where wanted: (UInt32) -> Bool,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        try IndexStore.translating(.positions) {
            try positions.withBytes {
                try chunk.forEachOccurrence(positions: $0, where: wanted, body)
            }
        }
    }
}
