/// How the strings of some fields are analysed: one of the few different analyses of an index.
///
/// **Thread safety**: immutable. It is a class because it goes along with every string.
final class FieldAnalyzer: Sendable {
    /// What cuts text into words.
    enum Source: Sendable {
        /// UAX #29, by the scanner's own fast path.
        case standard
        case bytes(any ByteTokenizer)
        case text(any Tokenizer)

        fileprivate var isStandard: Bool {
            if case .standard = self { true } else { false }
        }
    }

    /// Its number among the index's analyses.
    let number: Int
    let folder: Folder
    /// The words that are left out of the index.
    let stopWords: ByteSet
    /// The words of the list, whether they are indexed or not.
    let lowValueWords: ByteSet
    let filters: [any TermFilter]
    let stemming: Stemming
    let hasStems: Bool
    /// Whether ASCII words in capitals may have other stems than in small letters.
    let tellsCapitals: Bool
    let source: Source
    let querySource: Source
    /// Whether these are standard: to look at a source copies it, which costs a short string as
    /// much as its words.
    let isStandard: Bool
    let isStandardForQueries: Bool
    /// Whether runs of scripts without spaces are cut into overlapping pairs of characters.
    let cutsRuns: Bool
    /// Whether words may overlap, so that one match of a keyword is in several.
    let wordsOverlap: Bool
    /// What goes into the index's fingerprint, and the name of the stop words that are left out.
    let identity: String
    let stopWordsName: String
    /// The name of the list, whether its words are indexed or not.
    let listName: String
    /// The stop words of all analyses of the index, by which terms are marked; whether they are
    /// those of this one.
    let markedWords: ByteSet
    let marksExactly: Bool

    /// Terms are marked as stop words when they are among `markedWords`; without these, when they
    /// are stop words here.
    init(
        _ analysis: TextAnalysis, defaultStopWords: StopWords, indexesStopWords: Bool = false,
        number: Int, markedWords: ByteSet? = nil
    ) {
        self.number = number
        let folder = Folder(analysis.folding)
        self.folder = folder
        let words = analysis.stopWords ?? defaultStopWords
        lowValueWords = ByteSet(words.words.map { Array(folder.fold($0).utf8) })
        stopWords = indexesStopWords ? ByteSet([]) : lowValueWords
        self.markedWords = markedWords ?? stopWords
        marksExactly = self.markedWords == stopWords
        filters = analysis.filters
        stemming = analysis.stemming
        hasStems = stemming != .none
        tellsCapitals = stemming.languages.contains(.turkish)
        let isPlain = folder.isWhole && filters.isEmpty
        source = Self.source(analysis.tokenizer, isPlain: isPlain)
        cutsRuns = analysis.tokenizer is UnicodeTokenizer
        wordsOverlap = (analysis.tokenizer as? UnicodeTokenizer)?.keepsSymbols ?? true
        querySource = Self.source(analysis.tokenizer.queryTokenizer, isPlain: isPlain)
        isStandard = source.isStandard
        isStandardForQueries = querySource.isStandard
        stopWordsName = indexesStopWords ? StopWords.none.name : words.name
        listName = words.name
        let tokenizer = Self.name(analysis.tokenizer.identity, in: ";")
        let names = filters.map { "filter " + Self.name($0.identity, in: ";") }
        let stems = stemming.identity.isEmpty ? [] : [stemming.identity]
        identity = ([tokenizer, folder.identity] + names + stems).joined(separator: "; ")
    }

    /// A name of the application's as it stands in a list of the fingerprint, where `separator`
    /// would end it.
    static func name(_ name: String, in separator: Character) -> String {
        guard name.contains(where: { $0 == "\\" || $0 == separator }) else { return name }
        return String(name.flatMap { $0 == "\\" || $0 == separator ? ["\\", $0] : [$0] })
    }

    private static func source(_ tokenizer: any Tokenizer, isPlain: Bool) -> Source {
        if let unicode = tokenizer as? UnicodeTokenizer, !unicode.keepsSymbols, isPlain {
            return .standard
        }
        if let bytes = tokenizer as? any ByteTokenizer { return .bytes(bytes) }
        return .text(tokenizer)
    }

    /// Makes a folded word its term: filters it. Says why it cannot be found, nil when it can; of a
    /// word that is dropped `folded` keeps the fold.
    func makeTerm(
        folded: inout FoldedWord, of word: UnsafeBufferPointer<UInt8>
    ) -> AnalyzedWord.Omission? {
        if folded.bytes.isEmpty { return .empty }
        if folded.bytes.withUnsafeBufferPointer({ stopWords.contains($0) }) { return .stopWord }
        if filters.isEmpty { return nil }
        guard let term = filter(folded.bytes) else { return .filter }
        if term != folded.bytes { folded.replace(with: term, of: word) }
        return nil
    }

    /// What filters leave of a folded word, cut as folded words are; nil when that is nothing.
    private func filter(_ term: [UInt8]) -> [UInt8]? {
        var text = String(decoding: term, as: UTF8.self)
        for filter in filters {
            guard let result = filter.filter(text), !result.isEmpty else { return nil }
            text = result
        }
        // Zero bytes end terms where they are stored. A scalar more than a term may have says
        // whether a character ends before it.
        var bytes = Array(text.utf8.lazy.filter { $0 != 0 }.prefix(TermTable.maximumTermLength + 4))
        if bytes.count > TermTable.maximumTermLength {
            var end = TermTable.maximumTermLength
            bytes.withUnsafeBufferPointer {
                while !GraphemeBreaks.isBoundary(at: end, in: $0) { end -= 1 }
            }
            bytes.removeLast(bytes.count - end)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

extension FoldedWord {
    /// Takes a term that a filter gave: all of it stands for the whole word.
    fileprivate mutating func replace(
        with term: [UInt8], of word: UnsafeBufferPointer<UInt8>
    ) {
        bytes = term
        isRegular = false
        clusters = [Cluster(foldedLength: term.count, utf16Length: UTF8Decoding.utf16Count(word))]
    }
}
