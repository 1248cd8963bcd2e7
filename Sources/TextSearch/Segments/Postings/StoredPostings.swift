/// One term's postings in one segment as they are stored, and what stands before the blocks.
///
/// **Thread safety**: immutable.
final class StoredPostings: Sendable {
    /// More bytes of positions than these are not kept: a word that one string has millions of
    /// times has them in one piece.
    private static let mostPositions = 4_096

    let bytes: Buffer<UInt8>
    /// Whether the positions are left out of `bytes`, which are to be had from the store.
    let lacksPositions: Bool
    let isSingle: Bool
    let hasInlinePositions: Bool
    /// Whether positions are packed.
    let isPacked: Bool
    let directory: PostingsDirectory
    /// The numbers of the blocks, those with the highest bounds first.
    let blocksByBound: [UInt32]

    init(_ stored: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(stored)
        let flags = try reader.byte()
        isSingle = flags & PostingsEncoder.single != 0
        isPacked = flags & PostingsEncoder.packed != 0
        var kept = stored
        if isSingle, stored.count > Self.mostPositions {
            // The document, the string and the frequency.
            for _ in 0..<3 { _ = try reader.uint32() }
            kept = UnsafeRawBufferPointer(rebasing: stored[..<reader.offset])
        }
        lacksPositions = kept.count < stored.count
        var bytes = Buffer<UInt8>(capacity: kept.count)
        bytes.append(bytes: kept)
        self.bytes = bytes
        hasInlinePositions = isSingle || flags & PostingsEncoder.inlinePositions != 0
        var directory = PostingsDirectory()
        if !isSingle { try directory.read(&reader) }
        var order = Array(0..<UInt32(isSingle ? 1 : directory.blocks.count))
        if order.count > 1 {
            order.sort { directory.blocks[Int($0)].bound > directory.blocks[Int($1)].bound }
        }
        blocksByBound = order
        self.directory = directory
    }

    var blockCount: Int { blocksByBound.count }

    /// In how many documents of the segment the term stands, dead or alive.
    var documentCount: Int { isSingle ? 1 : directory.documentCount }

    /// The last document of a block; the largest number there is when the block is the only one.
    @inline(__always)
    func last(of block: Int) -> Int64 { isSingle ? .max : directory.blocks[block].last }

    /// The first document that a block may hold.
    @inline(__always)
    func first(of block: Int) -> Int64 { isSingle ? 0 : directory.blocks[block].before + 1 }

    /// An upper bound of the impacts in a block.
    @inline(__always)
    func bound(of block: Int) -> Double { isSingle ? .infinity : directory.blocks[block].bound }

    /// Of memory.
    var byteCount: Int {
        bytes.byteCount + directory.blocks.byteCount + blocksByBound.count * 4
    }
}
