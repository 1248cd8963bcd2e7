/// Walks over one term's postings in one flushed segment, decoding only the blocks that are asked for.
///
/// Documents are relative to the segment.
struct PostingsCursor: ~Copyable {
    private let segment: FlushedSegment
    private let term: [UInt8]
    private let postings: StoredPostings
    private var chunk = PostingsChunk()
    /// The block that is decoded; -1 for none.
    private var decoded = -1
    /// Where the documents are in it that are looked for.
    private var places = Buffer<UInt32>()
    private var page = Buffer<UInt8>()
    private var loadedPage = -1

    /// Nil when the segment does not have the term.
    init?(_ term: [UInt8], segment: FlushedSegment) throws {
        guard let postings = try segment.postings(of: term) else { return nil }
        self.segment = segment
        self.term = term
        self.postings = postings
    }

    /// Makes the documents of a block those of `chunk`.
    private mutating func decode(_ block: Int) throws {
        guard block != decoded else { return }
        decoded = -1
        do throws(MalformedData) {
            try chunk.decodeBlock(block, of: postings, with: .frequencies)
        } catch {
            throw TextIndexError.malformed(.postings)
        }
        decoded = block
    }

    /// Calls `body` with the occurrences in some documents, in text order. `wanted` ascend, and are documents of the segment by the index's numbers.
    ///
    /// Complexity: linear in the postings of the blocks that may hold one of them.
    mutating func forEachOccurrence(
        in wanted: ArraySlice<UInt32>,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        let first = segment.manifest.firstDocument
        var block = 0
        var next = wanted.startIndex
        while next < wanted.endIndex {
            let document = Int64(wanted[next] - first)
            while block < postings.blockCount, postings.last(of: block) < document { block += 1 }
            guard block < postings.blockCount else { return }
            try decode(block)
            next = find(wanted, from: next, first, through: postings.last(of: block))
            if !places.isEmpty { try visit(block, body) }
            block += 1
        }
    }

    /// Makes `places` those of the wanted documents that the decoded block has; where those begin that are behind it.
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
        _ block: Int, _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        try loadPage(of: block)
        try withPositions(of: block) { positions in
            try IndexStore.translating(.positions) {
                try chunk.forEachOccurrence(positions: positions, at: places, body)
            }
        }
    }

    private mutating func loadPage(of block: Int) throws {
        guard !postings.hasInlinePositions else { return }
        let number = postings.directory.blocks[block].page
        guard loadedPage != number else { return }
        loadedPage = -1
        page.removeAll()
        var key = Buffer<UInt8>(capacity: term.count + 16)
        term.withUnsafeBufferPointer {
            Key.positions($0, segment: segment.number, page: number, into: &key)
        }
        let found: Void? = try segment.store.withValue(key, .positions) {
            page.append(bytes: $0)
        }
        if found == nil {
            throw TextIndexError.corrupted("positions of segment \(segment.number)")
        }
        loadedPage = number
    }

    private borrowing func withPositions(
        of block: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if let start = chunk.inlinePositions {
            return try postings.bytes.withBytes {
                try body(UnsafeRawBufferPointer(rebasing: $0[start...]))
            }
        }
        let start = postings.directory.blocks[block].positionStart
        guard start <= page.count else {
            throw TextIndexError.corrupted("positions of segment \(segment.number)")
        }
        try page.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
