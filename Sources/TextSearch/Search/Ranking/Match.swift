public import Foundation

/// What a ranking override is given of one match.
public struct Match: Sendable {
    /// The object's identifier.
    public let identifier: Data
    /// The object's weight.
    public let weight: Double
    /// The object's context.
    public let context: [String: ContextValue]
    /// The object's attributes.
    public let attributes: [String: AttributeValue]
    /// The relevance (BM25F) for queries; 0 for keywords.
    public let relevance: Double
    /// The number of matches of the keyword in the object.
    public let tokenCount: Int
    /// The words in each of the object's strings.
    public let stringLengths: [Int]
    /// What the index would order by without an override: the weight for keywords, the ranking's score for queries.
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

    /// The terms of the object that the query found, with how often they stand where; none for keywords.
    ///
    /// In the order in which they first stand in the object's strings. Computed when it is asked for.
    ///
    /// Complexity: linear in the matches in the object; the first time in a search also in the terms that the query matches.
    public var terms: [MatchedTerm] { termList?.terms(stringCount: stringLengths.count) ?? [] }
}

/// A term that a query found in an object.
public struct MatchedTerm: Sendable, Hashable {
    /// The term as the index holds it: folded. For a prefix or a typing error, the whole word that was found.
    public let text: String
    /// Where it was found in each of the object's strings: ordinal positions of words, ascending.
    public let positions: [[Int]]
    /// How often it was found in each of the object's strings.
    public var frequencies: [Int] { positions.map(\.count) }
    /// How many objects hold it in the strings that were looked in, whether or not they match the whole query.
    public let documentFrequency: Int
}
