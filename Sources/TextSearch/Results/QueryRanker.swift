/// Orders the documents that a query matches.
///
/// Where only scores, weights and attributes say the order, documents are ordered first, by
/// columns, and only those of the page become items. Where an override or a function of the
/// application's does, all items are made first. Both give the same order: by score, then by
/// relevance, then in the order in which they were indexed.
struct QueryRanker<Object>: ~Copyable {
    typealias Entry = RankedDocument
    /// The best of the documents, and how many there are.
    typealias Page = (items: [SearchResultItem<Object>], totalCount: Int)

    private let ranking: Ranking
    private let minimumScore: Double
    private let range: Range<Int>
    private var maker: ItemMaker<Object>
    private let clock: SearchClock
    /// The query, where matches have no scores and the page is to have some.
    private let unscored: Query?

    /// `scoresLater`: matches have no scores, which sort keys do not ask for.
    init(
        _ evaluator: consuming QueryEvaluator, index: any ResultSource<Object>,
        request: SearchRequest,
        scoresLater: Bool = false
    ) {
        unscored = scoresLater ? request.query : nil
        // Within the steps weights are counted already.
        ranking = request.weighsTiers ? .relevance : request.ranking
        minimumScore = request.minimumScore.isNaN ? -.infinity : request.minimumScore
        range = request.range
        clock = evaluator.clock
        maker = ItemMaker(evaluator, index: index, request: request)
    }

    /// The results of a range of ranks.
    ///
    /// Where `request.needsItems` says so, `matches` must have hits.
    mutating func page(_ matches: QueryMatches, needsItems: Bool) throws -> Page {
        if needsItems { return try pageOfAll(matches) }
        if case .sorted(let keys) = ranking.kind { return try page(matches, sortedBy: keys) }
        return try pageOfBest(matches)
    }

    /// The items of the best documents.
    mutating func items(_ best: TopMatches) throws -> [SearchResultItem<Object>] {
        try items(best.ranked)
    }

    /// The items of documents that are ordered already.
    private mutating func items(_ entries: [Entry]) throws -> [SearchResultItem<Object>] {
        try maker.items(entries[range.clamped(to: 0..<entries.count)])
    }

    /// All results in order: as documents whose items are yet to be made, or, where the order takes
    /// them, as items.
    enum Ranked {
        case entries([Entry])
        case items([SearchResultItem<Object>])
    }

    /// The whole order.
    mutating func all(_ matches: QueryMatches, needsItems: Bool) throws -> Ranked {
        if needsItems { return .items(try allItems(matches)) }
        if case .sorted(let keys) = ranking.kind {
            return .entries(try entries(try reaching(matches), keys, count: .max))
        }
        return .entries(try bestEntries(matches).entries)
    }

    /// The best documents of the range, in order, without items, and how many match.
    mutating func ranked(_ matches: QueryMatches) throws -> (entries: [Entry], count: Int) {
        let best = try bestEntries(matches)
        return (Array(best.entries.prefix(range.upperBound)), best.count)
    }

    // MARK: All items

    private mutating func pageOfAll(_ matches: QueryMatches) throws -> Page {
        let items = try allItems(matches)
        return (Array(items[range.clamped(to: 0..<items.count)]), items.count)
    }

    private mutating func allItems(_ matches: QueryMatches) throws -> [SearchResultItem<Object>] {
        let ranking = ranking
        let all = try maker.items(of: matches) { Self.ordered(Self.score($0, ranking)) }
        return maker.index.ordered(all.filter { $0.score >= minimumScore })
    }

    private static func score(_ match: Match, _ ranking: Ranking) -> Double {
        switch ranking.kind {
        case .relevance, .sorted: match.relevance
        case .weight: match.weight
        case .combined: Ranking.weighed(match.relevance, by: match.weight)
        case .custom(let score): score(match)
        }
    }

    /// What is not a number (infinite boosts of nothing, a function's mistake) has no place in an
    /// order.
    private static func ordered(_ score: Double) -> Double { score.isNaN ? -.infinity : score }

