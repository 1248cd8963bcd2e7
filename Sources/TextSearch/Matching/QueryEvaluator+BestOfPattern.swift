/// The best documents of a prefix, infix, keyword or the like that stands alone.
extension QueryEvaluator {
    /// The documents with the highest scores, of which the others are not made, and how many there are. Nil when the query is another one, or when nothing is gained.
    ///
    /// The scores are those of `evaluate(_:)`, to the last bit.
    mutating func bestOfPattern(_ query: Query, count: Int) throws -> Best? {
        guard needsScores, !needsAllMatches, trace == nil, exchange == nil, terms.typed == nil,
            case .none = wanted
        else { return nil }
        var (node, string) = (query.node, UInt32?.none)
        if case .field(let name, let part) = node, let index = fields.firstIndex(of: name) {
            (node, string) = (part.node, UInt32(index))
        }
        guard let (pattern, strings) = try lonePattern(of: node, in: string) else { return nil }
        let hasLists = count <= ChampionList.groupSize
        let listed = try terms.sums(of: pattern, in: strings, champions: hasLists)
        var found = try best(of: listed, count: count)
        if found == nil {
            found = try best(of: try terms.sums(of: pattern, in: strings), count: count)
        }
        guard let best = found else { return nil }
        // Who gets nothing evaluates the query to find out why.
        if best.count == 0, best.isExact { barren = query }
        return best
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

    /// Nil where a list may have left out one of the best.
    mutating func best(
        of sums: consuming TermHits.Sums, count: Int
    ) throws -> Best? {
        let lengths = try snapshot.lengthStatistics()
        let norms = norms(averages(lengths))
        var best = BestFrequencies(count: count, similarity)
        var bounds: [NormalizedFrequency] = []
        for list in sums.champions { list.offer(norms, to: &best, leaving: &bounds) }
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
        for bound in bounds where best.mayKeep(bound) { return nil }
        let found = best.found
        let idf = similarity.idf(documentFrequency: found, documentCount: snapshot.count)
        return Best(
            entries: best.entries(idf: idf), count: found, isExact: !clock.isSpent)
    }
}
