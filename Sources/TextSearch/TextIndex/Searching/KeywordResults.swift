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
    private let isReversed: Bool
    /// The documents in order; ties as they come until they are settled.
    private var entries: [Entry] = []
    /// Whether all hits are kept; otherwise those of some documents are.
    private let isWhole: Bool
    private let isComplete: Bool
    /// Counts the memory of `entries`.
    private let share: MemoryShare
    private var loaded: [UInt32] = []
    /// How many hits to collect again for what is shown next: few at first, since most look at the
    /// first results alone.
    private var nextLoad: Int
    /// The rank before which ties are settled.
    private var settledCount = 0

    private struct Entry {
        var weight = 0.0
        var place = MatchPlace()
        var document: UInt32
        var mayShareText = false

        /// Whether an entry comes before another, the best first or the worst.
        @inline(__always)
        func precedes(_ other: Entry, isReversed: Bool) -> Bool {
            isReversed ? other.precedes(self) : precedes(other)
        }

        private func precedes(_ other: Entry) -> Bool {
            if weight != other.weight { return weight > other.weight }
            if place != other.place { return place < other.place }
            return document < other.document
        }

        func isTied(with other: Entry) -> Bool {
            (weight, place.string, place.position, place.offset)
                == (other.weight, other.place.string, other.place.position, other.place.offset)
        }
    }

    init(
        _ query: KeywordQuery, index: TextIndex<Object>, snapshot: Snapshot,
        clock: SearchClock, isReversed: Bool, mostHits: Int = KeywordHits.most
    ) throws {
        self.index = index
        self.snapshot = snapshot
        self.isReversed = isReversed
        scorer = KeywordScorer(query)
        self.mostHits = mostHits
        mostMatches = index.configuration.queryLimits.matches(ofEachOf: 1)
        evaluator = index.evaluator(snapshot, .relevance, clock)
        evaluator.needs = .documents
        hits = KeywordHits(
            most: mostHits,
            wordsOverlap: snapshot.analyzer.analyses.contains(where: \.wordsOverlap), clock)
        share = MemoryShare(clock)
        // An empty keyword has no words, and so no hits.
        try scorer.collect(into: &hits, &evaluator)
        let entries = try Self.entries(
            of: query, hits, evaluator.terms.matched, snapshot, isReversed, clock, share)
        self.entries = entries
        isWhole = hits.areKept
        isComplete = clock.isComplete
        nextLoad = mostHits / 16
        if !isWhole { hits = KeywordHits(most: .max, wordsOverlap: false, clock) }
    }

    /// The documents that were found, or all for an empty keyword, in order.
    private static func entries(
        of query: KeywordQuery, _ hits: borrowing KeywordHits, _ matched: borrowing MatchedTerms,
        _ snapshot: Snapshot, _ isReversed: Bool, _ clock: SearchClock, _ share: MemoryShare
    ) throws -> [Entry] {
        var entries: [Entry] = []
        func hold() throws { try share.grow(to: entries.capacity * MemoryLayout<Entry>.stride) }
        if query.isEmpty {
            entries.reserveCapacity(snapshot.count)
            try hold()
            snapshot.forEachDocument {
                entries.append(Entry(document: $0))
                return entries.count & 1_023 != 0 || !clock.isOver(afterWork: 1_024)
            }
        }
        try hits.forEachDocument(matched) { document, place, mayShareText in
            entries.append(Entry(place: place, document: document, mayShareText: mayShareText))
            if entries.count & 1_023 == 0 { try hold() }
        }
        try hold()
        var weights = WeightLookup(snapshot)
        for place in entries.indices {
            entries[place].weight = try weights.weight(of: entries[place].document)
        }
        // NaN weights are refused, so this is an order.
        let areSorted = try entries.withUnsafeMutableBufferPointer {
            try MatchWork(clock: clock).sort($0) { $0.precedes($1, isReversed: isReversed) }
        }
        return areSorted ? entries : []
    }

    var count: Int { entries.count }

    /// All items in order.
    mutating func all() throws -> [SearchResultItem<Object>] {
        try settleTies(0..<entries.count)
        let items = try self.items(0..<entries.count)
        if index.usesDefaultOrder { return items }
        let ordered = index.ordered(items)
        return isReversed ? ordered.reversed() : ordered
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
        while done < entries.count {
            let end = min(done + count, entries.count)
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
            try load(rank, within: 0..<entries.count, most: nextLoad)
            let entry = entries[rank]
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
        _ entry: Entry, _ record: inout ObjectRecord
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
        guard !isWhole, !loaded.holds(entries[rank].document) else { return }
        var documents: [UInt32] = []
        var hitCount = 0
        // What was cut short does not know how many hits there are.
        var room = isComplete ? Int.max : 1024
        var next = rank
        repeat {
            documents.append(entries[next].document)
            hitCount += min(entries[next].place.count, 4 * mostMatches)
            room -= 1
            next += 1
        } while ranks.contains(next) && hitCount < most && room > 0
        documents.sort()
        let clock = index.keywordClock(.unlimited)
        hits = KeywordHits(most: .max, wordsOverlap: false, mostOfDocument: mostMatches, clock)
        evaluator = index.evaluator(snapshot, .relevance, clock)
        evaluator.needs = .documents
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
            var end = settledCount + 1
            while end < entries.count, entries[end].isTied(with: entries[settledCount]) {
                end += 1
            }
            try settleTie(settledCount..<end)
            settledCount = end
        }
    }

    private mutating func settleTie(_ ranks: Range<Int>) throws {
        guard ranks.count > 1 else { return }
        // Those that have to be counted stand together, so that their hits are collected together.
        let split = entries[ranks].partition { !$0.mayShareText }
        var reader = RecordReader(store: index.store)
        for rank in ranks.lowerBound..<split {
            try load(rank, within: ranks.lowerBound..<split, most: mostHits)
            var record = try reader.record(of: entries[rank].document)
            let places = try places(entries[rank], &record)
            // Of more than are found it is known how many words match.
            if !places.hasMore { entries[rank].place.count = places.tokens.count }
        }
        let isReversed = isReversed
        entries[ranks].sort { $0.precedes($1, isReversed: isReversed) }
    }
}
