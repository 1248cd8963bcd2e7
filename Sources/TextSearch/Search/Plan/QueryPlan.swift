/// How the best documents of a query are found without scoring all that it matches: words as
/// cursors over their postings, other parts evaluated, and what all have to pass.
struct QueryPlan {
    /// A word or another part of a query.
    enum Part {
        case term([UInt8], factors: [Double])
        case list(QueryMatches)
        /// A word that is not required; these come last.
        case bonus([UInt8], factors: [Double])

        var isBonus: Bool {
            if case .bonus = self { true } else { false }
        }
    }

    enum Combination {
        case one, all, any
    }

    /// More parts than this are evaluated in full.
    static let mostParts = 32

    let parts: [Part]
    let combination: Combination
    /// Whether every part of the query asks for something.
    let hasAllParts: Bool
    /// What all matches have to pass, if that is restricted.
    var filter: FilterSets?

    init(_ parts: [Part], _ combination: Combination) {
        self.parts = parts
        self.combination = combination
        hasAllParts = true
    }

    /// Nil where nothing is gained, where the query asks for nothing, and where the scores have no
    /// bounds. `query` has its synonyms, and no filters that all have to pass.
    init?(_ query: Query, _ evaluator: inout QueryEvaluator) throws {
        let (combination, queries) = Self.combined(query)
        guard queries.count <= Self.mostParts,
            let parts = try Self.parts(queries, combination, &evaluator),
            // Only a part that asks for nothing is none.
            let first = parts.first, !first.isBonus
        else { return nil }
        self.parts = parts
        self.combination = parts.count == 1 ? .one : combination
        hasAllParts = parts.count == queries.count
    }

    /// Of words, whose scores add up to those of the query; nil where it is anything else.
    init?(words query: Query, _ analyzer: Analyzer) {
        let (combination, queries) = Self.combined(query)
        guard queries.count <= Self.mostParts else { return nil }
        var parts: [Part] = []
        for query in queries {
            let bonus = combination == .all ? Self.bonus(query, analyzer) : nil
            guard let part = Self.term(query, analyzer) ?? bonus else { return nil }
            parts.append(part)
        }
        guard let first = parts.first, !first.isBonus else { return nil }
        self.init(parts, parts.count == 1 ? .one : combination)
    }

    /// Its words in their order; none where it has other parts.
    var words: [[UInt8]] {
        parts.compactMap { part in
            switch part {
            case .term(let bytes, _), .bonus(let bytes, _): bytes
            case .list: nil
            }
        }
    }

    /// Of one word, whose boosts are its factors; nil for another query.
    init?(word query: Query, _ analyzer: Analyzer) {
        guard let part = Self.term(query, analyzer) else { return nil }
        self.init([part], .one)
    }

    private static func parts(
        _ queries: [Query], _ combination: Combination, _ evaluator: inout QueryEvaluator
    ) throws -> [Part]? {
        let analyzer = evaluator.analyzer
        var terms: [Part?] = []
        // They come last, and scores add up in the order of the parts.
        let areBonusesWords =
            combination == .all
            && queries.allSatisfy { !$0.isBonus || bonus($0, analyzer) != nil }
        for query in queries {
            if case .none = query.node { return nil }
            terms.append(
                term(query, analyzer) ?? (areBonusesWords ? bonus(query, analyzer) : nil))
        }
        guard terms.contains(where: { $0.map { !$0.isBonus } ?? false }) else { return nil }
        var parts: [Part] = []
        for (query, term) in zip(queries, terms) {
            if let term {
                parts.append(term)
            } else if let found = try evaluator.evaluate(query, in: nil, .scores) {
                guard found.scores.allSatisfy(\.isFinite) else { return nil }
                parts.append(.list(found))
            }
        }
        return parts
    }

    /// A word that only adds to the score of what else matches.
    private static func bonus(_ query: Query, _ analyzer: Analyzer) -> Part? {
        guard case .atLeast(let count, let parts) = query.node, count <= 0, parts.count == 1,
            case .term(let bytes, let factors) = term(parts[0], analyzer)
        else { return nil }
        return .bonus(bytes, factors: factors)
    }

    /// A query for one word that all strings hold alike; the boosts around it are its factors.
    private static func term(
        _ query: Query, _ analyzer: Analyzer, factors: [Double] = []
    ) -> Part? {
        switch query.node {
        case .boost(let part, let factor):
            guard factor >= 0, factor <= 1e9, factors.count < 8 else { return nil }
            return term(part, analyzer, factors: [factor] + factors)
        case .term(let text), .phrase(let text, _, false):
            var word: TermPattern?
            for (analysis, _) in analyzer.analyses(of: nil) {
                let words = QueryWords(text, analysis: analysis).words
                guard words.count == 1, case .exact(let bytes) = words[0].pattern else {
                    return nil
                }
                if let word, case .exact(bytes) = word { continue }
                guard word == nil else { return nil }
                word = .exact(bytes)
            }
            guard case .exact(let bytes) = word else { return nil }
            return .term(bytes, factors: factors)
        default: return nil
        }
    }

    /// What is combined, and how.
    private static func combined(_ query: Query) -> (Combination, [Query]) {
        switch query.node {
        case .all(let parts): (.all, parts.bonusesLast)
        case .any(let parts): (.any, parts)
        default: (.one, [query])
        }
    }
}
