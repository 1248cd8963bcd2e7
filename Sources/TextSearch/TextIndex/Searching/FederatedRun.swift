/// One search over several indexes, or the part of one index in a search over indexes elsewhere.
struct FederatedRun<Object>: QueryReading {
    let indexes: [TextIndex<Object>]
    let snapshots: [Snapshot]
    var request: SearchRequest
    /// The query as it was asked, before any step.
    let asked: Query
    let clocks: [SearchClock]
    /// Of each index, without a query.
    let own: [SharedStatistics]
    /// Whether several threads may search. Work of one memory is work of one thread.
    let isParallel: Bool
    /// The request as it was when the search began, before any step.
    private let begun: SearchRequest
    /// What multiplies the relevance in each index.
    private let factors: SourceFactors
    /// The same with those of words that the steps took for unfinished.
    private let stepFactors: SourceFactors
    /// The steps that found something in each index.
    private(set) var climb: LadderClimb?
    /// What is counted over all results.
    let facets: [Facet]
    /// What is told to indexes elsewhere, and known of them; nil where all are here.
    let round: StatisticsRound?

    init(
        indexes: [TextIndex<Object>], snapshots: [Snapshot], request: SearchRequest,
        clocks: [SearchClock], facets: [Facet] = [], round: StatisticsRound? = nil
    ) throws {
        self.facets = facets
        self.indexes = indexes
        self.snapshots = snapshots
        self.request = request
        asked = request.asked ?? request.query
        self.clocks = clocks
        self.round = round
        own = try snapshots.map { try SharedStatistics($0) }
        let isOrdered = indexes.contains { $0.needsItems(request) }
        self.request.isOrderedByApplication = isOrdered
        begun = self.request
        isParallel =
            indexes.count > 1
            && Set(clocks.map { ObjectIdentifier($0.memory) }).count == indexes.count
        factors = SourceFactors(count: indexes.count)
        stepFactors = SourceFactors(count: indexes.count)
    }

    /// What multiplies the relevance in one index.
    ///
    /// Nothing is looked up before it is needed: rounds of statistics mostly do without.
    func factors(of source: Int) throws -> DocumentFactors {
        let factors = try factors.of(source) {
            try indexes[source].factors(for: begun, snapshots[source], clocks[source])
        }
        guard let climb, let words = begun.closeness?.ofUnfinished else { return factors }
        let found = climb.documents(of: .unfinished, inSource: source)
        if found.isEmpty { return factors }
        return try stepFactors.of(source) {
            let evaluator = indexes[source].evaluator(
                snapshots[source], request.ranking, clocks[source])
            return factors.adding(close: try words.documents(beside: evaluator, among: found))
        }
    }

    // MARK: Reading

    /// What each index matches, and the statistics by which it is scored.
    struct Found {
        var matches: [QueryMatches]
        var statistics = SharedStatistics()
        /// How many objects all indexes found, if that is known.
        fileprivate var count: Int?

        init(matches: [QueryMatches], statistics: SharedStatistics = SharedStatistics()) {
            self.matches = matches
            self.statistics = statistics
        }
    }

    /// What the request's query matches; the request then holds the query as it was run.
    mutating func matches() throws -> Found {
        try read() ?? Found(matches: snapshots.map { _ in .init() })
    }

    mutating func findInsideWords() throws -> Found? {
        guard try request.lookInsideWords(snapshots[0].analyzer) else {
            request.remarkOnSigns()
            return nil
        }
        return try find(request.query)
    }

    func count(_ found: inout Found, enough: Int?) throws -> Int {
        if let count = found.count { return count }
        let own = found.matches.reduce(0) { $0 + $1.documents.count }
        let count = try round?.total(own, enough: enough) ?? own
        if enough == nil { found.count = count }
        return count
    }

    mutating func climb(from first: Found) throws -> Found {
        let asked = request.query
        guard clocks.allSatisfy({ !$0.isSpent }),
            let ladder = StepLadder(asked, request.steps, snapshots[0].analyzer)
        else { return first }
        var climb = try LadderClimb(
            asked, first.matches, clocks, wanted: request.wantedCount, round: round)
        if climb.isEnough { return first.counted(climb.count) }
        var variants = WordVariants(
            zip(snapshots, indexes).map { ($0, $1.store) }, snapshots[0].analyzer, clocks[0],
            exchange: round?.words)
        do {
            let steps = round == nil ? try stepDocuments(after: first) : nil
            try climb.run(ladder, &variants) { query, _, most, _ in
                if clocks.contains(where: \.isSpent) { return nil }
                guard let steps else { return try find(query)?.matches }
                let found = try inEach { try steps[$0].matches(query, most: most) }
                let matches = found.compactMap(\.self)
                return matches.count == indexes.count ? matches : nil
            }
        } catch is SearchEnded {
            // The steps before are whole.
        }
        // There is no time, or memory, left to score what the steps found beside it.
        if round == nil, clocks.contains(where: \.isSpent),
            first.matches.contains(where: { !$0.documents.isEmpty })
        {
            return first
        }
        request.note(climb)
        self.climb = climb
        let found = request.query == asked ? first : try find(request.query)
        return (found ?? first).counted(climb.count)
    }

