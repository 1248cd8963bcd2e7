extension Query {
    /// How many queries may lie within one another: what goes over a query does so by recursion. No text makes as many.
    static let deepest = 400

    /// Whether more queries than `deepest` lie within one another.
    ///
    /// Complexity: linear in the query; without recursion.
    var isTooDeep: Bool {
        var level: [Query] = [self]
        for _ in 0..<Self.deepest {
            level = level.flatMap(\.parts)
            if level.isEmpty { return false }
        }
        return true
    }

    /// The queries that this one is made of.
    private var parts: [Query] {
        switch node {
        case .all(let parts), .any(let parts), .none(let parts), .atLeast(_, let parts),
            .near(let parts, _, _), .first(let parts):
            parts
        case .field(_, let part), .boost(let part, _), .constantScore(let part, _),
            .filter(let part):
            [part]
        default: []
        }
    }
}
