extension TextScanner {
    /// The words of a query's text, stop words too, without what an analysis reads besides a word;
    /// their terms come into a table.
    static func words(
        ofQuery text: String, _ analysis: FieldAnalyzer, into terms: inout TermTable
    ) -> [(term: UInt32, isBigram: Bool)] {
        var text = text
        var scanner = TextScanner(expecting: text.utf8.count / 8)
        var words: [(term: UInt32, isBigram: Bool)] = []
        text.withUTF8 {
            scanner.scan($0, analysis: analysis, isQuery: true, into: &terms) { word, _ in
                if !word.isAlternative { words.append((word.term, word.isBigram)) }
            }
        }
        return words
    }
}
