/// The searches, awaited: the caller's task is suspended and holds no thread, and a task that is
/// cancelled ends its search.
///
/// Searches have threads of their own, as many as there are processors, and never wait for a hook,
/// a flush, a merge or an operation.
extension TextIndex {
    /// Searches for query text without blocking a thread of the caller.
    ///
    /// ```swift
    /// let results = try await index.search(
    ///     "white whale", filter: .attribute("year", .greater(1990)))
    /// ```
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - limit: the maximum number of results; 0 if only counts are wanted.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the text names none; empty for all strings.
    ///   - facets: what to count over all results.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken; nil for those of the parser or of
    ///     ``TextIndexConfiguration/steps``.
    ///   - parser: how to read the text; nil for ``queryParser``.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited,
        steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) async throws -> SearchResults<Object> {
        try await cancellable(budget) { budget in
            try self.search(
                text, limit: limit, offset: offset, ranking: ranking, filter: filter,
                fields: fields, facets: facets, minimumScore: minimumScore, budget: budget,
                steps: steps, parser: parser)
        }
    }

    /// Searches for a typed query without blocking a thread of the caller.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - limit: the maximum number of results; 0 if only counts are wanted.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - facets: what to count over all results.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func search(
        _ query: Query, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) async throws -> SearchResults<Object> {
        try await cancellable(budget) { budget in
            try self.search(
                query, limit: limit, offset: offset, ranking: ranking, filter: filter,
                fields: fields, facets: facets, minimumScore: minimumScore, budget: budget)
        }
    }

    /// Continues a search after its last result, without blocking a thread of the caller.
    ///
    /// - Parameters:
    ///   - cursor: the ``SearchResults/cursor`` of results of this index.
    ///   - limit: the maximum number of results.
    ///   - budget: how long it may take.
    /// - Returns: The results; their ranks continue.
    /// - Throws: ``TextIndexError``, as the other form; `CancellationError` in a cancelled task.
    public func search(
        after cursor: SearchCursor, limit: Int = 20, budget: SearchBudget = .unlimited
    ) async throws -> SearchResults<Object> {
        try await cancellable(budget) { budget in
            try self.search(after: cursor, limit: limit, budget: budget)
        }
    }
}
