/// What to index of an object: its text, its weight, and values to keep with it.
public struct IndexedObject: Sendable {
    /// The texts to search, in the order of ``TextIndexConfiguration/fields`` if fields are named.
    public var strings: [String]
    /// The importance of the object. Keyword results come in descending weight. Must not be NaN.
    public var weight: Double
    /// Values stored with the object and returned with each hit; not searchable.
    public var context: [String: ContextValue]
    /// Values that queries can filter and sort by.
    public var attributes: [String: AttributeValue]
    /// The language of the text, for fields whose ``TextAnalysis/stemming`` knows several; nil for
    /// the first of them.
    public var language: StemmerLanguage?

    /// Creates the description of an object.
    ///
    /// - Parameters:
    ///   - strings: the texts to search.
    ///   - weight: how much the object counts.
    ///   - context: values given back with each hit.
    ///   - attributes: values that queries can compare and sort by.
    ///   - language: the language of the text.
    public init(
        strings: [String], weight: Double = 0, context: [String: ContextValue] = [:],
        attributes: [String: AttributeValue] = [:], language: StemmerLanguage? = nil
    ) {
        self.strings = strings
        self.weight = weight
        self.context = context
        self.attributes = attributes
        self.language = language
    }
}
