/// What matches one of several queries, or so many of them at least; scores add up.
struct UnionScorer: QueryScorer {
    let parts: [Query]
    var least = 1
    let string: UInt32?

    /// What asks for nothing is not missed: at least all of several are all of them.
    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        guard least <= max(parts.count, 1) else { return QueryMatches() }
        var union = MatchUnion(evaluator.work(needs), countsParts: least > 1)
        if least <= 0 { try union.add(try evaluator.allDocuments(needs)) }
        for part in parts {
            if let found = try evaluator.evaluate(part, in: string, needs) { try union.add(found) }
        }
        if union.partCount == 0 { return parts.isEmpty ? QueryMatches() : nil }
        return try union.matches(atLeast: min(least, union.partCount))
    }
}
