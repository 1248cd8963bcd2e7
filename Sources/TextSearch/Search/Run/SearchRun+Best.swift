/// The results of a page, of which the others are not made.
extension SearchRun {
    /// What a page is made of.
    enum Page {
        /// Those of all ranks up to the page's last, in order.
        case ranked([RankedDocument], count: Int, isExact: Bool)
        /// All that match; where the order does not take scores they may have none.
        case matches(QueryMatches, scoresLater: Bool)
    }

    /// What the page that is asked for is made of; the request then holds the query as it was run.
    mutating func page() throws -> Page {
        if let best = try best() {
            return .ranked(best.ranked, count: best.count, isExact: best.isExact)
        }
        if let (documents, count) = try pageOfFilter() {
            let ranked = documents.map { RankedDocument(document: $0, score: 0, relevance: 0) }
            return .ranked(ranked, count: count, isExact: true)
        }
        let scoresLater = scoresLater
        scoresBestOnly = ordersByScoreAlone
        // Who only counts asks for no scores.
        let scored =
            !scoresLater
            && (needsItems || !request.range.isEmpty || request.minimumScore > -.infinity)
        return .matches(try matches(scored: scored), scoresLater: scoresLater)
    }

    /// Whether what is not among the best of a page makes no difference to it.
    private var ordersByScoreAlone: Bool {
        guard case .relevance = request.ranking.kind, request.ranking.engagement == nil else {
            return false
        }
        return !needsItems && !(request.minimumScore > -.infinity) && request.sought == nil
            && !(request.documentFactors?.hasLearned ?? false)
            && request.range.upperBound < .max
    }

    /// Whether scores, which make no difference to the order, are found for the page alone.
    private var scoresLater: Bool {
        guard case .sorted(let keys) = request.ranking.kind, request.text == nil,
            request.ranking.engagement == nil, !(request.minimumScore > -.infinity),
            request.range.upperBound <= 1_000, !keys.contains(where: { $0.kind == .relevance })
        else { return false }
        return evaluator.planOfWords(request.asked ?? request.query) != nil
    }

    /// The first documents of a typed query that only filters, of which nothing else is put
    /// together, and how many there are; nil for another query, or where another order is asked
    /// for.
    private mutating func pageOfFilter() throws -> (documents: [UInt32], count: Int)? {
        let query = request.asked ?? request.query
        guard request.text == nil, request.ranking.engagement == nil, !needsItems,
            !(request.minimumScore > 0), query.onlyFilters
        else { return nil }
        let sets: FilterSets
        let range = request.range
        let documents: [UInt32]
        switch request.ranking.kind {
        case .sorted(let keys):
            sets = try FilterScorer(query, .documents).sets(evaluator)
            let order = ColumnOrder(keys, snapshot, evaluator.store, clock)
            documents = range.isEmpty ? [] : try order.first(range.upperBound, of: sets)
        case .relevance where range.upperBound <= 10_000:
            sets = try FilterScorer(query, .documents).sets(evaluator)
            documents = range.isEmpty ? [] : sets.prefix(range.upperBound)
        default: return nil
        }
        return sets.count > 0 ? (documents, sets.count) : nil
    }

    /// The best documents alone, where relevance orders them and some match; the request then holds
    /// the query as it was run. Nil otherwise. `besidesAll`: all that match are asked for, too.
    mutating func best(besidesAll: Bool = false) throws -> TopMatches? {
        guard case .relevance = request.ranking.kind, !needsItems,
            !(request.minimumScore > -.infinity), (1...10_000).contains(request.range.upperBound)
        else { return nil }
        let asked = request.asked ?? request.query
        request.takeSteps(from: asked)
        let found = try best(of: asked, besidesAll)
        guard var best = try found ?? bestInsideWords(besidesAll) else { return nil }
        if best.entries.count < request.wantedCount, !clock.isSpent,
            StepLadder(asked, request.steps, evaluator.analyzer) != nil
        {
            if found != nil, request.documentFactors?.isEmpty ?? true {
                evaluator.remember(best, of: asked)
            }
            return nil
        }
        // Nothing need not be found once more, if there is time to say so.
        if best.entries.isEmpty, !clock.check() { evaluator.remember(best, of: asked) }
        if best.entries.isEmpty, !request.readings.isEmpty { return nil }
        if best.entries.isEmpty, request.fallsBackToAny, let wider = asked.anyInsteadOfAll,
            let any = try self.best(of: wider, besidesAll)
        {
            best = any
            if !any.entries.isEmpty { request.fallBack(on: wider) }
        }
        guard !best.entries.isEmpty else { return nil }
        if best.knowsAllWords { request.checksWords = false }
        if request.checksWords { try checkWords(of: asked, hasMatches: true) }
        return best
    }

    private mutating func best(of query: Query, _ besidesAll: Bool) throws -> TopMatches? {
        try evaluator.best(
            query, count: request.range.upperBound, countLimit: countLimit,
            factors: request.documentFactors ?? .none, besidesAll: besidesAll)
    }

    /// The best of them, for a stop word alone; nil for another query, or where none matches.
    private mutating func bestInsideWords(_ besidesAll: Bool) throws -> TopMatches? {
        guard evaluator.isOnlyStopWords(request.query) else { return nil }
        var inside = request
        guard try inside.lookInsideWords(evaluator.analyzer),
            let best = try self.best(of: inside.query, besidesAll), !best.entries.isEmpty
        else { return nil }
        request = inside
        return best
    }
}
