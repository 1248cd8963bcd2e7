extension QueryLimits {
    /// Refuses a typed query that is too large.
    ///
    /// Complexity: linear in the query.
    func check(_ query: Query) throws {
        // Most often: no need to go through the levels.
        if nesting > 1, clauses > 0, query.isOfWords, query.children.count <= clauses { return }
        if query.isDeeper(than: nesting) {
            throw TextIndexError(
                .limitExceeded,
                "More than \(nesting) queries lie within one another (maximumNesting).")
        }
        if query.hasMoreClauses(than: clauses) {
            throw TextIndexError(
                .limitExceeded,
                "The query has more than \(clauses) clauses (maximumClauses).")
        }
    }
}
