/// How the strings of some fields are analysed: one of the few different analyses of an index.
///
/// **Thread safety**: an immutable value.
struct FieldAnalyzer: Sendable {
    /// What cuts text into words.
    enum Source: Sendable {
        /// UAX #29, by the scanner's own fast path.
        case standard
        case bytes(any ByteTokenizer)
        case text(any Tokenizer)
    }

    /// Its number among the index's analyses.
    let number: Int
    let folder: Folder
    let stopWords: ByteSet
    let filters: [any TermFilter]
    let stemming: Stemming
    let hasStems: Bool
    /// Whether ASCII words in capitals may have other stems than in small letters.
    let tellsCapitals: Bool
    let source: Source
    let querySource: Source
    /// Whether runs of scripts without spaces are cut into overlapping pairs of characters.
    let cutsRuns: Bool
    /// What goes into the index's fingerprint, and the name of the stop words.
    let identity: String
    let stopWordsName: String
    /// The stop words of all analyses of the index, by which terms are marked; whether they are those of this one.
    private(set) var markedWords: ByteSet
    private(set) var marksExactly = true

    init(_ analysis: TextAnalysis, defaultStopWords: StopWords, number: Int) {
        self.number = number
        let folder = Folder(analysis.folding)
        self.folder = folder
        let words = analysis.stopWords ?? defaultStopWords
        stopWords = ByteSet(words.words.map { Array(folder.fold($0).utf8) })
        markedWords = stopWords
        filters = analysis.filters
        stemming = analysis.stemming
        hasStems = stemming != .none
        tellsCapitals = stemming.languages.contains(.turkish)
        let isPlain = folder.isWhole && filters.isEmpty
        source = Self.source(analysis.tokenizer, isPlain: isPlain)
        cutsRuns = analysis.tokenizer is UnicodeTokenizer
        querySource = Self.source(analysis.tokenizer.queryTokenizer, isPlain: isPlain)
        stopWordsName = words.name
        let parts = [analysis.tokenizer.identity, folder.identity]
        let stems = stemming.identity.isEmpty ? [] : [stemming.identity]
        identity = (parts + filters.map(\.identity) + stems).joined(separator: "; ")
    }

    private static func source(_ tokenizer: any Tokenizer, isPlain: Bool) -> Source {
        if let unicode = tokenizer as? UnicodeTokenizer, !unicode.keepsSymbols, isPlain {
            return .standard
        }
        if let bytes = tokenizer as? any ByteTokenizer { return .bytes(bytes) }
        return .text(tokenizer)
    }

    /// Terms are marked as stop words when they are one in any of the analyses.
    mutating func mark(_ words: ByteSet) {
        marksExactly = words == stopWords
        markedWords = words
    }

    /// What filters leave of a folded word; nil when they drop it.
    func filter(_ term: [UInt8]) -> [UInt8]? {
        var text = String(decoding: term, as: UTF8.self)
        for filter in filters {
            guard let result = filter.filter(text), !result.isEmpty else { return nil }
            text = result
        }
        // Zero bytes end terms where they are stored.
        return text.utf8.contains(0) ? text.utf8.filter { $0 != 0 } : Array(text.utf8)
    }
}
