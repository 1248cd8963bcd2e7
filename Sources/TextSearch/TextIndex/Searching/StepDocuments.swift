/// Finds which documents of one of several indexes the steps of a search match.
///
/// They are not scored: a score depends on all indexes, and those of the steps on one another, so
/// that is left to when the steps are known.
///
/// Use it on one thread at a time.
final class StepDocuments {
    private var evaluator: QueryEvaluator
    private var search: StepSearch?

    /// `found` is what was found before the steps.
    init(_ evaluator: consuming QueryEvaluator, found: [UInt32]) throws {
        search = try StepSearch(evaluator, .documents, found: found)
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
}
