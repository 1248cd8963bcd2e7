/// The results of a keyword over one snapshot, made ready in parts: first the documents in order,
/// then items for some at a time.
///
/// Where there are many hits only their documents are kept, and hits are collected again for those
/// that are shown or tied.
struct KeywordResults<Object>: ~Copyable {
    private let index: TextIndex<Object>
    private let snapshot: Snapshot
    private let scorer: KeywordScorer
    private let mostHits: Int
    /// How many matches of each object are given.
    private let mostMatches: Int
    private var evaluator: QueryEvaluator
    /// All hits, or those of the documents that they were collected again for.
    private var hits: KeywordHits
    /// The documents; ties as they come until they are settled.
    private var order: KeywordOrder
    /// Whether all hits are kept; otherwise those of some documents are.
    private let isWhole: Bool
    private let isComplete: Bool
    private var loaded: [UInt32] = []
    /// How many hits to collect again for what is shown next: few at first, since most look at the
    /// first results alone.
    private var nextLoad: Int
    /// The rank before which ties are settled.
    private var settledCount = 0

    init(
        _ query: KeywordQuery, index: TextIndex<Object>, snapshot: Snapshot,
        clock: SearchClock, isReversed: Bool, mostHits: Int = KeywordHits.most
    ) throws {
        self.index = index
        self.snapshot = snapshot
        scorer = KeywordScorer(query)
        self.mostHits = mostHits
        mostMatches = index.configuration.queryLimits.matches(ofEachOf: 1)
        evaluator = index.evaluator(snapshot, .relevance, clock)
        hits = KeywordHits(
            most: mostHits,
            wordsOverlap: snapshot.analyzer.analyses.contains(where: \.wordsOverlap), clock)
        // An empty keyword has no words, and so no hits.
        try scorer.collect(into: &hits, &evaluator)
        order = try KeywordOrder(
            of: query, hits, evaluator.terms.matched, snapshot, isReversed: isReversed, clock)
        isWhole = hits.areKept
        isComplete = clock.isComplete
        nextLoad = mostHits / 16
        if !isWhole { hits = KeywordHits(most: .max, wordsOverlap: false, clock) }
    }

    var count: Int { order.count }

    /// All items in order.
    mutating func all() throws -> [SearchResultItem<Object>] {
        try settleTies(0..<order.count)
        let items = try self.items(0..<order.count)
        if index.usesDefaultOrder { return items }
        let ordered = index.ordered(items)
        return order.isReversed ? ordered.reversed() : ordered
    }

    /// Calls `body` with runs of about `size` items in order, until it returns false.
    mutating func forEachRun(
        of size: Int, _ body: ([SearchResultItem<Object>]) throws -> Bool
    ) throws {
        // An override may want another order, for which it has to see all items.
        guard index.usesDefaultOrder else {
            _ = try body(try all())
            return
        }
        var done = 0
        // The first is there at once; later ones are worth more at a time.
        var count = 1
        while done < order.count {
            let end = min(done + count, order.count)
            count = min(count * 4, size)
            try settleTies(done..<end)
            guard try body(try items(done..<end)) else { return }
            done = end
        }
    }

    private mutating func items(_ ranks: Range<Int>) throws -> [SearchResultItem<Object>] {
        var reader = RecordReader(store: index.store)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(ranks.count)
        for rank in ranks {
            try load(rank, within: 0..<order.count, most: nextLoad)
            let entry = order[rank]
            var record = try reader.record(of: entry.document)
            let places = try places(entry, &record)
            var matchPlace = entry.place
            if !places.hasMore { matchPlace.count = places.tokens.count }
            items.append(
                index.item(
                    record, relevance: 0, defaultScore: entry.weight, places,
                    place: matchPlace, document: entry.document))
        }
        return items
    }

    /// The first matches in a document.
    private borrowing func places(
        _ entry: KeywordOrder.Entry, _ record: inout ObjectRecord
    ) throws -> PageDetails.Places {
        let range = hits.places(of: entry.document)
        var tokens: [ResultToken] = []
        tokens.reserveCapacity(min(range.count, mostMatches))
        for place in range.prefix(mostMatches) {
            tokens.append(try ResultToken(hits.kept[place], evaluator.terms.matched, &record))
        }
        return PageDetails.Places(
            tokens: ResultToken.distinct(tokens),
            hasMore: range.count > mostMatches || entry.place.count > mostMatches)
    }

    /// Sees to it that the hits of the document of a rank are there, with those of the documents
    /// that follow in order.
    private mutating func load(_ rank: Int, within ranks: Range<Int>, most: Int) throws {
        guard !isWhole, !loaded.holds(order[rank].document) else { return }
        var documents: [UInt32] = []
        var hitCount = 0
        // What was cut short does not know how many hits there are.
        var room = isComplete ? Int.max : 1024
        var next = rank
        repeat {
            documents.append(order[next].document)
            hitCount += min(order[next].place.count, 4 * mostMatches)
            room -= 1
            next += 1
        } while ranks.contains(next) && hitCount < most && room > 0
        documents.sort()
        let clock = index.keywordClock(.unlimited)
        hits = KeywordHits(most: .max, wordsOverlap: false, mostOfDocument: mostMatches, clock)
        evaluator = index.evaluator(snapshot, .relevance, clock)
        try scorer.collect(among: documents, into: &hits, &evaluator)
        try clock.checkComplete()
        loaded = documents
        nextLoad = mostHits
    }
}

// MARK: Ties

extension KeywordResults {
    /// Sorts the ties that reach into some ranks by the number of their matches: of the pieces of
    /// text, which only the record tells where hits may be of one. Ranks are asked for in order.
    private mutating func settleTies(_ ranks: Range<Int>) throws {
        while settledCount < ranks.upperBound {
            let tie = order.tie(from: settledCount)
            if tie.count > 1 { try settle(tie) }
            settledCount = tie.upperBound
        }
    }

    private mutating func settle(_ tie: Range<Int>) throws {
        // Their hits are collected together.
        let uncounted = order.gatherUncounted(in: tie)
        var reader = RecordReader(store: index.store)
        for rank in uncounted {
            try load(rank, within: uncounted, most: mostHits)
            let entry = order[rank]
            var record = try reader.record(of: entry.document)
            let places = try places(entry, &record)
            // Of more than are found it is known how many words match.
            if !places.hasMore { order.setMatchCount(places.tokens.count, at: rank) }
        }
        order.settle(tie)
    }
}
