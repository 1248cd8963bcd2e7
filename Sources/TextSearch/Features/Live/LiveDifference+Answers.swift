extension LiveDifference {
    /// Creates the difference of two answers that were found independently, in one index or in
    /// published generations of it.
    ///
    /// Complexity: O(*n* log *n*) in the number of results.
    ///
    /// - Parameters:
    ///   - old: all results of the old answer from the first one on.
    ///   - new: all results of the new answer from the first one on.
    ///   - totalCount: how many objects match now.
    ///   - isComplete: whether nothing was left out of the new answer.
    public init(
        from old: [SearchResultItem<Object>], to new: [SearchResultItem<Object>],
        totalCount: SearchResults<Object>.TotalCount, isComplete: Bool = true
    ) {
        self.init(
            from: old.map(ShownResult.init), to: new, totalCount: totalCount, isComplete: isComplete
        )
    }
}
