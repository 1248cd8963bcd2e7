public import Foundation

extension TextIndex {
    /// Explains the score of a result, as ``SearchResultItem/explain()`` does.
    ///
    /// - Parameter item: a result of this index.
    /// - Returns: The tree; nil if the object was indexed again or removed and the results are not
    ///   held any more.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.invalidArgument` for an item
    ///   of another index; `.limitExceeded` if it takes more than ``QueryLimits/memory``.
    public func explain(_ item: SearchResultItem<Object>) throws -> ScoreExplanation? {
        let clock = explainingClock(.unlimited)
        let explanation = try explain(item, clock)
        try clock.checkComplete()
        return explanation
    }

    /// Explains the score of a result within a budget, as a server needs.
    ///
    /// - Throws: `CancellationError` if the budget was spent before the score was known.
    package func explain(
        _ item: SearchResultItem<Object>, budget: SearchBudget
    ) throws -> ScoreExplanation? {
        let clock = explainingClock(budget)
        return try Self.inTime(clock) { try explain(item, clock) }
    }

    private func explain(
        _ item: SearchResultItem<Object>, _ clock: SearchClock
    ) throws -> ScoreExplanation? {
        guard item.index === self else {
            throw TextIndexError(.invalidArgument, "The item is one of another index.")
        }
        guard let origin = item.origin else {
            let weight = ScoreExplanation("weight", value: item.weight)
            return usesDefaultOrder ? weight : overridden(weight, item.score)
        }
        return try usage.search {
            let snapshot = origin.snapshot ?? writer.snapshot
            guard snapshot.isLive(item.document) else { return nil }
            var explainer = QueryExplainer(
                evaluator(snapshot, origin.ranking, clock), document: item.document,
                origin.factors.ofTiers)
            let relevance = try explainer.explain(origin.query).score
            let raised = DocumentFactors.raised(
                relevance, of: item.document, by: origin.factors.ofAll)
            return explanation(
                raised, origin.ranking, item, isWeighed: origin.factors.ofTiers.countsWeights)
        }
    }

    /// Explains why an object is missing from the results of a query: it is not indexed, it does
    /// not match some clauses, or its score is too low. The clauses show how they were analysed,
    /// and which of their words are stop words.
    ///
    /// ```swift
    /// let query: Query = .all(of: [.term("duck"), .term("goose")])
    /// print(try index.explain(missing: identifier, for: query))
    /// // notMatched: duck goose
    /// //   failed: duck goose
    /// //     matched: duck, read as duck, 3 objects
    /// //     failed: goose, read as goose, 1 objects
    /// ```
    ///
    /// Complexity: that of the search, clause for clause.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - query: the query.
    ///   - ranking: the ranking of the search.
    ///   - minimumScore: the minimum score of the search.
    /// - Returns: The reason; ``MissExplanation/Reason/found`` if the object is not missing.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` as
    ///   ``search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:)`` does.
    public func explain(
        missing identifier: Data, for query: Query, ranking: Ranking = .relevance,
        minimumScore: Double = -.infinity
    ) throws -> MissExplanation {
        try explain(
            missing: identifier,
            wholly: SearchRequest(query: query, ranking: ranking, minimumScore: minimumScore))
    }

    /// Explains within a budget why an object is missing, as a server needs.
    ///
    /// - Throws: `CancellationError` if the budget was spent before the reason was known;
    ///   `.limitExceeded` if the memory was.
    package func explain(
        missing identifier: Data, for query: Query, ranking: Ranking, budget: SearchBudget
    ) throws -> MissExplanation {
        try explain(
            missing: identifier, within: budget, SearchRequest(query: query, ranking: ranking))
    }

    /// Explains within a budget why an object is missing from the results of a text that a parser
    /// reads.
    package func explain(
        missing identifier: Data, for text: String, ranking: Ranking, filter: Query?,
        fields: [String], budget: SearchBudget, parser: QueryParser
    ) throws -> MissExplanation {
        try explain(
            missing: identifier, within: budget,
            request(
                text, limit: SearchRequest.usualCount, ranking: ranking, filter: filter,
                fields: fields, parser: parser))
    }

    func explain(
        missing identifier: Data, within budget: SearchBudget, _ request: SearchRequest
    ) throws -> MissExplanation {
        let clock = explainingClock(budget)
        return try Self.inTime(clock) { try explain(missing: identifier, request, clock) }
    }

    private func explainingClock(_ budget: SearchBudget) -> SearchClock {
        SearchClock(
            budget, longest: nil, maximumExpansions: configuration.queryLimits.expansions,
            memory: configuration.queryLimits.memoryBytes)
    }

    /// An explanation of what was cut short would be wrong.
    private static func inTime<R>(_ clock: SearchClock, _ explain: () throws -> R) throws -> R {
        do {
            let explanation = try explain()
            if !clock.check() { return explanation }
        } catch is SearchEnded where clock.check() {}
        try clock.checkComplete()
        throw CancellationError()
    }

