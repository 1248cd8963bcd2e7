/// The best results of a query, in order.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct SearchResults<Object>: Sequence {
    /// How many objects match.
    public struct TotalCount: Sendable, Hashable, CustomStringConvertible,
        ExpressibleByIntegerLiteral
    {
        /// The number.
        public let value: Int
        /// Whether it is exact; otherwise there are at least so many.
        public let isExact: Bool

        init(_ value: Int, isExact: Bool = true) {
            self.value = value
            self.isExact = isExact
        }

        /// An exact count.
        ///
        /// - Parameter value: the number.
        public init(integerLiteral value: Int) { self.init(value) }

        /// The number, with a `+` when it is not exact.
        public var description: String { isExact ? "\(value)" : "\(value)+" }
    }

    /// The results asked for, best first.
    public let items: [SearchResultItem<Object>]
    /// How many objects match in all.
    public let totalCount: TotalCount
    /// The counts over all results, in the order in which they were asked for; none where none were. Counts that were cut short by the budget are lower bounds and say so.
    public let facets: [FacetCounts<Object>]
    /// What was read as what, and what was left out. Of a typed query, words that are nowhere in the index are looked for when this is asked for first.
    public var diagnostics: QueryDiagnostics { cursor.request.allDiagnostics }
    /// The query as it was run.
    public var query: Query { cursor.request.query }
    /// The steps that were taken; see ``SearchSteps``.
    public var steps: SearchSteps { cursor.request.stepsTaken }
    /// Whether these are the results of the whole search, not of one that was cut short by its ``SearchBudget`` or by
    /// ``QueryLimits/maximumExpansions``.
    public let isComplete: Bool
    /// Where the results go on; see ``TextIndex/search(after:limit:budget:)``.
    public let cursor: SearchCursor

    init(
        items: [SearchResultItem<Object>], totalCount: TotalCount,
        facets: [FacetCounts<Object>] = [], request: SearchRequest, isComplete: Bool,
        index: IndexStore
    ) {
        self.items = items
        self.facets = facets
        self.totalCount = totalCount
        self.isComplete = isComplete
        cursor = SearchCursor(request: request, index: index)
    }

    /// Iterates over the results.
    ///
    /// - Returns: The iterator.
    public func makeIterator() -> IndexingIterator<[SearchResultItem<Object>]> {
        items.makeIterator()
    }

    /// The number of results in `items`.
    public var count: Int { items.count }

    /// Whether nothing matches.
    public var isEmpty: Bool { items.isEmpty }

    /// The results as an asynchronous sequence.
    public var asynchronous: AsyncStream<SearchResultItem<Object>> {
        let items = items
        return AsyncStream { continuation in
            for item in items { continuation.yield(item) }
            continuation.finish()
        }
    }
}
