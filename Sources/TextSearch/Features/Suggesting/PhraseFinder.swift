/// Finds what follows a text in the strings of objects.
struct PhraseFinder {
    let text: SuggestedText
    let analysis: FieldAnalyzer
    let limit: Int

    /// How many words that are no stop words may follow.
    private static let mostFollowing = 2
    /// How many stop words may stand before one.
    private static let mostStopWords = 2

    private struct Found {
        var replacement: String
        var typedLength: Int
        var tally = SuggestionScope.Tally()
    }

    /// Of a phrase, with its words.
    private static var entrySize: Int { 256 }

    /// By the terms of the words that follow, the completed one among them.
    private var found: [[String]: Found] = [:]

    private let share: MemoryShare

    init(_ text: SuggestedText, _ analysis: FieldAnalyzer, limit: Int, _ clock: SearchClock) {
        share = MemoryShare(clock)
        self.text = text
        self.analysis = analysis
        self.limit = limit
    }

    /// Looks at the strings of an object; those that came before it say how words are written.
    ///
    /// Where the time is over nothing is added any more.
    mutating func add(_ strings: [String], value: Double, _ clock: SearchClock) throws {
        var seen: Set<[String]> = []
        let own = MemoryShare(clock)
        for string in strings {
            try TextPieces.forEach(of: string, overlap: true) { piece in
                // A phrase is a few strings; its key is shared.
                try share.grow(to: 2 * found.count * Self.entrySize)
                try own.grow(to: 2 * seen.count * Self.entrySize)
                if clock.isOver(afterWork: max(piece.utf8.count / 16, 1)) { return false }
                let words = analysis.askedWords(of: piece)
                guard words.count > text.words.count else { return true }
                for start in 0...(words.count - text.words.count - 1) where matches(words, start) {
                    addFollowing(words, start + text.words.count, in: piece, value, &seen)
                }
                return true
            }
        }
    }

    private func matches(_ words: [AnalyzedWord], _ start: Int) -> Bool {
        for (offset, typed) in text.words.enumerated() {
            let term = words[start + offset].term.utf8
            let isLast = text.endsInWord && offset == text.words.count - 1
            if isLast ? !term.starts(with: typed.term) : !term.elementsEqual(typed.term) {
                return false
            }
        }
        return true
    }

    /// Adds the words from a place on, once for an object.
    private mutating func addFollowing(
        _ words: [AnalyzedWord], _ start: Int, in string: String, _ value: Double,
        _ seen: inout Set<[String]>
    ) {
        let first = text.endsInWord ? start - 1 : start
        var (following, stopWords) = (0, 0)
        for end in start..<words.count {
            if end > 0, Self.endsSentence(string, words[end - 1], words[end]) { return }
            guard words[end].omission == nil,
                !analysis.lowValueWords.contains(Array(words[end].term.utf8))
            else {
                stopWords += 1
                if stopWords > Self.mostStopWords { return }
                continue
            }
            following += 1
            stopWords = 0
            let terms = words[first...end].map(\.term)
            if seen.insert(terms).inserted {
                let phrase = string[words[first].range.lowerBound..<words[end].range.upperBound]
                let typed = text.endsInWord ? string[words[first].range] : ""
                var known = found[terms] ?? make(phrase, typed)
                known.tally.add(value)
                found[terms] = known
            }
            if following == Self.mostFollowing { return }
        }
    }

    private func make(_ phrase: Substring, _ typed: Substring) -> Found {
        let count = text.last?.text.count ?? 0
        return Found(
            replacement: phrase.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            typedLength: typed.prefix(count).utf8.count)
    }

    private static func endsSentence(
        _ string: String, _ a: AnalyzedWord, _ b: AnalyzedWord
    ) -> Bool {
        guard a.range.upperBound <= b.range.lowerBound else { return false }
        return string[a.range.upperBound..<b.range.lowerBound].contains {
            ".!?;:…\n\r。！？".contains($0)
        }
    }

    /// The best phrases.
    var suggestions: [Suggestion] {
        let end = text.text.utf8.count
        let range = text.last?.range ?? end..<end
        let best = found.sorted { a, b in
            a.value.tally.value != b.value.tally.value
                ? a.value.tally.value > b.value.tally.value : Self.precedes(a.key, b.key)
        }
        return best.prefix(max(limit, 0)).map { _, found in
            Suggestion(
                text.text,
                [
                    .init(
                        utf8Range: range, replacement: found.replacement,
                        typedUTF8Range: 0..<found.typedLength)
                ], objectCount: found.tally.count, score: found.tally.value)
        }
    }

    private static func precedes(_ a: [String], _ b: [String]) -> Bool {
        Array(a.joined(separator: " ").utf8).lexicographicallyPrecedes(
            Array(b.joined(separator: " ").utf8))
    }
}
