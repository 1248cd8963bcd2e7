/// Strings that are a text as a whole; see ``Query/exactly(_:field:)``.
struct ExactScorer: QueryScorer {
    let text: String
    let string: UInt32?

    /// The strings in which the words of the text stand one after the other from their beginning to
    /// their end.
    ///
    /// Complexity: that of the phrase; each place where it stands is looked at once more.
    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        let readings = PhraseScorer(text: text, string: string).readings(evaluator.analyzer)
        guard !readings.isEmpty else { return nil }
        let lengths = try evaluator.snapshot.lengthStatistics()
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
}
