extension TextIndex {
    /// Searches for query text: words, "phrases", field:word, +must, -not, AND, OR, NOT, ( ), pre*,
    /// *infix*, wo?d, word~1, word^2.
    ///
    /// Any text is a query, and `diagnostics` of the results say how it was read. Objects with all
    /// words as they are typed come first. While the page is not full, further steps are taken
    /// (``SearchSteps``). If no step finds any object, objects with any clause of the query are
    /// returned, with a diagnostic. A joined word, such as *well-known*, is a phrase, and in that
    /// case any of its parts.
    ///
    /// ```swift
    /// let results = try index.search(
    ///     "white whale", filter: .attribute("year", .greater(1990)),
    ///     facets: [.values(of: "author")])
    /// for hit in results { print(hit.score, hit.highlighted("title")) }
    /// for author in results.facets[0].buckets { print(author.key, author.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - limit: the maximum number of results; 0 if only counts are wanted.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the text names none; empty for all strings.
    ///   - facets: what to count over all results; see ``SearchResults/facets``.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    ///   - steps: the steps that may be taken; nil for those of the parser or of
    ///     ``TextIndexConfiguration/steps``.
    ///   - parser: how to read the text; nil for ``queryParser``.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` for a filter
    ///   beyond ``QueryLimits``; `.invalidArgument` for a facet that cannot be counted.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited,
        steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> SearchResults<Object> {
        try search(
            request(
                text, limit: limit, offset: offset, ranking: ranking, filter: filter,
                fields: fields, minimumScore: minimumScore, budget: budget, steps: steps,
                parser: parser), facets)
    }

