#if !THREAD_SANITIZER
    import Synchronization
#endif

extension TextIndex {
    /// A fingerprint of the fields and the analysis: only indexes with the same can be searched as
    /// one.
    public var analysisFingerprint: String {
        writer.snapshot.analyzer.shortFingerprint(configuration.fields)
    }
}

extension TextIndex {
    /// A mark of the content: another one if anything was indexed or removed, but for accidents.
    /// Copies of the same files have the same one.
    ///
    /// Complexity: linear in the objects, a few instructions each, the first time.
    package var contentMark: IndexGeneration { IndexGeneration(writer.snapshot.mark) }
}

/// The two phases of a search in one of several indexes that are searched in different processes.
extension TextIndex {
    /// What a typed query asks for.
    package func request(
        _ query: Query, limit: Int, ranking: Ranking, minimumScore: Double = -.infinity,
        fields: [String] = [], filter: Query? = nil, budget: SearchBudget = .unlimited
    ) throws -> SearchRequest {
        SearchRequest(
            query: try narrowed(query, to: fields, filter), ranking: ranking,
            minimumScore: minimumScore, limit: limit, budget: budget)
    }

    /// The words of a request that beside filters asks for nothing else, in the order in which
    /// statistics have them; nil for another one. With a bonus, the order is not always the same.
    package func words(of request: SearchRequest) -> [[UInt8]]? {
        let analyzer = writer.snapshot.analyzer
        let query = analyzer.synonyms.expand(request.query).withoutWrapping.withoutFilters.query
        guard let plan = QueryPlan(words: query, analyzer),
            !plan.parts.contains(where: \.isBonus)
        else { return nil }
        return plan.words
    }

    /// The first phase.
    package func statistics(
        _ request: SearchRequest, _ known: QueryStatistics?
    ) throws -> QueryStatistics {
        try withRun(request, known) { try $0.tell() }
    }

    /// The second phase.
    package func search(
        _ request: SearchRequest, _ statistics: QueryStatistics, _ facets: [Facet]
    ) throws -> SearchResults<Object> {
        try FederatedRun.check(facets, request, [self], isPart: true)
        guard statistics.isComplete else {
            throw TextIndexError(
                .invalidArgument,
                "The statistics are not complete: the query needs another round of them.")
        }
        return try withRun(request, statistics, facets) { run in
            do {
                return try run.shardResults(statistics)
            } catch is RoundEnded {
                throw Self.otherStatistics
            }
        }
    }

    fileprivate static var otherStatistics: TextIndexError {
        TextIndexError(.invalidArgument, "The statistics are those of another search.")
    }

    /// Calls `body` with a run over this index alone, which knows what others told.
    private func withRun<R>(
        _ request: SearchRequest, _ known: QueryStatistics?, _ facets: [Facet] = [],
        _ body: (inout FederatedRun<Object>) throws -> R
    ) throws -> R {
        try checkPage(request)
        return try usage.search {
            let snapshot = writer.snapshot
            let own = QueryStatistics(
                analysis: snapshot.analyzer.shortFingerprint(configuration.fields),
                generation: IndexGeneration(snapshot.mark))
            try known?.check()
            guard known.map({ $0.analysis == own.analysis }) ?? true else {
                throw TextIndexError(
                    .configurationMismatch,
                    "The statistics are of indexes with other fields or analysis settings.")
            }
            var request = request
            request.begin(first: configuration)
            var run = try FederatedRun(
                indexes: [self], snapshots: [snapshot], request: request,
                clocks: [clock(request)], facets: facets,
                round: StatisticsRound(given: known, own: own))
            return try body(&run)
        }
    }
}

extension FederatedRun {
    /// What the only index tells in this round.
    mutating func tell() throws -> QueryStatistics {
        guard let round else { throw RoundEnded() }
        do {
            if round.given != nil {
                _ = try matches()
            } else if try !tellBest(round) {
                _ = try matches()
            }
            round.end()
        } catch is RoundEnded {
            // The next round goes on.
        } catch is SearchEnded {
            throw Self.ended
        }
        guard clocks[0].isComplete || !clocks[0].isSpent else { throw Self.ended }
        return round.statistics
    }

    private static var ended: TextIndexError {
        TextIndexError(.limitExceeded, "The search ended before its statistics were complete.")
    }

