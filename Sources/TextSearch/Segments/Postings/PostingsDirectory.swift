/// What a chunk says of one of its blocks.
struct PostingsBlock: BitwiseCopyable {
    /// The last document in it, and the one before its first; relative to the segment, -1 for none.
    var last: Int64
    var before: Int64
    /// Where it begins in the chunk; nothing is known of its end.
    var start: Int
    var count: Int
    /// An upper bound of the impacts in it.
    var bound: Double
    /// Where its positions begin: in which page, and where in that.
    var page: Int
    var positionStart: Int
}

/// What stands before the blocks of a chunk.
struct PostingsDirectory: ~Copyable {
    private(set) var documentCount = 0
    private(set) var totalFrequency = 0
    private(set) var usualString: UInt32 = 0
    private(set) var blocks = Buffer<PostingsBlock>()
    /// In how many pages the positions lie, if they are not in the chunk.
    private(set) var pageCount = 0

    init() {}

    /// Reads past the flags up to the first block.
    ///
    /// Complexity: linear in the number of blocks.
    mutating func read(_ reader: inout ByteReader) throws(MalformedData) {
        blocks.removeAll()
        documentCount = try reader.varint(atMost: Int(UInt32.max))
        totalFrequency = try reader.varint(atMost: Int(UInt32.max) << 8)
        usualString = try reader.uint32()
        let size = PostingsEncoder.blockSize
        let blockCount = (documentCount + size - 1) / size
        // A document takes a bit at the least, so that a damaged count cannot size anything.
        guard blockCount <= reader.remaining else { throw MalformedData() }
        pageCount = 1
        if blockCount > 1 { try readBlocks(blockCount, &reader) }
        if blockCount == 1 {
            blocks.append(
                PostingsBlock(
                    last: .max, before: -1, start: reader.offset, count: documentCount,
                    bound: .infinity, page: 0, positionStart: 0))
        }
    }

    private mutating func readBlocks(
        _ blockCount: Int, _ reader: inout ByteReader
    ) throws(MalformedData) {
        let size = PostingsEncoder.blockSize
        var before: Int64 = -1
        var start = 0
        var pageBytes = 0
        for block in 0..<blockCount {
            let last = before + Int64(try reader.uint32())
            guard last > before, last <= Int64(UInt32.max) else { throw MalformedData() }
            let length = try reader.varint(atMost: Int(UInt32.max))
            let positions = try reader.varint(atMost: Int(UInt32.max))
            let low = UInt16(try reader.byte())
            let bound = UInt16(try reader.byte()) << 8 | low
            blocks.append(
                PostingsBlock(
                    last: last, before: before, start: start,
                    count: min(size, documentCount - block * size), bound: Impact.read(bound),
                    page: pageCount - 1, positionStart: pageBytes))
            before = last
            start += length
            pageBytes += positions
            if pageBytes >= PostingsEncoder.pageSize, block + 1 < blockCount {
                pageCount += 1
                pageBytes = 0
            }
        }
        for block in 0..<blocks.count { blocks[block].start += reader.offset }
    }
}
