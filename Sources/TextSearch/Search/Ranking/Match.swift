public import Foundation

/// What a custom ranking knows of one match.
public struct Match: Sendable {
    /// The identifier of the matching object.
    public let identifier: Data
    /// The weight that the object was indexed with.
    public let weight: Double
    /// The context that the object was indexed with.
    public let context: [String: ContextValue]
    /// The attributes that the object was indexed with.
    public let attributes: [String: AttributeValue]
    /// The relevance (BM25F) for queries; 0 for keywords.
    public let relevance: Double
    /// The number of matches of the keyword in the object.
    public let tokenCount: Int
    /// The number of words in each of the object's strings.
    public let stringLengths: [Int]
    /// The score of the index without an override: the weight for keywords, the ranking's score for
    /// queries.
    public internal(set) var defaultScore: Double
    private let termList: MatchedTermList?

    init(
        _ record: ObjectRecord, relevance: Double, tokenCount: Int, terms: MatchedTermList? = nil
    ) {
        identifier = record.identifier
        weight = record.weight
        context = record.context
        attributes = record.attributes
        self.relevance = relevance
        self.tokenCount = tokenCount
        stringLengths = record.wordCounts
        defaultScore = relevance
        termList = terms
    }

    /// The terms of the object that the query found, and where they occur; none for keywords.
    ///
    /// They are in the order of their first occurrence in the object's strings, and computed on
    /// use.
    ///
    /// Complexity: linear in the matches in the object; the first time in a search also in the
    /// terms that the query matches.
    public var terms: [MatchedTerm] { termList?.terms(stringCount: stringLengths.count) ?? [] }
}

/// A term that a query found in an object.
public struct MatchedTerm: Sendable, Hashable {
    /// The term as the index stores it: folded. For a prefix or a typing error, it is the whole
    /// word that was found.
    public let text: String
    /// Where it was found in each of the object's strings: the ordinal positions of words,
    /// ascending.
    public let positions: [[Int]]
    /// How often it was found in each of the object's strings.
    public var frequencies: [Int] { positions.map(\.count) }
    /// How many objects contain it in the searched strings, whether or not they match the whole
    /// query.
    public let documentFrequency: Int
}
