extension TextIndex {
    /// Returns what this index knows of a query text, to search it together with indexes of other
    /// processes; see ``QueryStatistics``.
    ///
    /// Pass the same parameters to the search with statistics, for all indexes and all rounds.
    ///
    /// Complexity: a look-up for each word in the first round if the query has nothing but words;
    /// otherwise that of finding all matches.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - known: the sum of the last round; nil in the first.
    ///   - limit: the maximum number of results of all indexes together.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the text names none; empty for all strings.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken; nil for those of the parser or of
    ///     ``TextIndexConfiguration/steps``.
    ///   - parser: how to read the text; nil for ``queryParser``.
    /// - Returns: The statistics of this index.
    /// - Throws: ``TextIndexError``: as the search; `.configurationMismatch` if `known` is of
    ///   indexes that analyse text differently; `.limitExceeded` if the budget ended it.
    public func statistics(
        of text: String, known: QueryStatistics? = nil, limit: Int = 20,
        ranking: Ranking = .relevance, filter: Query? = nil, fields: [String] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited,
        steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> QueryStatistics {
        try statistics(
            request(
                text, limit: limit, ranking: ranking, filter: filter, fields: fields,
                minimumScore: minimumScore, budget: budget, steps: steps, parser: parser), known)
    }

    /// Returns what this index knows of a typed query, to search it together with indexes of other
    /// processes; see ``QueryStatistics``.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - known: the sum of the last round; nil in the first.
    ///   - limit: the maximum number of results of all indexes together.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The statistics of this index.
    /// - Throws: ``TextIndexError``, as for a text.
    public func statistics(
        of query: Query, known: QueryStatistics? = nil, limit: Int = 20,
        ranking: Ranking = .relevance, filter: Query? = nil, fields: [String] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> QueryStatistics {
        try statistics(
            request(
                query, limit: limit, ranking: ranking, minimumScore: minimumScore, fields: fields,
                filter: filter, budget: budget), known)
    }

    /// Searches this index for a text by the statistics of all indexes that are searched together.
    ///
    /// Merge the results of all indexes by score, then by relevance, then by the order of the
    /// indexes, then as each index has them. The number of results of all is the sum of
    /// ``SearchResults/totalCount``. The content was the same in both phases if the sum of
    /// ``SearchResults/generation`` is ``QueryStatistics/generation``.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - statistics: the sum of the last round.
    ///   - limit: the maximum number of results, as for the statistics.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the text names none; empty for all strings.
    ///   - facets: what to count of this index, each with all of its buckets, in no order;
    ///     ``FacetCounts/sum(of:)`` adds up those of all indexes. Not in the order of the best
    ///     result, nor with top hits, nor with automatic ranges.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken, as for the statistics.
    ///   - parser: how to read the text; nil for ``queryParser``.
    /// - Returns: The best results of this index, with their scores among all.
    /// - Throws: ``TextIndexError``: as the search; `.configurationMismatch` if the statistics are
    ///   of indexes that analyse text differently; `.invalidArgument` if they are not complete, or
    ///   of another query.
    public func search(
        _ text: String, statistics: QueryStatistics, limit: Int = 20,
        ranking: Ranking = .relevance, filter: Query? = nil, fields: [String] = [],
        facets: [Facet] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited, steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> SearchResults<Object> {
        try search(
            request(
                text, limit: limit, ranking: ranking, filter: filter, fields: fields,
                minimumScore: minimumScore, budget: budget, steps: steps, parser: parser),
            statistics, facets)
    }

    /// Searches this index for a typed query by the statistics of all indexes that are searched
    /// together.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - statistics: the sum of the last round.
    ///   - limit: the maximum number of results, as for the statistics.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - facets: what to count of this index; see the search for a text.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The best results of this index, with their scores among all.
    /// - Throws: ``TextIndexError``, as for a text.
    public func search(
        _ query: Query, statistics: QueryStatistics, limit: Int = 20,
        ranking: Ranking = .relevance, filter: Query? = nil, fields: [String] = [],
        facets: [Facet] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> SearchResults<Object> {
        try search(
            request(
                query, limit: limit, ranking: ranking, minimumScore: minimumScore, fields: fields,
                filter: filter, budget: budget), statistics, facets)
    }
}
