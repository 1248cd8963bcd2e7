extension SearchRequest {
    /// Says by which step the items of an index were found.
    ///
    /// Where the last word may be unfinished, the first step also finds objects with words that
    /// only begin with it. `analyzer`: the one that the query was read with; nil for the index's
    /// own.
    func noteSteps<Object>(
        of items: [SearchResultItem<Object>], _ analyzer: Analyzer? = nil
    ) {
        // A query that is no text takes no steps: its items are `.exact` from the start.
        guard text != nil || !tiers.isEmpty else { return }
        for item in items { item.matchedBy = step(of: item.document) }
        let query = tiers.isEmpty ? query : asked ?? query
        let first = items.filter { $0.matchedBy == .exact }
        guard text != nil, !first.isEmpty, let snapshot,
            let word = query.sideBySide.compactMap(\.finishedWord).last,
            let whole = try? first[0].index.documents(
                with: word, among: first.map(\.document).sorted(), snapshot,
                analyzer ?? snapshot.analyzer, budget)
        else { return }
        for item in first where !whole.holds(item.document) { item.matchedBy = .unfinished }
    }
}

extension ResultSource {
    /// Those of some ascending documents that have a word.
    fileprivate func documents(
        with word: Query, among documents: [UInt32], _ snapshot: Snapshot, _ analyzer: Analyzer,
        _ budget: SearchBudget
    ) throws -> [UInt32] {
        let clock = SearchClock(
            budget, longest: configuration.searchTimeout,
            memory: configuration.queryLimits.memoryBytes)
        var evaluator = QueryEvaluator(
            snapshot: snapshot, store: store, analyzer: analyzer, fields: configuration.fields,
            similarity: BM25(configuration.relevance, fields: configuration.fields),
            clock: clock)
        let word = analyzer.synonyms.expand(word)
        let found =
            if let plan = QueryPlan(word: word, analyzer) {
                try plan.matches(among: documents, .scores, &evaluator).documents
            } else {
                try evaluator.evaluate(word, .hits(of: documents))?.documents ?? []
            }
        // A part of them would not do.
        if clock.isSpent { throw SearchEnded() }
        return found
    }
}
