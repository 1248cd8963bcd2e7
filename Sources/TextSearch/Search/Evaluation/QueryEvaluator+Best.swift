/// What is best of a query, by a plan where it has one.
extension QueryEvaluator {
    /// The documents with the highest scores, without scoring all: of a word or a pattern, or of
    /// all or any of several parts among which are words. Nil when the query is another one, or
    /// asks for nothing.
    ///
    /// The scores are those of `evaluate(_:_:)`, to the last bit, raised by the factors.
    /// `countLimit` is how far documents are counted at the least. `besidesAll`: all matches are
    /// asked for anyhow, so that nothing is gained where only the best of a pattern are made.
    mutating func best(
        _ query: Query, count: Int, countLimit: Int, factors: DocumentFactors = .none,
        besidesAll: Bool = false
    ) throws -> TopMatches? {
        guard count > 0 else { return nil }
        let (query, filters) = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters
        if factors.isEmpty, filters.isEmpty, !besidesAll,
            let best = try bestOfPattern(query, count: count)
        {
            return best
        }
        guard let plan = try QueryPlan(query, &self) else { return nil }
        return try best(
            by: plan, filters, count: count, countLimit: countLimit, factors: factors)
    }

    /// The documents with the highest scores of a plan that pass some filters.
    mutating func best(
        by plan: consuming QueryPlan, _ filters: [Query], count: Int, countLimit: Int,
        factors: DocumentFactors
    ) throws -> TopMatches? {
        if !filters.isEmpty {
            let filter = try FilterScorer(.all(of: filters), .documents).sets(self)
            if filter.count == 0 {
                // Others may have what this index lacks.
                return exchange == nil ? nil : TopMatches(isExact: !clock.isSpent)
            }
            plan.filter = filter
        }
        return try plan.best(count: count, countLimit: countLimit, factors: factors, &self)
    }

    /// The best of a pattern that stands alone; nil when the query is another one, or when nothing
    /// is gained.
    mutating func bestOfPattern(_ query: Query, count: Int) throws -> TopMatches? {
        guard terms.typed == nil, let plan = try PatternPlan(query, self) else { return nil }
        let best = try plan.best(count: count, &self)
        // Who gets nothing evaluates the query to find out why.
        if best.count == 0, best.isExact { known = (query, QueryMatches()) }
        return best
    }

    /// Keeps the best of a query for its evaluation, if they are all that match.
    mutating func remember(_ best: TopMatches, of query: Query) {
        guard best.isExact, best.count == best.entries.count else { return }
        known = (analyzer.synonyms.expand(query).withoutWrapping, QueryMatches(best.entries))
    }

    /// Tells other indexes what the scores of the best depend on, without looking for these; how
    /// many documents match, if that is known then. False where `best` gives nil.
    mutating func tellStatistics(of query: Query) throws -> (isTold: Bool, count: Int?) {
        let (query, filters) = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters
        if filters.isEmpty, let plan = try PatternPlan(query, self) {
            // It is told by the look for the best.
            return (true, try plan.best(count: 1, &self).count)
        }
        guard let plan = try QueryPlan(query, &self) else { return (false, nil) }
        let count = try plan.tell(&self)
        return (true, filters.isEmpty ? count : nil)
    }

    /// The plan of a query that beside filters is words and nothing else, whose scores can be found
    /// later for some of the documents that it matches; nil for another query.
    func planOfWords(_ query: Query) -> QueryPlan? {
        let query = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters.query
        return QueryPlan(words: query, analyzer)
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
}