    // MARK: Items of the page

    private mutating func pageOfBest(_ matches: QueryMatches) throws -> Page {
        let best = try bestEntries(matches)
        return (try items(best.entries), best.count)
    }

    private mutating func bestEntries(
        _ matches: QueryMatches
    ) throws -> (entries: [Entry], count: Int) {
        if let equal = entriesOfOneScore(matches) { return equal }
        var best = BestDocuments(count: range.upperBound)
        if case .relevance = ranking.kind {
            for (place, relevance) in matches.scores.enumerated() {
                if place & 0x3ff == 0, clock.isOver(afterCombining: 1_024) { break }
                if relevance < best.least { continue }
                let score = Self.ordered(relevance)
                guard score >= minimumScore else { continue }
                best.append(
                    Entry(document: matches.documents[place], score: score, relevance: score))
            }
            let count =
                minimumScore == -.infinity
                ? matches.scores.count
                : matches.scores.count { Self.ordered($0) >= minimumScore }
            return (best.sorted(), count)
        }
        var weights = WeightLookup(maker.snapshot)
        let usesRelevance = if case .weight = ranking.kind { false } else { true }
        var count = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            if clock.isOver(afterCombining: 4) { break }
            let weight = try weights.weight(of: document)
            let score = Self.ordered(
                usesRelevance ? Ranking.weighed(relevance, by: weight) : weight)
            guard score >= minimumScore else { continue }
            count += 1
            if score < best.least { continue }
            best.append(
                Entry(document: document, score: score, relevance: Self.ordered(relevance)))
        }
        return (best.sorted(), count)
    }

    /// The documents in order where relevance decides and all have the same, as those of filters;
    /// nil otherwise.
    private func entriesOfOneScore(_ matches: QueryMatches) -> (entries: [Entry], count: Int)? {
        guard case .relevance = ranking.kind, let score = matches.scores.first,
            score >= minimumScore, matches.scores.allSatisfy({ $0 == score })
        else { return nil }
        let entries = matches.documents.prefix(range.upperBound).map {
            Entry(document: $0, score: score, relevance: score)
        }
        return (entries, matches.documents.count)
    }

    private mutating func page(_ matches: QueryMatches, sortedBy keys: [SortKey]) throws -> Page {
        if let unscored {
            var entries = try entries(matches, keys, count: range.upperBound)
            let shown = range.clamped(to: 0..<entries.count)
            let scores = try maker.scores(of: unscored, entries[shown].map(\.document))
            for place in shown {
                let score = Self.ordered(scores[entries[place].document] ?? 0)
                (entries[place].score, entries[place].relevance) = (score, score)
            }
            return (try items(entries), matches.documents.count)
        }
        let matches = try reaching(matches)
        let entries = try entries(matches, keys, count: range.upperBound)
        return (try items(entries), matches.documents.count)
    }

    /// Those of the matches whose score is enough.
    private func reaching(_ matches: QueryMatches) throws -> QueryMatches {
        guard minimumScore > -.infinity || matches.scores.contains(where: \.isNaN) else {
            return matches
        }
        var reaching = QueryMatches()
        for (place, relevance) in matches.scores.enumerated() {
            if place & 0x3ff == 0 {
                try reaching.hold(by: clock)
                if clock.isOver(afterCombining: 1_024) { break }
            }
            let score = Self.ordered(relevance)
            guard score >= minimumScore else { continue }
            reaching.documents.append(matches.documents[place])
            reaching.scores.append(score)
        }
        try reaching.hold(by: clock)
        return reaching
    }

    /// The first of matches whose scores are enough, by sort keys.
    private func entries(
        _ matches: QueryMatches, _ keys: [SortKey], count: Int
    ) throws -> [Entry] {
        let order = ColumnOrder(keys, maker.snapshot, maker.index.store, clock)
        return try order.first(count, of: matches).map { place in
            let score = matches.scores[place]
            return Entry(document: matches.documents[place], score: score, relevance: score)
        }
    }
}

