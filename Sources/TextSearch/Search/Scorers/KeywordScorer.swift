/// A keyword: each of its words anywhere in words of the text.
struct KeywordScorer: QueryScorer {
    let query: KeywordQuery

    init(_ query: KeywordQuery) { self.query = query }

    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        if query.isEmpty { return try evaluator.allDocuments() }
        if query.parts.isEmpty { evaluator.hasEmptyPattern = true }
        return try found(&evaluator)
    }

    /// How many documents match. Those of one word are not listed.
    func count(_ evaluator: inout QueryEvaluator) throws -> Int {
        guard let (pattern, strings) = query.loneWord, strings == .all else {
            return try found(&evaluator).documents.count
        }
        return try evaluator.terms.documentCount(of: pattern)
    }

    /// What matches every part of the keyword.
    func found(_ evaluator: inout QueryEvaluator) throws -> QueryMatches {
        var result: QueryMatches?
        for part in query.parts {
            let found = try part.map { try Self.found($0, query.rule, &evaluator) }
            let union =
                found.count == 1 ? found[0] : try QueryMatches.union(found, evaluator.work)
            result = try result?.intersection(union, evaluator.work) ?? union
            try result?.hold(by: evaluator.clock)
        }
        return result ?? QueryMatches()
    }

    /// What matches a part as one of the analyses reads it.
    static func found(
        _ alternative: KeywordQuery.Alternative, _ rule: TokenRule,
        _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        var result: QueryMatches?
        for unit in alternative.units {
            let found: QueryMatches
            switch unit {
            case .infix(let bytes):
                found = try WordScorer(words: [(.token(bytes, rule), alternative.strings)])
                    .found(&evaluator)
            case .run(let bigrams):
                let words = bigrams.enumerated().map {
                    (offset: $0, pattern: TermPattern.prefix($1))
                }
                var groups = FoundGroups(keepsHits: evaluator.needs.hits.areKept, evaluator.clock)
                try PhraseHitFinder(words, slop: 0, in: alternative.strings)
                    .add(to: &groups, &evaluator)
                found = try evaluator.scored(groups)
            }
            result = try result?.intersection(found, evaluator.work) ?? found
            try result?.hold(by: evaluator.clock)
        }
        return result ?? QueryMatches()
    }
}
