/// Writes the records and identifiers of documents that are not in the store yet.
///
/// They have no segment in their keys, and nobody finds them before the segment is named.
struct ObjectWriter: Sendable {
    let store: IndexStore

    /// How many entries a part has: first the records, then the identifiers.
    static func entryCount(of part: PlacedSegment) -> Int { 2 * part.segment.documentCount }

    /// Writes the entries of a part from one on. Ends behind a batch before the last one when
    /// `isEnough` says so.
    ///
    /// - Returns: How many of the part's entries are in the store then.
    func write(
        _ part: PlacedSegment, from start: Int = 0, until isEnough: () -> Bool = { false }
    ) throws -> Int {
        let batch = StoreBatch()
        let end = Self.entryCount(of: part)
        var entry = start
        while entry < end {
            entry = Self.put(entry..<end, of: part, into: batch)
            try store.commit(batch, sync: false)
            if isEnough() { break }
        }
        return entry
    }

    /// Puts some of the entries, until the batch is large; the first one that was not put.
    private static func put(
        _ entries: Range<Int>, of part: PlacedSegment, into batch: StoreBatch
    ) -> Int {
        let (segment, firstDocument) = (part.segment, part.firstDocument)
        let count = segment.documentCount
        return batch.withEntries { output in
            for entry in entries {
                if output.byteCount >= SegmentWriter.batchSize { return entry }
                if entry < count {
                    segment.documents.withRecord(of: entry) {
                        output.putSealed(.objects, firstDocument + UInt32(entry), $0)
                    }
                } else {
                    segment.documents.withIdentifier(of: entry - count) {
                        output.putIdentifier($0, firstDocument + UInt32(entry - count))
                    }
                }
            }
            return entries.upperBound
        }
    }
}