    /// Nil where there is no memory for what they keep.
    private func stepDocuments(after first: Found) throws -> [StepDocuments]? {
        do {
            return try indexes.indices.map { source in
                try StepDocuments(
                    indexes[source].evaluator(snapshots[source], request.ranking, clocks[source]),
                    found: first.matches[source].documents)
            }
        } catch let error as TextIndexError where error.code == .limitExceeded {
            return nil
        }
    }

    /// Evaluates a query in all indexes until they know of one another what scores depend on.
    ///
    /// The first time they find out in how many objects words are, which depends on no score; the
    /// second time gives the scores. Where scores of tiers are built on one another it goes on
    /// until nothing changes, which is after as many times as they lie within one another.
    func find(_ query: Query) throws -> Found? {
        let expanded = snapshots[0].analyzer.synonyms.expand(query)
        if let round { return try find(expanded, in: round) }
        var known = own.reduce(into: SharedStatistics()) { $0.add($1) }
        var sum = known
        var all: [QueryMatches] = []
        var found: [(QueryMatches?, SharedStatistics)] = []
        // One more than tiers are would do; scores that are no numbers are never the same.
        for _ in 0...(QueryTiers(of: expanded).count + 2) {
            let before = found
            found = try inEach { source in
                // What is matched depends on no score: nothing stays nothing. Scores of tiers count
                // for others before a filter leaves them out.
                if source < before.count, all[source].documents.isEmpty,
                    !before[source].1.hasTiers
                {
                    return before[source]
                }
                var evaluator = evaluator(source, known)
                let matches = try evaluate(expanded, in: source, .scores, &evaluator)
                return (matches, evaluator.exchange?.found ?? own[source])
            }
            all = found.compactMap(\.0)
            sum = found.reduce(into: SharedStatistics()) { $0.add($1.1) }
            // What asks for nothing does so everywhere.
            guard all.count == indexes.count else { return nil }
            let isSettled = sum == known || sum.frequencies == known.frequencies && !sum.hasTiers
            if isSettled || clocks.contains(where: \.isSpent) { break }
            known = sum
        }
        return Found(matches: all, statistics: sum)
    }

    /// Evaluates a query by what is known of all indexes, and tells what this one adds to that.
    private func find(_ expanded: Query, in round: StatisticsRound) throws -> Found? {
        let known = round.known(.whole)
        let shared = known?.shared ?? own[0]
        var evaluator = evaluator(0, shared)
        let found = try evaluate(expanded, in: 0, .scores, &evaluator)
        round.note(
            .init(
                way: .whole, shared: evaluator.exchange?.found ?? own[0],
                roundsLeft: known.map { max($0.roundsLeft - 1, 0) }
                    ?? QueryTiers(of: expanded).depth))
        return found.map { Found(matches: [$0], statistics: shared) }
    }

    func evaluate(
        _ query: Query, in source: Int, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        var needs = needs
        do {
            if request.hasTiers {
                needs.tierFactors = TierFactors(
                    documents: try factors(of: source), countsWeights: request.weighsTiers)
            }
            return try evaluator.evaluate(query, in: nil, needs)
        } catch is SearchEnded {
            return QueryMatches()
        }
    }

    func evaluator(_ source: Int, _ known: SharedStatistics) -> QueryEvaluator {
        var evaluator = indexes[source].evaluator(
            snapshots[source], request.ranking, clocks[source])
        evaluator.exchange = StatisticsExchange(known: known, own: own[source])
        return evaluator
    }

    // MARK: Threads

    /// What `body` gives for each index, at the same time where several threads are free.
    func inEach<R>(_ body: (_ source: Int) throws -> R) throws -> [R] {
        guard isParallel else { return try indexes.indices.map(body) }
        return try ConcurrentRun.results(of: indexes.count, body)
    }

    /// What `body` gives for each of some indexes, in their order; at the same time only where that
    /// is asked for.
    func inEach<R>(
        of sources: [Int], isParallel wanted: Bool, _ body: (_ source: Int) throws -> R
    ) throws -> [R] {
        guard isParallel, wanted, sources.count > 1 else { return try sources.map(body) }
        return try ConcurrentRun.results(of: sources.count) { try body(sources[$0]) }
    }
}

extension FederatedRun.Found {
    /// The same, of which it is known how much it is.
    fileprivate func counted(_ count: Int) -> Self {
        var found = self
        found.count = count
        return found
    }
}
