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

    /// What is left where filters are taken out that all matches have to pass, and these; nothing
    /// is taken out where nothing else is asked for.
    var withoutFilters: (query: Query, filters: [Query]) {
        var query = self
        var filters: [Query] = []
        while case .all(let parts) = query.node {
            let own = parts.filter(\.onlyFilters)
            guard !own.isEmpty, own.count < parts.count else { break }
            filters += own
            query = Query(.all(parts.filter { !$0.onlyFilters })).withoutWrapping
        }
        return (query, filters)
    }

    /// What stands alone in "all" or "any", which adds nothing to it.
    var withoutWrapping: Query {
        var query = self
        while true {
            switch query.node {
            case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
                query = parts[0]
            default: return query
            }
        }
    }
}
