package import Foundation

/// The ranked hits of a search, in its order and its state of the index. Items are made only of
/// those that are asked for.
///
/// **Thread safety**: may be used from any thread.
package struct RankedHits<Object> {
    private enum Content {
        case entries([RankedDocument], Snapshot)
        /// The items themselves, if the order needs them.
        case items([SearchResultItem<Object>])
    }

    private let content: Content
    private let request: SearchRequest
    private let index: TextIndex<Object>
    /// The rank of the first.
    private let firstRank: Int

    fileprivate init(
        _ entries: [RankedDocument], _ snapshot: Snapshot, _ request: SearchRequest,
        _ index: TextIndex<Object>, firstRank: Int
    ) {
        content = .entries(entries, snapshot)
        self.request = request
        self.index = index
        self.firstRank = firstRank
    }

    fileprivate init(_ results: SearchResults<Object>, _ index: TextIndex<Object>) {
        content = .items(results.items)
        request = results.cursor.request
        self.index = index
        firstRank = 0
    }

    /// How many there are.
    package var count: Int {
        switch content {
        case .entries(let entries, _): entries.count
        case .items(let items): items.count
        }
    }

    /// Where the next ones are.
    package var cursor: SearchCursor {
        var request = request
        request.tiers = []
        return SearchCursor(request: request, index: index.store)
    }

    /// The identifiers of some, in their order.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    package func identifiers(_ places: Range<Int>) throws -> [Data] {
        switch content {
        case .items(let items): return items[places].map(\.identifier)
        case .entries(let entries, let snapshot):
            return try index.usage.search {
                var reader = IdentityReader(snapshot)
                // In the order of documents, each page of identifiers is looked for once.
                let order = places.sorted { entries[$0].document < entries[$1].document }
                var identifiers = [Data](repeating: Data(), count: places.count)
                for place in order {
                    identifiers[place - places.lowerBound] = try reader.identifier(
                        of: entries[place].document, in: snapshot)
                }
                return identifiers
            }
        }
    }

    /// The items of some places, which ascend.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    package func items(_ places: [Int]) throws -> [SearchResultItem<Object>] {
        switch content {
        case .items(let items): return places.map { items[$0] }
        case .entries(let entries, let snapshot):
            return try index.usage.search {
                let evaluator = index.evaluator(snapshot, request.ranking, index.clock(request))
                let items = try ItemMaker.items(
                    places.map { entries[$0] }[...], evaluator, index, request,
                    SearchOrigin(request, snapshot))
                for (item, place) in zip(items, places) {
                    item.rank = firstRank + place
                }
                request.noteSteps(of: items)
                return items
            }
        }
    }
}

extension TextIndex {
    /// The best hits for a text, as a search for it finds them, without items.
    ///
    /// - Throws: As the search does.
    package func hits(_ text: String, limit: Int, filter: Query?) throws -> RankedHits<Object> {
        try hits(request(text, limit: limit, ranking: .relevance, filter: filter))
    }

    /// The best hits for a query, without items.
    ///
    /// - Throws: As a search does.
    package func hits(_ query: Query, limit: Int, filter: Query?) throws -> RankedHits<Object> {
        try hits(SearchRequest(query: try narrowed(query, to: [], filter), limit: limit))
    }

    /// Continues a search after its last result, as ``search(after:limit:budget:)`` does, without
    /// items.
    ///
    /// Complexity: that of the search, which runs again.
    ///
    /// - Throws: As ``search(after:limit:budget:)`` does.
    package func hits(after cursor: SearchCursor, limit: Int) throws -> RankedHits<Object> {
        guard cursor.index === store else {
            throw TextIndexError(.invalidArgument, "The cursor is one of another index.")
        }
        var request = cursor.request
        request.limit = limit
        request.budget = .unlimited
        return try hits(request)
    }

    private func hits(_ request: SearchRequest) throws -> RankedHits<Object> {
        try checkPage(request)
        let clock = clock(request)
        return try usage.search {
            var run = try run(request, clock)
            let found: SearchRun.Page
            do {
                found = try run.page()
            } catch is SearchEnded {
                found = .matches(QueryMatches(), scoresLater: false)
            }
            guard case .ranked(let ranked, _, _) = found else {
                return RankedHits(try results(of: run, found), self)
            }
            let range = run.request.range.clamped(to: 0..<ranked.count)
            run.request.offset = range.upperBound
            return RankedHits(
                Array(ranked[range]), run.snapshot, run.request, self, firstRank: range.lowerBound)
        }
    }
}
