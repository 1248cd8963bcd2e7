/// Patterns that stand for words in a row: those with signs at which words are split, and, where
/// runs are cut into bigrams, prefixes, infixes, suffixes and simple wildcards with characters of
/// scripts without spaces. Nobody can tell from the text where a word begins or ends in such a run,
/// so that any place will do.
enum RunPattern {
    /// The words and their places from the first one on; nil for a pattern of one word.
    static func words(
        of node: Query.Node, _ analysis: FieldAnalyzer
    ) -> [(offset: Int, pattern: TermPattern)]? {
        words(ofRun: node, analysis) ?? SignedPattern.words(of: node, analysis)
    }

    /// Whether a pattern stands for words in a row; nothing is compiled to know it.
    static func isRow(_ node: Query.Node, _ analysis: FieldAnalyzer) -> Bool {
        words(ofRun: node, analysis) != nil || SignedPattern.parts(of: node, analysis) != nil
    }

    /// The same for runs alone.
    static func words(
        ofRun node: Query.Node, _ analysis: FieldAnalyzer
    ) -> [(offset: Int, pattern: TermPattern)]? {
        guard analysis.cutsRuns, let literal = Literal(node),
            // Patterns are folded and not filtered: what a filter makes of them is no reason.
            analysis.folder.fold(literal.text).unicodeScalars.contains(where: SpacelessScript.has)
        else { return nil }
        let words = QueryWords(literal.text, analysis: analysis).words
        guard let start = words.first?.position, words.contains(where: \.isPrefix) else {
            return nil
        }
        return words.enumerated().map { place, word in
            (word.position - start, literal.pattern(of: word, place == 0, place == words.count - 1))
        }
    }

    /// A text that words are to hold.
    private struct Literal {
        let text: String
        /// Whether something may stand before and behind it in a word.
        let isOpenBefore: Bool
        let isOpenBehind: Bool

        init?(_ node: Query.Node) {
            switch node {
            case .prefix(let text): (self.text, isOpenBefore, isOpenBehind) = (text, false, true)
            case .infix(let text): (self.text, isOpenBefore, isOpenBehind) = (text, true, true)
            case .suffix(let text): (self.text, isOpenBefore, isOpenBehind) = (text, true, false)
            case .wildcard(let pattern):
                let pieces = WildcardWord(pattern: pattern).pieces
                let inner = pieces.filter { $0 != .any }
                guard inner.count == 1, case .literal(let text) = inner[0] else { return nil }
                self.text = text
                isOpenBefore = pieces.first == .any
                isOpenBehind = pieces.last == .any
            default: return nil
            }
        }

        func pattern(of word: QueryWords.Word, _ isFirst: Bool, _ isLast: Bool) -> TermPattern {
            if word.isPrefix || isLast && isOpenBehind { return .prefix(word.bytes) }
            return isFirst && isOpenBefore ? .suffix(word.bytes) : .exact(word.bytes)
        }
    }
}
