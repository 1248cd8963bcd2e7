/// Where the words of a text are side by side, the last one as the beginning of a word.
struct BegunRows {
    let text: String
    let string: UInt32?

    /// The documents that have them so, and those that have a string of nothing else; neither are
    /// sorted, and a document may be there several times.
    ///
    /// Complexity: that of the phrase.
    func documents(
        _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws -> (rows: [UInt32], wholes: [UInt32]) {
        let lengths = try evaluator.snapshot.lengthStatistics()
        var rows: [UInt32] = []
        var wholes: [UInt32] = []
        let readings = PhraseScorer(text: text, lastIsPrefix: true, string: string)
            .readings(evaluator.analyzer)
        for (words, strings) in readings {
            let first = words.words[0].position
            var walk = lengths.makeWalk()
            var last: UInt32 = 0
            var found = FoundGroups(keepsHits: false, evaluator.clock)
            found.isWanted = { hit in
                guard Int(hit.position) == first else { return true }
                // Slice by slice, and within one document by document.
                if hit.document < last { walk = lengths.makeWalk() }
                last = hit.document
                let isWhole =
                    walk.length(of: hit.document, string: Int(hit.string)) == words.length
                if isWhole { wholes.append(hit.document) }
                return true
            }
            let row = words.words.map { (offset: $0.position, pattern: $0.pattern) }
            try PhraseHitFinder(row, slop: 0, in: strings, needs).add(to: &found, &evaluator)
            found.counts.withElements { rows += $0.map(\.document) }
        }
        return (rows, wholes)
    }
}
