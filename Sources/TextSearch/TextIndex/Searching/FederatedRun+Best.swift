/// The best results alone, where relevance orders them: what cannot be among them is not scored.
extension FederatedRun {
    /// Whether the request may be answered so. It depends on nothing that is stored, so that all
    /// indexes give one answer.
    var takesBest: Bool {
        guard case .relevance = request.ranking.kind, request.ranking.engagement == nil,
            !(request.minimumScore > -.infinity),
            (1...10_000).contains(request.range.upperBound),
            !request.isOrderedByApplication
        else { return false }
        return hasBoundedScores(request.asked ?? request.query)
    }

    /// What was found of a query, and by what it is scored.
    private struct Best {
        /// Of each index in turn.
        var found: [TopMatches]
        let known: SharedStatistics
        /// Nil where the query has other parts than words, or documents are in memory.
        let frequencies: WordFrequencies?

        var count: Int { found.reduce(0) { $0 + $1.entries.count } }
        /// Whether the query is nothing but words, all of which some object has.
        var knowsAllWords: Bool {
            frequencies?.areAllKnown ?? found.contains(where: \.knowsAllWords)
        }
    }

    /// The best of all indexes; nil where further steps are needed, or the query takes the other
    /// way.
    mutating func bestResults() throws -> FederatedResults<Object>? {
        guard takesBest else { return nil }
        let asked = request.asked ?? request.query
        do {
            guard var best = try best(of: asked) else { return nil }
            var query = asked
            if best.count < request.wantedCount {
                let isSpent = clocks.contains(where: \.isSpent)
                if !isSpent, StepLadder(asked, request.steps, snapshots[0].analyzer) != nil {
                    try remember(best, of: asked)
                    return nil
                }
                if best.count == 0 {
                    guard !isSpent, request.readings.isEmpty,
                        let any = try anyInstead(of: asked, best)
                    else { return nil }
                    (query, best) = any
                }
            }
            request.takeSteps(from: asked)
            if query != asked { request.fallBack(on: query) }
            // Who finds nothing is told why.
            if best.count > 0, best.knowsAllWords { request.checksWords = false }
            let pages = best.found.map {
                Page(entries: $0.ranked, count: $0.count, isExact: $0.isExact)
            }
            guard !facets.isEmpty else { return try results(of: pages) }
            let (counted, counts) = try countedFacets(of: query, best.known)
            return try results(
                of: zip(pages, counts).map { page, count in
                    Page(
                        entries: page.entries, count: max(count, page.count), isExact: true)
                },
                counted.map { $0.made() })
        } catch is SearchEnded {
            return nil
        }
    }

    /// Keeps what was found for the steps, if it is all that matches, without what multiplies the
    /// relevance.
    private mutating func remember(_ best: Best, of query: Query) throws {
        guard best.found.allSatisfy({ $0.isExact && $0.count == $0.entries.count }) else { return }
        let words = PlannedWords(query, snapshots[0].analyzer)
        let matches = try inEach { source -> QueryMatches? in
            guard try !factors(of: source).isEmpty else {
                return QueryMatches(best.found[source].entries)
            }
            let found = try self.best(
                of: query, words, source: source, best.known, factors: DocumentFactors.none)
            return found.map { QueryMatches($0.entries) }
        }.compactMap(\.self)
        guard matches.count == indexes.count, !clocks.contains(where: \.isSpent) else { return }
        known = (query, Found(matches: matches, statistics: best.known))
    }

    /// The best of any words of a query of which nothing has all, if that may be taken for enough
    /// and finds anything; else what was found. Nil where it takes the other way, or where there is
    /// no time.
    private func anyInstead(of asked: Query, _ none: Best) throws -> (Query, Best)? {
        guard request.fallsBackToAny, let wider = asked.anyInsteadOfAll else {
            return (asked, none)
        }
        guard let any = try best(of: wider, after: none) else { return nil }
        if any.count > 0 { return (wider, any) }
        return clocks.contains(where: \.isSpent) ? nil : (asked, none)
    }

