// The steps of a request: how far they go, and what they have made of it.
extension SearchRequest {
    /// How many results are enough for no further step to be taken.
    ///
    /// An order of the caller's own would mix the results of all steps: there the first step that
    /// finds anything is the last.
    var wantedCount: Int {
        guard case .relevance = ranking.kind else { return 1 }
        return range.upperBound == .max ? Self.usualCount : max(range.upperBound, 1)
    }

    /// Where all results are asked for, as many are enough as are on a page.
    static var usualCount: Int { 20 }

    /// Whether any part of the query is enough when no step finds anything, quoted phrases too:
    /// without other steps, and with the one that says so.
    var fallsBackToAny: Bool {
        fallsBack && (steps == .exact || steps.contains(.someWords))
    }

    /// Has all pages begin with the query that was asked.
    mutating func takeSteps(from asked: Query) {
        guard steps != .exact else { return }
        self.asked = asked
        query = asked
        hasTiers = false
    }

    /// Goes back to the query that was asked, of what no step found.
    mutating func leaveSteps() {
        guard stepsTaken != .exact, let asked else { return }
        query = asked
        hasTiers = false
    }

    /// Takes on the steps that were taken.
    mutating func note(_ climb: LadderClimb) {
        stepsTaken = climb.stepsTaken
        guard let best = climb.tiers.first else { return }
        query = climb.query
        hasTiers = climb.tiers.count > 1
        tiers = climb.tiers(inSource: 0)
        if best.step == .someWords {
            fallBack(on: query)
        }
    }

    /// The step that found a document.
    func step(of document: UInt32) -> SearchSteps {
        tiers.first { $0.documents.holds(document) }?.step ?? .exact
    }
}
