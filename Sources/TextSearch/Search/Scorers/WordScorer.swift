/// Patterns that count as one word, each in strings of its own.
struct WordScorer: QueryScorer {
    let words: [(pattern: TermPattern, strings: StringSelection)]

    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        try found(&evaluator)
    }

    /// What they match; that they ask for something is known.
    func found(_ evaluator: inout QueryEvaluator) throws -> QueryMatches {
        let needs = evaluator.needs
        if case .none = needs.hits, words.count == 1 {
            let (pattern, strings) = words[0]
            if let found = try Self.documents(of: pattern, in: strings, &evaluator) {
                return found
            }
            if !needs.scores, evaluator.trace == nil, strings == .all,
                !evaluator.terms.needsFrequencies
            {
                return QueryMatches(
                    unscored: try DocumentFinder(pattern).documents(&evaluator.terms))
            }
            return try Self.scored(pattern, in: strings, &evaluator)
        }
        var found = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        for (pattern, strings) in words {
            if case .none = needs.hits {
                try found.append(try CountFinder(pattern, in: strings).counts(&evaluator.terms))
            } else {
                let finder = HitFinder(pattern, in: strings, of: needs.hits.documents)
                try found.append(single: try finder.hits(&evaluator.terms))
            }
        }
        return try evaluator.scored(found)
    }

    /// What a pattern matches, scored as one word.
    private static func scored(
        _ pattern: TermPattern, in strings: StringSelection, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        switch pattern {
        case .exact: break
        default:
            guard evaluator.trace == nil, evaluator.terms.typed == nil else { break }
            let sums = try CountFinder(pattern, in: strings).sums(&evaluator.terms)
            return try evaluator.scored(sums)
        }
        let counts = try CountFinder(pattern, in: strings).counts(&evaluator.terms)
        let share = try MemoryShare(evaluator.clock, counts.byteCount)
        defer { withExtendedLifetime(share) {} }
        return try counts.withElements { try evaluator.scored($0) }
    }

    /// What a term matches, block by block; nil where more is asked for, or less than all strings
    /// are looked in.
    private static func documents(
        of pattern: TermPattern, in strings: StringSelection, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches? {
        guard case .exact(let term) = pattern, strings == .all, evaluator.trace == nil
        else { return nil }
        let (snapshot, clock) = (evaluator.snapshot, evaluator.clock)
        let postings = try TermPostings(term, snapshot, evaluator.store, &evaluator.terms)
        let cursors = try PartCursors(
            [.term(.init(postings, scored: false))], snapshot, evaluator.similarity, filter: nil,
            &evaluator.exchange)
        var matches = QueryMatches()
        if clock.memory.hasRoom(for: postings.documentFrequency * 12) {
            matches.documents.reserveCapacity(postings.documentFrequency)
            matches.scores.reserveCapacity(postings.documentFrequency)
        }
        for place in snapshot.segments.indices {
            try matches.hold(by: clock)
            if try evaluator.terms.isCut() { break }
            try cursors.appendAll(
                of: postings, place, scored: evaluator.needs.scores, clock, to: &matches)
        }
        return matches
    }
}
