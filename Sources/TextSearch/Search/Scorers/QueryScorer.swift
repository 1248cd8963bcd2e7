/// One kind of query: what it matches in a snapshot, and how that is scored.
///
/// Each kind is a type of its own, which holds what is asked for; the evaluator that it is given
/// holds everything else, and evaluates the queries that it is made of.
protocol QueryScorer {
    /// What it matches; nil where it asks for nothing.
    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches?
}
