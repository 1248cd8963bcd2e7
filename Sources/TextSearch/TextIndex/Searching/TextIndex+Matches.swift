extension TextIndex {
    /// What a request's query matches; the request then holds the query as it was run.
    func matches(
        of request: inout SearchRequest, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        let asked = request.asked ?? request.query
        request.takeSteps(from: asked)
        let learned = try learn(&request, evaluator.snapshot)
        var matches: QueryMatches
        if let found = try evaluator.evaluate(asked) {
            matches = found
        } else {
            matches = try matchesInsideWords(&request, &evaluator)
        }
        matches = try climbReadingMinus(from: matches, asked, &request, &evaluator)
        if matches.documents.isEmpty, request.fallsBackToAny,
            let wider = request.query.anyInsteadOfAll
        {
            matches = try evaluator.evaluate(wider) ?? matches
            if !matches.documents.isEmpty { request.fallBack(on: wider) }
        }
        request.fallsBack = false
        if request.checksWords, !evaluator.clock.isSpent {
            try checkWords(
                of: asked, &request, &evaluator, hasMatches: !matches.documents.isEmpty)
            if matches.documents.isEmpty, request.text != nil, request.diagnostics.isEmpty {
                request.append(
                    .noMatch,
                    evaluator.snapshot.count == 0
                        ? "Nothing is indexed." : "No object matches the whole query.")
            }
        }
        if !request.hasTiers { learned.raise(&matches) }
        return matches
    }

    /// Takes further steps. Where what a minus excludes is a letter or a number, and no step finds
    /// anything before some of the words are enough, the minus is a sign of the text.
    private func climbReadingMinus(
        from first: QueryMatches, _ asked: Query, _ request: inout SearchRequest,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        guard first.documents.isEmpty, request.text != nil, request.fallsBack,
            let plain = asked.excludedAsWanted
        else { return try climb(from: first, &request, &evaluator) }
        let steps = request.steps
        request.steps = steps.subtracting(.someWords)
        let matches = try climb(from: first, &request, &evaluator)
        request.steps = steps
        guard matches.documents.isEmpty else { return matches }
        if let found = try evaluator.evaluate(plain), !found.documents.isEmpty {
            request.readMinusAsText(plain)
            return found
        }
        return try climb(from: first, &request, &evaluator)
    }

    /// What matches a query that asks for nothing: its stop words, which are not indexed, are found
    /// inside other words. Without any it finds nothing, rather than everything.
    private func matchesInsideWords(
        _ request: inout SearchRequest, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        guard try request.lookInsideWords(evaluator.analyzer) else {
            request.append(
                .ignored, "The query has signs alone, which are not indexed: it finds nothing.")
            return QueryMatches()
        }
        return try evaluator.evaluate(request.query) ?? QueryMatches()
    }

    /// The best of them, for a stop word alone; nil for another query, or where none matches.
    func bestInsideWords(
        _ request: inout SearchRequest, _ evaluator: inout QueryEvaluator, _ count: Int,
        _ countLimit: Int, _ learned: LearnedFactors
    ) throws -> QueryEvaluator.Best? {
        guard evaluator.isOnlyStopWords(request.query) else { return nil }
        var inside = request
        guard try inside.lookInsideWords(evaluator.analyzer),
            let best = try evaluator.best(
                inside.query, count: count, countLimit: countLimit, learned: learned),
            !best.entries.isEmpty
        else { return nil }
        request = inside
        return best
    }

    /// Reports words that are nowhere in the index.
    func checkWords(
        of query: Query, _ request: inout SearchRequest, _ evaluator: inout QueryEvaluator,
        hasMatches: Bool
    ) throws {
        request.checksWords = false
        if evaluator.hasEmptyPattern, !request.diagnostics.contains(where: { $0.kind == .ignored })
        {
            request.append(.ignored, "A part of the query has signs alone, which are not indexed.")
        }
        // What was not looked for is not unknown.
        guard !evaluator.clock.isSpent else { return }
        if request.text == nil || hasMatches {
            let check = WordCheck(
                query, text: request.text, fields: evaluator.fields, evaluator.snapshot, store,
                request.budget.within(evaluator.clock.timeToShow),
                memory: configuration.queryLimits.memoryBytes)
            pendingDetails.add(check)
            request.wordCheck = check
            return
        }
        var words = UnknownWords(
            snapshot: evaluator.snapshot, store: store, clock: evaluator.clock)
        do {
            let found = try words.diagnostics(
                of: query, text: request.text, fields: evaluator.fields,
                known: evaluator.terms.matched)
            for diagnostic in found { request.diagnostics.append(diagnostic) }
        } catch is SearchEnded {}
    }
}
