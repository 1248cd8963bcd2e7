/// Facets over several indexes: each counts all of its buckets, and those of one key add up.
extension FederatedRun {
    /// Counts what the indexes match.
    func facetSums(of found: Found) throws -> [FacetSum<Object>] {
        guard !facets.isEmpty else { return [] }
        let counters = indexes.indices.map {
            FacetCounter(snapshot: snapshots[$0], store: indexes[$0].store, clock: clocks[$0])
        }
        let matches = try inEach { source in
            try facets.map { try self.matches(of: $0, found, source) }
        }
        let kinds = try facets.indices.map { number in
            // Ranges depend on the values of all indexes.
            try facets[number].kind { name in
                let spreads = try inEach { try counters[$0].spread(of: name, matches[$0][number]) }
                return spreads.reduce(into: FacetSpread()) { $0.add($1) }
            }
        }
        let counted = try inEach { source in
            try facets.indices.map { number in
                let tally = FacetTally(facets[number], kinds[number], clocks[source])
                try counters[source].count([tally], matches[source][number])
                return tally
            }
        }
        // A tally holds its share of the memory as long as it lives.
        defer { withExtendedLifetime(counted) {} }
        return facets.indices.map { number in
            var sum = FacetSum<Object>(facets[number], kinds[number])
            for (source, tallies) in counted.enumerated() {
                sum.add(tallies[number], clocks[source])
            }
            return sum
        }
    }

    /// What is said of facets where the time was over before anything was counted.
    var uncounted: [FacetCounts<Object>] {
        facets.map { facet in
            let tally = FacetTally(facet, facet.kind, clocks[0])
            tally.noteEnd()
            return FacetCounts(tally, clocks[0])
        }
    }

    /// Refuses facets that are more than sums over the indexes.
    ///
    /// - Parameters:
    ///   - facets: what is to be counted.
    ///   - request: what is searched for.
    ///   - indexes: where.
    ///   - isPart: whether other indexes are searched elsewhere.
    /// - Throws: ``TextIndexError`` `.invalidArgument`.
    static func check(
        _ facets: [Facet], _ request: SearchRequest, _ indexes: [TextIndex<Object>],
        isPart: Bool = false
    ) throws {
        func refused(_ what: String) -> TextIndexError {
            TextIndexError(
                .invalidArgument, "A search over several indexes has no facets with \(what).")
        }
        for facet in facets {
            try facet.check()
            // The range of all values is known of none of the parts.
            if isPart, case .automatic = facet.kind { throw refused("automatic ranges") }
            if facet.topHits > 0 { throw refused("top hits") }
            if case .bestHit = facet.order { throw refused("the order of the best result") }
            if request.minimumScore > -.infinity,
                indexes.contains(where: { $0.needsItems(request) })
            {
                throw refused("a least score of the application's own")
            }
        }
    }

    /// What a facet counts of one index.
    private func matches(
        of facet: Facet, _ found: Found, _ source: Int
    ) throws -> FacetMatches {
        let request = try self.request(of: source)
        var matches = found.matches[source]
        if facet.isDisjunctive,
            let query = AttributeFilters(attribute: facet.attribute).removed(from: request.query)
        {
            matches = try self.matches(of: query, source, by: found.statistics)
        }
        request.factors.ofAll.raise(&matches)
        var ranker = QueryRanker(
            evaluator(source, found.statistics), index: indexes[source], request: request)
        return try ranker.facetMatches(matches, needsItems: false, needsOrder: false)
    }

    /// All that a query matches in one index, with scores where they decide what is counted.
    func matches(
        of query: Query, _ source: Int, by known: SharedStatistics
    ) throws -> QueryMatches {
        var evaluator = evaluator(source, known)
        let expanded = snapshots[0].analyzer.synonyms.expand(query)
        let needs = MatchNeeds(scores: request.minimumScore > -.infinity)
        return try evaluate(expanded, in: source, needs, &evaluator) ?? QueryMatches()
    }
}
