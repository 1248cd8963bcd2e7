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
        let found = analysis.analyze(text, language: nil, asQuery: true)
        for word in found.suffix(Self.most)
        where word.omission == nil || word.omission == .stopWord {
            let part = String(text[word.range])
            let start = text.utf8.distance(from: text.startIndex, to: word.range.lowerBound)
            words.append(
                Word(
                    range: start..<(start + part.utf8.count), text: part,
                    term: Array(word.term.utf8), isStopWord: word.omission == .stopWord,
                    word: QueryWords(part, analysis: analysis).words.first))
        }
        endsInWord = !words.isEmpty && found.last?.range.upperBound == text.endIndex
    }

    /// The word that may be unfinished.
    var last: Word? { endsInWord ? words.last : nil }
    /// Those before it.
    var finished: ArraySlice<Word> { endsInWord ? words.dropLast() : words[...] }
}
