/// What queries ask of one attribute and of nothing else.
struct AttributeFilters {
    let attribute: String

    /// A query without what its uppermost "all" asks so; nil where it asks nothing of the kind.
    func removed(from query: Query) -> Query? {
        if isOnlyFilter(query) { return .everything }
        switch query.node {
        case .all(let parts):
            var isChanged = false
            let left = parts.compactMap { part -> Query? in
                if isOnlyFilter(part) {
                    isChanged = true
                    return nil
                }
                guard let other = removed(from: part) else { return part }
                isChanged = true
                return other
            }
            return isChanged ? Query(.all(left)) : nil
        case .first(let steps):
            // What a text was read as: each of its steps has the filters.
            let left = steps.map { removed(from: $0) ?? $0 }
            return left == steps ? nil : Query(.first(left))
        case .filter(let part): return removed(from: part).map { Query(.filter($0)) }
        default: return nil
        }
    }

    /// Whether a query is a filter by the values of the attribute.
    private func isOnlyFilter(_ query: Query) -> Bool {
        switch query.node {
        case .attribute(let name, _): name == attribute
        case .filter(let part), .constantScore(let part, _), .boost(let part, _): isOnlyFilter(part)
        case .all(let parts), .any(let parts), .none(let parts), .atLeast(_, let parts):
            !parts.isEmpty && parts.allSatisfy(isOnlyFilter)
        default: false
        }
    }
}
