extension TextIndex {
    /// Takes step after step until there are enough results. The request then holds the query as it was run: the steps that found something, in tiers.
    func climb(
        from first: QueryMatches, _ request: inout SearchRequest, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        let asked = request.query
        let wanted = request.wantedCount
        guard first.documents.count < wanted, !evaluator.clock.isSpent,
            let ladder = StepLadder(asked, request.steps, evaluator.analyzer)
        else { return first }
        var variants = WordVariants(
            [(evaluator.snapshot, store)], evaluator.analyzer, evaluator.clock)
        var climb = LadderClimb(asked, [first], [evaluator.clock])
        evaluator.remembersPatterns = true
        defer { evaluator.remembersPatterns = false }
        do {
            try climb.run(ladder, until: wanted, &variants) { query in
                if evaluator.clock.isSpent { throw SearchEnded() }
                return try evaluator.evaluate(query).map { [$0] }
            }
        } catch is SearchEnded {
            // The steps before are whole.
        }
        request.note(climb)
        switch climb.tiers.count {
        case 0: return first
        case 1: return climb.tiers[0].matches[0]
        default: return try evaluator.joined(climb.tiers.map(\.matches[0]))
        }
    }
}

extension SearchRequest {
    /// How many results are enough for no further step to be taken.
    ///
    /// An order of the caller's own would mix the results of all steps: there the first step that finds anything is the last.
    var wantedCount: Int {
        guard case .relevance = ranking.kind else { return 1 }
        return range.upperBound == .max ? Self.usualCount : max(range.upperBound, 1)
    }

    /// Where all results are asked for, as many are enough as are on a page.
    private static var usualCount: Int { 20 }

    /// Whether any of the words is enough when nothing has all: one of the steps says so where others may be taken.
    var fallsBackToAny: Bool { fallsBack && steps == .exact }

    /// Has all pages begin with the query that was asked.
    mutating func takeSteps(from asked: Query) {
        guard steps != .exact else { return }
        self.asked = asked
        query = asked
    }

    /// Takes on the steps that were taken.
    mutating func note(_ climb: LadderClimb) {
        stepsTaken = climb.stepsTaken
        guard let best = climb.tiers.first else { return }
        query = climb.query
        tiers = climb.tiers.map { ($0.step, $0.matches[0].documents) }
        if best.step == .someWords {
            fallBack(on: query)
        }
    }

    /// The step that found a document.
    func step(of document: UInt32) -> SearchSteps {
        tiers.first { $0.documents.holds(document) }?.step ?? .exact
    }
}

extension [UInt32] {
    fileprivate func holds(_ document: UInt32) -> Bool { self[...].holds(document) }
}
