/// The best documents of a prefix, infix, keyword or the like that stands alone.
extension QueryEvaluator {
    /// The documents with the highest scores, of which the others are not made, and how many there
    /// are. Nil when the query is another one, or when nothing is gained.
    ///
    /// The scores are those of `evaluate(_:)`, to the last bit.
    mutating func bestOfPattern(_ query: Query, count: Int) throws -> Best? {
        guard needsScores, !needsAllMatches, trace == nil, terms.typed == nil, case .none = wanted,
            let (pattern, strings) = try lonePattern(of: query)
        else { return nil }
        let best = try best(of: pattern, in: strings, count: count)
        // Who gets nothing evaluates the query to find out why.
        if best.count == 0, best.isExact { known = (query, QueryMatches()) }
        return best
    }

    private func lonePattern(
        of query: Query
    ) throws -> (pattern: TermPattern, strings: StringSelection)? {
        var (node, string) = (query.node, UInt32?.none)
        if case .field(let name, let part) = node, let index = fields.firstIndex(of: name) {
            (node, string) = (part.node, UInt32(index))
        }
        return try lonePattern(of: node, in: string)
    }

    /// Tells other indexes in how many documents a pattern that stands alone is found; nil for
    /// another query.
    mutating func tellPattern(_ query: Query) throws -> Int? {
        guard let (pattern, strings) = try lonePattern(of: query) else { return nil }
        let found = try best(of: pattern, in: strings, count: 1).count
        // It was told by the look for the best.
        return found
    }

    /// Whether a query is a text of stop words or signs alone: it asks for nothing.
    func isOnlyStopWords(_ query: Query) -> Bool {
        guard case .term(let text) = analyzer.synonyms.expand(query).withoutWrapping.node,
            !text.isEmpty
        else { return false }
        return analyzer.analyses(of: nil).allSatisfy {
            QueryWords(text, analysis: $0.analysis).words.isEmpty
        }
    }

    private mutating func best(
        of pattern: TermPattern, in strings: StringSelection, count: Int
    ) throws -> Best {
        try best(of: try terms.sums(of: pattern, in: strings), count: count)
    }

    private mutating func best(
        of sums: consuming TermHits.Sums, count: Int
    ) throws -> Best {
        let norms = norms(averages(try snapshot.lengthStatistics()))
        var best = BestFrequencies(count: count, similarity)
        try offer(sums, norms, to: &best)
        return self.best(of: best)
    }

    private mutating func offer(
        _ sums: borrowing TermHits.Sums, _ norms: [StringNorm], to best: inout BestFrequencies
    ) throws {
        let lengths = try snapshot.lengthStatistics()
        for sums in sums.flushed { sums.offerAll(norms, to: &best) }
        var documents: [UInt32] = []
        var frequencies = Buffer<NormalizedFrequency>()
        sums.memory.withElements { counts in
            if !counts.isEmpty {
                addFrequencies(counts, lengths, nil, to: &documents, &frequencies)
            }
        }
        best.found += documents.count
        for (place, document) in documents.enumerated() {
            best.offer(document, frequencies[place])
        }
    }

    private mutating func best(of best: consuming BestFrequencies) -> Best {
        let found = best.found
        let idf = similarity.idf(
            documentFrequency: exchange?.frequency(found) ?? found,
            documentCount: exchange?.known.documentCount ?? snapshot.count)
        return Best(
            entries: best.entries(idf: idf), count: found, isExact: !clock.isSpent)
    }
}
