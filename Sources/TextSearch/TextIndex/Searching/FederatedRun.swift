/// One search over several indexes, or the part of one index in a search over indexes elsewhere.
struct FederatedRun<Object> {
    let indexes: [TextIndex<Object>]
    let snapshots: [Snapshot]
    var request: SearchRequest
    let clocks: [SearchClock]
    /// Of each index, without a query.
    let own: [SharedStatistics]
    /// What was chosen before in each index.
    let learned: [LearnedFactors]
    /// The steps that found something in each index.
    private(set) var climb: LadderClimb?
    /// How many objects the steps found, if any might be taken.
    private var climbed: Int?
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
        self.clocks = clocks
        self.round = round
        own = try snapshots.map { try SharedStatistics($0) }
        learned = try zip(indexes, snapshots).map { index, snapshot in
            var request = request
            return try index.learn(&request, snapshot)
        }
    }

    /// What each index matches; nil when the query asks for nothing.
    typealias Found = (matches: [QueryMatches]?, statistics: SharedStatistics)

    // MARK: Matches

    /// As a search of one index finds them: by the same steps, stop words inside other words.
    mutating func matches() throws -> Found {
        let asked = request.asked ?? request.query
        request.takeSteps(from: asked)
        var found = try matches(of: asked)
        if found.matches == nil {
            let keyword = asked.requiredWords.joined(separator: " ")
            let parsed = try KeywordQuery(keyword, analyzer: snapshots[0].analyzer)
            guard !parsed.parts.isEmpty else { return (snapshots.map { _ in .init() }, .init()) }
            request.query = asked.normalized().replacingWords(by: .keyword(keyword))
            found = try matches(of: request.query)
        }
        if let first = found.matches, let climbed = try climbReadingMinus(from: first, asked) {
            found = climbed
        }
        if request.fallsBackToAny, let wider = request.query.anyInsteadOfAll,
            try climbed ?? total(found.matches, enough: 1) == 0
        {
            let any = try matches(of: wider)
            if try total(any.matches, enough: 1) > 0 {
                request.fallBack(on: wider)
                found = any
            }
        }
        return found
    }

    /// How many objects all indexes match.
    private func total(_ matches: [QueryMatches]?, enough: Int? = nil) throws -> Int {
        let own = matches?.reduce(0) { $0 + $1.documents.count } ?? 0
        return try round?.total(own, enough: enough) ?? own
    }

    /// Takes further steps, as ``TextIndex`` does where a minus may be a sign of the text; nil
    /// where the query stays the same.
    private mutating func climbReadingMinus(
        from first: [QueryMatches], _ asked: Query
    ) throws -> Found? {
        guard request.text != nil, request.fallsBack, let plain = asked.excludedAsWanted,
            try total(first) == 0
        else { return try climb(from: first) ? matches(of: request.query) : nil }
        let steps = request.steps
        request.steps = steps.subtracting(.someWords)
        let hasClimbed = try climb(from: first)
        request.steps = steps
        if hasClimbed {
            let found = try matches(of: request.query)
            if climbed ?? 0 > 0 { return found }
        }
        let found = try matches(of: plain)
        let count = try total(found.matches)
        if count > 0 {
            climbed = count
            request.readMinusAsText(plain)
            return found
        }
        return try climb(from: first) ? matches(of: request.query) : nil
    }

    /// Takes step after step until there are enough results; whether the query has become another
    /// one.
    private mutating func climb(from first: [QueryMatches]) throws -> Bool {
        let asked = request.query
        guard clocks.allSatisfy({ !$0.isSpent }),
            let ladder = StepLadder(asked, request.steps, snapshots[0].analyzer)
        else { return false }
        var climb = try LadderClimb(
            asked, first, clocks, wanted: request.wantedCount, round: round)
        climbed = climb.count
        guard !climb.isEnough else { return false }
        var variants = WordVariants(
            zip(snapshots, indexes).map { ($0, $1.store) }, snapshots[0].analyzer, clocks[0],
            exchange: round?.words)
        do {
            try climb.run(ladder, &variants) { query, _ in
                clocks.contains(where: \.isSpent) ? nil : try matches(of: query).matches
            }
        } catch is SearchEnded {
            // The steps before are whole.
        }
        request.note(climb)
        climbed = climb.count
        self.climb = climb
        return request.query != asked
    }

    /// Evaluates a query in all indexes until they know of one another what scores depend on.
    ///
    /// The first time they find out in how many objects words are, which depends on no score; the
    /// second time gives the scores. Where scores of tiers are built on one another it goes on
    /// until nothing changes, which is after as many times as they lie within one another.
    private func matches(of query: Query) throws -> Found {
        let expanded = snapshots[0].analyzer.synonyms.expand(query)
        if let round { return try matches(of: expanded, in: round) }
        var known = own.reduce(into: SharedStatistics()) { $0.add($1) }
        var sum = known
        var all: [QueryMatches] = []
        // One more than tiers are would do; scores that are no numbers are never the same.
        for _ in 0...(expanded.tierCount + 2) {
            let found = try inEach { source in
                var evaluator = evaluator(source, known, .none)
                let matches = try evaluate(expanded, &evaluator)
                return (matches, evaluator.exchange?.found ?? own[source])
            }
            all = found.compactMap(\.0)
            sum = found.reduce(into: SharedStatistics()) { $0.add($1.1) }
            // What asks for nothing does so everywhere.
            guard all.count == indexes.count else { return (nil, known) }
            let isSettled = sum == known || sum.frequencies == known.frequencies && !sum.hasTiers
            if isSettled || clocks.contains(where: \.isSpent) { break }
            known = sum
        }
        return (all, sum)
    }

    /// Evaluates a query by what is known of all indexes, and tells what this one adds to that.
    private func matches(of expanded: Query, in round: StatisticsRound) throws -> Found {
        let known = round.known(.whole)
        let shared = known?.shared ?? own[0]
        var evaluator = evaluator(0, shared, .none)
        let found = try evaluate(expanded, &evaluator)
        round.note(
            .init(
                way: .whole, shared: evaluator.exchange?.found ?? own[0],
                roundsLeft: known.map { max($0.roundsLeft - 1, 0) } ?? expanded.tierDepth))
        return (found.map { [$0] }, shared)
    }

    func evaluate(
        _ query: Query, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        do {
            return try evaluator.evaluate(query, in: nil)
        } catch is SearchEnded {
            return QueryMatches()
        }
    }

    func evaluator(
        _ source: Int, _ known: SharedStatistics, _ wanted: QueryEvaluator.WantedHits
    ) -> QueryEvaluator {
        var evaluator = indexes[source].evaluator(
            snapshots[source], request.ranking, clocks[source])
        evaluator.exchange = StatisticsExchange(known: known, own: own[source])
        evaluator.wanted = wanted
        if request.hasTiers { evaluator.tierFactors = learned[source] }
        return evaluator
    }

    // MARK: Threads

    /// What `body` gives for each index, at the same time where several threads are free.
    func inEach<R>(_ body: (_ source: Int) throws -> R) throws -> [R] {
        // Work of one memory is work of one thread.
        let memories = Set(clocks.map { ObjectIdentifier($0.memory) })
        guard memories.count == indexes.count, indexes.count > 1 else {
            return try indexes.indices.map(body)
        }
        return try ConcurrentRun.results(of: indexes.count, body)
    }
}

extension Query {
    /// How many queries are made of tiers of others.
    var tierCount: Int {
        var open = [self]
        var count = 0
        while let query = open.popLast() {
            if case .first = query.node { count += 1 }
            open += query.children
        }
        return count
    }

    /// How many queries that are made of tiers lie within one another.
    var tierDepth: Int {
        var open = [(query: self, depth: 0)]
        var deepest = 0
        while let (query, depth) = open.popLast() {
            var depth = depth
            if case .first = query.node { depth += 1 }
            deepest = max(deepest, depth)
            open += query.children.map { ($0, depth) }
        }
        return deepest
    }
}
