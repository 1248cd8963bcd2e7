import Foundation

/// One search over several indexes.
struct FederatedRun<Object> {
    let indexes: [TextIndex<Object>]
    let snapshots: [Snapshot]
    private var request: SearchRequest
    private let clocks: [SearchClock]
    /// Of each index, without a query.
    private let own: [SharedStatistics]
    /// What was chosen before in each index.
    private let learned: [LearnedFactors]
    /// The steps that found something in each index.
    private var climb: LadderClimb?

    init(
        indexes: [TextIndex<Object>], snapshots: [Snapshot], request: SearchRequest,
        clocks: [SearchClock]
    ) throws {
        self.indexes = indexes
        self.snapshots = snapshots
        self.request = request
        self.clocks = clocks
        own = try snapshots.map { try SharedStatistics($0) }
        learned = try zip(indexes, snapshots).map { index, snapshot in
            var request = request
            return try index.learn(&request, snapshot)
        }
    }

    /// What each index matches; nil when the query asks for nothing.
    private typealias Found = (matches: [QueryMatches]?, statistics: SharedStatistics)

    consuming func results() throws -> FederatedResults<Object> {
        let found = try matches()
        var hits: [FederatedResults<Object>.Hit] = []
        var total = 0
        for source in indexes.indices {
            let page = try page(source, found)
            total += page.totalCount
            hits += page.items.map { .init(item: $0, source: source) }
        }
        hits = ordered(hits)
        let range = request.range.clamped(to: 0..<hits.count)
        for rank in range { hits[rank].item.rank = rank }
        let isComplete = clocks.allSatisfy(\.isComplete)
        for clock in clocks where !clock.isComplete { request.remark(on: clock) }
        return FederatedResults(
            hits: Array(hits[range]), totalCount: .init(total, isExact: isComplete),
            diagnostics: request.diagnostics, query: request.query, isComplete: isComplete)
    }

    // MARK: Matches

    /// As a search of one index finds them: by the same steps, stop words inside other words.
    private mutating func matches() throws -> Found {
        let asked = request.query
        var found = try matches(of: asked)
        if found.matches == nil {
            let keyword = asked.requiredWords.joined(separator: " ")
            let parsed = try KeywordQuery(keyword, analyzer: snapshots[0].analyzer)
            guard !parsed.parts.isEmpty else { return (snapshots.map { _ in .init() }, .init()) }
            request.query = asked.normalized().replacingWords(by: .keyword(keyword))
            found = try matches(of: request.query)
        }
        if let first = found.matches, try climb(from: first) {
            return try matches(of: request.query)
        }
        let isEmpty = found.matches?.allSatisfy(\.documents.isEmpty) ?? true
        if isEmpty, request.fallsBackToAny, let wider = request.query.anyInsteadOfAll {
            let any = try matches(of: wider)
            if let matches = any.matches, !matches.allSatisfy(\.documents.isEmpty) {
                request.fallBack(on: wider)
                found = any
            }
        }
        return found
    }

    /// Takes step after step until there are enough results; whether the query has become another
    /// one.
    private mutating func climb(from first: [QueryMatches]) throws -> Bool {
        let asked = request.query
        var climb = LadderClimb(asked, first, clocks, wanted: request.wantedCount)
        guard !climb.isEnough, clocks.allSatisfy({ !$0.isSpent }),
            let ladder = StepLadder(asked, request.steps, snapshots[0].analyzer)
        else { return false }
        var variants = WordVariants(
            zip(snapshots, indexes).map { ($0, $1.store) }, snapshots[0].analyzer, clocks[0])
        try climb.run(ladder, &variants) { query in
            clocks.contains(where: \.isSpent) ? nil : try matches(of: query).matches
        }
        request.note(climb)
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
        var known = own.reduce(into: SharedStatistics()) { $0.add($1) }
        var sum = known
        var all: [QueryMatches] = []
        // One more than tiers are would do; scores that are no numbers are never the same.
        for _ in 0...(expanded.tierCount + 2) {
            sum = SharedStatistics()
            all = []
            for source in indexes.indices {
                var evaluator = evaluator(source, known, .none)
                let found = try evaluate(expanded, &evaluator)
                if let found { all.append(found) }
                sum.add(evaluator.exchange?.found ?? own[source])
            }
            // What asks for nothing does so everywhere.
            guard all.count == indexes.count else { return (nil, known) }
            let isSettled = sum == known || sum.frequencies == known.frequencies && !sum.hasTiers
            if isSettled || clocks.contains(where: \.isSpent) { break }
            known = sum
        }
        return (all, sum)
    }

