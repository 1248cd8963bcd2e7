/// What a search is asked for.
package struct SearchRequest: Sendable {
    var query: Query
    var ranking = Ranking.relevance
    var minimumScore = -Double.infinity
    var limit = 20
    var offset = 0
    var diagnostics = QueryDiagnostics()
    /// Further diagnostics, of words that are nowhere in the index.
    var wordCheck: WordCheck?
    /// Whether any of the words is enough when nothing has all, where no step but the first may be
    /// taken.
    var fallsBack = false
    /// The steps that may be taken; of a typed query it is the only one.
    var steps = SearchSteps.exact
    /// The steps that were taken.
    var stepsTaken = SearchSteps.exact
    /// The query before any step was taken, once the search has begun; further pages begin with it
    /// again.
    var asked: Query?
    /// What each step found, while the page is made.
    var tiers: [(step: SearchSteps, documents: [UInt32])] = []
    /// Whether the query is made of what several steps found.
    var hasTiers = false
    /// A document until whose step the steps go on.
    var sought: UInt32?
    /// What else the text may mean, where nothing is found.
    var readings: [PlainReading] = []
    /// The text that the query was read from.
    var text: String?
    /// What the steps found instead of words.
    var findings = WordFindings()
    /// Whether words that are nowhere in the index are to be reported.
    var checksWords = true
    /// Whether what can be said before it is run has been said.
    var isRemarked = false
    /// What multiplies the relevance, once the search has begun; the same for all pages.
    var documentFactors: DocumentFactors?
    /// The state to search; nil for the one that is visible.
    var snapshot: Snapshot?
    /// How long it may take.
    var budget = SearchBudget.unlimited
    /// Whether all items are made before they are ordered, as overrides need it.
    var makesAllItems = false
    /// Whether the application orders the results itself, once the search has begun.
    var isOrderedByApplication = false

    /// The same, which may take so long.
    package func within(_ budget: SearchBudget) -> SearchRequest {
        var request = self
        request.budget = budget
        return request
    }

    /// Which results it asks for.
    var range: Range<Int> {
        let first = max(offset, 0)
        let (end, isTooLarge) = first.addingReportingOverflow(max(limit, 0))
        return first..<(isTooLarge ? .max : end)
    }

    /// What multiplies the relevance, where it counts.
    var factors: RequestFactors {
        let factors = documentFactors ?? .none
        guard hasTiers else { return RequestFactors(ofAll: factors, ofTiers: .none) }
        return RequestFactors(
            ofAll: .none, ofTiers: TierFactors(documents: factors, countsWeights: weighsTiers))
    }

    /// Whether weights are counted within the steps, so that they leave the order of these.
    var weighsTiers: Bool { if case .combined = ranking.kind { hasTiers } else { false } }

    /// Whether the results of a step come before those of later ones. Those of an application that
    /// multiplies by weights itself do not.
    private var takesAllSteps: Bool {
        if isOrderedByApplication, case .combined = ranking.kind { return false }
        return ranking.takesAllSteps
    }

    /// Whether objects rank higher that have the words close together.
    var countsCloseness: Bool {
        text != nil && steps != .exact && ranking.takesAllSteps
            && (!range.isEmpty || minimumScore > -.infinity)
    }

    /// What finds these; nil where there are none.
    var closeness: Closeness? {
        guard countsCloseness, let text else { return nil }
        return Closeness(of: asked ?? query, text)
    }

    // MARK: Steps

    /// How many results are enough for no further step to be taken.
    ///
    /// An order of the caller's own would mix the results of all steps: there the first step that
    /// finds anything is the last.
    var wantedCount: Int {
        guard takesAllSteps else { return 1 }
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
        findings = climb.findings
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
