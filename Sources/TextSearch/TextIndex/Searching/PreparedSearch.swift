/// A search by statistics as it was read: for both phases, and for all who ask for the same.
package struct PreparedSearch: Sendable {
    fileprivate let request: SearchRequest
}

extension TextIndex {
    /// Reads a text, to be searched for by statistics.
    package func prepared(
        _ text: String, limit: Int, ranking: Ranking, filter: Query?, fields: [String],
        minimumScore: Double, parser: QueryParser
    ) throws -> PreparedSearch {
        PreparedSearch(
            request: try request(
                text, limit: limit, ranking: ranking, filter: filter, fields: fields,
                minimumScore: minimumScore, parser: parser))
    }

    /// Prepares a typed query, to be searched for by statistics.
    package func prepared(
        _ query: Query, limit: Int, ranking: Ranking, minimumScore: Double
    ) -> PreparedSearch {
        PreparedSearch(
            request: SearchRequest(
                query: query, ranking: ranking, minimumScore: minimumScore, limit: limit))
    }

    /// What this index knows of a search.
    package func statistics(
        of search: PreparedSearch, known: QueryStatistics?, budget: SearchBudget
    ) throws -> QueryStatistics {
        var request = search.request
        request.budget = budget
        return try statistics(request, known)
    }

    /// The best results of this index by the statistics of all, and what is counted of it.
    package func search(
        _ search: PreparedSearch, statistics: QueryStatistics, facets: [Facet],
        budget: SearchBudget
    ) throws -> SearchResults<Object> {
        var request = search.request
        request.budget = budget
        return try self.search(request, statistics, facets)
    }
}
