/// Walks over one term's postings in one flushed segment after the other, decoding only the blocks
/// that are asked for.
///
/// Documents are relative to the segment.
struct PostingsCursor: ~Copyable {
    /// What it walks over.
    private struct Source {
        var segment: FlushedSegment
        var term: [UInt8]
        var postings: StoredPostings

        var missingPositions: TextIndexError {
            .corrupted("positions of segment \(segment.number)")
        }
    }

    private var chunk = PostingsChunk()
    /// Where the documents are in it that are looked for.
    private var places = Buffer<UInt32>()
    private var page = Buffer<UInt8>()
    private var loadedPage = -1
    /// Room for the positions of a run.
    private var positions = Buffer<UInt32>()

    init() {}

    /// Makes the documents of a block those of `chunk`.
    private mutating func decode(_ block: Int, of postings: StoredPostings) throws {
        do throws(MalformedData) {
            try chunk.decodeBlock(block, of: postings, with: .frequencies)
        } catch {
            throw TextIndexError.malformed(.postings)
        }
    }

    /// Calls `body` with where a term stands in each string of some documents, in text order, as
    /// far as `limit` wants it. `postings` are the term's in the segment; `wanted` ascend, and are
    /// documents of the segment by the index's numbers.
    ///
    /// After each block, and within one after each `PostingsChunk.pieceSize` positions, `endBlock`
    /// is called, and may throw. Ends early when the time is over: who calls looks at the clock
    /// again. Complexity: linear in the postings of the blocks that may hold one of them.
    mutating func forEachRun(
        of term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        in wanted: ArraySlice<UInt32>, _ clock: SearchClock,
        upTo limit: PostingsChunk.RunLimit = { _, _ in .max },
        _ body: PostingsChunk.RunBody, endBlock: () throws -> Void
    ) throws {
        let source = Source(segment: segment, term: term, postings: postings)
        let first = segment.manifest.firstDocument
        loadedPage = -1
        page.removeAll()
        var block = 0
        var next = wanted.startIndex
        while next < wanted.endIndex {
            let document = Int64(wanted[next] - first)
            while block < postings.blockCount, postings.last(of: block) < document { block += 1 }
            guard block < postings.blockCount, !clock.isOver(afterWork: 128) else { return }
            try decode(block, of: postings)
            next = find(wanted, from: next, first, through: postings.last(of: block))
            if !places.isEmpty {
                try visit(block, of: source, upTo: limit, body) {
                    try endBlock()
                    try clock.work(PostingsChunk.pieceSize / 16)
                }
                try endBlock()
            }
            block += 1
        }
    }

    /// The same for all documents of the segment that are not among the dead, by the index's
    /// numbers.
    mutating func forEachRun(
        of term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        without dead: Tombstones?, _ clock: SearchClock, _ body: PostingsChunk.RunBody,
        endBlock: () throws -> Void
    ) throws {
        let source = Source(segment: segment, term: term, postings: postings)
        let first = segment.manifest.firstDocument
        loadedPage = -1
        page.removeAll()
        for block in 0..<postings.blockCount {
            try decode(block, of: postings)
            places.removeAll()
            for place in 0..<chunk.documentCount
            where !(dead?.contains(first &+ chunk.documents[place]) ?? false) {
                places.append(UInt32(truncatingIfNeeded: place))
            }
            if !places.isEmpty {
                try visit(block, of: source, upTo: { _, _ in .max }, body) {
                    try endBlock()
                    try clock.work(PostingsChunk.pieceSize / 16)
                }
            }
            try endBlock()
            try clock.work(128)
        }
    }

    /// Makes `places` those of the wanted documents that the decoded block has; where those begin
    /// that are behind it.
    private mutating func find(
        _ wanted: ArraySlice<UInt32>, from start: Int, _ first: UInt32, through last: Int64
    ) -> Int {
        places.removeAll()
        var next = start
        while next < wanted.endIndex, Int64(wanted[next] - first) <= last { next += 1 }
        let room = places.tail(room: next - start)
        var count = 0
        chunk.documents.withElements { documents in
            var place = 0
            for number in start..<next {
                place = documents.firstPlace(of: wanted[number] - first, from: place)
                guard place < documents.count else { return }
                // A branch would often be foreseen wrongly.
                room[count] = UInt32(truncatingIfNeeded: place)
                count &+= documents[place].isEqual(to: wanted[number] - first)
            }
        }
        places.commit(count)
        return next
    }

    private mutating func visit(
        _ block: Int, of source: Source, upTo limit: PostingsChunk.RunLimit,
        _ body: PostingsChunk.RunBody, endPiece: () throws -> Void
    ) throws {
        try loadPage(of: block, of: source)
        // Apart from the rest, which is only read meanwhile.
        var room = Buffer<UInt32>()
        swap(&room, &positions)
        defer { swap(&room, &positions) }
        try withPositions(of: block, of: source) { bytes in
            try IndexStore.translating(.positions) {
                try chunk.forEachRun(
                    positions: bytes, at: places, &room, upTo: limit, body, endPiece: endPiece)
            }
        }
    }

    private mutating func loadPage(of block: Int, of source: Source) throws {
        let postings = source.postings
        guard !postings.hasInlinePositions else { return }
        let number = postings.directory.blocks[block].page
        guard loadedPage != number else { return }
        loadedPage = -1
        page.removeAll()
        var key = Buffer<UInt8>(capacity: source.term.count + 16)
        source.term.withUnsafeBufferPointer {
            Key.positions($0, segment: source.segment.number, page: number, into: &key)
        }
        let found: Void? = try source.segment.store.withValue(key, .positions) {
            page.append(bytes: $0)
        }
        if found == nil { throw source.missingPositions }
        loadedPage = number
    }

    private borrowing func withPositions(
        of block: Int, of source: Source, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if let start = chunk.inlinePositions, source.postings.lacksPositions {
            // Lent as they are stored: there may be millions.
            let found: Void? = try source.term.withUnsafeBufferPointer {
                try source.segment.withPostings(of: $0) { bytes in
                    guard start <= bytes.count else { throw source.missingPositions }
                    try body(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                }
            }
            if found == nil { throw source.missingPositions }
            return
        }
        if let start = chunk.inlinePositions {
            return try source.postings.bytes.withBytes {
                try body(UnsafeRawBufferPointer(rebasing: $0[start...]))
            }
        }
        let start = source.postings.directory.blocks[block].positionStart
        guard start <= page.count else { throw source.missingPositions }
        try page.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
