/// All that matches none of some queries.
struct ExclusionScorer: QueryScorer {
    let parts: [Query]
    let string: UInt32?

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        guard let found = try excluded(needs, &evaluator) else { return nil }
        return try evaluator.allDocuments(needs).subtracting(found, evaluator.work(needs))
    }

    /// What matches one of the queries, nil where none of them asks for anything: what is to be
    /// left out must be known whole.
    func excluded(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        guard !parts.isEmpty else { return nil }
        var needs = needs
        needs.whole = true
        return try UnionScorer(parts: parts, string: string).matches(needs, &evaluator)
    }
}
