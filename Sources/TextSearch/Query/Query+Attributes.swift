extension Query {
    /// The query without what the uppermost "all" asks of one attribute and of nothing else; nil
    /// where it asks nothing of the kind.
    func withoutFilters(on attribute: String) -> Query? {
        if asksOnly(of: attribute) { return .everything }
        switch node {
        case .all(let parts):
            var isChanged = false
            let left = parts.compactMap { part -> Query? in
                if part.asksOnly(of: attribute) {
                    isChanged = true
                    return nil
                }
                guard let other = part.withoutFilters(on: attribute) else { return part }
                isChanged = true
                return other
            }
            return isChanged ? Query(.all(left)) : nil
        case .filter(let part):
            return part.withoutFilters(on: attribute).map { Query(.filter($0)) }
        default: return nil
        }
    }

    /// Whether it is a filter by the values of one attribute.
    private func asksOnly(of attribute: String) -> Bool {
        switch node {
        case .attribute(let name, _): name == attribute
        case .filter(let part), .constantScore(let part, _), .boost(let part, _):
            part.asksOnly(of: attribute)
        case .all(let parts), .any(let parts), .none(let parts), .atLeast(_, let parts):
            !parts.isEmpty && parts.allSatisfy { $0.asksOnly(of: attribute) }
        default: false
        }
    }
}