    /// Searches for a typed query exactly as it is: no further steps are taken.
    ///
    /// Complexity: with facets that of matching and scoring all results, without positions, and a
    /// few nanoseconds for each result and facet. The values of an attribute are read on first use
    /// and stay in memory with their segment: one, two or four bytes an object, and each distinct
    /// value once.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - limit: the maximum number of results; 0 if only counts are wanted.
    ///   - offset: how many of the best results to skip.
    ///   - ranking: the order of the results.
    ///   - filter: a query that must match besides, without an effect on the scores.
    ///   - fields: the fields to search if the query names none; empty for all strings.
    ///   - facets: what to count over all results; see ``SearchResults/facets``.
    ///   - minimumScore: results with a lower score are neither returned nor counted.
    ///   - budget: how long it may take.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` for what
    ///   ``QueryLimits`` refuse, and for a query beyond ``QueryLimits/maximumNesting`` or
    ///   ``QueryLimits/maximumClauses``; `.invalidArgument` for a facet that cannot be counted.
    public func search(
        _ query: Query, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance,
        filter: Query? = nil, fields: [String] = [], facets: [Facet] = [],
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> SearchResults<Object> {
        let request = SearchRequest(
            query: try narrowed(query, to: fields, filter), ranking: ranking,
            minimumScore: minimumScore, limit: limit, offset: offset, budget: budget)
        return try search(request, facets)
    }

    /// Continues a search after its last result, in the state of the index in which it began.
    ///
    /// ```swift
    /// var page = try index.search("duck", limit: 50)
    /// while !page.isEmpty {
    ///     show(page)
    ///     page = try index.search(after: page.cursor, limit: 50)
    /// }
    /// ```
    ///
    /// Complexity: that of the search, which runs again.
    ///
    /// - Parameters:
    ///   - cursor: the ``SearchResults/cursor`` of results of this index.
    ///   - limit: the maximum number of results.
    ///   - budget: how long it may take.
    /// - Returns: The results; their ranks continue.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for a
    ///   cursor of another index.
    public func search(
        after cursor: SearchCursor, limit: Int = 20, budget: SearchBudget = .unlimited
    ) throws -> SearchResults<Object> {
        guard cursor.index === store else {
            throw TextIndexError(.invalidArgument, "The cursor is one of another index.")
        }
        var request = cursor.request
        request.limit = limit
        request.budget = budget
        return try search(request)
    }

    func search(
        _ request: consuming SearchRequest, _ facets: [Facet] = []
    ) throws -> SearchResults<Object> {
        let clock = clock(request)
        return facets.isEmpty ? try search(request, clock) : try search(request, facets, clock)
    }

    /// What a request may take.
    func clock(_ request: SearchRequest) -> SearchClock {
        SearchClock(
            request.budget, longest: configuration.searchTimeout,
            maximumExpansions: configuration.queryLimits.expansions,
            memory: configuration.queryLimits.memoryBytes)
    }

    /// Searches; `typed` is what a typing session knows of prefixes.
    func search(
        _ request: consuming SearchRequest, _ clock: SearchClock, typed: TypedPrefixes? = nil
    ) throws -> SearchResults<Object> {
        try check(request)
        try configuration.queryLimits.check(limit: request.limit, offset: request.offset)
        var request = request
        return try usage.search {
            request.remark(on: configuration.fields)
            let snapshot = request.snapshot ?? writer.snapshot
            var page: (items: [SearchResultItem<Object>], count: SearchResults<Object>.TotalCount)
            do {
                page = try self.page(of: &request, snapshot, clock, typed)
            } catch is SearchEnded {
                page = ([], .init(0))
            }
            request.remark(on: clock)
            if !clock.isComplete { page.count = .init(page.count.value, isExact: false) }
            let first = min(request.range.lowerBound, page.count.value)
            request.snapshot = snapshot
            request.offset = first + page.items.count
            for item in page.items { item.matchedBy = request.step(of: item.document) }
            request.tiers = []
            return SearchResults(
                items: page.items, totalCount: page.count, request: request,
                isComplete: clock.isComplete, index: store)
        }
    }

    /// The results that a request asks for; the request then holds the query as it was run.
    private func page(
        of request: inout SearchRequest, _ snapshot: Snapshot, _ clock: SearchClock,
        _ typed: TypedPrefixes?
    ) throws -> ([SearchResultItem<Object>], SearchResults<Object>.TotalCount) {
        var evaluator = evaluator(snapshot, request.ranking, clock)
        evaluator.terms.typed = typed
        let needsItems = needsItems(request)
        evaluator.wanted = needsItems ? .all : .none
        if let best = try best(of: &request, &evaluator) {
            let entries = best.ranked
            let range = request.range.clamped(to: 0..<entries.count)
            let items = try ItemMaker.items(
                entries[range], evaluator, self, request, SearchOrigin(request, snapshot),
                firstRank: range.lowerBound)
            return (items, .init(best.count, isExact: best.isExact))
        }
        if let page = try pageOfFilter(request, &evaluator) { return page }
        let scoresLater = scoresLater(request, evaluator)
        // Who only counts asks for no scores.
        evaluator.needsScores =
            !scoresLater
            && (needsItems || !request.range.isEmpty || request.minimumScore > -.infinity)
        let matches = try matches(of: &request, &evaluator)
        var ranker = QueryRanker(
            evaluator, index: self, request: request, scoresLater: scoresLater)
        let page = try ranker.page(matches, needsItems: needsItems)
        var rank = min(request.range.lowerBound, page.totalCount)
        for item in page.items {
            item.rank = rank
            rank += 1
        }
        return (page.items, .init(page.totalCount))
    }

    /// Whether scores, which make no difference to the order, are found for the page alone.
    private func scoresLater(
        _ request: SearchRequest, _ evaluator: borrowing QueryEvaluator
    ) -> Bool {
        guard case .sorted(let keys) = request.ranking.kind, request.text == nil,
            request.ranking.engagement == nil, !(request.minimumScore > -.infinity),
            request.range.upperBound <= 1_000, !keys.contains(where: { $0.kind == .relevance })
        else { return false }
        return evaluator.canScoreLater(request.asked ?? request.query)
    }

    /// The page of a typed query that only filters, of which nothing is put together but what it
    /// shows; nil for another one, or where another order is asked for.
    private func pageOfFilter(
        _ request: SearchRequest, _ evaluator: inout QueryEvaluator
    ) throws -> ([SearchResultItem<Object>], SearchResults<Object>.TotalCount)? {
        let query = request.asked ?? request.query
        guard request.text == nil, request.ranking.engagement == nil, !needsItems(request),
            !(request.minimumScore > 0), query.onlyFilters
        else { return nil }
        let sets: FilterSets
        let range = request.range
        let documents: [UInt32]
        switch request.ranking.kind {
        case .sorted(let keys):
            sets = try evaluator.sets(ofFilter: query)
            let order = ColumnOrder(keys, evaluator.snapshot, store, evaluator.clock)
            documents = range.isEmpty ? [] : try order.first(range.upperBound, of: sets)
        case .relevance where range.upperBound <= 10_000:
            sets = try evaluator.sets(ofFilter: query)
            documents = range.isEmpty ? [] : sets.prefix(range.upperBound)
        default: return nil
        }
        guard sets.count > 0 else { return nil }
        let entries = documents.map { RankedDocument(document: $0, score: 0, relevance: 0) }
        let shown = range.clamped(to: 0..<entries.count)
        let items = try ItemMaker.items(
            entries[shown], evaluator, self, request, SearchOrigin(request, evaluator.snapshot),
            firstRank: shown.lowerBound)
        return (items, .init(sets.count))
    }

    /// Refuses a typed query beyond the limits; of a text the parser leaves out what is.
    func check(_ request: SearchRequest) throws {
        if request.text == nil { try configuration.queryLimits.check(request.query) }
    }

    /// All results of a request, in order; their items are made as somebody comes to them.
    func ranked(
        _ request: SearchRequest, _ clock: SearchClock
    ) throws -> (QueryRanker<Object>.Ranked, SearchRequest) {
        try check(request)
        var request = request
        request.remark(on: configuration.fields)
        request.limit = .max
        request.offset = 0
        let snapshot = request.snapshot ?? writer.snapshot
        request.snapshot = snapshot
        var evaluator = evaluator(snapshot, request.ranking, clock)
        let needsItems = needsItems(request)
        evaluator.wanted = needsItems ? .all : .none
        defer { request.remark(on: clock) }
        do {
            let matches = try matches(of: &request, &evaluator)
            var ranker = QueryRanker(evaluator, index: self, request: request)
            return (try ranker.all(matches, needsItems: needsItems), request)
        } catch is SearchEnded {
            return (.items([]), request)
        }
    }

    /// The best documents alone, where relevance orders them and some match; the request then holds
    /// the query as it was run. Nil otherwise.
    func best(
        of request: inout SearchRequest, _ evaluator: inout QueryEvaluator
    ) throws -> QueryEvaluator.Best? {
        guard case .relevance = request.ranking.kind, !needsItems(request),
            !(request.minimumScore > -.infinity), (1...10_000).contains(request.range.upperBound)
        else { return nil }
        let asked = request.asked ?? request.query
        request.takeSteps(from: asked)
        let count = request.range.upperBound
        let limit = configuration.exactCountLimit
        let learned = try learn(&request, evaluator.snapshot)
        let found = try evaluator.best(asked, count: count, countLimit: limit, learned: learned)
        guard
            var best = try found ?? bestInsideWords(&request, &evaluator, count, limit, learned)
        else { return nil }
        if best.entries.count < request.wantedCount, !evaluator.clock.isSpent,
            StepLadder(asked, request.steps, evaluator.analyzer) != nil
        {
            if found != nil, learned.isEmpty { evaluator.remember(best, of: asked) }
            return nil
        }
        if best.entries.isEmpty, request.fallsBackToAny, let wider = asked.anyInsteadOfAll,
            let any = try evaluator.best(
                wider, count: count, countLimit: limit, learned: learned)
        {
            best = any
            if !any.entries.isEmpty { request.fallBack(on: wider) }
        }
        guard !best.entries.isEmpty else { return nil }
        request.fallsBack = false
        if best.knowsAllWords { request.checksWords = false }
        if request.checksWords {
            try checkWords(of: asked, &request, &evaluator, hasMatches: true)
        }
        return best
    }

    /// Whether the order takes all items: a function or an override of the application's says it.
    func needsItems(_ request: SearchRequest) -> Bool {
        switch request.ranking.kind {
        case .custom: true
        case .sorted: false
        case .relevance, .weight, .combined: !usesDefaultOrder || request.makesAllItems
        }
    }

    func evaluator(
        _ snapshot: Snapshot, _ ranking: Ranking,
        _ clock: SearchClock? = nil
    ) -> QueryEvaluator {
        let clock =
            clock
            ?? SearchClock(
                .unlimited, longest: nil,
                maximumExpansions: configuration.queryLimits.expansions,
                memory: configuration.queryLimits.memoryBytes)
        var evaluator = QueryEvaluator(
            snapshot: snapshot, store: store, analyzer: snapshot.analyzer,
            fields: configuration.fields,
            similarity: ranking.parameters.map { BM25($0, fields: configuration.fields) }
                ?? similarity, clock: clock)
        evaluator.limits = configuration.queryLimits
        return evaluator
    }
}
