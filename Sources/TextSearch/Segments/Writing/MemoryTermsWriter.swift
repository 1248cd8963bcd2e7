/// Writes the vocabulary and the postings of a flush, on as many threads as come for them.
struct MemoryTermsWriter: Sendable {
    let store: IndexStore
    /// Of the segment that is written.
    let number: UInt32
    let parts: [PlacedSegment]
    /// The segment's first document, and the lengths of all of them.
    let first: UInt32
    let lengths: LengthColumn

    /// What was written.
    struct Written: Sendable {
        var termCount = 0
        var partCount = 0
        var digest: UInt64 = 0
    }

    /// Writes the slices that are left, as far as other threads do not; nothing before `gate` is
    /// open.
    func write(_ turns: TermTurns, behind gate: TableGate) throws -> Written {
        var encoder = PostingsEncoder()
        var writer = TermWriter(
            store: store, number: number, batch: StoreBatch(), lengths: lengths, gate: gate)
        let segments = SegmentRow(parts.map(\.segment))
        let offsets = parts.map { $0.firstDocument - first }
        while let turn = turns.next() {
            writer.begin(part: turn.firstPart)
            try turn.terms.forEachTerm { term, range in
                encoder.begin()
                for index in range {
                    let entry = turn.terms.entries[index]
                    segments.with(Int(entry.segment)) {
                        Self.add(
                            $0, term: Int(entry.term), offset: offsets[Int(entry.segment)],
                            to: &encoder)
                    }
                }
                try writer.append(term, &encoder)
            }
        }
        try writer.finish()
        return Written(
            termCount: writer.termCount, partCount: writer.partCount, digest: writer.digest)
    }

    @inline(__always)
    private static func add(
        _ segment: borrowing MemorySegment, term: Int, offset: UInt32,
        to encoder: inout PostingsEncoder
    ) {
        segment.terms.withOccurrences(of: term) { occurrences in
            var lastString = UInt32.max
            var lastDocument = UInt32.max
            var lastPosition: UInt32 = 0
            for occurrence in occurrences {
                if occurrence.string != lastString {
                    lastString = occurrence.string
                    let (document, string) = segment.place(ofString: occurrence.string)
                    if document != lastDocument {
                        if lastDocument != .max { encoder.endDocument() }
                        lastDocument = document
                        encoder.beginDocument(document &+ offset)
                    }
                    encoder.beginString(string)
                    lastPosition = 0
                }
                encoder.addPosition(gap: occurrence.position &- lastPosition)
                lastPosition = occurrence.position
            }
            if lastDocument != .max { encoder.endDocument() }
        }
    }
}
