extension TextIndex {
    /// Searches and counts all results by facets, in one search.
    func search(
        _ request: SearchRequest, _ facets: [Facet], _ clock: SearchClock
    ) throws -> SearchResults<Object> {
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
            let needsOrder = facets.contains(where: \.needsOrder)
            let found = try found(&request, facets, snapshot, clock, needsOrder: needsOrder)
            let (others, needsItems) = (found.others, found.needsItems)
            var ranker = QueryRanker(found.evaluator, index: self, request: request)
            let ranked = try ranker.faceted(
                found.matches, best: found.best, needsItems: needsItems,
                needsOrder: needsOrder)
            let counter = FacetCounter(snapshot: snapshot, store: store, clock: clock)
            // Those of what all filters let pass are counted together.
            let own = facets.filter { !$0.isDisjunctive || others[$0.attribute] == nil }
            var tallies = try counter.count(own, ranked.matches)[...]
            let counts = try facets.map { facet in
                var matches = ranked.matches
                var tally = FacetTally(facet, facet.kind, clock)
                if facet.isDisjunctive, let others = others[facet.attribute] {
                    matches = try ranker.facetMatches(
                        others, needsItems: needsItems, needsOrder: facet.needsOrder)
                    tally = try counter.count([facet], matches).first ?? tally
                } else {
                    tally = tallies.popFirst() ?? tally
                }
                let chosen = tally.chosen(clock)
                let hits = try tally.topHits(of: chosen, matches).map {
                    try ranker.items($0, of: matches)
                }
                return Self.counts(tally, chosen, hits, clock)
            }
            request.remark(on: clock)
            return results(
                ranked.items, max(ranked.matches.documents.count, found.best?.count ?? 0),
                counts, &request, clock)
        }
    }

    /// What a request matches, scored only where somebody asks for scores.
    private func found(
        _ request: inout SearchRequest, _ facets: [Facet], _ snapshot: Snapshot,
        _ clock: SearchClock, needsOrder: Bool
    ) throws -> Found {
        let isCount = request.range.isEmpty && !needsOrder && !(request.minimumScore > -.infinity)
        let needsItems = !isCount && needsItems(request)
        var evaluator = evaluator(snapshot, request.ranking, clock)
        evaluator.wanted = needsItems ? .all : .none
        evaluator.needsScores = !isCount
        evaluator.needsAllMatches = true
        var matches = QueryMatches()
        var best: QueryEvaluator.Best?
        var others: [String: QueryMatches] = [:]
        do {
            if !isCount, !needsOrder { best = try self.best(of: &request, &evaluator) }
            if best == nil {
                matches = try self.matches(of: &request, &evaluator)
            } else {
                evaluator.needsScores = false
                matches = try evaluator.evaluate(request.query) ?? matches
            }
            evaluator.needsScores = needsOrder || request.minimumScore > -.infinity
            for facet in facets where facet.isDisjunctive && others[facet.attribute] == nil {
                guard let query = request.query.withoutFilters(on: facet.attribute) else {
                    continue
                }
                // Where the time is over, what is left out counts nothing.
                others[facet.attribute] = QueryMatches()
                var found = try evaluator.evaluate(query) ?? QueryMatches()
                request.factors.ofAll.raise(&found)
                others[facet.attribute] = found
            }
        } catch is SearchEnded {
            // What was found cannot be used.
        }
        return Found(
            evaluator: evaluator, matches: matches, best: best, others: others,
            needsItems: needsItems)
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
        _ items: [SearchResultItem<Object>], _ count: Int, _ facets: [FacetCounts<Object>],
        _ request: inout SearchRequest, _ clock: SearchClock
    ) -> SearchResults<Object> {
        let first = min(request.range.lowerBound, count)
        for (rank, item) in items.enumerated() {
            item.rank = first + rank
            item.matchedBy = request.step(of: item.document)
        }
        request.tiers = []
        request.offset = first + items.count
        return SearchResults(
            items: items, totalCount: .init(count, isExact: clock.isComplete), facets: facets,
            request: request, isComplete: clock.isComplete, index: store)
    }
}

/// What a query matches, and the results of the page where they are known already.
private struct Found: ~Copyable {
    let evaluator: QueryEvaluator
    let matches: QueryMatches
    let best: QueryEvaluator.Best?
    /// What matches without the filters of an attribute whose facets ignore them.
    let others: [String: QueryMatches]
    let needsItems: Bool
}

extension Facet {
    /// Whether the order of the results makes a difference.
    fileprivate var needsOrder: Bool { topHits > 0 || order == .bestHit }
}
