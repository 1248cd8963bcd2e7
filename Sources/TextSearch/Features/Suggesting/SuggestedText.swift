/// A text to make suggestions for, as words.
struct SuggestedText {
    struct Word {
        /// In UTF-8 code units of the text.
        var range: Range<Int>
        var text: String
        var term: [UInt8]
        var isStopWord: Bool
        /// As a query reads it; nil for a stop word.
        var word: QueryWords.Word?

        var isSpaceless: Bool { SpacelessScript.begins(term) }
    }

    /// Words before these have no influence.
    private static let most = 32

    let text: String
    /// The words, without those that are not indexed for other reasons than being stop words.
    private(set) var words: [Word] = []
    /// Whether the last word ends the text, and so may be the beginning of one.
    private(set) var endsInWord = false

    init(_ text: String, _ analysis: FieldAnalyzer) {
        self.text = text
        for word in analysis.askedWords(of: text).suffix(Self.most) {
            let part = String(text[word.range])
            let start = text.utf8.distance(from: text.startIndex, to: word.range.lowerBound)
            words.append(
                Word(
                    range: start..<(start + part.utf8.count), text: part,
                    term: Array(word.term.utf8),
                    isStopWord: word.omission == .stopWord
                        || analysis.lowValueWords.contains(Array(word.term.utf8)),
                    word: QueryWords(part, analysis: analysis).words.first))
        }
        endsInWord = words.last?.range.upperBound == text.utf8.count
    }

    /// A part of the text, by UTF-8 code units.
    func part(_ range: Range<Int>) -> String {
        String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }

    /// The word that may be unfinished.
    var last: Word? { endsInWord ? words.last : nil }
    /// Those before it.
    var finished: ArraySlice<Word> { endsInWord ? words.dropLast() : words[...] }
}

extension FieldAnalyzer {
    /// The words of a text as a query reads them: of those that share a position the longest, with
    /// stop words, and without what is left out for other reasons.
    func askedWords(of text: String) -> [AnalyzedWord] {
        var position = -1
        return analyze(text, language: nil, asQuery: true).filter { word in
            guard word.omission == nil || word.omission == .stopWord, word.position != position
            else { return false }
            position = word.position
            return true
        }
    }
}
