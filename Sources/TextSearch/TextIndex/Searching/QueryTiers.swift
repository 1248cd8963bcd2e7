/// The queries within one that are made of tiers of others, whose scores are built on one another.
struct QueryTiers {
    /// How many there are.
    private(set) var count = 0
    /// How many of them lie within one another.
    private(set) var depth = 0

    init(of query: Query) {
        var open = [(query: query, depth: 0)]
        while let (query, outer) = open.popLast() {
            var inner = outer
            if case .first = query.node {
                count += 1
                inner += 1
            }
            depth = max(depth, inner)
            open += query.children.map { ($0, inner) }
        }
    }
}
