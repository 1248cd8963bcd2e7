/// A part of an "all" that requires nothing: `atLeast(0, …)`, as words of little value beside
/// others.
struct BonusScorer {
    private let parts: [Query]
    private let string: UInt32?

    /// Nil for a query that requires something.
    init?(_ query: Query, _ string: UInt32?) {
        guard query.isBonus, case .atLeast(_, let parts) = query.node else { return nil }
        self.parts = parts
        self.string = string
    }

    /// What matches, with the scores that the bonus gives some of it.
    func adding(
        to found: QueryMatches, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        guard needs.scores, !found.documents.isEmpty else { return found }
        // A heap of all, and their scores twice.
        let share = try MemoryShare(evaluator.clock, found.documents.count * 48)
        defer { withExtendedLifetime(share) {} }
        if string == nil, parts.count == 1,
            let plan = QueryPlan(word: parts[0], evaluator.analyzer)
        {
            return found.adding(try plan.matches(among: found.documents, needs, &evaluator))
        }
        let union = UnionScorer(parts: parts, string: string)
        return found.adding(try union.matches(needs, &evaluator) ?? QueryMatches())
    }
}
