extension TextIndex {
    /// Reads query text as ``search(_:limit:offset:ranking:minimumScore:budget:)`` does: with the names of this index's fields and attributes,
    /// and with its limits.
    ///
    /// Change what it is to do otherwise, and give it to ``search(_:reading:field:filter:ranking:limit:offset:minimumScore:budget:)``.
    public var queryParser: QueryParser {
        let attributes = Set(configuration.attributes)
        var options = QueryParser.Options()
        options.limits = configuration.queryLimits
        var parser = QueryParser(fields: configuration.fields, options: options) {
            attributes.contains($0)
        }
        let analyzer = writer.snapshot.analyzer
        parser.isLowValue = { analyzer.isLowValue($0) }
        parser.isWord = { text in
            analyzer.analyses.contains { !QueryWords(text, analysis: $0).words.isEmpty }
        }
        return parser
    }

    /// Searches for query text that is read in a way of your own: words of which one is enough, the last word as a prefix, several
    /// ``MatchModes``, attributes.
    ///
    /// ```swift
    /// var parser = index.queryParser
    /// parser.options.lastWordIsPrefix = true
    /// parser.isAttribute = { ["stars", "cuisine"].contains($0) }
    /// let results = try index.search("peking du stars:>3", reading: parser)
    /// ```
    ///
    /// As with any query text nothing is refused; words side by side that no object has together fall back on any of them, unless the parser
    /// takes any from the start.
    ///
    /// - Parameters:
    ///   - text: the query text.
    ///   - parser: how to read it.
    ///   - field: the field to look in, where the text names none; nil for all strings.
    ///   - filter: what must match besides, without an effect on the scores.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    ///   - minimumScore: results with a lower score are left out, and not counted.
    ///   - budget: how long it may take.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` for a filter beyond ``QueryLimits/maximumNesting`` or
    ///   ``QueryLimits/maximumClauses``.
    public func search(
        _ text: String, reading parser: QueryParser, field: String? = nil, filter: Query? = nil,
        ranking: Ranking = .relevance, limit: Int = 20, offset: Int = 0,
        minimumScore: Double = -.infinity, budget: SearchBudget = .unlimited
    ) throws -> SearchResults<Object> {
        try search(
            request(
                text, reading: parser, field: field, filter: filter, ranking: ranking, limit: limit,
                offset: offset, minimumScore: minimumScore, budget: budget))
    }

    /// What a text that is read by a parser asks for.
    func request(
        _ text: String, reading parser: QueryParser, field: String?, filter: Query?,
        ranking: Ranking, limit: Int, offset: Int = 0, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> SearchRequest {
        if let filter { try configuration.queryLimits.check(filter) }
        let parsed = parser.parse(text)
        let wanted = field.map { parsed.query.looking(in: $0) } ?? parsed.query
        let query = filter.map { Query.joinedAll([wanted, .joinedFilter($0.normalized())]) }
        // With one word of several required, neither a step nor "any" would even ask for that.
        let needsAll = parser.options.defaultOperator == .all
        return SearchRequest(
            query: query ?? wanted, ranking: ranking, minimumScore: minimumScore, limit: limit,
            offset: offset, diagnostics: parsed.diagnostics, fallsBack: needsAll,
            steps: needsAll ? parser.options.steps ?? configuration.steps : .exact, text: text,
            budget: budget)
    }
}

extension Query {
    /// The query with its words in a field; words side by side stay that, so that any of them can be fallen back on.
    func looking(in field: String) -> Query {
        switch node {
        case .all(let parts): .joinedAll(parts.map { $0.looking(in: field) })
        case .none(let parts): .joinedNone(parts.map { $0.looking(in: field) })
        case .filter(let part): .joinedFilter(part.looking(in: field))
        case .atLeast(let count, let parts):
            .joinedAtLeast(count, parts.map { $0.looking(in: field) })
        case .everything, .nothing, .attribute, .weight, .identifiers: self
        default: .joinedField(field, self)
        }
    }
}
