/// The parts of a query as cursors, for one segment of a snapshot after the other.
struct PartCursors: ~Copyable {
    enum Part {
        case term(Term)
        case list(QueryMatches)
        /// A word that is not required; these come last.
        case bonus(Term)

        fileprivate var isBonus: Bool {
            if case .bonus = self { true } else { false }
        }
    }

    /// A word; and what its scores are multiplied by, in this order.
    final class Term {
        fileprivate let postings: TermPostings
        fileprivate let factors: [Double]
        fileprivate let isScored: Bool
        /// Counts the memory of the postings, if nobody else does.
        private let share: MemoryShare?

        init(
            _ postings: TermPostings, _ factors: [Double] = [], scored: Bool,
            share: MemoryShare? = nil
        ) {
            self.share = share
            self.postings = postings
            self.factors = factors
            isScored = scored
        }
    }

    private let parts: [Part]
    private let snapshot: Snapshot
    private let lengths: LengthStatistics
    private let norms: [SegmentNorms]
    private let segmentsWithDead: [Bool]
    private let saturation: BM25.Saturation
    /// In how many documents each part is that is required.
    let frequencies: [Int]
    /// What the frequency of each part makes of its scores.
    private let weights: [Double]
    /// The documents that are asked for, if not all are.
    private let filter: FilterSets?
    /// Over the parts that the current segment has.
    private var cursors: CursorRow

    init(
        _ parts: [Part], _ snapshot: Snapshot, _ similarity: BM25, filter: FilterSets? = nil
    ) throws {
        var alone: StatisticsExchange?
        try self.init(parts, snapshot, similarity, filter: filter, &alone)
    }

    /// With the numbers of all indexes where others are searched too; the words are told in their
    /// order.
    init(
        _ parts: [Part], _ snapshot: Snapshot, _ similarity: BM25, filter: FilterSets?,
        _ exchange: inout StatisticsExchange?
    ) throws {
        let lengths = try snapshot.lengthStatistics()
        let norms =
            try exchange.map { try snapshot.norms(similarity, as: $0.known) }
            ?? snapshot.norms(similarity)
        self.parts = parts
        self.snapshot = snapshot
        self.filter = filter
        self.lengths = lengths
        self.norms = norms
        segmentsWithDead = snapshot.segmentsWithDead()
        saturation = similarity.saturation
        let frequencies = parts.map {
            switch $0 {
            case .term(let term), .bonus(let term): term.postings.documentFrequency
            case .list(let found): found.documents.count
            }
        }
        let required = parts.prefix { !$0.isBonus }.count
        self.frequencies = Array(frequencies.prefix(required))
        if exchange == nil {
            let count = snapshot.count
            weights = frequencies.map {
                similarity.idf(documentFrequency: $0, documentCount: count)
            }
        } else {
            weights = Self.weights(of: parts, frequencies, similarity, &exchange)
        }
        cursors = CursorRow(capacity: parts.count)
    }

    /// What the frequencies in all indexes make of scores; those of lists are made already.
    private static func weights(
        of parts: [Part], _ own: [Int], _ similarity: BM25, _ exchange: inout StatisticsExchange?
    ) -> [Double] {
        zip(parts, own).map { part, own in
            if case .list = part { return 0 }
            return similarity.idf(
                documentFrequency: exchange?.frequency(own) ?? own,
                documentCount: exchange?.known.documentCount ?? 0)
        }
    }

    /// Whether all parts are words that some object has.
    var knowsAllWords: Bool {
        parts.allSatisfy { part in
            switch part {
            case .term(let term): term.postings.documentFrequency > 0
            case .list: false
            case .bonus: true
            }
        }
    }

    /// Calls `body` with cursors over the parts that a segment has, in their order, for each
    /// segment that has some, or all where all are needed.
    mutating func forEachSegment(
        needsAll: Bool = false,
        _ body: (inout CursorRow, TopDocuments.Segment) throws -> Void
    ) throws {
        for place in snapshot.segments.indices where filter?.bits[place].count != 0 {
            guard try begin(place, needsAll: needsAll), !cursors.isEmpty else { continue }
            try body(&cursors, segment(place))
        }
    }

