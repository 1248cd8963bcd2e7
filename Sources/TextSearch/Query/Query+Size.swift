extension Query {
    /// Whether it is a word, or words of which all or any are asked for.
    var isOfWords: Bool {
        switch node {
        case .term: true
        case .all(let parts), .any(let parts):
            parts.allSatisfy { if case .term = $0.node { true } else { false } }
        default: false
        }
    }

    /// Whether more than `limit` queries lie within one another.
    ///
    /// Complexity: linear in the query; without recursion.
    func isDeeper(than limit: Int) -> Bool {
        if limit > 0, children.isEmpty { return false }
        var level: [Query] = [self]
        for _ in 0..<limit {
            level = level.flatMap(\.children)
            if level.isEmpty { return false }
        }
        return true
    }

    /// Whether it is made of more than `limit` queries that are made of no others.
    ///
    /// Complexity: linear in the query; without recursion.
    func hasMoreClauses(than limit: Int) -> Bool {
        if limit > 0, children.isEmpty { return false }
        var open = [self]
        var count = 0
        while let query = open.popLast() {
            let children = query.children
            open += children
            if children.isEmpty { count += 1 }
            if count > limit { return true }
        }
        return false
    }
}
