/// The postings of one term in all segments of a snapshot.
final class TermPostings {
    /// In how many living documents the term stands.
    private(set) var documentFrequency = 0
    private let flushed: [Box]
    private var memory: [[WordCount]] = []

    /// Of flushed segments; the cursor is taken out once.
    private final class Box {
        var cursor: PostingsCursor?

        init(_ cursor: consuming PostingsCursor?) { self.cursor = cursor }

        func takeCursor() -> PostingsCursor? { cursor.take() }
    }

    /// Complexity: logarithmic in the vocabulary; linear in the documents of the term in segments where some are dead.
    init(_ term: [UInt8], _ snapshot: Snapshot, _ store: IndexStore, _ terms: inout TermHits) throws
    {
        flushed = try snapshot.flushed.map { segment in
            try term.withUnsafeBufferPointer {
                Box(try PostingsCursor($0, segment: segment.number, store: store))
            }
        }
        for (segment, box) in zip(snapshot.flushed, flushed) {
            documentFrequency += try Self.count(box, segment, snapshot.dead)
        }
        for part in snapshot.memory {
            let counts = terms.counts(of: term, in: part)
            var last: UInt32?
            for count in counts where count.document != last {
                documentFrequency += 1
                last = count.document
            }
            memory.append(counts)
        }
        if documentFrequency > 0 { terms.note(term, documentCount: documentFrequency) }
    }

    private static func count(
        _ box: Box, _ segment: FlushedSegment, _ dead: Tombstones
    ) throws -> Int {
        guard box.cursor != nil else { return 0 }
        let all = box.cursor?.chunk.totalDocumentCount ?? 0
        guard dead.intersects(segment.manifest.documents) else { return all }
        let first = segment.manifest.firstDocument
        var count = 0
        for block in 0..<(box.cursor?.blockCount ?? 0) {
            try box.cursor?.decode(block)
            for index in 0..<(box.cursor?.chunk.documentCount ?? 0) {
                if let document = box.cursor?.chunk.documents[index],
                    !dead.contains(first &+ document)
                {
                    count += 1
                }
            }
        }
        return count
    }

    /// The term's documents in a segment, scored; to be asked for once.
    func takeCursor(
        flushed number: Int, _ scoring: TermScoring
    ) throws -> ScoredCursor {
        guard let cursor = flushed[number].takeCursor() else { return ListCursor() }
        return try TermCursor(cursor, scoring)
    }

    /// The same in a memory segment.
    func cursor(
        memory number: Int, _ part: SegmentWriter.Part, _ scoring: TermScoring,
        _ lengths: LengthStatistics
    ) -> ScoredCursor {
        var walk = lengths.makeWalk()
        var documents: [UInt32] = []
        var scores: [Double] = []
        let counts = memory[number]
        var index = 0
        while index < counts.count {
            let document = counts[index].document
            var frequency = 0.0
            while index < counts.count, counts[index].document == document {
                let string = Int(counts[index].string)
                frequency += scoring.frequency(
                    counts[index].count, string: string,
                    length: walk.length(of: document, string: string))
                index += 1
            }
            documents.append(document)
            scores.append(scoring.score(frequency))
        }
        return ListCursor(documents[...], scores[...], first: part.firstDocument)
    }
}
