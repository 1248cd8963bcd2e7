extension TextIndex {
    /// Reads query text as ``search(_:limit:offset:ranking:minimumScore:)`` does: with the names of this index's fields.
    ///
    /// Change what it is to do otherwise, and give it to ``search(_:reading:filter:ranking:limit:offset:minimumScore:)``.
    public var queryParser: QueryParser { QueryParser(fields: configuration.fields) }

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
    ///   - filter: what must match besides, without an effect on the scores.
    ///   - ranking: what to order by.
    ///   - limit: how many results to give at most.
    ///   - offset: how many of the best to leave out.
    ///   - minimumScore: results with a lower score are left out, and not counted.
    /// - Returns: The results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`.
    public func search(
        _ text: String, reading parser: QueryParser, filter: Query? = nil,
        ranking: Ranking = .relevance, limit: Int = 20, offset: Int = 0,
        minimumScore: Double = -.infinity
    ) throws -> SearchResults<Object> {
        let parsed = parser.parse(text)
        let query = filter.map { Query.joinedAll([parsed.query, .joinedFilter($0.normalized())]) }
        // With one word of several required, "any" would not even ask for that.
        let fallsBack = parser.options.defaultOperator == .all
        return try search(
            SearchRequest(
                query: query ?? parsed.query, ranking: ranking, minimumScore: minimumScore,
                limit: limit, offset: offset, diagnostics: parsed.diagnostics, fallsBack: fallsBack,
                text: text))
    }
}
