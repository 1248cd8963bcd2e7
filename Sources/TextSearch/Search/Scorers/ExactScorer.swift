/// Strings that are a text as a whole; see ``Query/exactly(_:field:)``.
struct ExactScorer: QueryScorer {
    let text: String
    /// Whether the last word need only be the beginning of one.
    var lastIsPrefix = false
    let string: UInt32?

    /// The strings in which the words of the text stand one after the other from their beginning to
    /// their end.
    ///
    /// Complexity: that of the phrase; each place where it stands is looked at once more. Of one
    /// word whose scores nobody asks for, places are not looked at.
    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        let readings = PhraseScorer(text: text, lastIsPrefix: lastIsPrefix, string: string)
            .readings(evaluator.analyzer)
        guard !readings.isEmpty else { return nil }
        let lengths = try evaluator.snapshot.lengthStatistics()
        if !needs.scores, needs.traced == nil, case .none = needs.hits,
            readings.allSatisfy({ $0.words.length == 1 })
        {
            let words = readings.map { ($0.words.words[0].pattern, $0.strings) }
            return QueryMatches(unscored: try documents(of: words, lengths, needs, &evaluator))
        }
        var found = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        for (words, strings) in readings {
            let first = words.words[0].position
            var walk = lengths.makeWalk()
            var last: UInt32 = 0
            found.isWanted = { hit in
                guard Int(hit.position) == first else { return false }
                // Slice by slice, and within one document by document.
                if hit.document < last { walk = lengths.makeWalk() }
                last = hit.document
                return walk.length(of: hit.document, string: Int(hit.string)) == words.length
            }
            let row = words.words.map { (offset: $0.position, pattern: $0.pattern) }
            try PhraseHitFinder(row, slop: 0, in: strings, needs).add(to: &found, &evaluator)
        }
        return try evaluator.scored(found, needs)
    }

    /// The documents that have one of some words as a string of one word.
    private func documents(
        of words: [(pattern: TermPattern, strings: StringSelection)], _ lengths: LengthStatistics,
        _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> [UInt32] {
        var documents: [UInt32] = []
        for (pattern, strings) in words {
            let counts = try CountFinder(pattern, in: strings, needs).counts(&evaluator.terms)
            let share = try MemoryShare(evaluator.clock, counts.byteCount)
            defer { withExtendedLifetime(share) {} }
            var walk = lengths.makeWalk()
            counts.withElements { counts in
                for count in counts
                where walk.length(of: count.document, string: Int(count.string)) == 1
                    && documents.last != count.document
                {
                    documents.append(count.document)
                }
            }
        }
        return words.count > 1 ? Set(documents).sorted() : documents
    }
}