    private func evaluate(
        _ query: Query, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        do {
            return try evaluator.evaluate(query, in: nil)
        } catch is SearchEnded {
            return QueryMatches()
        }
    }

    private func evaluator(
        _ source: Int, _ known: SharedStatistics, _ wanted: QueryEvaluator.WantedHits
    ) -> QueryEvaluator {
        var evaluator = indexes[source].evaluator(
            snapshots[source], request.ranking, clocks[source])
        evaluator.exchange = StatisticsExchange(known: known, own: own[source])
        evaluator.wanted = wanted
        if request.hasTiers { evaluator.tierFactors = learned[source] }
        return evaluator
    }

    // MARK: Order

    /// The best of one index, as many as are wanted of all.
    private func page(_ source: Int, _ found: Found) throws -> QueryRanker<Object>.Page {
        let index = indexes[source]
        var request = request
        request.snapshot = snapshots[source]
        request.learned = learned[source]
        request.tiers = climb?.tiers(inSource: source) ?? []
        request.limit = request.range.upperBound
        request.offset = 0
        var matches = found.matches?[source] ?? QueryMatches()
        let needsItems = index.needsItems(request)
        var evaluator = evaluator(source, found.statistics, needsItems ? .all : .none)
        if needsItems {
            // An order of the application's own is told where everything matches.
            let query = snapshots[0].analyzer.synonyms.expand(request.query)
            matches = try evaluate(query, &evaluator) ?? matches
        }
        request.factors.ofAll.raise(&matches)
        var ranker = QueryRanker(evaluator, index: index, request: request)
        let page = try ranker.page(matches, needsItems: needsItems)
        for item in page.items { item.matchedBy = request.step(of: item.document) }
        return page
    }

    /// Hits of indexes that are in order themselves.
    private func ordered(
        _ hits: [FederatedResults<Object>.Hit]
    ) -> [FederatedResults<Object>.Hit] {
        let keys: [SortKey]? =
            if case .sorted(let keys) = request.ranking.kind { keys } else { nil }
        let sorted = hits.enumerated().sorted { a, b in
            let order =
                keys.map { Self.order(a.element.item, b.element.item, by: $0) }
                ?? order(a.element.item, b.element.item)
            return order == 0 ? a.offset < b.offset : order < 0
        }
        return sorted.map(\.element)
    }

    private func order(_ a: SearchResultItem<Object>, _ b: SearchResultItem<Object>) -> Int {
        let order =
            indexes[0].usesDefaultOrder ? SearchResultItem.order(a, b) : indexes[0].compare(a, b)
        switch order {
        case .orderedAscending: return -1
        case .orderedDescending: return 1
        case .orderedSame: return 0
        }
    }

    private static func order(
        _ a: SearchResultItem<Object>, _ b: SearchResultItem<Object>, by keys: [SortKey]
    ) -> Int {
        for key in keys {
            let order =
                switch key.kind {
                case .attribute(let name):
                    key.order(
                        key.value(of: a.attributes[name]), key.value(of: b.attributes[name]))
                case .weight: key.order(a.weight, b.weight)
                case .relevance: key.order(a.score, b.score)
                }
            if order != 0 { return order }
        }
        return 0
    }
}

extension Query {
    /// How many queries are made of tiers of others.
    fileprivate var tierCount: Int {
        var open = [self]
        var count = 0
        while let query = open.popLast() {
            if case .first = query.node { count += 1 }
            open += query.children
        }
        return count
    }
}
