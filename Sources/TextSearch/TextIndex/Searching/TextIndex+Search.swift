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

    /// The same for a search of several indexes that began at some time, which have their memory
    /// together.
    func clock(
        _ request: SearchRequest, from start: ContinuousClock.Instant,
        sharing pool: SearchMemoryPool
    ) -> SearchClock {
        SearchClock(
            request.budget, longest: configuration.searchTimeout, from: start,
            maximumExpansions: configuration.queryLimits.expansions, sharing: SearchMemory(pool))
    }

    /// Searches; `typed` is what a typing session knows of prefixes.
    func search(
        _ request: consuming SearchRequest, _ clock: SearchClock, typed: TypedPrefixes? = nil
    ) throws -> SearchResults<Object> {
        try checkPage(request)
        try usage.beginSearch()
        defer { usage.endSearch() }
        var run = try run(request, clock, typed: typed)
        let found: SearchRun.Page
        do {
            found = try run.page()
        } catch is SearchEnded {
            found = .matches(QueryMatches(), scoresLater: false)
        }
        return try results(of: run, found)
    }

    /// The results of a page of what was found.
    func results(
        of run: consuming SearchRun, _ found: SearchRun.Page
    ) throws -> SearchResults<Object> {
        let (needsItems, clock, snapshot) = (run.needsItems, run.clock, run.snapshot)
        let request = run.takeRequest()
        var page: QueryRanker<Object>.Page
        var isExact = true
        do {
            switch found {
            case .ranked(let ranked, let count, let isCounted):
                let shown = request.range.clamped(to: 0..<ranked.count)
                page = (
                    try ItemMaker.items(
                        ranked[shown], run.evaluator, self, request,
                        SearchOrigin(request, snapshot)), count
                )
                isExact = isCounted
            case .matches(let matches, let scoresLater):
                var ranker = QueryRanker(
                    run.evaluator, index: self, request: request, scoresLater: scoresLater)
                page = try ranker.page(matches, needsItems: needsItems)
            }
        } catch is SearchEnded {
            page = ([], 0)
        }
        return SearchResults(
            page.items, .init(page.totalCount, isExact: isExact && clock.isComplete), request,
            clock, index: store)
    }

    /// A search that is about to begin; without an order no items are made for it.
    func run(
        _ request: consuming SearchRequest, _ clock: SearchClock, isOrdered: Bool = true,
        typed: TypedPrefixes? = nil
    ) throws -> SearchRun {
        let snapshot = request.snapshot ?? writer.snapshot
        request.isOrderedByApplication = needsItems(request)
        // Further pages find them where this one has no results.
        if request.ranking.engagement != nil || request.countsCloseness {
            request.documentFactors = try factors(for: request, snapshot, clock, typed)
        }
        var evaluator = evaluator(snapshot, request.ranking, clock)
        evaluator.terms.typed = typed
        let needsItems = isOrdered && request.isOrderedByApplication
        return SearchRun(
            request, evaluator, needsItems: needsItems,
            countLimit: configuration.exactCountLimit, pendingDetails)
    }

    /// Refuses a typed query beyond the limits, where of a text the parser leaves out what is.
    func check(_ request: SearchRequest) throws {
        if request.text == nil { try configuration.queryLimits.check(request.query) }
    }

    /// Refuses a page beyond the limits, too.
    func checkPage(_ request: SearchRequest) throws {
        try check(request)
        try configuration.queryLimits.check(limit: request.limit, offset: request.offset)
    }

    /// All results of a request, in order; their items are made as somebody comes to them.
    func ranked(
        _ request: SearchRequest, _ clock: SearchClock
    ) throws -> (QueryRanker<Object>.Ranked, SearchRequest) {
        try check(request)
        var whole = request
        whole.limit = .max
        whole.offset = 0
        var run = try run(whole, clock)
        let matches: QueryMatches
        do {
            matches = try run.matches()
        } catch is SearchEnded {
            matches = QueryMatches()
        }
        var ran = run.request
        let needsItems = run.needsItems
        var ranker = QueryRanker(run.evaluator, index: self, request: ran)
        var ranked = QueryRanker<Object>.Ranked.items([])
        do {
            ranked = try ranker.all(matches, needsItems: needsItems)
        } catch is SearchEnded {}
        ran.remark(on: clock)
        return (ranked, ran)
    }

    /// Whether the order takes all items: a function or an override of the application's says it.
    func needsItems(_ request: SearchRequest) -> Bool {
        switch request.ranking.kind {
        case .custom: true
        case .sorted: false
        case .relevance, .weight, .combined: !usesDefaultOrder || request.makesAllItems
        }
    }

    /// `analyzer`: one that analyses alike and has other synonyms; nil for the index's own.
    func evaluator(
        _ snapshot: Snapshot, _ ranking: Ranking, _ clock: SearchClock? = nil,
        analyzer: Analyzer? = nil
    ) -> QueryEvaluator {
        let clock =
            clock
            ?? SearchClock(
                .unlimited, longest: nil,
                maximumExpansions: configuration.queryLimits.expansions,
                memory: configuration.queryLimits.memoryBytes)
        var evaluator = QueryEvaluator(
            snapshot: snapshot, store: store, analyzer: analyzer ?? snapshot.analyzer,
            fields: configuration.fields,
            similarity: ranking.parameters.map { BM25($0, fields: configuration.fields) }
                ?? similarity, clock: clock)
        evaluator.limits = configuration.queryLimits
        return evaluator
    }
}
