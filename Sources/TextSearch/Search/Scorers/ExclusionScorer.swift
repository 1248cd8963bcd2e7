/// All that matches none of some queries.
struct ExclusionScorer: QueryScorer {
    let parts: [Query]
    let string: UInt32?

    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        guard let found = try excluded(&evaluator) else { return nil }
        return try evaluator.allDocuments().subtracting(found, evaluator.work)
    }

    /// What matches one of the queries, nil where none of them asks for anything: what is to be
    /// left out must be known whole.
    func excluded(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        let outer = evaluator.terms.needsAll
        evaluator.terms.needsAll = true
        defer { evaluator.terms.needsAll = outer }
        var union = MatchUnion(evaluator.work)
        try UnionScorer(parts: parts, string: string).add(to: &union, &evaluator)
        return union.partCount == 0 ? nil : try union.matches()
    }
}
