/// Walks over one term's postings in one flushed segment, decoding only the blocks that are asked for.
///
/// Documents are relative to the segment.
struct PostingsCursor: ~Copyable {
    private let segment: FlushedSegment
    private let term: [UInt8]
    private let postings: StoredPostings
    private(set) var chunk = PostingsChunk()
    /// The block that is decoded; -1 for none.
    private(set) var decoded = -1
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
        try IndexStore.translating(.postings) { try chunk.decodeBlock(block, of: postings) }
        decoded = block
    }

    /// Calls `body` with the occurrences in some documents, in text order. `documents` ascend.
    ///
    /// Complexity: linear in the postings of the blocks that hold one of them.
    mutating func forEachOccurrence(
        in documents: some Sequence<UInt32>,
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        var block = 0
        var wanted: [UInt32] = []
        for document in documents {
            var next = block
            while next < postings.blockCount, postings.last(of: next) < Int64(document) {
                next += 1
            }
            if next != block, !wanted.isEmpty {
                try visit(block, wanted, body)
                wanted.removeAll(keepingCapacity: true)
            }
            block = next
            guard block < postings.blockCount else { return }
            wanted.append(document)
        }
        if !wanted.isEmpty { try visit(block, wanted, body) }
    }

    private mutating func visit(
        _ block: Int, _ wanted: [UInt32],
        _ body: (_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Void
    ) throws {
        try decode(block)
        var some: [UInt32] = []
        var place = 0
        for document in wanted {
            while place < chunk.documentCount, chunk.documents[place] < document { place += 1 }
            if place < chunk.documentCount, chunk.documents[place] == document {
                some.append(document)
            }
        }
        guard let last = some.last else { return }
        try loadPage(of: block)
        try withPositions(of: block) { positions in
            try IndexStore.translating(.positions) {
                var next = 0
                try chunk.forEachOccurrence(
                    positions: positions, through: last,
                    where: { document in
                        while next < some.count, some[next] < document { next += 1 }
                        return next < some.count && some[next] == document
                    }, body)
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
