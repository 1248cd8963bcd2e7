package import TextSearch

extension TextIndex {
    /// Those of some attributes that no object has.
    ///
    /// Complexity: that of looking for objects with an attribute, where no item has it.
    ///
    /// - Parameters:
    ///   - names: the attributes.
    ///   - items: some objects of the index.
    ///   - budget: how long it may take for each; one that there is no time for may be there.
    /// - Returns: Their names.
    /// - Throws: `TextIndexError`.
    package func unknownAttributes(
        among names: [String], beside items: [SearchResultItem<Object>], _ budget: SearchBudget
    ) throws -> [String] {
        try names.filter { name in
            guard !items.contains(where: { $0.attributes[name] != nil }) else { return false }
            let found = try search(.attribute(name, .exists), limit: 0, budget: budget)
            return found.totalCount.value == 0 && found.isComplete
        }
    }
}

extension FacetCounts {
    /// Whether no object has the attribute, of some that were counted.
    package var areEmpty: Bool { objectCount == 0 && missingCount > 0 }
}
