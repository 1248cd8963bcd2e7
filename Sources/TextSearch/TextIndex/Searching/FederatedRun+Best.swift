/// The best results alone, where relevance orders them: what cannot be among them is not scored.
extension FederatedRun {
    /// Whether the request may be answered so. It depends on nothing that is stored, so that all
    /// indexes give one answer.
    var takesBest: Bool {
        guard case .relevance = request.ranking.kind, request.ranking.engagement == nil,
            !(request.minimumScore > -.infinity),
            (1...10_000).contains(request.range.upperBound),
            !indexes.contains(where: { $0.needsItems(request) })
        else { return false }
        return hasBoundedScores(request.asked ?? request.query)
    }

    /// The best of all indexes; nil where further steps are needed, or the query takes the other
    /// way.
    mutating func bestResults() throws -> FederatedResults<Object>? {
        guard takesBest else { return nil }
        let asked = request.asked ?? request.query
        do {
            let words = PlannedWords(asked, snapshots[0].analyzer)
            let told = try inEach { try tell(asked, words, source: $0)?.shared }
            var known = SharedStatistics()
            for one in told {
                guard let one else { return nil }
                known.add(one)
            }
            let found = try inEach { source -> TopMatches? in
                if let words, let own = told[source], !words.mayMatch(own.frequencies) {
                    return TopMatches(isExact: !clocks[source].isSpent)
                }
                return try best(of: asked, words, source: source, known)
            }
            let all = found.compactMap { $0 }
            guard all.count == indexes.count else { return nil }
            let count = all.reduce(0) { $0 + $1.entries.count }
            // Who finds nothing is told why.
            guard count > 0 else { return nil }
            if all.contains(where: \.knowsAllWords) { request.checksWords = false }
            if count < request.wantedCount, clocks.allSatisfy({ !$0.isSpent }),
                StepLadder(asked, request.steps, snapshots[0].analyzer) != nil
            {
                return nil
            }
            request.takeSteps(from: asked)
            let pages = all.map {
                Page(entries: $0.ranked, count: $0.count, isExact: $0.isExact)
            }
            guard !facets.isEmpty else { return try results(of: pages) }
            let (counted, counts) = try countedFacets(of: asked, known)
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

    /// The best of one index, as many as are wanted of all.
    func best(
        of query: Query, _ words: PlannedWords?, source: Int, _ known: SharedStatistics
    ) throws -> TopMatches? {
        var evaluator = self.evaluator(source, known)
        if let words {
            return try evaluator.best(
                of: words, count: request.range.upperBound,
                countLimit: indexes[0].configuration.exactCountLimit,
                factors: try factors(of: source))
        }
        return try evaluator.best(
            query, count: request.range.upperBound,
            countLimit: indexes[0].configuration.exactCountLimit, factors: try factors(of: source))
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
