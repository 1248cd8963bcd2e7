/// What counts as similar, and what is given of it.
public struct SimilarityOptions: Sendable {
    /// How many results to give at most.
    public var limit = 20
    /// How many of the best to leave out.
    public var offset = 0
    /// What results are ordered by.
    public var ranking = Ranking.relevance
    /// How many significant terms to look for at most. More cost time, and say less each.
    public var maximumTerms = 25
    /// How often a term must stand in the text to be significant.
    public var minimumOccurrences = 1
    /// How many of the significant terms an object must have.
    public var minimumMatches = 1
    /// The field that terms are taken from and looked for in, by its name; nil for all strings.
    public var field: String?
    /// What objects must match besides, without an effect on the scores.
    public var filter: Query?
    /// How long it may take, from the look-ups of the terms to the search; terms that are cut short are some of them.
    public var budget = SearchBudget.unlimited

    /// The default options.
    public init() {}
}

/// A term that tells a text from others: it is frequent there and rare elsewhere.
public struct SignificantTerm: Sendable, Hashable {
    /// The word as the text has it first.
    public let text: String
    /// The term as the index holds it: folded.
    public let term: String
    /// How often it stands in the text.
    public let occurrences: Int
    /// How many objects of the index have it.
    public let documentFrequency: Int
    /// How significant it is, beside the most significant term of the text, which has 1.
    public let weight: Double
}
