/// The terms of a flush in order, in two halves where there are many.
enum OrderedTerms: Sendable {
    case whole(TermMerge)
    /// The parts of the second half have the numbers from `end` on.
    case halves(TermMerge, end: Int, TermMerge)

    /// Complexity: n log s for n terms in s segments.
    init(_ segments: [MemorySegment], leastSplitPostings: Int) {
        guard let halves = TermSlice.halves(of: segments, least: leastSplitPostings) else {
            self = .whole(TermMerge(segments))
            return
        }
        let leading = TermMerge(segments, halves.first)
        self = .halves(
            leading, end: TermWriter.partCount(of: leading), TermMerge(segments, halves.second))
    }
}

/// Writes the vocabulary and the postings of a flush: on two threads, where there are many.
struct MemoryTermsWriter: Sendable {
    let store: IndexStore
    /// Of the segment that is written.
    let number: UInt32
    let parts: [SegmentWriter.Part]
    /// The segment's first document, and the lengths of all of them.
    let first: UInt32
    let lengths: LengthColumn

    /// What was written.
    struct Written: Sendable {
        var termCount = 0
        var partCount = 0
        /// The digest of what went through other batches than the one that was given.
        var digestBesides: UInt64 = 0
    }

    /// Writes all terms; what is left in `batch` is committed as well.
    func write(_ terms: OrderedTerms, into batch: StoreBatch) throws -> Written {
        guard case .halves(let leading, let end, let trailing) = terms else {
            guard case .whole(let merge) = terms else { return Written() }
            return try write(merge, firstPart: 0, into: batch)
        }
        let written = try SideWork { () -> Written in
            let batch = StoreBatch()
            var written = try write(trailing, firstPart: end, into: batch)
            written.digestBesides = batch.digest
            return written
        }.run { try write(leading, firstPart: 0, into: batch) }
        return Written(
            termCount: written.own.termCount + written.side.termCount,
            partCount: written.own.partCount + written.side.partCount,
            digestBesides: written.side.digestBesides)
    }

    private func write(
        _ merge: TermMerge, firstPart: Int, into batch: StoreBatch
    ) throws -> Written {
        var encoder = PostingsEncoder()
        var writer = TermWriter(
            store: store, number: number, batch: batch, lengths: lengths, firstPart: firstPart)
        let segments = SegmentRow(parts.map(\.segment))
        let offsets = parts.map { $0.firstDocument - first }
        try merge.forEachTerm { term, range in
            encoder.begin()
            for index in range {
                let entry = merge.entries[index]
                segments.with(Int(entry.segment)) {
                    Self.add(
                        $0, term: Int(entry.term), offset: offsets[Int(entry.segment)],
                        to: &encoder)
                }
            }
            try writer.append(term, &encoder)
        }
        try writer.finish()
        return Written(termCount: writer.termCount, partCount: writer.nextPart - firstPart)
    }

    @inline(__always)
    private static func add(
        _ segment: borrowing MemorySegment, term: Int, offset: UInt32,
        to encoder: inout PostingsEncoder
    ) {
        segment.withOccurrences(of: term) { occurrences in
            var lastString = UInt32.max
            var lastDocument = UInt32.max
            var lastPosition: UInt32 = 0
            for occurrence in occurrences {
                if occurrence.string != lastString {
                    lastString = occurrence.string
                    let document = segment.strings.document[Int(occurrence.string)]
                    if document != lastDocument {
                        if lastDocument != .max { encoder.endDocument() }
                        lastDocument = document
                        encoder.beginDocument(document &+ offset)
                    }
                    encoder.beginString(segment.strings.index[Int(occurrence.string)])
                    lastPosition = 0
                }
                encoder.addPosition(gap: occurrence.position &- lastPosition)
                lastPosition = occurrence.position
            }
            if lastDocument != .max { encoder.endDocument() }
        }
    }
}