// MARK: - Facets

extension QueryRanker {
    /// All matches as facets want them, and the items of the page.
    ///
    /// Where `needsItems` says so, `matches` must have hits. Without `needsOrder` the matches have
    /// nothing to be ordered by, nor have they to be scored if `best` has the page or no result is
    /// asked for.
    mutating func faceted(
        _ matches: QueryMatches, best: TopMatches?, needsItems: Bool, needsOrder: Bool
    ) throws -> (matches: FacetMatches, items: [SearchResultItem<Object>]) {
        if best != nil || range.isEmpty, !needsOrder, minimumScore == -.infinity {
            var found = FacetMatches()
            found.documents = matches.documents
            return (found, try best.map { try items($0) } ?? [])
        }
        if needsItems {
            let all = try allItems(matches)
            let entries = all.map {
                Entry(document: $0.document, score: $0.score, relevance: $0.relevance)
            }
            return (FacetMatches(ranked: entries), Array(all[range.clamped(to: 0..<all.count)]))
        }
        if case .sorted(let keys) = ranking.kind {
            let matches = try reaching(matches)
            let count = needsOrder ? Int.max : range.upperBound
            let first = try entries(matches, keys, count: count)
            if needsOrder { return (FacetMatches(ranked: first), try items(first)) }
            var found = FacetMatches()
            found.documents = matches.documents
            return (found, try items(first))
        }
        let page = range.isEmpty ? [] : try bestEntries(matches).entries
        return (try scored(matches, needsOrder: needsOrder), try items(page))
    }

    /// Other matches as facets want them, without a page.
    mutating func facetMatches(
        _ matches: QueryMatches, needsItems: Bool, needsOrder: Bool
    ) throws -> FacetMatches {
        if needsItems, needsOrder || minimumScore > -.infinity {
            return FacetMatches(
                ranked: try allItems(matches).map {
                    Entry(document: $0.document, score: $0.score, relevance: $0.relevance)
                })
        }
        if case .sorted(let keys) = ranking.kind {
            let matches = try reaching(matches)
            if needsOrder {
                return FacetMatches(ranked: try entries(matches, keys, count: .max))
            }
            var found = FacetMatches()
            found.documents = matches.documents
            return found
        }
        return try scored(matches, needsOrder: needsOrder)
    }

    /// The items of matches that are the best of a bucket.
    mutating func items(
        _ best: [RankedDocument], of matches: FacetMatches
    ) throws -> [SearchResultItem<Object>] {
        let items = try maker.items(best.map { matches.shown($0) }[...])
        for (rank, item) in items.enumerated() { item.rank = rank }
        return items
    }

    private mutating func scored(
        _ matches: QueryMatches, needsOrder: Bool
    ) throws -> FacetMatches {
        var found = FacetMatches()
        if !needsOrder, minimumScore == -.infinity {
            found.documents = matches.documents
            return found
        }
        if case .relevance = ranking.kind, minimumScore == -.infinity,
            !matches.scores.contains(where: \.isNaN)
        {
            found.documents = matches.documents
            found.scores = matches.scores
            found.relevances = matches.scores
            found.order = matches.scores
            return found
        }
        var weights = WeightLookup(maker.snapshot)
        let usesWeights = if case .relevance = ranking.kind { false } else { true }
        let usesRelevance = if case .weight = ranking.kind { false } else { true }
        for (document, relevance) in zip(matches.documents, matches.scores) {
            if clock.isOver(afterCombining: 4) { break }
            var score = relevance
            if usesWeights {
                let weight = try weights.weight(of: document)
                score = usesRelevance ? Ranking.weighed(relevance, by: weight) : weight
            }
            score = Self.ordered(score)
            guard score >= minimumScore else { continue }
            found.documents.append(document)
            found.scores.append(score)
            found.relevances.append(Self.ordered(relevance))
        }
        found.order = found.scores
        return found
    }
}
