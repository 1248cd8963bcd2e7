/// One search in one state of an index: what is asked for, and what has become of that.
///
/// Every search of a single index is one: with and without facets, as it is typed, live, of stored
/// queries and explained. It knows no objects; ``QueryRanker`` makes items of what it finds.
struct SearchRun: ~Copyable, QueryReading {
    var request: SearchRequest
    var evaluator: QueryEvaluator
    /// Whether the order takes the items of all matches.
    let needsItems: Bool
    /// How far matches are counted at the least, where only the best are looked for.
    let countLimit: Int
    private let pendingDetails: PendingDetails
    /// What is needed of the matches that are looked for.
    private(set) var needs: MatchNeeds
    /// Whether matches beyond the page may lack their scores, so that they come after it.
    var scoresBestOnly = false

    /// `request` has what multiplies its relevance, and `evaluator` the state to search.
    init(
        _ request: consuming SearchRequest, _ evaluator: consuming QueryEvaluator,
        needsItems: Bool, countLimit: Int, _ pendingDetails: PendingDetails
    ) {
        self.needsItems = needsItems
        needs = needsItems ? .items : .scores
        self.countLimit = countLimit
        self.pendingDetails = pendingDetails
        self.request = request
        self.evaluator = evaluator
        self.request.snapshot = self.evaluator.snapshot
        self.request.remark(on: self.evaluator.fields)
    }

    var clock: SearchClock { evaluator.clock }
    var snapshot: Snapshot { evaluator.snapshot }

    /// The request as it was run, which the run has no more.
    mutating func takeRequest() -> SearchRequest {
        var taken = SearchRequest(query: Query(.nothing))
        swap(&taken, &request)
        return taken
    }

    /// What the request's query matches; the request then holds the query as it was run.
    mutating func matches(scored: Bool = true) throws -> QueryMatches {
        needs.scores = scored
        let asked = request.asked ?? request.query
        var matches = try read() ?? QueryMatches()
        if request.checksWords, !clock.isSpent {
            try checkWords(of: asked, hasMatches: !matches.documents.isEmpty)
            if matches.documents.isEmpty, request.text != nil {
                request.remarkOnKinds(of: asked, [snapshot], clock)
            }
            if matches.documents.isEmpty, request.text != nil, request.diagnostics.isEmpty {
                request.append(
                    .noMatch,
                    snapshot.count == 0
                        ? "Nothing is indexed." : "No object matches the whole query.")
            }
        }
        request.factors.ofAll.raise(&matches)
        return matches
    }

    // MARK: Reading

    mutating func find(_ query: Query) throws -> QueryMatches? {
        try evaluator.evaluate(query, needs)
    }

    mutating func findInsideWords() throws -> QueryMatches? {
        guard try request.lookInsideWords(evaluator.analyzer) else {
            request.remarkOnSigns()
            return nil
        }
        return try find(request.query)
    }

    func count(_ found: inout QueryMatches, enough: Int?) -> Int { found.documents.count }

    mutating func climb(from first: QueryMatches) throws -> QueryMatches {
        let asked = request.query
        var climb = try LadderClimb(
            asked, [first], [clock], wanted: request.wantedCount, sought: request.sought)
        guard !climb.isEnough, !clock.isSpent,
            let ladder = StepLadder(asked, request.steps, evaluator.analyzer)
        else { return first }
        var variants = WordVariants(
            [(snapshot, evaluator.store)], evaluator.analyzer, clock)
        let words = needs.scores ? request.closeness?.ofUnfinished : nil
        var steps = try StepSearch(evaluator, needs, found: first.documents)
        evaluator.remembersPatterns = steps == nil
        defer { evaluator.remembersPatterns = false }
        do {
            let scoresBestOnly = scoresBestOnly
            try climb.run(ladder, &variants) { query, step, most, more in
                if evaluator.clock.isSpent { throw SearchEnded() }
                guard steps != nil else {
                    return try evaluator.evaluate(query, needs).map { [$0] }
                }
                return try steps?.matches(
                    query, most: most, best: scoresBestOnly ? more : nil,
                    words: step == .unfinished ? words : nil, &evaluator
                ).map { [$0] }
            }
        } catch is SearchEnded {
            // The steps before are whole.
        }
        request.note(climb)
        try raise(climb, words, steps?.close)
        switch climb.tiers.count {
        case 0: return first
        case 1: return climb.tiers[0].matches[0]
        default:
            return try TierScorer.joined(
                climb.tiers.map { $0.matches[0] }, request.factors.ofTiers, &evaluator)
        }
    }

    /// Takes on what multiplies the relevance of those that the step of unfinished words found.
    private mutating func raise(
        _ climb: LadderClimb, _ words: Closeness?, _ known: [Closeness.Entry]?
    ) throws {
        let found = climb.documents(of: .unfinished, inSource: 0)
        guard let words, !found.isEmpty else { return }
        let close = try known ?? words.documents(beside: evaluator, among: found)
        request.documentFactors = (request.documentFactors ?? .none).adding(close: close)
    }

    // MARK: Words

    /// Reports words that are nowhere in the index.
    mutating func checkWords(of query: Query, hasMatches: Bool) throws {
        request.checksWords = false
        if evaluator.hasEmptyPattern, !request.diagnostics.contains(where: { $0.kind == .ignored })
        {
            request.append(.ignored, "A part of the query has signs alone, which are not indexed.")
        }
        // What was not looked for is not unknown.
        guard !clock.isSpent else { return }
        let knowsParts = request.steps.contains(.variants)
        if request.text == nil || hasMatches {
            let check = WordCheck(
                query, text: request.text, fields: evaluator.fields, [(snapshot, evaluator.store)],
                request.budget.within(clock.timeToShow),
                memory: evaluator.limits.memoryBytes, knowsParts: knowsParts, request.findings)
            pendingDetails.add(check)
            request.wordCheck = check
            return
        }
        let words = UnknownWords(
            snapshot: snapshot, store: evaluator.store, clock: clock, knowsParts: knowsParts,
            request.findings)
        do {
            let found = try words.diagnostics(
                of: query, text: request.text, fields: evaluator.fields,
                known: evaluator.terms.matched)
            for diagnostic in found { request.diagnostics.append(diagnostic) }
        } catch is SearchEnded {}
    }
}