    /// Tells what a search for the best depends on, and how many documents match if further steps
    /// depend on that; false where the query takes the other way.
    private func tellBest(_ round: StatisticsRound) throws -> Bool {
        let asked = request.query
        let words = PlannedWords(asked, snapshots[0].analyzer)
        guard takesBest, let told = try tell(asked, words, source: 0) else { return false }
        round.note(.init(way: .best, shared: told.shared))
        let enough: Int
        if StepLadder(asked, request.steps, snapshots[0].analyzer) != nil {
            enough = request.wantedCount
        } else if request.fallsBackToAny && asked.anyInsteadOfAll != nil
            || !request.readings.isEmpty
        {
            enough = 1
        } else {
            return true
        }
        let count = try told.count ?? self.count(of: asked, upTo: enough)
        if anyInstead(of: asked, words) != nil {
            // Whether any word is enough is clear once all have told this.
            round.tell(count)
        } else {
            _ = try round.total(count, enough: enough)
        }
        return true
    }

    /// Any of the words of a query, where the only further step is to take them for enough and
    /// nothing is to be known for it but how frequent the words are; and where these are among the
    /// words of the query. Nil otherwise. It depends on nothing that is stored.
    private func anyInstead(
        of asked: Query, _ words: PlannedWords?
    ) -> (query: Query, words: PlannedWords, places: [Int])? {
        let analyzer = snapshots[0].analyzer
        guard request.fallsBackToAny, request.readings.isEmpty, let words, words.filters.isEmpty,
            StepLadder(asked, request.steps, analyzer) == nil, let wider = asked.anyInsteadOfAll,
            let others = PlannedWords(wider, analyzer), others.filters.isEmpty,
            let places = others.places(in: words)
        else { return nil }
        return (wider, others, places)
    }

    /// The best of the only index, by what is known of all.
    mutating func shardResults(_ statistics: QueryStatistics) throws -> SearchResults<Object> {
        var results = try bestResults(by: statistics)
        results.findUnknownWords = wordsToTell(statistics)
        return results
    }

    private mutating func bestResults(
        by statistics: QueryStatistics
    ) throws -> SearchResults<Object> {
        if statistics.readings.count == 1, statistics.readings[0].way == .best {
            guard takesBest else { throw RoundEnded() }
            do {
                return try bestResults(
                    by: statistics.readings[0].shared,
                    hasNone: statistics.isEnded && statistics.counts == [0])
            } catch is SearchEnded {
                return try results([], .init(0, isExact: false), uncounted)
            }
        }
        let found = try matches()
        let sums = try facetSums(of: found)
        let page = try self.page(0, found)
        return try results(page.items, .init(page.totalCount), sums.map { $0.whole })
    }

    /// The same for a query that was told in one round. `hasNone`: no index has anything of it.
    private mutating func bestResults(
        by shared: SharedStatistics, hasNone: Bool
    ) throws -> SearchResults<Object> {
        var query = request.query
        var words = PlannedWords(query, snapshots[0].analyzer)
        var known = shared
        request.takeSteps(from: query)
        if hasNone, let any = anyInstead(of: query, words) {
            let frequencies = any.places.map {
                $0 < shared.frequencies.count ? shared.frequencies[$0] : 0
            }
            if frequencies.contains(where: { $0 > 0 }) {
                known.setFrequencies(frequencies)
                (query, words) = (any.query, any.words)
                request.fallBack(on: query)
            }
        }
        guard let best = try self.best(of: query, words, source: 0, known) else {
            throw RoundEnded()
        }
        let items = try self.items(of: best.ranked, 0)
        guard !facets.isEmpty else {
            return try results(items, .init(best.count, isExact: best.isExact))
        }
        let (sums, counts) = try countedFacets(of: query, known)
        return try results(items, .init(max(counts[0], best.count)), sums.map { $0.whole })
    }

    private func results(
        _ items: [SearchResultItem<Object>], _ count: SearchResults<Object>.TotalCount,
        _ facets: [FacetCounts<Object>] = []
    ) throws -> SearchResults<Object> {
        SearchResults(
            items, count, facets: facets, try request(of: 0), clocks[0], index: indexes[0].store)
    }
}

extension Analyzer {
    /// Whether another one with the same fields analyses alike.
    func isLike(_ other: Analyzer, _ fields: [String]) -> Bool {
        self === other || shortFingerprint(fields) == other.shortFingerprint(fields)
    }

    /// A fingerprint of the analysis of the fields of its index, which are always the same.
    fileprivate func shortFingerprint(_ fields: [String]) -> String {
        mark.withLock { mark in
            if let mark { return mark }
            let made = made(fields)
            mark = made
            return made
        }
    }

    private func made(_ fields: [String]) -> String {
        var bytes: [UInt8] = []
        for text in fields.flatMap({ ["field", $0] })
            + fingerprint.sorted(by: { $0.key < $1.key }).flatMap({ [$0.key, $0.value] })
        {
            // No text of one list is the end of another one.
            bytes += Array("\(text.utf8.count) ".utf8) + Array(text.utf8)
        }
        return IndexGeneration(bytes.withUnsafeBufferPointer { Checksum.of($0) }).description
    }
}
