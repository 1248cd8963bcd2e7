extension TextIndex {
    /// Searches for a query and counts all of its results by facets, in one search.
    ///
    /// ```swift
    /// let found = try index.search(
    ///     .term("duck"), facets: [.values(of: "author", order: .bestHit, topHits: 3)], limit: 0)
    /// for author in found.facets[0].buckets { show(author.key, author.count, author.hits) }
    /// ```
    ///
    /// Complexity: that of matching and scoring all results, without positions, and a few nanoseconds for each of them and facet. The values of an attribute are read when it is first
    /// asked for, and stay in memory while the segment is there: one, two or four bytes an object, and each distinct value once.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - facets: what to count.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most; may be 0, where only counts are wanted.
    ///   - offset: how many of the best to leave out.
    ///   - minimumScore: results with a lower score are left out, and not counted.
    ///   - budget: how long it may take; counts that are cut short are lower bounds.
    /// - Returns: The results and the counts.
    /// - Throws: ``TextIndexError``: as ``search(_:ranking:limit:offset:minimumScore:budget:)`` does; `.invalidArgument` for a facet that cannot be counted.
    public func search(
        _ query: Query, facets: [Facet], ranking: Ranking = .relevance, limit: Int = 20,
        offset: Int = 0, minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> FacetedResults<Object> {
        let request = SearchRequest(
            query: query, ranking: ranking, minimumScore: minimumScore, limit: limit,
            offset: offset, budget: budget)
        return try search(request, facets, clock(request))
    }

    /// Searches for query text and counts all of its results by facets, in one search.
    ///
    /// As with any query text nothing is refused; words side by side that no object has together fall back on any of them, and what is counted
    /// are the results of that.
    ///
    /// Complexity: as that of ``search(_:facets:ranking:limit:offset:minimumScore:budget:)``.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - facets: what to count.
    ///   - parser: how to read the text; nil for ``queryParser``.
    ///   - field: the field to look in, where the text names none; nil for all strings.
    ///   - filter: what must match besides, without an effect on the scores.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most; may be 0, where only counts are wanted.
    ///   - offset: how many of the best to leave out.
    ///   - minimumScore: results with a lower score are left out, and not counted.
    ///   - budget: how long it may take; counts that are cut short are lower bounds.
    /// - Returns: The results and the counts.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` for a filter beyond the limits; `.invalidArgument` for a facet that
    ///   cannot be counted.
    public func search(
        _ text: String, facets: [Facet], reading parser: QueryParser? = nil, field: String? = nil,
        filter: Query? = nil, ranking: Ranking = .relevance, limit: Int = 20, offset: Int = 0,
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> FacetedResults<Object> {
        let request = try request(
            text, reading: parser ?? queryParser, field: field, filter: filter, ranking: ranking,
            limit: limit, offset: offset, minimumScore: minimumScore, budget: budget)
        return try search(request, facets, clock(request))
    }

    func search(
        _ request: SearchRequest, _ facets: [Facet], _ clock: SearchClock
    ) throws -> FacetedResults<Object> {
        try check(request)
        try configuration.queryLimits.check(limit: request.limit, offset: request.offset)
        for facet in facets {
            try facet.check()
            try configuration.queryLimits.check(limit: facet.topHits, offset: 0)
        }
        return try usage.search {
            var request = request
            request.remark(on: configuration.fields)
            let snapshot = request.snapshot ?? writer.snapshot
            request.snapshot = snapshot
            var evaluator = evaluator(snapshot, request.ranking, clock)
            let needsItems = needsItems(request)
            evaluator.wanted = needsItems ? .all : .none
            var matches = QueryMatches()
            do {
                matches = try self.matches(of: &request, &evaluator)
            } catch is SearchEnded {
                // What was found cannot be used.
            }
            var ranker = QueryRanker(evaluator, index: self, request: request)
            let ranked = try ranker.faceted(
                matches, needsItems: needsItems, needsOrder: facets.contains(where: \.needsOrder))
            let counter = FacetCounter(snapshot: snapshot, store: store, clock: clock)
            let counts = try counter.count(facets, ranked.matches).map { tally in
                let chosen = tally.chosen()
                let hits = try tally.topHits(of: chosen, ranked.matches).map {
                    try ranker.items($0, of: ranked.matches)
                }
                return Self.counts(tally, chosen, hits, clock)
            }
            request.remark(on: clock)
            let results = self.results(
                ranked.items, ranked.matches.documents.count, &request, clock)
            return FacetedResults(results: results, facets: counts)
        }
    }

    private static func counts(
        _ tally: FacetTally, _ chosen: [Int], _ hits: [[SearchResultItem<Object>]],
        _ clock: SearchClock
    ) -> FacetCounts<Object> {
        let keys = tally.keys
        return FacetCounts(
            facet: tally.facet,
            buckets: zip(chosen, hits).map { bucket, hits in
                FacetBucket(key: keys[bucket], count: tally.count(of: bucket), hits: hits)
            },
            bucketCount: tally.bucketCount, objectCount: tally.objectCount,
            missingCount: tally.missingCount, isComplete: tally.isComplete && clock.isComplete)
    }

    private func results(
        _ items: [SearchResultItem<Object>], _ count: Int, _ request: inout SearchRequest,
        _ clock: SearchClock
    ) -> SearchResults<Object> {
        let first = min(request.range.lowerBound, count)
        for (rank, item) in items.enumerated() { item.rank = first + rank }
        request.offset = first + items.count
        return SearchResults(
            items: items, totalCount: .init(count, isExact: clock.isComplete), request: request,
            isComplete: clock.isComplete, index: store)
    }
}

extension Facet {
    /// Whether the order of the results makes a difference.
    fileprivate var needsOrder: Bool { topHits > 0 || order == .bestHit }
}
