extension SearchRequest {
    /// Has the stop words of a query that has nothing else found inside other words, and says so;
    /// false where it has none.
    mutating func lookInsideWords(_ analyzer: Analyzer) throws -> Bool {
        let keyword = query.requiredWords.joined(separator: " ")
        guard try !KeywordQuery(keyword, analyzer: analyzer).parts.isEmpty else { return false }
        query = query.normalized().replacingWords(by: .keyword(keyword))
        append(.onlyStopWords, "The query has only stop words; found inside other words.")
        return true
    }

    /// Takes any of the words for enough, and reports it.
    mutating func fallBack(on wider: Query) {
        query = wider
        append(.fellBackToAny, "No object has all words; these have some of them.")
    }

    /// Takes what was excluded for wanted, and reports it.
    mutating func readMinusAsText(_ plain: Query) {
        query = plain
        append(
            .minusReadAsText,
            "No object has the rest without what a minus excludes; these have all of it.")
    }
}

extension QueryDiagnostic.Kind {
    /// No object matches without the words that a minus excludes, so the minus was read as text, as
    /// in pasted commands.
    public static let minusReadAsText = QueryDiagnostic.Kind(rawValue: "minusReadAsText")
    /// The query has only stop words, so they were searched inside other words.
    public static let onlyStopWords = QueryDiagnostic.Kind(rawValue: "onlyStopWords")
    /// No object matches all words, so objects that match any are returned.
    public static let fellBackToAny = QueryDiagnostic.Kind(rawValue: "fellBackToAny")
    /// No object matches a query text, and there is no other remark: each word is in the index, but
    /// not as the query wants them.
    public static let noMatch = QueryDiagnostic.Kind(rawValue: "noMatch")
    /// No object has a word of the query, nor one with its stem. ``QueryDiagnostic/suggestions``
    /// are the nearest words that some object has: at most five within two edits (one for a word of
    /// two characters), by the number of edits, then by how many objects have them. Only the first
    /// eight unknown words of a query are reported.
    public static let unknownWord = QueryDiagnostic.Kind(rawValue: "unknownWord")
}

extension Query {
    /// A query that is asked instead of this one, in normal form, for other words: where the score
    /// of this one is always the same, it is that of the other, too.
    func replacingWords(by other: Query) -> Query {
        switch node {
        case .filter: .joinedFilter(other)
        case .constantScore(_, let score): .constantScore(other, score)
        case .field(_, let part): part.replacingWords(by: other)
        case .all(let parts) where parts.allSatisfy(\.isFilter),
            .any(let parts) where parts.allSatisfy(\.isFilter):
            .joinedFilter(other)
        default: other
        }
    }

    private var isFilter: Bool {
        if case .filter = node { return true }
        return false
    }

    /// The texts of the words that must match.
    var requiredWords: [String] {
        switch node {
        case .term(let text), .phrase(let text, _, _), .exactly(let text): [text]
        case .all(let parts), .any(let parts), .atLeast(_, let parts), .near(let parts, _, _):
            parts.flatMap(\.requiredWords)
        case .first(let parts): parts.first?.requiredWords ?? []
        case .field(_, let part), .boost(let part, _), .constantScore(let part, _),
            .filter(let part):
            part.requiredWords
        default: []
        }
    }
}
