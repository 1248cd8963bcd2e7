/// The postings and positions of a flushed segment, to be read from end to end.
struct SegmentPostings {
    let segment: FlushedSegment
    let postings: PostingsEntries
    let positions: AscendingEntries

    init(_ segment: FlushedSegment) {
        self.segment = segment
        postings = PostingsEntries(
            segment, AscendingEntries(segment.store, .postings, fillCache: false))
        positions = AscendingEntries(segment.store, .positions, fillCache: false)
    }
}

/// Reads the postings of one term in one flushed segment after the other.
struct TermPostingsReader: ~Copyable {
    private(set) var chunk = PostingsChunk()
    private var positions = Buffer<UInt8>()
    private var key = Buffer<UInt8>()

    /// Decodes the chunk of a term of the vocabulary and fetches its positions, with cursors: terms
    /// ascend.
    mutating func read(
        _ term: UnsafeBufferPointer<UInt8>, _ entries: SegmentPostings, at place: TermPlace
    ) throws {
        let isInline = try entries.postings.withPostings(of: term, at: place) { try take($0) }
        guard isInline != true else { return }
        for page in 0..<chunk.pageCount {
            Key.positions(term, segment: entries.segment.number, page: page, into: &key)
            let found: Void? = try entries.positions.withValue(key) { positions.append(bytes: $0) }
            if found == nil { throw Self.missing(entries.segment) }
        }
    }

    /// Decodes a stored chunk with its positions, where that takes a page of memory at the most;
    /// false for others, which are read block by block.
    mutating func readIfSmall(_ postings: UnsafeRawBufferPointer) throws -> Bool {
        guard postings.count <= 4_096, let flags = postings.first,
            flags & PostingsEncoder.inlinePositions != 0
        else { return false }
        return try IndexStore.translating(.postings) { try take(postings) }
    }

    private static func missing(_ segment: FlushedSegment) -> TextIndexError {
        .corrupted("positions of segment \(segment.number)")
    }

    /// Decodes a stored chunk alone.
    mutating func readCounts(_ postings: UnsafeRawBufferPointer) throws {
        try IndexStore.translating(.postings) { try chunk.decode(postings) }
    }

    /// A stored chunk of some of its documents alone, which ascend, without their positions; nil
    /// where it has none of them.
    mutating func postings(
        _ postings: UnsafeRawBufferPointer, of documents: [UInt32]
    ) throws -> Buffer<UInt8>? {
        try readCounts(postings)
        var encoder = PostingsEncoder()
        encoder.begin()
        encoder.append(chunk) { documents[...].holds($0) }
        guard encoder.documentCount > 0 else { return nil }
        var some = Buffer<UInt8>()
        // Who is given this reads all blocks, whatever their bounds.
        encoder.encode(into: &some, Impacts(LengthColumn()))
        return some
    }

    /// Where a term stands that has but one document, and stands in one string of it; nil for
    /// others.
    @inline(__always)
    static func readSingle(
        _ postings: UnsafeRawBufferPointer
    ) throws -> (document: UInt32, run: PostingsRun)? {
        try IndexStore.translating(.postings) { try PostingsChunk.single(of: postings) }
    }

    /// Decodes a stored chunk block by block, each with frequencies, and lends them to `body`;
    /// until that gives false.
    mutating func readFrequencies(
        _ postings: UnsafeRawBufferPointer, _ body: (inout PostingsChunk) -> Bool
    ) throws {
        try IndexStore.translating(.postings) { try chunk.forEachBlock(of: postings, body) }
    }

    /// The same, each with all runs.
    mutating func readRuns(
        _ postings: UnsafeRawBufferPointer, _ body: (inout PostingsChunk) -> Bool
    ) throws {
        try IndexStore.translating(.postings) {
            try chunk.forEachBlock(of: postings, withRuns: true, body)
        }
    }

    /// The same for the blocks that may hold one of some documents, which ascend and count from
    /// `first` on.
    mutating func readRuns(
        _ postings: UnsafeRawBufferPointer, of documents: ArraySlice<UInt32>, from first: UInt32,
        _ body: (inout PostingsChunk) -> Bool
    ) throws {
        try IndexStore.translating(.postings) {
            try chunk.forEachBlock(of: postings, holding: documents, from: first, body)
        }
    }

    /// Decodes the documents of a stored chunk alone.
    mutating func readDocuments(_ postings: UnsafeRawBufferPointer) throws {
        try IndexStore.translating(.postings) { try chunk.decodeDocuments(postings) }
    }

    /// Whether the chunk had the positions, too.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        try chunk.decode(bytes)
        positions.removeAll()
        guard let start = chunk.inlinePositions else { return false }
        positions.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        return true
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

    /// Adds the documents that `number` gives a number to `encoder`, as `PostingsEncoder.append`
    /// does.
    borrowing func append(
        to encoder: inout PostingsEncoder, segmentCount: Int, number: (UInt32) -> UInt32?
    ) throws {
        try IndexStore.translating(.positions) {
            try positions.withBytes {
                try encoder.append(
                    chunk, positions: $0, segmentCount: segmentCount, number: number)
            }
        }
    }
}
