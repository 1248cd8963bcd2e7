/// What facets count, of all that a request matches.
extension SearchRun {
    /// What a query matches, and the results of the page where they are known already.
    struct Faceted {
        var matches = QueryMatches()
        var best: TopMatches?
        /// What matches without the filters of an attribute whose facets ignore them.
        var others: [String: QueryMatches] = [:]
    }

    /// What the request matches, scored only where somebody asks for scores.
    mutating func faceted(_ facets: [Facet]) throws -> Faceted {
        let needsOrder = facets.needOrder
        let isCount = request.isCount(facets)
        var found = Faceted()
        do {
            if !isCount, !needsOrder { found.best = try best(besidesAll: true) }
            if found.best == nil {
                found.matches = try matches(scored: !isCount)
            } else {
                found.matches =
                    try evaluator.evaluate(request.query, .documents) ?? QueryMatches()
            }
            var needs = needs.scored(needsOrder || request.minimumScore > -.infinity)
            needs.tierFactors = request.factors.ofTiers
            for facet in facets where facet.isDisjunctive && found.others[facet.attribute] == nil {
                let filters = AttributeFilters(attribute: facet.attribute)
                guard let query = filters.removed(from: request.query) else { continue }
                // Where the time is over, what is left out counts nothing.
                found.others[facet.attribute] = QueryMatches()
                var others = try evaluator.evaluate(query, needs) ?? QueryMatches()
                request.factors.ofAll.raise(&others)
                found.others[facet.attribute] = others
            }
        } catch is SearchEnded {
            // What was found cannot be used.
        }
        return found
    }
}

extension SearchRequest {
    /// Whether results are counted by facets and nothing else.
    func isCount(_ facets: [Facet]) -> Bool {
        range.isEmpty && !facets.needOrder && !(minimumScore > -.infinity)
    }
}

extension Facet {
    /// Whether the order of the results makes a difference.
    var needsOrder: Bool { topHits > 0 || order == .bestHit }
}

extension [Facet] {
    /// Whether the order of the results makes a difference to any of them.
    var needOrder: Bool { contains(where: \.needsOrder) }
}
