/// The best results of a query, in order.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct SearchResults<Object>: Sequence {
    /// How many objects match, exactly or at least.
    public struct TotalCount: Sendable, Hashable, CustomStringConvertible,
        ExpressibleByIntegerLiteral
    {
        /// The number of objects, or a lower bound of it.
        public let value: Int
        /// Whether ``value`` is exact; otherwise it is a lower bound.
        public let isExact: Bool

        init(_ value: Int, isExact: Bool = true) {
            self.value = value
            self.isExact = isExact
        }

        /// Creates an exact count.
        ///
        /// - Parameter value: the number.
        public init(integerLiteral value: Int) { self.init(value) }

        /// The number, with a `+` if it is not exact.
        public var description: String { isExact ? "\(value)" : "\(value)+" }
    }

    /// The requested results, best first.
    public let items: [SearchResultItem<Object>]
    /// How many objects match in all, by the ``steps`` that were taken. A further page of a text
    /// may take more steps, and then find more.
    public let totalCount: TotalCount
    /// The counts over all results, in the requested order; none if none were requested. Counts
    /// that the budget cut short are lower bounds and say so.
    public let facets: [FacetCounts<Object>]
    /// How the query was read, and what was left out. For a typed query, words that the index lacks
    /// are looked up on first use.
    public var diagnostics: QueryDiagnostics { cursor.request.allDiagnostics }
    /// The query as it was run.
    public var query: Query { cursor.request.query }
    /// The steps that were taken; see ``SearchSteps``.
    public var steps: SearchSteps { cursor.request.stepsTaken }
    /// Whether the search ran to its end. It did not if its ``SearchBudget`` or a limit such as
    /// ``QueryLimits/maximumExpansions`` cut it short.
    public let isComplete: Bool
    /// Of one of several indexes that are searched elsewhere: finds the words that it lacks, where
    /// others may lack them too; nil where there is no time to find them. Only who tells others
    /// asks.
    package var findUnknownWords: @Sendable () -> [UnknownWord]? = { [] }
    /// A mark of the content that was searched: equal for two searches if nothing was indexed or
    /// removed between them. Found on first use.
    ///
    /// Complexity: linear in the objects of the index, once for each of its states.
    public var generation: IndexGeneration { IndexGeneration(cursor.request.snapshot?.mark ?? 0) }
    /// Where the results continue; see ``TextIndex/search(after:limit:budget:)``.
    public let cursor: SearchCursor

    /// The page of a request as it was run: the items get their ranks and steps here.
    init(
        _ items: [SearchResultItem<Object>], _ totalCount: TotalCount,
        facets: [FacetCounts<Object>] = [], _ request: consuming SearchRequest,
        _ clock: SearchClock, index: IndexStore
    ) {
        request.remark(on: clock)
        let first = Swift.min(request.range.lowerBound, totalCount.value)
        for place in items.indices {
            items[place].rank = first + place
        }
        request.noteSteps(of: items)
        request.tiers = []
        request.offset = first + items.count
        self.items = items
        self.facets = facets
        isComplete = clock.isComplete
        self.totalCount =
            isComplete ? totalCount : TotalCount(totalCount.value, isExact: false)
        // A page that lacked the time, or has no results, says nothing of further pages.
        if !isComplete || request.range.isEmpty { request.documentFactors = nil }
        cursor = SearchCursor(request: request, index: index)
    }

    /// Returns an iterator over ``items``.
    ///
    /// - Returns: The iterator.
    public func makeIterator() -> IndexingIterator<[SearchResultItem<Object>]> {
        items.makeIterator()
    }

    /// The number of results in `items`.
    public var count: Int { items.count }

    /// Whether there are no results in `items`.
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