    /// Where the documents of a segment begin, and which are dead; flushed segments come first.
    private func segment(_ place: Int) -> TopDocuments.Segment {
        let documents = snapshot.segments[place].documents
        if let filter {
            return TopDocuments.Segment(
                firstDocument: documents.lowerBound, allowed: filter.bits[place])
        }
        let hasDead =
            place < segmentsWithDead.count
            ? segmentsWithDead[place] : snapshot.dead.intersects(documents)
        return TopDocuments.Segment(
            firstDocument: documents.lowerBound, dead: hasDead ? snapshot.dead : nil)
    }

    /// Goes to a segment; false where it lacks some part and all are needed.
    private mutating func begin(_ place: Int, needsAll: Bool) throws -> Bool {
        cursors.removeAll()
        for number in parts.indices {
            switch parts[number] {
            case .term(let term), .bonus(let term):
                let isBonus = parts[number].isBonus
                let scoring =
                    term.isScored ? scoring(number, term.factors, norms[place]) : nil
                if let stored = term.postings.stored(in: place) {
                    try cursors.append(isBonus: isBonus) { try $0.begin(stored, scoring) }
                } else if let list = term.postings.list(in: place, of: snapshot, scoring, lengths) {
                    cursors.append(isBonus: isBonus) { $0.begin(list) }
                } else if needsAll, !isBonus {
                    return false
                }
            case .list(let matches):
                if let list = matches.list(in: snapshot.segments[place].documents) {
                    cursors.append { $0.begin(list) }
                } else if needsAll {
                    return false
                }
            }
        }
        return true
    }

    /// The documents of the only part, a word, in a segment; with their scores, or with 0.
    ///
    /// Complexity: linear in the documents; nothing is kept of a block but these.
    func appendAll(
        of postings: TermPostings, _ place: Int, scored: Bool, _ clock: SearchClock,
        to matches: inout QueryMatches
    ) throws {
        if case .memory = snapshot.segments[place] {
            let found = postings.scored(
                in: place, scored ? scoring(0, [], norms[place]) : nil, lengths)
            matches.documents += found.documents
            matches.scores += found.scores
            return
        }
        guard let stored = postings.stored(in: place) else { return }
        let segment = segment(place)
        let scoring = scoring(0, [], norms[place])
        var chunk = PostingsChunk()
        var scores = Buffer<Double>(capacity: 128)
        var weighted = Buffer<Double>()
        // Who calls looks at the clock again.
        for block in 0..<stored.blockCount where !clock.isOver(afterWork: 128) {
            if block & 63 == 63 { try matches.hold(by: clock) }
            try IndexStore.translating(.postings) {
                try chunk.decodeBlock(
                    block, of: stored, with: scored ? .frequencies : .documents)
            }
            if scored { scoring.score(chunk, into: &scores, &weighted) }
            chunk.documents.withElements { documents in
                scores.withElements { matches.append(documents, in: segment, scored ? $0 : nil) }
            }
        }
    }

    private func scoring(
        _ number: Int, _ factors: [Double], _ strings: SegmentNorms
    ) -> TermScoring {
        TermScoring(
            saturation: saturation, idf: weights[number], factors: factors, strings: strings)
    }
}

extension QueryMatches {
    /// Appends those of some documents of a segment that are not left out, with their scores, or
    /// with 0.
    fileprivate mutating func append(
        _ documents: UnsafeBufferPointer<UInt32>, in segment: TopDocuments.Segment,
        _ scores: UnsafeBufferPointer<Double>?
    ) {
        let first = segment.firstDocument
        guard !segment.leavesSomeOut else {
            for place in documents.indices where !segment.leavesOut(documents[place]) {
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
    fileprivate func list(in range: Range<UInt32>) -> ScoredList? {
        let part = documents.part(in: range)
        return part.isEmpty ? nil : ScoredList(part, scores[part.indices], first: range.lowerBound)
    }
}
