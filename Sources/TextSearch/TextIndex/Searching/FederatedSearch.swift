/// Searches several indexes as if they were one.
///
/// ```swift
/// let everywhere = try FederatedSearch([mail, notes, files])
/// for hit in try everywhere.search("peking duck") {
///     print(hit.source, hit.item.score)
/// }
/// ```
///
/// Relevance uses the statistics of all indexes together: how many objects there are, how many have
/// each word, how long their strings are on average. So results and scores are those of a single
/// index with the objects of all, to the last bit. Ties come in the order of the indexes, then in
/// that of indexing. An object that is in several indexes is found in each.
///
/// The indexes must have the same fields and analyse text alike. Synonyms, attributes in query text
/// and relevance parameters are those of the first. ``QueryLimits/maximumExpansions`` counts for
/// each index by itself.
///
/// **Thread safety**: an immutable value. **Lifetime**: it keeps the indexes open.
public struct FederatedSearch<Object>: Sendable {
    /// The indexes, in the order in which ties come.
    public let indexes: [TextIndex<Object>]

    /// Creates a search over several indexes.
    ///
    /// - Parameter indexes: the indexes, at least one.
    /// - Throws: ``TextIndexError``: `.invalidArgument` without any; `.configurationMismatch` if
    ///   their fields or analyses differ.
    public init(_ indexes: [TextIndex<Object>]) throws {
        guard !indexes.isEmpty else {
            throw TextIndexError(.invalidArgument, "There is no index to search.")
        }
        self.indexes = indexes
        try check(indexes.map { $0.writer.snapshot })
    }

    /// Searches for a query text, as ``TextIndex`` does.
    ///
    /// Words without an operator between them must all match. While the page is not full, the steps
    /// go on over all indexes together.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - limit: the maximum number of results.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the text names none; empty for all strings.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken; nil for those of the parser or of the first index.
    ///   - parser: how to read the text; nil for the ``TextIndex/queryParser`` of the first index.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`, `.configurationMismatch` if an
    ///   index was rebuilt with other settings; `.limitExceeded` for a filter beyond the limits.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited, steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> FederatedResults<Object> {
        try search(
            indexes[0].request(
                text, limit: limit, offset: offset, ranking: ranking, filter: filter,
                fields: fields, minimumScore: minimumScore, budget: budget, steps: steps,
                parser: parser))
    }

    /// Searches for a typed query.
    ///
    /// Complexity: that of searching each index twice, without skipping what cannot be among the
    /// best; a few times more with ``Query/first(of:)``.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - limit: the maximum number of results.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The results.
    /// - Throws: As the search for a text; `.limitExceeded` also for a query beyond the limits.
    public func search(
        _ query: Query, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> FederatedResults<Object> {
        try search(
            SearchRequest(
                query: try indexes[0].narrowed(query, to: fields, filter), ranking: ranking,
                minimumScore: minimumScore, limit: limit, offset: offset, budget: budget))
    }

    private func search(_ request: SearchRequest) throws -> FederatedResults<Object> {
        // Each may leave out something of its own; the memory is that of one search.
        let first = indexes[0].clock(request)
        let others = indexes.dropFirst().map {
            SearchClock($0.clock(request), sharing: first.memory)
        }
        return try search(request, [first] + others)
    }

    /// Searches with a clock for each index.
    func search(
        _ request: SearchRequest, _ clocks: [SearchClock]
    ) throws -> FederatedResults<Object> {
        for index in indexes {
            try index.check(request)
            try index.configuration.queryLimits.check(limit: request.limit, offset: request.offset)
        }
        return try inUse(indexes[...]) {
            let snapshots = indexes.map { $0.writer.snapshot }
            try check(snapshots)
            var request = request
            let first = indexes[0].configuration
            request.ranking = request.ranking.using(request.ranking.parameters ?? first.relevance)
            request.checksWords = false
            request.remark(on: first.fields)
            return try FederatedRun(
                indexes: indexes, snapshots: snapshots, request: request, clocks: clocks
            ).results()
        }
    }

    /// Runs `body` while no index closes.
    private func inUse<R>(
        _ indexes: ArraySlice<TextIndex<Object>>, _ body: () throws -> R
    ) throws -> R {
        guard let index = indexes.first else { return try body() }
        return try index.usage.search { try inUse(indexes.dropFirst(), body) }
    }

    private func check(_ snapshots: [Snapshot]) throws {
        let fields = indexes[0].configuration.fields
        for (index, snapshot) in zip(indexes, snapshots)
        where index.configuration.fields != fields
            || snapshot.analyzer.fingerprint != snapshots[0].analyzer.fingerprint
        {
            throw TextIndexError(
                .configurationMismatch,
                "Indexes that are searched together need the same fields and analysis settings.")
        }
    }
}

/// The best results of several indexes, in order.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct FederatedResults<Object>: Sequence {
    /// A result and the index that it is from.
    public struct Hit {
        /// The result. Its `rank` and `score` are those among all. ``SearchResultItem/explain()``
        /// explains the score by the statistics of its own index.
        public let item: SearchResultItem<Object>
        /// The offset of its index in ``FederatedSearch/indexes``.
        public let source: Int
    }

    /// The requested results, best first.
    public let hits: [Hit]
    /// How many objects of all indexes match.
    public let totalCount: SearchResults<Object>.TotalCount
    /// How the query was read, and what was left out. Words that no index has are not reported.
    public let diagnostics: QueryDiagnostics
    /// The query as it was run.
    public let query: Query
    /// Whether the search ran to its end and was not cut short.
    public let isComplete: Bool

    /// Iterates over the results.
    ///
    /// - Returns: The iterator.
    public func makeIterator() -> IndexingIterator<[Hit]> { hits.makeIterator() }
}
