/// A memory segment in its place in the index.
struct PlacedSegment: Sendable {
    var segment: MemorySegment
    var firstDocument: UInt32
    /// Whether records and identifiers are in the store already, by the journaled commit.
    var isJournaled: Bool

    var documents: Range<UInt32> {
        firstDocument..<(firstDocument + UInt32(segment.documentCount))
    }
}

extension PlacedSegment {
    /// Calls `body` with a term's occurrences in living documents, in text order; only `strings`
    /// are looked in. `endPiece` is called before each `PostingsChunk.pieceSize` of a term's
    /// occurrences but the first, and may throw.
    @inline(__always)
    func forEachOccurrence(
        of term: Int, in strings: StringSelection, without dead: Tombstones,
        endPiece: () throws -> Void,
        _ body: (_ document: UInt32, _ string: UInt32, MemoryTerms.Occurrence) -> Void
    ) throws {
        try segment.terms.withOccurrences(of: term) { occurrences in
            var start = 0
            while start < occurrences.count {
                if start > 0 { try endPiece() }
                let end = min(start + PostingsChunk.pieceSize, occurrences.count)
                for occurrence in occurrences[start..<end] {
                    let (relative, index) = segment.place(ofString: occurrence.string)
                    let document = firstDocument + relative
                    if strings.contains(index), !dead.contains(document) {
                        body(document, index, occurrence)
                    }
                }
                start = end
            }
        }
    }
}
