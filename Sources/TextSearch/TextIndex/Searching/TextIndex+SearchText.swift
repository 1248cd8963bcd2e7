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
    package func request(
        _ text: String, limit: Int, offset: Int = 0, ranking: Ranking, filter: Query? = nil,
        fields: [String] = [], minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited, steps: SearchSteps? = nil, parser: QueryParser? = nil
    ) throws -> SearchRequest {
        let parser = parser ?? queryParser
        let (parsed, others) = parser.readings(of: text)
        // With one word of several required, neither a step nor "any" would even ask for that.
        let needsAll = parser.options.defaultOperator == .all
        let most = needsAll ? steps ?? parser.options.steps ?? configuration.steps : .exact
        func asked(_ query: Query) throws -> Query {
            // What has a word in one step is not to be without it in another.
            try narrowed(
                most.contains(.variants) ? query.excludingParts : query, to: fields, filter)
        }
        let readings = try others.map {
            PlainReading(query: try asked($0.query), signs: $0.signs, isLast: $0.isLast)
        }
        return SearchRequest(
            query: try asked(parsed.query), ranking: ranking, minimumScore: minimumScore,
            limit: limit, offset: offset, diagnostics: parsed.diagnostics, fallsBack: needsAll,
            steps: most, readings: readings, text: text, budget: budget)
    }

    /// A query in some fields, or in all strings, and beneath a filter.
    func narrowed(_ query: Query, to fields: [String], _ filter: Query?) throws -> Query {
        let wanted = fields.isEmpty ? query : FieldNarrowing(fields: fields).narrowed(query)
        guard let filter else { return wanted }
        try configuration.queryLimits.check(filter)
        return NormalForm.all([wanted, NormalForm.filter(filter.normalized())])
    }
}

/// Has the words of queries looked for in some fields alone, each word in any of them.
private struct FieldNarrowing {
    let fields: [String]

    /// Words side by side stay that, so that any of them can be fallen back on.
    func narrowed(_ query: Query) -> Query {
        switch query.node {
        case .all(let parts): NormalForm.all(parts.map(narrowed))
        case .none(let parts): NormalForm.none(parts.map(narrowed))
        case .filter(let part): NormalForm.filter(narrowed(part))
        case .atLeast(let count, let parts): NormalForm.atLeast(count, parts.map(narrowed))
        case .any(let parts): NormalForm.any(parts.map(narrowed))
        case .boost(let part, let factor): NormalForm.boost(narrowed(part), factor)
        case .first, .constantScore: query.mapParts(narrowed)
        case .everything, .nothing, .attribute, .weight, .identifiers, .field: query
        default: NormalForm.any(fields.map { NormalForm.field($0, query) })
        }
    }
}
