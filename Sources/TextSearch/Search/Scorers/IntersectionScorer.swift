/// What matches all of several queries; scores add up.
struct IntersectionScorer: QueryScorer {
    let parts: [Query]
    let string: UInt32?

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        var result: QueryMatches?
        var exclusions: [QueryMatches] = []
        var bonuses: [BonusScorer] = []
        // Filters come last, so that they are asked for what all others match.
        let filters = parts.filter(\.onlyFilters)
        let work = evaluator.work(needs)
        // What only adds to scores is looked for among what the other parts match; but hits are
        // wanted of all that is found, and other indexes are told of all of it.
        let addsLater =
            !needs.hits.areKept && !evaluator.tells(needs)
            && parts.contains { !$0.isBonus && !$0.isRestriction }
        for part in parts.bonusesLast where filters.isEmpty || !part.onlyFilters {
            // What excludes is taken away from the rest instead of from everything.
            if case .none(let unwanted) = part.node, !unwanted.isEmpty {
                let exclusion = ExclusionScorer(parts: unwanted, string: string)
                let found = try exclusion.excluded(needs, &evaluator)
                if let found { exclusions.append(found) }
                continue
            }
            if addsLater, let bonus = BonusScorer(part, string) {
                bonuses.append(bonus)
                continue
            }
            // Nothing will be added to it.
            if evaluator.remembersPatterns, result?.documents.isEmpty ?? false { break }
            guard let found = try evaluator.evaluate(part, in: string, needs) else { continue }
            result = try result?.intersection(found, work) ?? found
            try result?.hold(by: evaluator.clock)
        }
        if let found = result {
            result = try FilterScorer.kept(found, by: filters, needs, evaluator)
        } else if !filters.isEmpty {
            result = try FilterScorer(.all(of: filters), needs).found(evaluator)
        } else {
            if exclusions.isEmpty, bonuses.isEmpty, !parts.isEmpty { return nil }
            result = try evaluator.allDocuments(needs)
        }
        for found in exclusions { result = try result?.subtracting(found, work) }
        for bonus in bonuses {
            result = try result.map { try bonus.adding(to: $0, needs, &evaluator) }
        }
        return result
    }
}