    /// The best of each index; nil where the query takes the other way. `other` is what was found
    /// of another query, which may have the same words.
    private func best(of query: Query, after other: Best? = nil) throws -> Best? {
        let words = PlannedWords(query, snapshots[0].analyzer)
        var frequencies = words.flatMap { other?.frequencies?.narrowed(to: $0) }
        if frequencies == nil, let words {
            frequencies = try WordFrequencies(
                words, in: snapshots, clocks, isParallel: isParallel)
        }
        var known = SharedStatistics()
        var sources = Array(indexes.indices)
        if let frequencies {
            for one in own { known.add(one) }
            known.setFrequencies(frequencies.sums)
            sources = frequencies.sources
        } else {
            let told = try inEach { try tell(query, words, source: $0)?.shared }
            for one in told {
                guard let one else { return nil }
                known.add(one)
            }
            if let words {
                sources.removeAll { source in
                    told[source].map { !words.mayMatch($0.frequencies) } ?? false
                }
            }
        }
        let floor = words.flatMap { $0.isOneWord ? ScoreFloor() : nil }
        let isLarge = frequencies?.isMuchWork(in: sources) ?? true
        let best = try inEach(of: sources, isParallel: isLarge) {
            try self.best(of: query, words, source: $0, known, floor)
        }
        var found = clocks.map { TopMatches(isExact: !$0.isSpent) }
        for (source, best) in zip(sources, best) {
            guard let best else { return nil }
            found[source] = best
        }
        return Best(found: found, known: known, frequencies: frequencies)
    }

    /// What facets count of all that a query matches, which is found without scores, and how many
    /// objects of each index that is.
    func countedFacets(
        of query: Query, _ known: SharedStatistics
    ) throws -> (sums: [FacetSum<Object>], counts: [Int]) {
        let matches = try inEach { try self.matches(of: query, $0, by: known) }
        let sums = try facetSums(of: Found(matches: matches, statistics: known))
        return (sums, matches.map(\.documents.count))
    }

    /// What an index tells of a query; nil where the query takes the other way. `words` are those
    /// of the query, if it is nothing else.
    func tell(
        _ query: Query, _ words: PlannedWords?, source: Int
    ) throws -> (shared: SharedStatistics, count: Int?)? {
        if let words,
            let frequencies = try words.frequencies(in: snapshots[source], clocks[source])
        {
            var shared = own[source]
            for frequency in frequencies { shared.note(frequency: frequency) }
            let isAlone = frequencies.count == 1 && words.filters.isEmpty
            return (shared, isAlone ? frequencies[0] : nil)
        }
        var evaluator = evaluator(source, own[source])
        let told = try evaluator.tellStatistics(of: query)
        guard told.isTold, let exchange = evaluator.exchange else { return nil }
        return (exchange.found, told.count)
    }

    /// The best of one index, as many as are wanted of all. `factors`: what multiplies their
    /// relevance, if that is not what the request has.
    func best(
        of query: Query, _ words: PlannedWords?, source: Int, _ known: SharedStatistics,
        _ floor: ScoreFloor? = nil, factors: DocumentFactors? = nil
    ) throws -> TopMatches? {
        var evaluator = self.evaluator(source, known)
        let factors = try factors ?? self.factors(of: source)
        if let words {
            // A document that is raised may pass those above it.
            if factors.isEmpty { evaluator.floor = floor }
            return try evaluator.best(
                of: words, count: request.range.upperBound,
                countLimit: indexes[0].configuration.exactCountLimit, factors: factors)
        }
        return try evaluator.best(
            query, count: request.range.upperBound,
            countLimit: indexes[0].configuration.exactCountLimit, factors: factors)
    }

    /// How many documents of this index match, at least as far as is asked for.
    func count(of query: Query, upTo most: Int) throws -> Int {
        var evaluator = evaluator(0, own[0])
        return try evaluator.best(query, count: 1, countLimit: most)?.count ?? 0
    }
}

/// Whether all scores of a query are finite numbers and depend on no other scores, whatever is
/// stored.
private func hasBoundedScores(_ query: Query) -> Bool {
    var open = [(query: query, boosts: 0)]
    while let (query, boosts) = open.popLast() {
        var boosts = boosts
        switch query.node {
        case .first: return false
        case .boost(_, let factor):
            boosts += 1
            guard abs(factor) <= 1e9, boosts <= 16 else { return false }
        case .constantScore(_, let score):
            guard abs(score) <= 1e9 else { return false }
        default: break
        }
        open += query.children.map { ($0, boosts) }
    }
    return true
}
