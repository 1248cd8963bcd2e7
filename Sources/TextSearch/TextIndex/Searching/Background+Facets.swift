extension TextIndex.Background {
    /// Searches and counts as ``TextIndex/search(_:facets:reading:field:filter:ranking:limit:offset:minimumScore:budget:)`` does.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - facets: what to count.
    ///   - filter: what must match besides, without an effect on the scores.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    ///   - time: how long it may take; nil for as long as it does.
    /// - Returns: The results and the counts.
    /// - Throws: ``TextIndexError``; `CancellationError` in a task that is cancelled, which ends the search.
    public func search(
        _ text: String, facets: [Facet], filter: Query? = nil, ranking: Ranking = .relevance,
        limit: Int = 20, offset: Int = 0, time: Duration? = nil
    ) async throws -> FacetedResults<Object> {
        try await cancellable(time) { budget in
            try index.search(
                text, facets: facets, filter: filter, ranking: ranking, limit: limit,
                offset: offset, budget: budget)
        }
    }

    /// Searches and counts as ``TextIndex/search(_:facets:ranking:limit:offset:minimumScore:budget:)`` does.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - facets: what to count.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    ///   - time: how long it may take; nil for as long as it does.
    /// - Returns: The results and the counts.
    /// - Throws: ``TextIndexError``; `CancellationError` in a task that is cancelled, which ends the search.
    public func search(
        _ query: Query, facets: [Facet], ranking: Ranking = .relevance, limit: Int = 20,
        offset: Int = 0, time: Duration? = nil
    ) async throws -> FacetedResults<Object> {
        try await cancellable(time) { budget in
            try index.search(
                query, facets: facets, ranking: ranking, limit: limit, offset: offset,
                budget: budget)
        }
    }
}
