/// How the text of a field becomes words and terms.
///
/// It belongs to the index: opening it with another analysis is an error that offers a rebuild.
///
/// **Thread safety**: a value.
public struct TextAnalysis: Sendable {
    /// The tokenizer that cuts text into words.
    public var tokenizer: any Tokenizer
    /// The differences in writing that are ignored.
    public var folding: Folding
    /// The filters that change or drop words, in order, after folding and after stop words are left
    /// out.
    public var filters: [any TermFilter]
    /// The stop words, compared in folded form before `filters`; nil, the default, for
    /// ``TextIndexConfiguration/stopWords``.
    public var stopWords: StopWords?
    /// Whether inflected words find one another.
    public var stemming: Stemming

    /// Creates an analysis; without arguments, the one that indexes use by default.
    ///
    /// - Parameters:
    ///   - tokenizer: the tokenizer that cuts text into words.
    ///   - folding: the differences in writing that are ignored.
    ///   - filters: the filters that change or drop words after folding.
    ///   - stopWords: the stop words; nil for those of the index.
    ///   - stemming: whether inflected words find one another.
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

    /// The analysis that ``init(tokenizer:folding:filters:stopWords:stemming:)`` makes without
    /// arguments.
    public static let standard = TextAnalysis()

    /// For program text and names of files, without stop words; see ``CodeTokenizer``.
    public static let code = TextAnalysis(tokenizer: CodeTokenizer(), stopWords: StopWords.none)

    /// For strings that are one word each, without stop words; see ``WholeStringTokenizer``.
    public static let wholeString = TextAnalysis(
        tokenizer: WholeStringTokenizer(), stopWords: StopWords.none)
}
