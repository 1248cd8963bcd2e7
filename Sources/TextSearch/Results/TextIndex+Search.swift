extension TextIndex {
    /// Searches for query text: words, "phrases", field:word, +must, -not, AND, OR, NOT, ( ), pre*, *infix*, wo?d, word~1, word^2.
    ///
    /// Every text is a query; `diagnostics` of the results say what was read as what. Words side by side must all match; when no object
    /// has them all, those that have any are given, and the diagnostics say so.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    ///   - ranking: what to order by.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0, ranking: Ranking = .relevance
    ) throws -> SearchResults<Object> {
        let parser = QueryParser(fields: configuration.fields)
        let parsed = parser.parse(text)
        return try search(
            parsed.query, ranking: ranking, limit: limit, offset: offset,
            diagnostics: parsed.diagnostics, fallsBack: true)
    }

    /// Searches for a query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func search(
        _ query: Query, ranking: Ranking = .relevance, limit: Int = 20, offset: Int = 0
    ) throws -> SearchResults<Object> {
        try search(
            query, ranking: ranking, limit: limit, offset: offset,
            diagnostics: QueryDiagnostics(), fallsBack: false)
    }

    private func search(
        _ query: Query, ranking: Ranking, limit: Int, offset: Int,
        diagnostics: QueryDiagnostics, fallsBack: Bool
    ) throws -> SearchResults<Object> {
        try usage.search {
            let snapshot = writer.snapshot
            var evaluator = QueryEvaluator(
                snapshot: snapshot, store: store, analyzer: snapshot.analyzer,
                fields: configuration.fields)
            var diagnostics = diagnostics
            var query = query
            var matches: QueryMatches
            if let found = try evaluator.evaluate(query) {
                matches = found
            } else {
                // Only stop words, which are not indexed: found inside other words.
                query = .keyword(query.words.joined(separator: " "))
                matches = try evaluator.evaluate(query) ?? QueryMatches()
                diagnostics.append(
                    QueryDiagnostic(
                        kind: .onlyStopWords, utf8Range: 0..<0,
                        message: "The query has only stop words; found inside other words."))
            }
            if matches.documents.isEmpty, fallsBack, let wider = query.anyInsteadOfAll {
                matches = try evaluator.evaluate(wider) ?? matches
                if !matches.documents.isEmpty {
                    query = wider
                    diagnostics.append(
                        QueryDiagnostic(
                            kind: .fellBackToAny, utf8Range: 0..<0,
                            message: "No object has all words; these have some of them."))
                }
            }
            let items = try items(of: matches, evaluator, ranking)
            let first = min(max(offset, 0), items.count)
            let page = Array(items[first...].prefix(max(limit, 0)))
            for (rank, item) in page.enumerated() { item.rank = first + rank }
            return SearchResults(
                items: page, totalCount: .init(matches.documents.count),
                diagnostics: diagnostics, query: query, isComplete: true)
        }
    }

    /// All matches as items, best first.
    private func items(
        of matches: QueryMatches, _ evaluator: borrowing QueryEvaluator, _ ranking: Ranking
    ) throws -> [SearchResultItem<Object>] {
        var reader = RecordReader(store: store)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(matches.documents.count)
        var hit = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            var record = try reader.record(of: document)
            var tokens: [ResultToken] = []
            let first = hit
            while hit < matches.hits.count, matches.hits[hit].document == document {
                tokens.append(
                    try ResultToken(matches.hits[hit], evaluator.terms.matched, &record))
                hit += 1
            }
            tokens = ResultToken.distinct(tokens)
            items.append(
                item(
                    record, relevance: relevance,
                    defaultScore: score(ranking, record, relevance, tokens.count),
                    tokens: tokens,
                    place: first == hit
                        ? MatchPlace()
                        : MatchPlace(
                            matches.hits[first], count: tokens.count, evaluator.terms.matched),
                    document: document))
        }
        return ordered(items)
    }

    private func score(
        _ ranking: Ranking, _ record: ObjectRecord, _ relevance: Double, _ tokenCount: Int
    ) -> Double {
        switch ranking.kind {
        case .relevance: return relevance
        case .weight: return record.weight
        case .combined: return relevance * max(record.weight, .leastNormalMagnitude)
        case .custom(let score):
            let value = score(
                Match(
                    identifier: record.identifier, weight: record.weight, context: record.context,
                    attributes: record.attributes, relevance: relevance, tokenCount: tokenCount,
                    stringLengths: record.starts.map(\.wordCount), defaultScore: relevance))
            return value.isNaN ? -.infinity : value
        }
    }
}

extension QueryDiagnostic.Kind {
    /// The query has only stop words; they were looked for inside other words.
    public static let onlyStopWords = QueryDiagnostic.Kind(rawValue: "onlyStopWords")
    /// No object matches all words; those that match any are given.
    public static let fellBackToAny = QueryDiagnostic.Kind(rawValue: "fellBackToAny")
}

extension Query {
    /// The texts of the words that must match.
    fileprivate var words: [String] {
        switch node {
        case .term(let text), .phrase(let text, _, _): [text]
        case .all(let parts), .any(let parts), .atLeast(_, let parts): parts.flatMap(\.words)
        case .field(_, let part), .boost(let part, _), .constantScore(let part, _),
            .filter(let part):
            part.words
        default: []
        }
    }

    /// The query with its uppermost "all" as "any", where there is one and nothing in it excludes.
    fileprivate var anyInsteadOfAll: Query? {
        guard case .all(let parts) = node, parts.count > 1 else { return nil }
        let excluding = parts.filter { if case .none = $0.node { true } else { false } }
        let words = parts.filter { if case .none = $0.node { false } else { true } }
        guard words.count > 1 else { return nil }
        return .all(of: [.any(of: words)] + excluding)
    }
}
