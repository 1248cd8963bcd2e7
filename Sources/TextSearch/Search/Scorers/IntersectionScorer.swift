/// What matches all of several queries; scores add up.
struct IntersectionScorer: QueryScorer {
    let parts: [Query]
    let string: UInt32?

    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        var result: QueryMatches?
        var exclusions: [QueryMatches] = []
        var bonuses: [BonusScorer] = []
        // Filters come last, so that they are asked for what all others match.
        let filters = parts.filter(\.onlyFilters)
        let addsLater = addsBonusesLater(evaluator)
        for part in parts.bonusesLast where filters.isEmpty || !part.onlyFilters {
            // What excludes is taken away from the rest instead of from everything.
            if case .none(let unwanted) = part.node, !unwanted.isEmpty {
                let exclusion = ExclusionScorer(parts: unwanted, string: string)
                if let found = try exclusion.excluded(&evaluator) { exclusions.append(found) }
                continue
            }
            if addsLater, let bonus = BonusScorer(part, string) {
                bonuses.append(bonus)
                continue
            }
            // Nothing will be added to it.
            if evaluator.remembersPatterns, result?.documents.isEmpty ?? false { break }
            guard let found = try evaluator.evaluate(part, in: string) else { continue }
            result = try result?.intersection(found, evaluator.work) ?? found
            try result?.hold(by: evaluator.clock)
        }
        if let found = result {
            result = try FilterScorer.kept(found, by: filters, evaluator)
        } else if !filters.isEmpty {
            result = try FilterScorer(.all(of: filters)).found(evaluator)
        } else {
            if exclusions.isEmpty, bonuses.isEmpty, !parts.isEmpty { return nil }
            result = try evaluator.allDocuments()
        }
        for found in exclusions { result = try result?.subtracting(found, evaluator.work) }
        for bonus in bonuses { result = try result.map { try bonus.adding(to: $0, &evaluator) } }
        return result
    }

    /// Whether what only adds to scores is looked for among what the other parts match, and not in
    /// the whole index.
    ///
    /// Hits are wanted of all that is found, and who explains, or asks others for their statistics,
    /// goes through all of it.
    private func addsBonusesLater(_ evaluator: borrowing QueryEvaluator) -> Bool {
        guard case .none = evaluator.needs.hits, evaluator.trace == nil, evaluator.exchange == nil
        else { return false }
        return parts.contains { !$0.isBonus && !$0.isRestriction }
    }
}
