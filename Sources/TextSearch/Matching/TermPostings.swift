/// The postings of one term in all segments of a snapshot.
struct TermPostings {
    /// In how many living documents the term stands.
    private(set) var documentFrequency = 0
    /// In the order of the flushed segments; nil where the term does not stand.
    let flushed: [StoredPostings?]
    private var memory: [[WordCount]] = []

    /// Complexity: a look-up for each segment; linear in the documents of the term in segments where some are dead, when a snapshot is asked first.
    init(
        _ term: [UInt8], _ snapshot: Snapshot, _ store: IndexStore, _ terms: inout TermHits
    ) throws {
        flushed = try snapshot.flushed.map { try $0.postings(of: term) }
        let segmentsWithDead = snapshot.segmentsWithDead()
        for (place, postings) in flushed.enumerated() {
            guard let postings else { continue }
            documentFrequency +=
                segmentsWithDead[place]
                ? try Self.count(term, postings, snapshot.flushed[place], snapshot)
                : postings.documentCount
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
        _ term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        _ snapshot: Snapshot
    ) throws -> Int {
        let name = IndexStore.PostingsKey(term: term, segment: segment.number)
        if let known = snapshot.livingFrequencies.value(for: name) { return known }
        let dead = snapshot.dead
        let first = segment.manifest.firstDocument
        var chunk = PostingsChunk()
        var count = 0
        for block in 0..<postings.blockCount {
            try IndexStore.translating(.postings) {
                try chunk.decodeBlock(block, of: postings, with: .documents)
            }
            for index in 0..<chunk.documentCount
            where !dead.contains(first &+ chunk.documents[index]) {
                count += 1
            }
        }
        snapshot.livingFrequencies.insert(count, for: name, byteCount: term.count + 16)
        return count
    }

    /// The term's documents in a memory segment, scored; nil where there are none.
    func cursor(
        memory number: Int, _ part: SegmentWriter.Part, _ scoring: TermScoring,
        _ lengths: LengthStatistics
    ) -> ListCursor? {
        let (documents, scores) = scored(memory: number, scoring, lengths)
        guard !documents.isEmpty else { return nil }
        return ListCursor(documents[...], scores[...], first: part.firstDocument)
    }

    /// The term's documents in a memory segment, and their scores.
    func scored(
        memory number: Int, _ scoring: TermScoring, _ lengths: LengthStatistics
    ) -> (documents: [UInt32], scores: [Double]) {
        let counts = memory[number]
        var walk = lengths.makeWalk()
        var documents: [UInt32] = []
        var scores: [Double] = []
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
        return (documents, scores)
    }
}
