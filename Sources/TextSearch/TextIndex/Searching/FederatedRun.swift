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
    var climb: LadderClimb?
    /// What is counted over all results.
    let facets: [Facet]
    /// What is told to indexes elsewhere, and known of them; nil where all are here.
    let round: StatisticsRound?
    /// A query of which all that matches is known, with scores.
    var known: (query: Query, found: Found)?

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
            return factors.adding(
                close: try words.documents(beside: evaluator(source), among: found))
        }
    }

    // MARK: Reading

    /// What each index matches, and the statistics by which it is scored.
    struct Found {
        var matches: [QueryMatches]
        var statistics = SharedStatistics()
        /// How many objects all indexes found, if that is known.
        var count: Int?

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

    /// Evaluates a query in all indexes until they know of one another what scores depend on.
    ///
    /// The first time they find out in how many objects words are, which depends on no score; the
    /// second time gives the scores. Where scores of tiers are built on one another it goes on
    /// until nothing changes, which is after as many times as they lie within one another.
    func find(_ query: Query) throws -> Found? {
        if let known, known.query == query { return known.found }
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
        var evaluator = evaluator(source)
        evaluator.exchange = StatisticsExchange(known: known, own: own[source])
        return evaluator
    }

    /// By the statistics of one index alone. Queries are read as those of the first index are, by
    /// its synonyms.
    func evaluator(_ source: Int) -> QueryEvaluator {
        indexes[source].evaluator(
            snapshots[source], request.ranking, clocks[source], analyzer: snapshots[0].analyzer)
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
