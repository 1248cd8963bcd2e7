/// How the text of a field becomes words and terms.
///
/// It is part of an index: opening it with another one is an error that offers a rebuild.
///
/// **Thread safety**: a value.
public struct TextAnalysis: Sendable {
    /// What cuts text into words.
    public var tokenizer: any Tokenizer
    /// The differences of writing that are not told apart.
    public var folding: Folding
    /// What changes or drops words after they are folded and stop words are left out, one after the other.
    public var filters: [any TermFilter]
    /// The words that are left out, compared as they are folded, before `filters`; nil for ``TextIndexConfiguration/stopWords``.
    public var stopWords: StopWords?
    /// Whether inflected words are found by one another.
    public var stemming: Stemming

    /// Creates an analysis; without arguments, the one that indexes use by default.
    ///
    /// - Parameters:
    ///   - tokenizer: what cuts text into words.
    ///   - folding: the differences of writing that are not told apart.
    ///   - filters: what changes or drops words after they are folded.
    ///   - stopWords: the words that are left out; nil for the index's.
    ///   - stemming: whether inflected words are found by one another.
    public init(
        tokenizer: any Tokenizer = UnicodeTokenizer(), folding: Folding = .all,
        filters: [any TermFilter] = [], stopWords: StopWords? = nil, stemming: Stemming = .none
    ) {
        self.tokenizer = tokenizer
        self.folding = folding
        self.filters = filters
        self.stopWords = stopWords
        self.stemming = stemming
    }

    /// As ``init(tokenizer:folding:filters:stopWords:stemming:)`` without arguments.
    public static let standard = TextAnalysis()

    /// For program text and names of files: see ``CodeTokenizer``; no stop words.
    public static let code = TextAnalysis(tokenizer: CodeTokenizer(), stopWords: StopWords.none)

    /// Each string as one word: see ``WholeStringTokenizer``; no stop words.
    public static let wholeString = TextAnalysis(
        tokenizer: WholeStringTokenizer(), stopWords: StopWords.none)
}
