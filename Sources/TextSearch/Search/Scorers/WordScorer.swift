/// Patterns that count as one word, each in strings of its own.
struct WordScorer {
    let words: [(pattern: TermPattern, strings: StringSelection)]

    /// What they match; that they ask for something is known.
    func found(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches {
        if case .none = needs.hits, words.count == 1 {
            let (pattern, strings) = words[0]
            if let found = try Self.documents(of: pattern, in: strings, needs, &evaluator) {
                return found
            }
            // Of what was typed before, the counts are known.
            let isTyped = if case .prefix = pattern { evaluator.terms.typed != nil } else { false }
            if !needs.scores, !needs.frequencies, strings == .all, !isTyped {
                let finder = DocumentFinder(pattern: pattern, needs: needs)
                return QueryMatches(unscored: try finder.documents(&evaluator.terms))
            }
            return try Self.scored(pattern, in: strings, needs, &evaluator)
        }
        var found = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        for (pattern, strings) in words {
            if case .none = needs.hits {
                let finder = CountFinder(pattern, in: strings, needs)
                try found.append(try finder.counts(&evaluator.terms))
            } else {
                let finder = HitFinder(pattern, in: strings, of: needs.hits.documents, needs)
                try found.append(single: try finder.hits(&evaluator.terms))
            }
        }
        return try evaluator.scored(found, needs)
    }

    /// What a pattern matches, scored as one word.
    private static func scored(
        _ pattern: TermPattern, in strings: StringSelection, _ needs: MatchNeeds,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        let finder = CountFinder(pattern, in: strings, needs)
        switch pattern {
        case .exact: break
        default:
            guard needs.traced == nil, evaluator.terms.typed == nil else { break }
            return try evaluator.scored(try finder.sums(&evaluator.terms), needs)
        }
        let counts = try finder.counts(&evaluator.terms)
        let share = try MemoryShare(evaluator.clock, counts.byteCount)
        defer { withExtendedLifetime(share) {} }
        return try counts.withElements { try evaluator.scored($0, needs) }
    }

    /// What a term matches, block by block; nil where more is asked for, or less than all strings
    /// are looked in.
    private static func documents(
        of pattern: TermPattern, in strings: StringSelection, _ needs: MatchNeeds,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        guard case .exact(let term) = pattern, strings == .all, needs.traced == nil
        else { return nil }
        let (snapshot, clock) = (evaluator.snapshot, evaluator.clock)
        let postings = try TermPostings(term, snapshot, evaluator.store, needs, &evaluator.terms)
        let parts = [PartCursors.Part.term(.init(postings, scored: false))]
        let cursors =
            needs.scores
            ? try PartCursors(
                parts, snapshot, evaluator.similarity, filter: nil, &evaluator.exchange)
            : try PartCursors(parts, snapshot, evaluator.similarity)
        var matches = QueryMatches()
        if clock.memory.hasRoom(for: postings.documentFrequency * 12) {
            matches.documents.reserveCapacity(postings.documentFrequency)
            matches.scores.reserveCapacity(postings.documentFrequency)
        }
        for place in snapshot.segments.indices {
            try matches.hold(by: clock)
            if try evaluator.terms.isCut(needs) { break }
            try cursors.appendAll(
                of: postings, place, scored: needs.scores, clock, to: &matches)
        }
        return matches
    }
}