    /// Explains why an object is missing from the results of a query text, as
    /// ``explain(missing:for:ranking:minimumScore:)-(_,Query,_,_)`` does.
    ///
    /// By relevance, alone or times the weight, the object counts as found if any of
    /// ``TextIndexConfiguration/steps`` finds it, however many results come before it.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier.
    ///   - text: the query text.
    ///   - ranking: the ranking of the search.
    ///   - minimumScore: the minimum score of the search.
    /// - Returns: The reason; ``MissExplanation/Reason/found`` if the object is not missing.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func explain(
        missing identifier: Data, for text: String, ranking: Ranking = .relevance,
        minimumScore: Double = -.infinity
    ) throws -> MissExplanation {
        try explain(
            missing: identifier,
            wholly: request(
                text, limit: SearchRequest.usualCount, ranking: ranking,
                minimumScore: minimumScore))
    }

    private func explain(
        missing identifier: Data, wholly request: SearchRequest
    ) throws -> MissExplanation {
        let clock = explainingClock(.unlimited)
        let explanation = try explain(missing: identifier, request, clock)
        try clock.checkComplete()
        return explanation
    }

    func explain(
        missing identifier: Data, _ request: SearchRequest, _ clock: SearchClock
    ) throws -> MissExplanation {
        try check(request)
        return try usage.search {
            let snapshot = writer.snapshot
            let known = try document(for: identifier, in: snapshot)
            var asked = request
            asked.snapshot = snapshot
            if asked.ranking.takesAllSteps { asked.sought = known }
            var run = try run(asked, clock)
            var matches = QueryMatches()
            do {
                matches = try run.matches()
            } catch is SearchEnded {
                // A pattern that stands for too many words, if not the time: what it rules out is
                // not known.
            }
            var request = run.request
            request.remark(on: clock)
            func result(
                _ reason: MissExplanation.Reason, _ clauses: ClauseExplanation?,
                _ score: ScoreExplanation? = nil
            ) -> MissExplanation {
                MissExplanation(
                    reason: reason, query: request.query.description, clauses: clauses,
                    score: score, notes: request.allDiagnostics.map(\.description))
            }
            guard let document = known else { return result(.notIndexed, nil) }
            if !matches.documents.holds(document) { request.leaveSteps() }
            var explainer = QueryExplainer(
                evaluator(snapshot, request.ranking, clock), document: document,
                request.factors.ofTiers)
            let clauses = try explainer.explain(request.query)
            matches.keep(document)
            let minimumScore = request.minimumScore
            request.minimumScore = -.infinity
            request.offset = 0
            request.limit = 1
            let needsItems = run.needsItems
            var ranker = QueryRanker(run.evaluator, index: self, request: request)
            guard let item = try ranker.page(matches, needsItems: needsItems).items.first else {
                return result(.notMatched, clauses)
            }
            let relevance = DocumentFactors.raised(
                clauses.score, of: document, by: request.factors.ofAll)
            let score = explanation(
                relevance, request.ranking, item, isWeighed: request.weighsTiers)
            return result(
                item.score < minimumScore ? .belowMinimumScore : .found, clauses, score)
        }
    }

    // MARK: Rankings

    /// What a ranking makes of the relevance; as `QueryRanker` reckons it.
    private func explanation(
        _ relevance: ScoreExplanation?, _ ranking: Ranking, _ item: SearchResultItem<Object>,
        isWeighed: Bool
    ) -> ScoreExplanation {
        let relevance = relevance ?? ScoreExplanation("relevance", value: 0)
        let weight = ScoreExplanation("weight", value: item.weight)
        var score: ScoreExplanation
        switch ranking.kind {
        case .relevance: score = relevance
        case .sorted: return ordered(relevance)
        case .weight: score = weight
        // Within the steps it is counted already.
        case .combined: score = isWeighed ? relevance : .weighed(relevance, by: item.weight)
        case .custom:
            score = ScoreExplanation(
                "the ranking's function", value: item.score, parts: [relevance, weight])
        }
        score = ordered(score)
        return usesDefaultOrder ? score : overridden(score, item.score)
    }

    private func ordered(_ score: ScoreExplanation) -> ScoreExplanation {
        guard score.value.isNaN else { return score }
        return ScoreExplanation(
            "not a number: the lowest", .maximum,
            [ScoreExplanation("the lowest", value: -.infinity), score])
    }

    private func overridden(_ standard: ScoreExplanation, _ score: Double) -> ScoreExplanation {
        if standard.value == score { return standard }
        return ScoreExplanation("score(of:), as overridden", value: score, parts: [standard])
    }
}

extension QueryMatches {
    /// Leaves out all documents but one.
    fileprivate mutating func keep(_ document: UInt32) {
        let place = documents.firstIndex(of: document)
        scores = place.map { [scores[$0]] } ?? []
        documents = place == nil ? [] : [document]
        hits.removeAll { $0.document != document }
    }
}
