/// Facets over several indexes: each counts all of its buckets, and those of one key add up.
extension FederatedRun {
    /// Counts what the indexes match.
    func facets(of found: Found) throws -> [FacetCounts<Object>] {
        guard !facets.isEmpty else { return [] }
        let counted = try indexes.indices.map { try tallies(of: facets, found, source: $0) }
        return facets.indices.map { number in
            var sum = FacetSum<Object>(facets[number])
            for (source, tallies) in counted.enumerated() {
                sum.add(tallies[number], clocks[source])
            }
            return sum.made()
        }
    }

    private func tallies(
        of facets: [Facet], _ found: Found, source: Int
    ) throws -> [FacetTally] {
        let request = self.request(of: source)
        let counter = FacetCounter(
            snapshot: snapshots[source], store: indexes[source].store, clock: clocks[source])
        return try facets.map { facet in
            var matches = found.matches[source]
            if facet.isDisjunctive,
                let query = request.query.withoutFilters(on: facet.attribute)
            {
                var evaluator = evaluator(source, found.statistics, .none)
                let expanded = snapshots[0].analyzer.synonyms.expand(query)
                matches = try evaluate(expanded, &evaluator) ?? QueryMatches()
            }
            request.factors.ofAll.raise(&matches)
            var ranker = QueryRanker(
                evaluator(source, found.statistics, .none), index: indexes[source],
                request: request)
            let documents = try ranker.facetMatches(matches, needsItems: false, needsOrder: false)
            // With all buckets: the first of one index may be the last of all.
            var whole = facet
            if facet.limit > 0 { whole.limit = .max }
            return try counter.count([whole], documents).first
                ?? FacetTally(whole, whole.kind, clocks[source])
        }
    }
}

/// Adds up what several indexes count of one facet.
private struct FacetSum<Object> {
    private let facet: Facet
    private var counts: [Int] = []
    /// In the order in which they came; that of ranges is the facet's own.
    private var keys: [FacetKey] = []
    private var places: [FacetKey: Int] = [:]
    private var objectCount = 0
    private var missingCount = 0
    private var isComplete = true

    init(_ facet: Facet) { self.facet = facet }

    /// Whether the buckets are there before anything lies in them.
    private var areGiven: Bool { if case .ranges = facet.kind { true } else { false } }

    mutating func add(_ tally: FacetTally, _ clock: SearchClock) {
        let tallied = tally.keys
        for bucket in tallied.indices {
            // The same range may be given twice.
            let known = areGiven ? (bucket < keys.count ? bucket : nil) : places[tallied[bucket]]
            let place = known ?? keys.count
            if known == nil {
                keys.append(tallied[bucket])
                counts.append(0)
                places[tallied[bucket]] = place
            }
            counts[place] += tally.count(of: bucket)
        }
        objectCount += tally.objectCount
        missingCount += tally.missingCount
        if !tally.isComplete || !clock.isComplete { isComplete = false }
    }

    func made() -> FacetCounts<Object> {
        let areGiven = self.areGiven
        let buckets = keys.enumerated().map {
            (place: $0.offset, key: $0.element, count: counts[$0.offset])
        }.filter { areGiven || $0.count > 0 }
        let order = facet.order
        let sorted = buckets.sorted { a, b in
            if order == .count, a.count != b.count { return a.count > b.count }
            return areGiven ? a.place < b.place : FacetKey.precedes(a.key, b.key)
        }
        return FacetCounts(
            facet: facet,
            buckets: sorted.prefix(max(facet.limit, 0)).map {
                FacetBucket(key: $0.key, count: $0.count, hits: [])
            },
            bucketCount: buckets.count, objectCount: objectCount, missingCount: missingCount,
            isComplete: isComplete)
    }
}
