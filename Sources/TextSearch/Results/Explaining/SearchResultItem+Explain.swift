extension SearchResultItem {
    /// How the score comes about: a tree whose value is ``score``, to the last bit.
    ///
    /// That is so as long as the results that the item is one of are held, or their cursor, or the index does not change. Later it is the score
    /// that the object has for the same query now.
    ///
    /// Complexity: that of the search, clause for clause.
    ///
    /// - Returns: The tree; nil when the object was indexed anew or removed and nobody holds the results any more.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func explain() throws -> ScoreExplanation? { try index.explain(self) }
}
