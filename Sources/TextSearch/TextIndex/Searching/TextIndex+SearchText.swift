extension TextIndex {
    /// A parser that reads query text as searches do, with this index's fields, attributes and
    /// limits.
    ///
    /// Change its options to read text in another way: any of the words is enough, the last word is
    /// a prefix, several ``MatchModes``, other attributes.
    ///
    /// ```swift
    /// var parser = index.queryParser
    /// parser.options.lastWordIsPrefix = true
    /// parser.isAttribute = { ["stars", "cuisine"].contains($0) }
    /// let results = try index.search("peking du stars:>3", parser: parser)
    /// ```
    ///
    /// No query text is refused. If no object has all words, any of them are enough, unless the
    /// parser accepts any from the start.
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

    /// What a text asks for.
    func request(
        _ text: String, limit: Int, offset: Int = 0, ranking: Ranking, filter: Query? = nil,
        fields: [String] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited, steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> SearchRequest {
        let parser = parser ?? queryParser
        let parsed = parser.parse(text)
        // With one word of several required, neither a step nor "any" would even ask for that.
        let needsAll = parser.options.defaultOperator == .all
        let most = steps ?? parser.options.steps ?? configuration.steps
        return SearchRequest(
            query: try narrowed(parsed.query, to: fields, filter), ranking: ranking,
            minimumScore: minimumScore, limit: limit, offset: offset,
            diagnostics: parsed.diagnostics, fallsBack: needsAll, steps: needsAll ? most : .exact,
            text: text, budget: budget)
    }

    /// A query in some fields, or in all strings, and beneath a filter.
    func narrowed(_ query: Query, to fields: [String], _ filter: Query?) throws -> Query {
        let wanted = fields.isEmpty ? query : query.looking(in: fields)
        guard let filter else { return wanted }
        try configuration.queryLimits.check(filter)
        return .joinedAll([wanted, .joinedFilter(filter.normalized())])
    }
}
