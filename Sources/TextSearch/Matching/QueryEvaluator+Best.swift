extension QueryEvaluator {
    /// The best documents of a query, and how many it matches.
    struct Best {
        /// Best first.
        var entries: [TopHeap.Entry]
        var count: Int
        /// Whether there are no more than `count`.
        var isExact: Bool
    }

    /// More parts than this are evaluated in full.
    private static let mostParts = 32

    private enum Combination {
        case one, all, any
    }

    /// A word or another part of a query.
    private enum Part {
        case term([UInt8], factors: [Double])
        case list(QueryMatches)
    }

    /// The documents with the highest scores, without scoring all: of a word, or of all or any of several parts among which are words.
    /// Nil when the query is another one, or asks for nothing.
    ///
    /// The scores are those of `evaluate(_:)`, to the last bit. `countLimit` is how far documents are counted at the least.
    mutating func best(_ query: Query, count: Int, countLimit: Int) throws -> Best? {
        guard count > 0 else { return nil }
        let query = analyzer.synonyms.expand(query).withoutWrapping
        let combination: Combination
        let queries: [Query]
        switch query.node {
        case .all(let parts): (combination, queries) = (.all, parts)
        case .any(let parts): (combination, queries) = (.any, parts)
        default: (combination, queries) = (.one, [query])
        }
        guard queries.count <= Self.mostParts, let parts = try parts(queries) else { return nil }
        // Only a part that asks for nothing is none.
        guard !parts.isEmpty else { return nil }
        return try best(of: parts, parts.count == 1 ? .one : combination, count, countLimit)
    }

    /// Nil where nothing is gained, or where the scores have no bounds.
    private mutating func parts(_ queries: [Query]) throws -> [Part]? {
        var terms: [Part?] = []
        for query in queries {
            if case .none = query.node { return nil }
            terms.append(term(query, factors: []))
        }
        guard terms.contains(where: { $0 != nil }) else { return nil }
        var parts: [Part] = []
        for (query, term) in zip(queries, terms) {
            if let term {
                parts.append(term)
            } else if let found = try evaluate(query, in: nil) {
                guard found.scores.allSatisfy(\.isFinite) else { return nil }
                parts.append(.list(found))
            }
        }
        return parts
    }

    /// A query for one word that all strings hold alike.
    private func term(_ query: Query, factors: [Double]) -> Part? {
        switch query.node {
        case .boost(let part, let factor):
            guard factor >= 0, factor <= 1e9, factors.count < 8 else { return nil }
            return term(part, factors: [factor] + factors)
        case .term(let text), .phrase(let text, _, false):
            var word: TermPattern?
            for (analysis, _) in analyzer.analyses(of: nil) {
                let words = QueryWords(text, analysis: analysis).words
                guard words.count == 1, case .exact(let bytes) = words[0].pattern else {
                    return nil
                }
                if let word, case .exact(bytes) = word { continue }
                guard word == nil else { return nil }
                word = .exact(bytes)
            }
            guard case .exact(let bytes) = word else { return nil }
            return .term(bytes, factors: factors)
        default: return nil
        }
    }

    // MARK: Evaluation

    private mutating func best(
        of parts: [Part], _ combination: Combination, _ count: Int, _ countLimit: Int
    ) throws -> Best {
        let postings = try parts.map { part -> TermPostings? in
            guard case .term(let bytes, _) = part else { return nil }
            return try TermPostings(bytes, snapshot, store, &terms)
        }
        let frequencies = zip(parts, postings).map { part, postings -> Int in
            if case .list(let found) = part { return found.documents.count }
            return postings?.documentFrequency ?? 0
        }
        let known = combination == .any ? frequencies.max() ?? 0 : 0
        var top = TopDocuments(
            capacity: count, countLimit: known >= countLimit ? 0 : countLimit, clock: clock)
        let lead = frequencies.indices.min { frequencies[$0] < frequencies[$1] } ?? 0
        let lengths = try snapshot.lengthStatistics()
        for place in 0..<(snapshot.flushed.count + snapshot.memory.count) {
            let segment = Segment(place, snapshot)
            let column = try segment.flushed?.lengths() ?? LengthColumn()
            let scale = ImpactScale(column, similarity) { lengths.average(of: $0) }.largest
            var cursors: [ScoredCursor] = []
            for (number, part) in parts.enumerated() {
                switch part {
                case .list(let found): cursors.append(found.cursor(in: segment.documents))
                case .term(_, let factors):
                    let scoring = TermScoring(
                        similarity: similarity,
                        idf: similarity.idf(
                            documentFrequency: frequencies[number], documentCount: snapshot.count),
                        factors: factors, lengths: column, averages: lengths.averages, scale: scale)
                    guard let postings = postings[number] else { continue }
                    cursors.append(try segment.cursor(postings, scoring, lengths))
                }
            }
            let target = TopDocuments.Segment(
                firstDocument: segment.documents.lowerBound,
                dead: snapshot.dead.intersects(segment.documents) ? snapshot.dead : nil)
            switch combination {
            case .one: try top.addAll(of: cursors[0], in: target)
            case .any: try top.addUnion(of: cursors, in: target)
            case .all: try top.addIntersection(of: cursors, lead: lead, in: target)
            }
        }
        if combination == .one {
            return Best(
                entries: top.heap.sorted, count: frequencies[0], isExact: !clock.isSpent)
        }
        return Best(
            entries: top.heap.sorted, count: top.countsAll ? top.counted : max(top.counted, known),
            isExact: top.countsAll && !clock.isSpent)
    }

    /// A segment of a snapshot, flushed or in memory.
    private struct Segment {
        var documents: Range<UInt32>
        var flushed: FlushedSegment?
        private var number: Int
        private var part: SegmentWriter.Part?

        init(_ place: Int, _ snapshot: Snapshot) {
            if place < snapshot.flushed.count {
                number = place
                flushed = snapshot.flushed[place]
                documents = snapshot.flushed[place].manifest.documents
            } else {
                number = place - snapshot.flushed.count
                part = snapshot.memory[number]
                documents = snapshot.memory[number].documents
            }
        }

        func cursor(
            _ postings: TermPostings, _ scoring: TermScoring, _ lengths: LengthStatistics
        ) throws -> ScoredCursor {
            if let part { return postings.cursor(memory: number, part, scoring, lengths) }
            return try postings.takeCursor(flushed: number, scoring)
        }
    }
}

extension QueryMatches {
    /// Those in a range of documents.
    fileprivate func cursor(in range: Range<UInt32>) -> ScoredCursor {
        let part = documents.part(in: range)
        return ListCursor(part, scores[part.indices], first: range.lowerBound)
    }
}

extension Query {
    /// What stands alone in "all" or "any", which adds nothing to it.
    fileprivate var withoutWrapping: Query {
        var query = self
        while true {
            switch query.node {
            case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
                query = parts[0]
            default: return query
            }
        }
    }
}
