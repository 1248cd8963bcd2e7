/// One kind of query: what it matches in a snapshot, and how that is scored.
///
/// Each kind is a type of its own, which holds what is asked for. It is given what is needed of the
/// matches, and the evaluator, which holds everything else and evaluates the queries that it is
/// made of.
protocol QueryScorer {
    /// What it matches, as far as that is needed; nil where it asks for nothing.
    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches?
}
