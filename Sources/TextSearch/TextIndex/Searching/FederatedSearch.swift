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
/// Where it takes long, the indexes are searched at the same time, on as many threads as there are
/// processors. Records are read of the page alone. Indexes of other processes can be searched in
/// the same way by ``QueryStatistics``.
///
/// The indexes must have the same fields and analyse text alike. Synonyms, attributes in query text
/// and relevance parameters are those of the first. ``QueryLimits/maximumExpansions`` counts for
/// each index by itself.
///
/// **Thread safety**: an immutable value. **Lifetime**: it keeps the indexes open.
public struct FederatedSearch<Object>: Sendable {
    /// The indexes, in the order in which ties come.
    public let indexes: [TextIndex<Object>]

    /// The analyzers with which the indexes were found to be alike.
    private let analyzers: [Analyzer]

    /// How many bytes of memory a search may hold over all indexes; nil for what the first index
    /// gives one.
    package var memory: Int?

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
        analyzers = indexes.map { $0.writer.snapshot.analyzer }
        try Self.check(indexes, analyzers)
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
    ///   - facets: what to count over all results; buckets of one key are added up. Not in the
    ///     order of the best result, nor with top hits.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken; nil for those of the parser or of the first index.
    ///   - parser: how to read the text; nil for the ``TextIndex/queryParser`` of the first index.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`, `.configurationMismatch` if an
    ///   index was rebuilt with other settings; `.limitExceeded` for a filter beyond the limits.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited,
        steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> FederatedResults<Object> {
        let request = try indexes[0].request(
            text, limit: limit, offset: offset, ranking: ranking, filter: filter,
            fields: fields, minimumScore: minimumScore, budget: budget, steps: steps,
            parser: parser)
        return try search(request, clocks(request), facets)
    }

    /// Searches for a typed query.
    ///
    /// Complexity: the words of the query are looked up in each index twice, and the best results
    /// are found as ``TextIndex`` finds them. Orders other than relevance, and parts of the query
    /// other than words, are evaluated twice; a few times more with ``Query/first(of:)``.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - limit: the maximum number of results.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - facets: what to count over all results; see the search for a text.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The results.
    /// - Throws: As the search for a text; `.limitExceeded` also for a query beyond the limits.
    public func search(
        _ query: Query, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> FederatedResults<Object> {
        let request = SearchRequest(
            query: try indexes[0].narrowed(query, to: fields, filter), ranking: ranking,
            minimumScore: minimumScore, limit: limit, offset: offset, budget: budget)
        return try search(request, clocks(request), facets)
    }

    /// Continues a search after its last result, in the states of the indexes in which it began.
    ///
    /// Complexity: that of the search, which runs again.
    ///
    /// - Parameters:
    ///   - cursor: the ``FederatedResults/cursor`` of results of the same indexes.
    ///   - limit: the maximum number of results.
    ///   - budget: how long it may take.
    /// - Returns: The results; their ranks continue. Facets are not counted again.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for a
    ///   cursor of other indexes.
    public func search(
        after cursor: FederatedCursor, limit: Int = 20, budget: SearchBudget = .unlimited
    ) throws -> FederatedResults<Object> {
        guard
            cursor.indexes.map({ ObjectIdentifier($0) })
                == indexes.map({ ObjectIdentifier($0.store) })
        else {
            throw TextIndexError(.invalidArgument, "The cursor is one of other indexes.")
        }
        var request = cursor.request
        request.limit = limit
        request.budget = budget
        return try search(request, clocks(request), [], cursor.snapshots)
    }

    /// Each may leave out something of its own; the memory is that of one search, unless more is
    /// given.
    private func clocks(_ request: SearchRequest) -> [SearchClock] {
        let pool = SearchMemoryPool(
            limit: memory ?? indexes[0].configuration.queryLimits.memoryBytes)
        let now = ContinuousClock.now
        return indexes.map { $0.clock(request, from: now, sharing: pool) }
    }

    /// Searches with a clock for each index.
    func search(
        _ request: SearchRequest, _ clocks: [SearchClock], _ facets: [Facet] = [],
        _ pinned: [Snapshot]? = nil
    ) throws -> FederatedResults<Object> {
        try FederatedRun.check(facets, request, indexes)
        for index in indexes { try index.checkPage(request) }
        return try inUse {
            let snapshots = pinned ?? indexes.map { $0.writer.snapshot }
            if zip(snapshots, analyzers).contains(where: { $0.analyzer !== $1 }) {
                try Self.check(indexes, snapshots.map { $0.analyzer })
            }
            var request = request
            request.begin(first: indexes[0].configuration)
            return try FederatedRun(
                indexes: indexes, snapshots: snapshots, request: request, clocks: clocks,
                facets: facets
            ).results()
        }
    }

    /// Runs `body` while no index closes.
    private func inUse<R>(_ body: () throws -> R) throws -> R {
        var begun = 0
        defer { for index in indexes.prefix(begun) { index.usage.endSearch() } }
        for index in indexes {
            try index.usage.beginSearch()
            begun += 1
        }
        return try body()
    }

    private static func check(
        _ indexes: [TextIndex<Object>], _ analyzers: [Analyzer]
    ) throws {
        let fields = indexes[0].configuration.fields
        for (index, analyzer) in zip(indexes, analyzers)
        where index.configuration.fields != fields || !analyzer.isLike(analyzers[0], fields) {
            throw TextIndexError(
                .configurationMismatch,
                "Indexes that are searched together need the same fields and analysis settings.")
        }
    }
}

extension SearchRequest {
    /// Takes on what is the same for all indexes that are searched together.
    mutating func begin(first configuration: TextIndexConfiguration) {
        ranking = ranking.using(ranking.parameters ?? configuration.relevance)
        remark(on: configuration.fields)
    }
}

/// Where the results of a search over several indexes continue; pass it to
/// ``FederatedSearch/search(after:limit:budget:)``.
///
/// It holds the states of the indexes in which the search ran, as ``SearchCursor`` does.
///
/// **Thread safety**: an immutable value. **Lifetime**: usable while the indexes are open.
public struct FederatedCursor: Sendable {
    let request: SearchRequest
    let snapshots: [Snapshot]
    let indexes: [IndexStore]
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
    /// The counts over all results, in the requested order; none if none were requested.
    public let facets: [FacetCounts<Object>]
    /// How the query was read, what was left out, and which words no index has. Where something was
    /// found, the words are looked up on first use.
    public var diagnostics: QueryDiagnostics { cursor.request.allDiagnostics }
    /// The query as it was run.
    public let query: Query
    /// The steps that were taken; see ``SearchSteps``.
    public let steps: SearchSteps
    /// Whether the search ran to its end and was not cut short.
    public let isComplete: Bool
    /// Where the results continue; see ``FederatedSearch/search(after:limit:budget:)``.
    public let cursor: FederatedCursor

    /// Returns an iterator over ``hits``.
    ///
    /// - Returns: The iterator.
    public func makeIterator() -> IndexingIterator<[Hit]> { hits.makeIterator() }
}
