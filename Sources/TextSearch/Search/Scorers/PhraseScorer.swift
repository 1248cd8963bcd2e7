/// The words of a text one after the other; stop words leave gaps. A text of one word is that word.
struct PhraseScorer: QueryScorer {
    let text: String
    var slop = 0
    var lastIsPrefix = false
    let string: UInt32?

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        let readings = readings(evaluator.analyzer)
        guard !readings.isEmpty else { return nil }
        if readings.allSatisfy({ $0.words.words.count == 1 }) {
            let words = readings.map { ($0.words.words[0].pattern, $0.strings) }
            return try WordScorer(words: words).found(needs, &evaluator)
        }
        var found = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        for (words, strings) in readings {
            let words = words.words.map { (offset: $0.position, pattern: $0.pattern) }
            let finder = PhraseHitFinder(words, slop: slop, in: strings, needs)
            try finder.add(to: &found, &evaluator)
        }
        return try evaluator.scored(found, needs)
    }

    /// What the analyses of the strings make of the text; none of them where it has only stop words
    /// or signs, and asks for nothing.
    func readings(_ analyzer: Analyzer) -> [(words: QueryWords, strings: StringSelection)] {
        var readings: [(words: QueryWords, strings: StringSelection)] = []
        for (analysis, strings) in analyzer.analyses(of: string) {
            var words = QueryWords(text, analysis: analysis)
            if lastIsPrefix { words.makeLastPrefix() }
            readings.append((words, strings))
        }
        // What all analyses read alike is looked for once.
        if let first = readings.first, readings.allSatisfy({ $0.words == first.words }) {
            readings = [(first.words, StringSelection(string))]
        }
        readings.removeAll { $0.words.words.isEmpty }
        return readings
    }
}
