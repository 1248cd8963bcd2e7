extension SearchResultItem {
    /// Explains the score: a tree whose value is ``score``, to the last bit.
    ///
    /// That holds as long as the item's results or their cursor are held, or the index does not
    /// change. Later it is the present score of the object for the same query.
    ///
    /// Complexity: that of the search, clause for clause.
    ///
    /// - Returns: The tree; nil if the object was indexed again or removed and the results are not
    ///   held any more.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func explain() throws -> ScoreExplanation? { try index.explain(self) }
}
