/// The parts of a query as cursors, for one segment of a snapshot after the other.
final class PartCursors {
    enum Part {
        case term(Term)
        case list(QueryMatches)
    }

    /// A word; and what its scores are multiplied by, in this order.
    final class Term {
        fileprivate let postings: TermPostings
        fileprivate let factors: [Double]
        fileprivate let cursor: TermCursor

        init(_ postings: TermPostings, _ factors: [Double] = [], scored: Bool) {
            self.postings = postings
            self.factors = factors
            cursor = TermCursor(scored: scored)
        }
    }

    private let parts: [Part]
    private let snapshot: Snapshot
    private let similarity: BM25
    private let lengths: LengthStatistics
    private let norms: [SegmentNorms]
    private let segmentsWithDead: [Bool]
    /// In how many documents each part is.
    let frequencies: [Int]

    init(_ parts: [Part], _ snapshot: Snapshot, _ similarity: BM25) throws {
        self.parts = parts
        self.snapshot = snapshot
        self.similarity = similarity
        lengths = try snapshot.lengthStatistics()
        norms = try snapshot.norms(similarity)
        segmentsWithDead = snapshot.segmentsWithDead()
        frequencies = parts.map {
            switch $0 {
            case .term(let term): term.postings.documentFrequency
            case .list(let found): found.documents.count
            }
        }
    }

    /// Whether all parts are words that some object has.
    var knowsAllWords: Bool {
        parts.allSatisfy { part in
            if case .term(let term) = part {
                term.postings.documentFrequency > 0
            } else {
                false
            }
        }
    }

    /// Where the documents of a segment begin, and which are dead; flushed segments come first.
    func segment(_ place: Int) -> TopDocuments.Segment {
        let documents = documents(place)
        let hasDead =
            place < segmentsWithDead.count
            ? segmentsWithDead[place] : snapshot.dead.intersects(documents)
        return TopDocuments.Segment(
            firstDocument: documents.lowerBound, dead: hasDead ? snapshot.dead : nil)
    }

    private func documents(_ place: Int) -> Range<UInt32> {
        place < snapshot.flushed.count
            ? snapshot.flushed[place].manifest.documents
            : snapshot.memory[place - snapshot.flushed.count].documents
    }

    /// Cursors over the parts that a segment has, in their order, until the next segment; nil where some are missing and all are needed.
    func begin(_ place: Int, needsAll: Bool) throws -> [ScoredCursor]? {
        var cursors: [ScoredCursor] = []
        for (number, part) in parts.enumerated() {
            var found: ScoredCursor?
            switch part {
            case .list(let matches): found = matches.cursor(in: documents(place))
            case .term(let term):
                if place >= snapshot.flushed.count {
                    let memory = place - snapshot.flushed.count
                    found = term.postings.cursor(
                        memory: memory, snapshot.memory[memory],
                        scoring(number, term.factors, norms[place]), lengths)
                } else if let stored = term.postings.flushed[place] {
                    try term.cursor.begin(stored, scoring(number, term.factors, norms[place]))
                    found = term.cursor
                }
            }
            if let found { cursors.append(found) } else if needsAll { return nil }
        }
        return cursors
    }

    /// The documents of the only part, a word, in a segment; with their scores, or with 0.
    ///
    /// Complexity: linear in the documents; nothing is kept of a block but these.
    func appendAll(
        of postings: TermPostings, _ place: Int, scored: Bool, to matches: inout QueryMatches
    ) throws {
        guard place < snapshot.flushed.count else {
            let found = postings.scored(
                memory: place - snapshot.flushed.count, scoring(0, [], norms[place]), lengths)
            matches.documents += found.documents
            matches.scores +=
                scored ? found.scores : [Double](repeating: 0, count: found.documents.count)
            return
        }
        guard let stored = postings.flushed[place] else { return }
        let segment = segment(place)
        let scoring = scoring(0, [], norms[place])
        var chunk = PostingsChunk()
        var scores = Buffer<Double>(capacity: 128)
        for block in 0..<stored.blockCount {
            try IndexStore.translating(.postings) {
                try chunk.decodeBlock(
                    block, of: stored, with: scored ? .frequencies : .documents)
            }
            if scored { scoring.score(chunk, into: &scores) }
            chunk.documents.withElements { documents in
                scores.withElements { matches.append(documents, in: segment, scored ? $0 : nil) }
            }
        }
    }

    private func scoring(
        _ number: Int, _ factors: [Double], _ strings: SegmentNorms
    ) -> TermScoring {
        TermScoring(
            saturation: similarity.saturation,
            idf: similarity.idf(
                documentFrequency: frequencies[number], documentCount: snapshot.count),
            factors: factors, strings: strings)
    }
}

extension QueryMatches {
    /// Appends the living of some documents of a segment, with their scores, or with 0.
    fileprivate mutating func append(
        _ documents: UnsafeBufferPointer<UInt32>, in segment: TopDocuments.Segment,
        _ scores: UnsafeBufferPointer<Double>?
    ) {
        let first = segment.firstDocument
        guard segment.dead == nil else {
            for place in documents.indices where !segment.isDead(documents[place]) {
                self.documents.append(first &+ documents[place])
                self.scores.append(scores?[place] ?? 0)
            }
            return
        }
        self.documents.append(contentsOf: documents.lazy.map { first &+ $0 })
        if let scores {
            self.scores.append(contentsOf: scores)
        } else {
            self.scores.append(contentsOf: repeatElement(0, count: documents.count))
        }
    }

    /// Those in a range of documents; nil where there are none.
    fileprivate func cursor(in range: Range<UInt32>) -> ListCursor? {
        let part = documents.part(in: range)
        return part.isEmpty ? nil : ListCursor(part, scores[part.indices], first: range.lowerBound)
    }
}
