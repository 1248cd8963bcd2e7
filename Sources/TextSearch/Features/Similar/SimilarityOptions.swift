/// What makes objects similar, and how many results to return.
public struct SimilarityOptions: Sendable {
    /// The maximum number of results; 20 by default.
    public var limit = 20
    /// How many of the best results to skip; none by default.
    public var offset = 0
    /// How results are ordered; by relevance by default.
    public var ranking = Ranking.relevance
    /// The maximum number of significant terms to search for; 25 by default. More take longer, and
    /// each says less.
    public var maximumTerms = 25
    /// How often a term must occur in the text to be significant; once by default.
    public var minimumOccurrences = 1
    /// How many of the significant terms an object must have; 1 by default.
    public var minimumMatches = 1
    /// The name of the field that terms are taken from and searched in; nil, the default, for all
    /// strings.
    public var field: String?
    /// A query that results must match too, without an effect on their scores; nil by default.
    public var filter: Query?
    /// The time for all of it, from looking up terms to the search; unlimited by default. If it
    /// runs out during the look-up, only some of the terms are used.
    public var budget = SearchBudget.unlimited

    /// Creates options with the defaults of the properties.
    public init() {}
}

/// A term that distinguishes a text: frequent in it and rare elsewhere.
public struct SignificantTerm: Sendable, Hashable {
    /// The word as the text first writes it.
    public let text: String
    /// The term as the index stores it: folded.
    public let term: String
    /// How often the term occurs in the text.
    public let occurrences: Int
    /// How many objects of the index contain the term.
    public let documentFrequency: Int
    /// Its significance relative to the most significant term of the text, which has 1.
    public let weight: Double
}
