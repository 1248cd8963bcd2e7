/// All queries that one is made of, itself first and each before its parts; without recursion.
struct QueryWalk: Sequence, IteratorProtocol {
    private var open: [Query]

    init(_ query: Query) { open = [query] }

    mutating func next() -> Query? {
        guard let query = open.popLast() else { return nil }
        open += query.children.reversed()
        return query
    }
}
