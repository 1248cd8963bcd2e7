/// Finds which documents of one of several indexes the steps of a search match.
///
/// They are not scored at once: a score depends on all indexes, and those of the steps on one
/// another, so that is left to when the steps are known.
///
/// Use it on one thread at a time.
final class StepDocuments {
    private var evaluator: QueryEvaluator
    private var search: StepSearch?

    /// `found` is what was found before the steps; for `share` see `StepSearch`.
    init(_ evaluator: consuming QueryEvaluator, found: [UInt32], share: Int = 8) throws {
        search = try StepSearch(evaluator, .documents, found: found, share: share)
        evaluator.remembersPatterns = search == nil
        self.evaluator = evaluator
    }

    /// The documents that a query matches, without scores; nil where it asks for nothing.
    ///
    /// Those of queries before may be left out, unless it counts in all indexes together whether a
    /// query matches no more than `most`.
    func matches(_ query: Query, most: Int) throws -> QueryMatches? {
        do {
            if most == .max, search != nil {
                var found = try search?.matches(query, most: most, best: nil, &evaluator)
                try found?.hold(by: evaluator.clock)
                return found
            }
            return try evaluator.evaluate(query, .documents)
        } catch is SearchEnded {
            return QueryMatches()
        }
    }

    /// The scores of ascending documents that a query with its synonyms matches; `scorer` tells
    /// other indexes of its words.
    func scores(
        of query: Query, among documents: [UInt32], _ scorer: inout QueryEvaluator
    ) throws -> QueryMatches {
        do {
            try search?.findAllParts(of: query, &evaluator)
            var needs = MatchNeeds.scores
            needs.selection = search?.selection(documents) ?? Selection(documents: documents)
            return try scorer.evaluate(query, in: nil, needs)?.only(documents) ?? QueryMatches()
        } catch is SearchEnded {
            return QueryMatches()
        }
    }
}
