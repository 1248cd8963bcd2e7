/// The words of a query's text with their positions, as one of the index's analyses finds them;
/// stop words apart.
struct QueryWords: Equatable {
    struct Word: Equatable {
        var bytes: [UInt8]
        var position: Int
        var isPrefix = false
        /// The stems by which it is to find other words, each behind the number of its language.
        var stems: [[UInt8]] = []

        var pattern: TermPattern {
            if isPrefix { return .prefix(bytes) }
            return stems.isEmpty ? .exact(bytes) : .stemmed(bytes, stems)
        }
    }

    var words: [Word] = []
    var stopWords: [[UInt8]] = []
    /// Whether the text ends in a stop word.
    private(set) var endsInStopWord = false
    /// The length of the text: how many places its words and stop words take.
    private(set) var length = 0

    init(_ text: String, analysis: FieldAnalyzer) {
        var terms = TermTable(slotBits: 3)
        terms.stems.isQuery = true
        let found = TextScanner.words(ofQuery: text, analysis, into: &terms)
        let stems =
            terms.stems.pairs.isEmpty
            ? [:]
            : Dictionary(grouping: terms.stems.pairs, by: \.term).mapValues {
                Array(Set($0.map(\.key))).sorted { $0.lexicographicallyPrecedes($1) }
            }
        length = found.count
        for (position, word) in found.enumerated() {
            let bytes = terms.array(Int(word.term & ~TermTable.stopBit))
            if word.term & TermTable.stopBit != 0 {
                stopWords.append(bytes)
                endsInStopWord = position == found.count - 1
                continue
            }
            // The single character that ends a run says nothing that its last bigram does not, but
            // for a sign behind it.
            if !word.isBigram, position > 0, found[position - 1].isBigram,
                words.last?.bytes.hasSuffix(bytes) ?? true
            {
                continue
            }
            let isSpaceless = analysis.cutsRuns && SpacelessScript.begins(bytes)
            words.append(
                Word(
                    bytes: bytes, position: position, isPrefix: isSpaceless,
                    stems: isSpaceless ? [] : stems[bytes] ?? []))
        }
    }

    /// Has the last word of the text be the beginning of words.
    ///
    /// A stop word may be the beginning of another word, or be meant, and nobody knows where it
    /// stands. So it is left out after other words, lest those that are followed by it be missed;
    /// after stop words alone, or by itself, it is all that is asked for.
    mutating func makeLastPrefix() {
        if endsInStopWord {
            guard words.isEmpty, let last = stopWords.popLast() else { return }
            endsInStopWord = false
            words = [Word(bytes: last, position: stopWords.count)]
        }
        guard let last = words.indices.last else { return }
        words[last].isPrefix = true
    }
}

extension [UInt8] {
    func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
