/// The postings of one term in all segments of a snapshot.
struct TermPostings {
    /// In how many living documents the term stands.
    private(set) var documentFrequency = 0
    /// Of memory.
    var byteCount: Int {
        stored.postings.reduce(0) { $0 + ($1?.byteCount ?? 0) }
            + memory.reduce(0) { $0 + $1.count * MemoryLayout<WordCount>.stride }
    }
    private let stored: StoredTerm
    private var memory: [[WordCount]] = []

    /// The postings in a flushed segment of the snapshot; nil where the term does not stand, and in
    /// memory.
    @inline(__always)
    func stored(in place: Int) -> StoredPostings? {
        place < stored.postings.count ? stored.postings[place] : nil
    }

    /// Complexity: a look-up for each segment; linear in the documents of the term in segments
    /// where some are dead, when a snapshot is asked first.
    init(
        _ term: [UInt8], _ snapshot: Snapshot, _ store: IndexStore, _ needs: MatchNeeds,
        _ terms: inout TermHits
    ) throws {
        stored = try StoredTerm.of(term, in: snapshot.flushed)
        documentFrequency = try Self.count(term, stored, snapshot, terms.clock)
        for part in snapshot.memory {
            var found = Buffer<WordCount>()
            try CountFinder(.exact(term), in: .all, needs).count(in: part, into: &found, &terms)
            let counts = found.withElements { Array($0) }
            var documents = DocumentCounter()
            for count in counts { documents.count(count.document) }
            documentFrequency += Int(documents.count)
            memory.append(counts)
        }
        guard documentFrequency > 0 else { return }
        terms.begin(.exact(term))
        term.withUnsafeBufferPointer {
            terms.note(
                $0, 0..<$0.count, documentCount: UInt32(clamping: documentFrequency))
        }
    }

    /// In how many living documents of a snapshot a term stands; nil where some are in memory.
    static func frequency(
        of term: [UInt8], in snapshot: Snapshot, _ clock: SearchClock
    ) throws -> Int? {
        guard snapshot.memory.isEmpty else { return nil }
        return try count(term, StoredTerm.of(term, in: snapshot.flushed), snapshot, clock)
    }

    /// The same where it was asked for of late, without a look into the files; nil where it was
    /// not, and where some documents are in memory.
    static func keptFrequency(of term: [UInt8], in snapshot: Snapshot) -> Int? {
        guard snapshot.memory.isEmpty, let stored = StoredTerm.kept(term, in: snapshot.flushed)
        else { return nil }
        return snapshot.segmentsWithDead().contains(true)
            ? snapshot.livingFrequencies.value(for: term) : stored.documentCount
    }

    /// In how many living documents of flushed segments a term stands.
    private static func count(
        _ term: [UInt8], _ stored: StoredTerm, _ snapshot: Snapshot, _ clock: SearchClock
    ) throws -> Int {
        let segmentsWithDead = snapshot.segmentsWithDead()
        guard segmentsWithDead.contains(true) else { return stored.documentCount }
        if let known = snapshot.livingFrequencies.value(for: term) { return known }
        var count = 0
        for (place, postings) in stored.postings.enumerated() {
            guard let postings else { continue }
            count +=
                segmentsWithDead[place]
                ? try Self.livingCount(
                    of: postings, snapshot.flushed[place], snapshot.dead, clock)
                : postings.documentCount
            // Once the time is over, all will do: what is found has an end, too.
            if clock.isSpent { return stored.documentCount }
        }
        snapshot.livingFrequencies.insert(count, for: term, byteCount: term.count + 16)
        return count
    }

    private static func livingCount(
        of postings: StoredPostings, _ segment: FlushedSegment, _ dead: Tombstones,
        _ clock: SearchClock
    ) throws -> Int {
        let first = segment.manifest.firstDocument
        var chunk = PostingsChunk()
        var count = 0
        for block in 0..<postings.blockCount where !clock.isOver(afterWork: 128) {
            try IndexStore.translating(.postings) {
                try chunk.decodeBlock(block, of: postings, with: .documents)
            }
            for index in 0..<chunk.documentCount
            where !dead.contains(first &+ chunk.documents[index]) {
                count += 1
            }
        }
        return count
    }

    /// The term's documents in a memory segment of the snapshot, with their scores, or with 0
    /// without a scoring; nil where there are none, and in a flushed segment.
    func list(
        in place: Int, of snapshot: Snapshot, _ scoring: TermScoring?, _ lengths: LengthStatistics
    ) -> ScoredList? {
        guard place >= stored.postings.count else { return nil }
        let (documents, scores) = scored(in: place, scoring, lengths)
        guard !documents.isEmpty else { return nil }
        return ScoredList(
            documents[...], scores[...], first: snapshot.segments[place].documents.lowerBound)
    }

    /// The term's documents in a memory segment, and their scores, or 0 without a scoring.
    func scored(
        in place: Int, _ scoring: TermScoring?, _ lengths: LengthStatistics
    ) -> (documents: [UInt32], scores: [Double]) {
        let counts = memory[place - stored.postings.count]
        guard let scoring else {
            var documents: [UInt32] = []
            for count in counts where count.document != documents.last {
                documents.append(count.document)
            }
            return (documents, [Double](repeating: 0, count: documents.count))
        }
        var walk = lengths.makeWalk()
        var documents: [UInt32] = []
        var scores: [Double] = []
        var index = 0
        while index < counts.count {
            let document = counts[index].document
            var frequency = NormalizedFrequency()
            while index < counts.count, counts[index].document == document {
                let string = Int(counts[index].string)
                frequency.add(
                    scoring.frequency(
                        counts[index].count, string: string,
                        length: walk.length(of: document, string: string)))
                index += 1
            }
            documents.append(document)
            scores.append(scoring.score(frequency))
        }
        return (documents, scores)
    }
}
