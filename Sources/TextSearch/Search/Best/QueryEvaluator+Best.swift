extension QueryEvaluator {
    /// The best documents of a query, and how many it matches.
    struct Best {
        /// Best first.
        var entries: [TopHeap.Entry]
        var count: Int
        /// Whether there are no more than `count`.
        var isExact: Bool
        /// Whether the query is nothing but words, all of which some object has.
        var knowsAllWords = false

        var ranked: [RankedDocument] {
            entries.map {
                RankedDocument(document: $0.document, score: $0.score, relevance: $0.score)
            }
        }
    }

    /// More parts than this are evaluated in full.
    static let mostParts = 32

    enum Combination {
        case one, all, any
    }

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

    /// The documents with the highest scores, without scoring all: of a word or a pattern, or of
    /// all or any of several parts among which are words. Nil when the query is another one, or
    /// asks for nothing.
    ///
    /// The scores are those of `evaluate(_:)`, to the last bit, raised by what is learned.
    /// `countLimit` is how far documents are counted at the least.
    mutating func best(
        _ query: Query, count: Int, countLimit: Int, learned: LearnedFactors = .none
    ) throws -> Best? {
        guard count > 0 else { return nil }
        let (query, filters) = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters
        if learned.isEmpty, filters.isEmpty, let best = try bestOfPattern(query, count: count) {
            return best
        }
        let (combination, queries) = query.combined
        guard queries.count <= Self.mostParts, let parts = try parts(queries, combination)
        else { return nil }
        // Only a part that asks for nothing is none.
        guard let first = parts.first, !first.isBonus else { return nil }
        let found: Combination = parts.count == 1 ? .one : combination
        let filter = filters.isEmpty ? nil : try sets(ofFilter: .all(of: filters))
        if let filter, filter.count == 0 {
            // Others may have what this index lacks.
            return exchange == nil ? nil : Best(entries: [], count: 0, isExact: !clock.isSpent)
        }
        var best = try best(of: parts, found, count, countLimit, filter)
        try raise(&best, of: parts, found, by: learned, count, filter)
        if parts.count < queries.count { best.knowsAllWords = false }
        return best
    }

    /// Keeps the best of a query for its evaluation, if they are all that match.
    mutating func remember(_ best: Best, of query: Query) {
        guard best.isExact, best.count == best.entries.count else { return }
        var matches = QueryMatches()
        for entry in best.entries.sorted(by: { $0.document < $1.document }) {
            matches.documents.append(entry.document)
            matches.scores.append(entry.score)
        }
        known = (analyzer.synonyms.expand(query).withoutWrapping, matches)
    }

    /// Tells other indexes what the scores of the best depend on, without looking for these; how
    /// many documents match, if that is known then. False where `best` gives nil.
    ///
    /// Words are told in the order in which `best` asks for them.
    mutating func tellStatistics(of query: Query) throws -> (isTold: Bool, count: Int?) {
        let (query, filters) = analyzer.synonyms.expand(query).withoutWrapping.withoutFilters
        if filters.isEmpty, let count = try tellPattern(query) { return (true, count) }
        let (combination, queries) = query.combined
        guard queries.count <= Self.mostParts, let parts = try parts(queries, combination),
            let first = parts.first, !first.isBonus
        else { return (false, nil) }
        var frequencies: [Int] = []
        for part in parts {
            switch part {
            case .list: continue
            case .term(let bytes, _), .bonus(let bytes, _):
                let postings = try TermPostings(bytes, snapshot, store, &terms)
                frequencies.append(postings.documentFrequency)
                _ = exchange?.frequency(postings.documentFrequency)
            }
        }
        let isOneWord = filters.isEmpty && parts.count == 1
        return (true, isOneWord ? frequencies.first : nil)
    }

    /// Nil where nothing is gained, or where the scores have no bounds.
    private mutating func parts(
        _ queries: [Query], _ combination: Combination
    ) throws -> [Part]? {
        var terms: [Part?] = []
        // They come last, and scores add up in the order of the parts.
        let areBonusesWords =
            combination == .all && queries.allSatisfy { !$0.isBonus || bonus($0) != nil }
        for query in queries {
            if case .none = query.node { return nil }
            terms.append(term(query, factors: []) ?? (areBonusesWords ? bonus(query) : nil))
        }
        guard terms.contains(where: { $0.map { !$0.isBonus } ?? false }) else { return nil }
        var parts: [Part] = []
        for (query, term) in zip(queries, terms) {
            if let term {
                parts.append(term)
            } else if let found = try evaluate(query, in: nil) {
                guard found.scores.allSatisfy(\.isFinite) else { return nil }
                parts.append(.list(found))
            }
        }
        return parts
    }

    /// The words whose scores add up to those of a query, if beside filters it is nothing else.
    private func words(of query: Query) -> (parts: [Part], combination: Combination)? {
        let (combination, queries) =
            analyzer.synonyms.expand(query).withoutWrapping.withoutFilters.query.combined
        guard queries.count <= Self.mostParts else { return nil }
        var parts: [Part] = []
        for query in queries {
            guard let part = term(query, factors: []) ?? (combination == .all ? bonus(query) : nil)
            else { return nil }
            parts.append(part)
        }
        guard let first = parts.first, !first.isBonus else { return nil }
        return (parts, parts.count == 1 ? .one : combination)
    }

    /// Whether the scores of documents that a query matches can be found for some of them.
    func canScoreLater(_ query: Query) -> Bool { words(of: query) != nil }

    /// The scores of some documents that a query matches, if it can be scored later.
    mutating func scores(of query: Query, _ documents: [UInt32]) throws -> [UInt32: Double] {
        guard let (parts, combination) = words(of: query) else { return [:] }
        let entries = try entries(of: parts, combination, among: documents.sorted())
        return entries.reduce(into: [:]) { $0[$1.document] = $1.score }
    }

    /// A word that only adds to the score of what else matches.
    private func bonus(_ query: Query) -> Part? {
        guard case .atLeast(let count, let parts) = query.node, count <= 0, parts.count == 1,
            case .term(let bytes, let factors) = term(parts[0], factors: [])
        else { return nil }
        return .bonus(bytes, factors: factors)
    }

    /// A query for one word that all strings hold alike.
    func term(_ query: Query, factors: [Double]) -> Part? {
        switch query.node {
        case .boost(let part, let factor):
            guard factor >= 0, factor <= 1e9, factors.count < 8 else { return nil }
            return term(part, factors: [factor] + factors)
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

    // MARK: Evaluation

    mutating func best(
        of parts: [Part], _ combination: Combination, _ count: Int, _ countLimit: Int,
        _ filter: FilterSets? = nil
    ) throws -> Best {
        let before = filter == nil ? nil : exchange
        let row = try parts.map { try cursor(of: $0) }
        var cursors = try PartCursors(row, snapshot, similarity, filter: filter, &exchange)
        let frequencies = cursors.frequencies
        let isFew = filter?.isFew(beside: frequencies, combination) ?? false
        if let filter, isFew, combination == .any {
            // The parts are asked for once more.
            exchange = before
            var best = try self.best(of: parts, combination, count, among: filter.documents)
            best.knowsAllWords = cursors.knowsAllWords
            return best
        }
        let known = combination == .any && filter == nil ? frequencies.max() ?? 0 : 0
        var top = TopDocuments(
            capacity: count, countLimit: known >= countLimit ? 0 : countLimit, clock: clock)
        switch combination {
        case .one where isFew, .all where isFew:
            var candidates = Candidates()
            try cursors.forEachSegment(needsAll: true) {
                try top.addFew(of: &$0, in: $1, &candidates)
            }
        case .one where filter == nil:
            try cursors.forEachSegment { try top.addAll(of: &$0[0], in: $1) }
        case .one: try cursors.forEachSegment { try top.addAllowed(of: &$0[0], in: $1) }
        case .any:
            var window = ScoreWindow()
            var union = UnionParts(capacity: parts.count)
            try cursors.forEachSegment { try top.addUnion(of: &$0, in: $1, &window, &union) }
        case .all:
            var candidates = Candidates()
            try cursors.forEachSegment(needsAll: true) {
                try top.addIntersection(of: &$0, in: $1, &candidates)
            }
        }
        var best = Best(
            entries: top.heap.sorted, count: frequencies[0], isExact: !clock.isSpent)
        if combination != .one || filter != nil {
            best.count = top.countsAll ? top.counted : max(top.counted, known)
            best.isExact = top.countsAll && !clock.isSpent
        }
        best.knowsAllWords = cursors.knowsAllWords
        return best
    }

    /// The best of few documents.
    private mutating func best(
        of parts: [Part], _ combination: Combination, _ count: Int, among documents: [UInt32]
    ) throws -> Best {
        var entries = try entries(of: parts, combination, among: documents)
        entries.sort { $1.isWorse(than: $0) }
        let found = entries.count
        entries.removeSubrange(min(count, found)...)
        return Best(entries: entries, count: found, isExact: !clock.isSpent)
    }

    private mutating func cursor(of part: Part) throws -> PartCursors.Part {
        switch part {
        case .list(let found): return .list(found)
        case .term(let bytes, let factors): return .term(try word(bytes, factors))
        case .bonus(let bytes, let factors): return .bonus(try word(bytes, factors))
        }
    }

    private mutating func word(_ bytes: [UInt8], _ factors: [Double]) throws -> PartCursors.Term {
        let postings = try TermPostings(bytes, snapshot, store, &terms)
        return PartCursors.Term(
            postings, factors, scored: true, share: try MemoryShare(clock, postings.byteCount))
    }
}

extension Query {
    /// What stands alone in "all" or "any", which adds nothing to it.
    var withoutWrapping: Query {
        var query = self
        while true {
            switch query.node {
            case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1:
                query = parts[0]
            default: return query
            }
        }
    }

    /// What is combined, and how.
    fileprivate var combined: (QueryEvaluator.Combination, [Query]) {
        switch node {
        case .all(let parts): (.all, parts.bonusesLast)
        case .any(let parts): (.any, parts)
        default: (.one, [self])
        }
    }

    /// What is left where filters are taken out that all matches have to pass, and these; nothing
    /// is taken out where nothing else is asked for.
    fileprivate var withoutFilters: (query: Query, filters: [Query]) {
        var query = self
        var filters: [Query] = []
        while case .all(let parts) = query.node {
            let own = parts.filter(\.onlyFilters)
            guard !own.isEmpty, own.count < parts.count else { break }
            filters += own
            query = Query(.all(parts.filter { !$0.onlyFilters })).withoutWrapping
        }
        return (query, filters)
    }
}

extension FilterSets {
    /// Whether so few documents pass that it takes less to ask parts of a query for each of them
    /// than to walk over the parts.
    fileprivate func isFew(
        beside frequencies: [Int], _ combination: QueryEvaluator.Combination
    ) -> Bool {
        let walked =
            combination == .all ? frequencies.min() ?? 0 : frequencies.reduce(0, +)
        return count < walked / 16
    }
}
