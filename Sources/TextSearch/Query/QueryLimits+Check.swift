extension QueryLimits {
    /// Refuses a typed query that is too large.
    ///
    /// Complexity: linear in the query.
    func check(_ query: Query) throws {
        // Most often: no need to go through the levels.
        if nesting > 1, clauses > 0, query.isOfWords, query.children.count <= clauses { return }
        if Self.isDeeper(query, than: nesting) {
            throw TextIndexError(
                .limitExceeded,
                "More than \(nesting) queries lie within one another (maximumNesting).")
        }
        if Self.hasMoreClauses(query, than: clauses) {
            throw TextIndexError(
                .limitExceeded,
                "The query has more than \(clauses) clauses (maximumClauses).")
        }
    }

    /// Whether more than `limit` queries lie within one another.
    ///
    /// Complexity: linear in the query; without recursion.
    private static func isDeeper(_ query: Query, than limit: Int) -> Bool {
        if limit > 0, query.children.isEmpty { return false }
        var level = [query]
        for _ in 0..<limit {
            level = level.flatMap(\.children)
            if level.isEmpty { return false }
        }
        return true
    }

    /// Whether a query is made of more than `limit` queries that are made of no others.
    ///
    /// Complexity: linear in the query; without recursion.
    private static func hasMoreClauses(_ query: Query, than limit: Int) -> Bool {
        if limit > 0, query.children.isEmpty { return false }
        var count = 0
        for query in QueryWalk(query) {
            if query.children.isEmpty { count += 1 }
            if count > limit { return true }
        }
        return false
    }
}
