extension Query: Hashable {
    /// Whether two queries were built alike. Compare ``normalized()`` forms for equal meaning.
    ///
    /// Complexity: O(*n*) in the size of the tree, without recursion, so that a deep query cannot
    /// exhaust the stack.
    public static func == (a: Query, b: Query) -> Bool {
        var pairs = [(a, b)]
        while let (a, b) = pairs.popLast() {
            let (inner, other) = (a.children, b.children)
            guard inner.count == other.count, a.childless == b.childless else { return false }
            pairs.append(contentsOf: zip(inner, other))
        }
        return true
    }

    /// Feeds the query to a hasher, without recursion.
    public func hash(into hasher: inout Hasher) {
        var queries = [self]
        while let query = queries.popLast() {
            let children = query.children
            hasher.combine(query.childless)
            hasher.combine(children.count)
            queries.append(contentsOf: children)
        }
    }

    /// The node by itself, with nothing in the place of its children.
    private var childless: Node {
        switch node {
        case .near(_, let distance, let ordered): .near([], within: distance, ordered: ordered)
        case .all: .all([])
        case .any: .any([])
        case .none: .none([])
        case .atLeast(let count, _): .atLeast(count, [])
        case .first: .first([])
        case .field(let name, _): .field(name, .nothing)
        case .boost(_, let factor): .boost(.nothing, factor)
        case .constantScore(_, let score): .constantScore(.nothing, score)
        case .filter: .filter(.nothing)
        case .everything, .nothing, .keyword, .term, .prefix, .infix, .suffix, .part, .fuzzy,
            .wildcard,
            .regularExpression, .phrase, .exactly, .attribute, .identifiers, .weight:
            node
        }
    }
}
