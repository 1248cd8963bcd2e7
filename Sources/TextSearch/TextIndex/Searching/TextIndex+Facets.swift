extension TextIndex {
    /// Searches and counts all results by facets, in one search.
    func search(
        _ request: SearchRequest, _ facets: [Facet], _ clock: SearchClock
    ) throws -> SearchResults<Object> {
        try checkPage(request)
        for facet in facets {
            try facet.check()
            try configuration.queryLimits.check(limit: facet.topHits, offset: 0)
        }
        return try usage.search {
            var run = try run(request, clock, isOrdered: !request.isCount(facets))
            let found = try run.faceted(facets)
            let (others, request, needsItems) = (found.others, run.request, run.needsItems)
            let counter = FacetCounter(snapshot: run.snapshot, store: store, clock: clock)
            var ranker = QueryRanker(run.evaluator, index: self, request: request)
            let ranked = try ranker.faceted(
                found.matches, best: found.best, needsItems: needsItems,
                needsOrder: facets.needOrder)
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
            let count = max(ranked.matches.documents.count, found.best?.count ?? 0)
            return SearchResults(
                ranked.items, .init(count), facets: counts, request, clock, index: store)
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
}
