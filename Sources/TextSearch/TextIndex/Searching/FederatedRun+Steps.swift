/// The steps over all indexes together, of which only what they found is scored.
extension FederatedRun {
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
        var steps: [StepDocuments]?
        do {
            steps = round == nil ? try stepDocuments(after: first) : nil
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
        if request.query == asked { return first.counted(climb.count) }
        let found = try steps.flatMap { try scored(climb, $0) } ?? find(request.query)
        return (found ?? first).counted(climb.count)
    }

    /// Nil where there is no memory for what they keep.
    private func stepDocuments(after first: Found) throws -> [StepDocuments]? {
        do {
            return try indexes.indices.map { source in
                try StepDocuments(evaluator(source), found: first.matches[source].documents)
            }
        } catch let error as TextIndexError where error.code == .limitExceeded {
            return nil
        }
    }

    /// What the steps found, scored as by the query of all of them. Nil where that is more than one
    /// query after the other, as scores of tiers within them depend on one another.
    ///
    /// First all indexes tell how frequent words are, of which the most is known; then what each
    /// found is scored, step by step; then they tell the least scores of the steps.
    private func scored(_ climb: LadderClimb, _ steps: [StepDocuments]) throws -> Found? {
        guard climb.tiers.allSatisfy({ QueryTiers(of: $0.query).count == 0 }) else { return nil }
        let synonyms = snapshots[0].analyzer.synonyms
        let queries = climb.tiers.map { synonyms.expand($0.query) }
        let told = try inEach { source in
            var evaluator = evaluator(source, own[source])
            for query in queries {
                _ = try steps[source].scores(of: query, among: [], &evaluator)
            }
            return evaluator.exchange?.found ?? own[source]
        }
        var known = told.reduce(into: SharedStatistics()) { $0.add($1) }
        let scored = try inEach { source in
            var evaluator = evaluator(source, known)
            return try zip(queries, climb.tiers).map { query, tier in
                try steps[source].scores(
                    of: query, among: tier.matches[source].documents, &evaluator)
            }
        }
        guard queries.count > 1 else {
            return Found(matches: scored.map { $0[0] }, statistics: known)
        }
        // The least scores of the tiers depend on nothing but their own.
        let alone = try inEach { try joined(scored[$0], told[$0], known, in: $0) }
        known = alone.reduce(into: SharedStatistics()) { $0.add($1.told) }
        let matches = try inEach { try joined(scored[$0], told[$0], known, in: $0).matches }
        return Found(matches: matches, statistics: known)
    }

    /// What the steps found in one index, the earlier ones with higher scores by the least of what
    /// is known of all indexes; and what the index tells with the least of its own.
    private func joined(
        _ tiers: [QueryMatches], _ told: SharedStatistics, _ known: SharedStatistics,
        in source: Int
    ) throws -> (matches: QueryMatches, told: SharedStatistics) {
        var evaluator = evaluator(source)
        evaluator.exchange = StatisticsExchange(known: known, own: told)
        let factors = TierFactors(
            documents: try factors(of: source), countsWeights: request.weighsTiers)
        do {
            let matches = try TierScorer.joined(tiers, factors, &evaluator)
            return (matches, evaluator.exchange?.found ?? told)
        } catch is SearchEnded {
            return (QueryMatches(), told)
        }
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
