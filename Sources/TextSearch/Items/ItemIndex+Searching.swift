public import Foundation

extension ItemIndex {
    /// The item of an identifier; nil when there is none, or when it has expired.
    ///
    /// - Parameter id: the identifier.
    /// - Returns: The item.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func item(id: String) throws -> SearchableItem? {
        guard let found = try index.item(for: Data(id.utf8)) else { return nil }
        let item = SearchableItem(found)
        return item.expirationDate.map { $0 > moment } ?? true ? item : nil
    }

    /// All items that a query string matches; see ``ItemQuery``.
    ///
    /// - Parameters:
    ///   - query: the query string.
    ///   - calendar: says where days and weeks begin.
    /// - Returns: The items, in the order in which they were indexed.
    /// - Throws: ``TextIndexError``: `.invalidArgument` for a string that is no query, with the
    ///   place; `.closed`, `.corrupted`, `.io`.
    public func items(
        matching query: String, calendar: Calendar = .current
    ) async throws -> [SearchableItem] {
        let parsed = try ItemQuery(parsing: query, now: moment, calendar: calendar)
        var items: [SearchableItem] = []
        for try await batch in try await self.batches(matching: parsed) { items += batch }
        return items
    }

    /// The items that a query matches, some at a time. They are those of one state of the index.
    ///
    /// ```swift
    /// let found = try await items.batches(matching: query)
    /// print(found.count)
    /// for try await batch in found { show(batch) }     // ends where the task is cancelled
    /// ```
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - size: how many items to give at once.
    /// - Returns: The batches.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func batches(
        matching query: ItemQuery, size: Int = 100
    ) async throws -> FoundItems {
        try await purgeExpired()
        let results = try await Lane.calls.run { [index] in
            try index.results(for: .filter(query.query))
        }
        return FoundItems(results: results, size: max(size, 1))
    }

    /// The best items for a text.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - filter: what items must match besides; nil for nothing.
    ///   - limit: how many to give at most.
    ///   - ranking: the order; nil for the relevance, which ``ItemAttributes/rankingHint`` raises
    ///     where any item has one.
    /// - Returns: The items, best first.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func search(
        _ text: String, filter: ItemQuery? = nil, limit: Int = 20, ranking: Ranking? = nil
    ) async throws -> SearchResults<SearchableItem> {
        try await purgeExpired()
        let order: Ranking
        if let ranking {
            order = ranking
        } else {
            order = try await hasRankingHints() ? .combined : .relevance
        }
        return try await index.search(text, limit: limit, ranking: order, filter: filter?.query)
    }

    /// Without hints all weights are alike, and the best are found without the rest. Items of
    /// earlier versions have no weight: beside one of them hints do not count.
    private func hasRankingHints() async throws -> Bool {
        func isAny(_ query: Query) async throws -> Bool {
            try await !index.search(.filter(query), limit: 1).isEmpty
        }
        guard try await isAny(.attribute("rankingHint", .exists)) else { return false }
        return try await !isAny(.weight(from: nil, through: 0))
    }
}

/// Items that a query matches, some at a time.
public struct FoundItems: AsyncSequence, Sendable {
    /// A batch of items, in the order of the results.
    public typealias Element = [SearchableItem]

    fileprivate let results: AllResults<SearchableItem>
    fileprivate let size: Int

    /// How many items there are.
    public var count: Int { results.count }

    /// Returns an iterator over the batches, from the first.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(found: self) }

    /// Returns one batch after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let found: FoundItems
        private var place = 0

        fileprivate init(found: FoundItems) { self.found = found }

        /// Returns the next batch of items.
        ///
        /// - Returns: The items; nil after the last batch.
        /// - Throws: ``TextIndexError``; `CancellationError` in a task that was cancelled.
        public mutating func next() async throws -> [SearchableItem]? {
            try Task.checkCancellation()
            guard place < found.count else { return nil }
            let end = Swift.min(place + found.size, found.count)
            let ranks = place..<end
            place = end
            return try await Lane.calls.run { [results = found.results] in
                try results.items(ranks).map { SearchableItem($0) }
            }
        }
    }
}
