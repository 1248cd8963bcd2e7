/// How the best documents of a prefix, infix, keyword or the like that stands alone are found: of
/// all that match it only how often is counted, and nothing else of them is made.
struct PatternPlan {
    private let pattern: TermPattern
    private let strings: StringSelection

    /// Nil for another query.
    init?(_ query: Query, _ evaluator: borrowing QueryEvaluator) throws {
        var (node, string) = (query.node, UInt32?.none)
        if case .field(let name, let part) = node,
            let index = evaluator.fields.firstIndex(of: name)
        {
            (node, string) = (part.node, UInt32(index))
        }
        guard let lone = try evaluator.lonePattern(of: node, in: string) else { return nil }
        (pattern, strings) = lone
    }

    /// The documents with the highest scores, and how many there are; other indexes are told that.
    ///
    /// The scores are those of `evaluate(_:_:)`, to the last bit.
    func best(count: Int, _ evaluator: inout QueryEvaluator) throws -> TopMatches {
        var best = BestFrequencies(count: count, evaluator.similarity)
        let sums = try CountFinder(pattern, in: strings, .scores).sums(&evaluator.terms)
        try offer(sums, to: &best, &evaluator)
        let found = best.found
        let idf = evaluator.similarity.idf(
            documentFrequency: evaluator.exchange?.frequency(found) ?? found,
            documentCount: evaluator.exchange?.known.documentCount ?? evaluator.snapshot.count)
        return TopMatches(
            entries: best.entries(idf: idf), count: found, isExact: !evaluator.clock.isSpent)
    }

    private func offer(
        _ sums: consuming CountFinder.Sums, to best: inout BestFrequencies,
        _ evaluator: inout QueryEvaluator
    ) throws {
        let lengths = try evaluator.snapshot.lengthStatistics()
        let norms = evaluator.norms(evaluator.averages(lengths))
        for sums in sums.flushed { sums.offerAll(norms, to: &best) }
        var documents: [UInt32] = []
        var frequencies = Buffer<NormalizedFrequency>()
        sums.memory.withElements { counts in
            if !counts.isEmpty {
                evaluator.addFrequencies(counts, lengths, nil, to: &documents, &frequencies)
            }
        }
        best.found += documents.count
        for (place, document) in documents.enumerated() {
            best.offer(document, frequencies[place])
        }
    }
}
