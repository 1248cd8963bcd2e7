/// A word of a text as an index analyses it.
public struct AnalyzedWord: Sendable, Hashable {
    /// Why a word cannot be found.
    public enum Omission: String, Sendable, Hashable, Codable {
        /// It is a stop word.
        case stopWord
        /// A ``TermFilter`` dropped the word.
        case filter
        /// Nothing is left of it after folding.
        case empty
    }

    /// The range of the word in the text.
    public let range: Range<String.Index>
    /// The range of the word in the text, in UTF-16 code units.
    public let utf16Range: Range<Int>
    /// The term that it is indexed as: folded, filtered, and cut after 255 bytes.
    public let term: String
    /// The stems by which other words find it, folded, by language.
    public let stems: [StemmerLanguage: String]
    /// Its ordinal position, which phrases use. Words that begin at the same offset share one.
    public let position: Int
    /// Why it cannot be found; nil if it can.
    public let omission: Omission?
}

extension FieldAnalyzer {
    /// The words of a text, by the ways that have no short cuts.
    func analyze(
        _ text: String, language: StemmerLanguage?, asQuery: Bool
    ) -> [AnalyzedWord] {
        var native = text
        native.makeContiguousUTF8()
        var found: [AnalyzedWord] = []
        var stems = StemLog()
        stems.language = language
        var position = -1
        var start = -1
        native.withUTF8 { bytes in
            let source = asQuery ? querySource : source
            let words = source.words(of: bytes) ?? Source.bytes(UnicodeTokenizer()).words(of: bytes)
            for word in words ?? [] {
                let slice = UnsafeBufferPointer(rebasing: bytes[word.start..<word.end])
                let lower = text.utf8.index(text.startIndex, offsetBy: word.start)
                let upper = text.utf8.index(lower, offsetBy: slice.count)
                let utf16 = text.utf16.distance(from: text.startIndex, to: lower)
                for (place, piece) in foldedWords(of: slice).enumerated() {
                    var folded = piece
                    let omission = makeTerm(folded: &folded, of: slice)
                    // What folds to nothing has no position.
                    if omission != .empty, word.start != start || place > 0 {
                        position += 1
                        start = word.start
                    }
                    found.append(
                        AnalyzedWord(
                            range: lower..<upper,
                            utf16Range: utf16..<(utf16 + UTF8Decoding.utf16Count(slice)),
                            term: String(decoding: folded.bytes, as: UTF8.self),
                            stems: omission == nil
                                ? stems.stems(of: slice, self, asQuery: asQuery) : [:],
                            position: max(position, 0), omission: omission))
                }
            }
        }
        return found
    }

    /// The fold of a word, or those of the words that it stands for.
    private func foldedWords(of word: UnsafeBufferPointer<UInt8>) -> [FoldedWord] {
        var folded = FoldedWord()
        folder.fold(word, into: &folded)
        guard cutsRuns, SpacelessScript.begins(word) else { return [folded] }
        return folded.pieces() ?? [folded]
    }
}

extension TextAnalysis {
    /// Shows how a text is analysed: its words, what each is indexed as, and why some cannot be
    /// found.
    ///
    /// Complexity: linear in the text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - language: the language of the text, as in ``IndexedObject/language``.
    ///   - asQuery: whether to show how the text of a query is read.
    /// - Returns: The words, in text order.
    /// - Throws: ``TextIndexError`` with `.invalidArgument` when the installed libstemmer lacks a
    ///   language.
    public func analyze(
        _ text: String, language: StemmerLanguage? = nil, asQuery: Bool = false
    ) throws -> [AnalyzedWord] {
        var configuration = TextIndexConfiguration()
        configuration.analysis = self
        let analyzer = Analyzer(configuration)
        try analyzer.validate()
        return analyzer.analyses[0].analyze(text, language: language, asQuery: asQuery)
    }
}
