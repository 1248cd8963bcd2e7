/// A keyword: each of its words anywhere in words of the text.
struct KeywordScorer: QueryScorer {
    let query: KeywordQuery

    init(_ query: KeywordQuery) { self.query = query }

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        if query.isEmpty { return try evaluator.allDocuments(needs) }
        if query.parts.isEmpty { evaluator.hasEmptyPattern = true }
        return try found(needs, &evaluator)
    }

    /// How many documents match. Those of one word are not listed.
    func count(_ evaluator: inout QueryEvaluator) throws -> Int {
        guard let (pattern, strings) = query.loneWord, strings == .all else {
            return try found(.documents, &evaluator).documents.count
        }
        return try DocumentFinder(pattern: pattern, needs: .documents).count(&evaluator.terms)
    }

    /// What matches every part of the keyword.
    func found(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches {
        let work = evaluator.work(needs)
        var result: QueryMatches?
        for part in query.parts {
            let found = try part.map { try Self.found($0, query.rule, needs, &evaluator) }
            let union = found.count == 1 ? found[0] : try QueryMatches.union(found, work)
            result = try result?.intersection(union, work) ?? union
            try result?.hold(by: evaluator.clock)
        }
        return result ?? QueryMatches()
    }

    /// What matches a part as one of the analyses reads it.
    static func found(
        _ alternative: KeywordQuery.Alternative, _ rule: TokenRule, _ needs: MatchNeeds,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        var result: QueryMatches?
        for unit in alternative.units {
            let found: QueryMatches
            switch unit {
            case .infix(let bytes):
                found = try WordScorer(words: [(.token(bytes, rule), alternative.strings)])
                    .found(needs, &evaluator)
            case .run(let bigrams):
                var groups = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
                try finder(of: bigrams, in: alternative.strings, needs)
                    .add(to: &groups, &evaluator)
                found = try evaluator.scored(groups, needs)
            }
            result = try result?.intersection(found, evaluator.work(needs)) ?? found
            try result?.hold(by: evaluator.clock)
        }
        return result ?? QueryMatches()
    }

    /// Finds where the bigrams of a run occur one after the other.
    private static func finder(
        of bigrams: [[UInt8]], in strings: StringSelection, _ needs: MatchNeeds
    ) -> PhraseHitFinder {
        let words = bigrams.enumerated().map { (offset: $0, pattern: TermPattern.prefix($1)) }
        return PhraseHitFinder(words, slop: 0, in: strings, needs)
    }

    // MARK: Hits

    /// Collects the hits of what matches, or of `documents`, ascending, of which that is known.
    ///
    /// They are found apart from the documents, since there may be more of them than there is
    /// memory for: see ``KeywordHits``.
    func collect(
        among documents: [UInt32]? = nil, into hits: inout KeywordHits,
        _ evaluator: inout QueryEvaluator
    ) throws {
        let lists = MemoryShare(evaluator.clock)
        defer { withExtendedLifetime(lists) {} }
        // What does not match every part is ruled out before any position is read. Of a part alone,
        // what was found when the time ends is shown.
        let wanted =
            try documents
            ?? (query.isOneUnit ? nil : found(.documents, &evaluator).documents)
        // With those of a part, and the living ones of them.
        try lists.grow(to: 3 * (wanted?.count ?? 0) * 4)
        for part in query.parts {
            for alternative in part {
                var some = wanted
                if let wanted, alternative.units.count > 1 || part.count > 1 {
                    let found = try Self.found(alternative, query.rule, .documents, &evaluator)
                    some = found.documents(in: wanted)
                }
                for unit in alternative.units {
                    try Self.collect(
                        unit, query.rule, alternative.strings, of: some, into: &hits, &evaluator)
                }
            }
        }
        try hits.sort(evaluator.terms.matched)
    }

    private static func collect(
        _ unit: KeywordQuery.Unit, _ rule: TokenRule, _ strings: StringSelection,
        of documents: [UInt32]?, into hits: inout KeywordHits, _ evaluator: inout QueryEvaluator
    ) throws {
        var needs = MatchNeeds.documents
        let pattern: TermPattern
        switch unit {
        case .infix(let bytes): pattern = .token(bytes, rule)
        case .run(let bigrams) where bigrams.count == 1: pattern = .prefix(bigrams[0])
        case .run(let bigrams):
            needs.hits = documents.map { .some($0) } ?? .all
            var groups = FoundGroups(keepsHits: true, joinsHits: true, evaluator.clock)
            try finder(of: bigrams, in: strings, needs).add(to: &groups, &evaluator)
            for place in 0..<groups.hits.count {
                hits.append(groups.hits[place])
                if place & 1_023 == 0 { try hits.hold(evaluator.terms.matched) }
            }
            return try hits.hold(evaluator.terms.matched)
        }
        let finder = HitFinder(pattern, in: strings, of: documents, needs)
        try evaluator.terms.withinLimit(of: pattern, needs) { try finder.find(into: &hits, &$0) }
    }
}
