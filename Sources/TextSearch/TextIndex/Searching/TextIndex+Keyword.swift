import Dispatch
import Foundation

extension TextIndex {
    /// Returns the objects with words that contain `keyword`, compared without case, accents and
    /// width.
    ///
    /// They come by descending score (by default the weight), then by the earliest match, then by
    /// more matches, then in the order of indexing. An empty keyword matches every object; of
    /// several words all must match.
    ///
    /// Complexity: linear in the vocabulary's bytes and in the matches.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - options: `.reverse` gives the worst first.
    /// - Returns: All results.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` if it takes
    ///   more than ``QueryLimits/memory``.
    public func searchResults(
        forKeyword keyword: String, options: EnumerationOptions = []
    ) throws -> [SearchResultItem<Object>] {
        try searchResults(forKeyword: keyword, options, keywordClock(.unlimited))
    }

    func searchResults(
        forKeyword keyword: String, _ options: EnumerationOptions, _ clock: SearchClock
    ) throws -> [SearchResultItem<Object>] {
        try usage.search {
            let snapshot = writer.snapshot
            var results = try KeywordResults(
                query(forKeyword: keyword, snapshot), index: self, snapshot: snapshot,
                clock: clock, isReversed: options.contains(.reverse))
            try clock.checkComplete()
            let items = try results.all()
            for (rank, item) in items.enumerated() { item.rank = rank }
            return items
        }
    }

    /// Returns how many objects ``searchResults(forKeyword:options:)`` would return, without making
    /// items.
    ///
    /// - Parameter keyword: the text to look for inside words.
    /// - Returns: The number of objects.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` if it takes
    ///   more than ``QueryLimits/memory``.
    public func resultCount(forKeyword keyword: String) throws -> Int {
        let clock = keywordClock(.unlimited)
        let count = try resultCount(forKeyword: keyword, clock)
        try clock.checkComplete()
        return count
    }

    /// Returns how many objects ``searchResults(forKeyword:options:)`` would return, as far as they
    /// can be counted in time.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - budget: how long it may take; ``TextIndexConfiguration/searchTimeout`` is no bound here.
    /// - Returns: The number of objects; a lower bound if the budget was spent.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` if it takes
    ///   more than ``QueryLimits/memory``.
    public func resultCount(
        forKeyword keyword: String, budget: SearchBudget
    ) throws -> SearchResults<Object>.TotalCount {
        let clock = keywordClock(budget)
        let count = try resultCount(forKeyword: keyword, clock)
        return .init(count, isExact: clock.isComplete)
    }

    /// What a keyword may take.
    func keywordClock(_ budget: SearchBudget) -> SearchClock {
        SearchClock(budget, longest: nil, memory: configuration.queryLimits.memoryBytes)
    }

    private func query(
        forKeyword keyword: String, _ snapshot: Snapshot
    ) throws -> KeywordQuery {
        try KeywordQuery(
            keyword, analyzer: snapshot.analyzer, limits: configuration.queryLimits)
    }

    func resultCount(forKeyword keyword: String, _ clock: SearchClock) throws -> Int {
        try usage.search {
            let snapshot = writer.snapshot
            let query = try query(forKeyword: keyword, snapshot)
            if query.isEmpty { return snapshot.count }
            var evaluator = evaluator(snapshot, .relevance, clock)
            return try KeywordScorer(query).count(&evaluator)
        }
    }

    /// Calls `block` with each result of ``searchResults(forKeyword:options:)`` in turn.
    ///
    /// Items are made on demand, some dozens at a time, so that stopping saves their work. A
    /// subclass, whose order may depend on all items, has all of them made first. The enumeration
    /// sees one committed state throughout.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - options: `.reverse` gives the worst first; with `.concurrent` the block is called from a
    ///     concurrent queue, each item exactly once and with its right rank, in any order.
    ///   - block: called with the item, its rank from 0, the number of all results, and what ends
    ///     the enumeration.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` if it takes
    ///   more than ``QueryLimits/memory``.
    public func enumerateResults(
        forKeyword keyword: String, options: EnumerationOptions = [],
        using block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) throws {
        let clock = keywordClock(.unlimited)
        try enumerateResults(forKeyword: keyword, options, clock, needsAll: true, block)
    }

    /// Calls `block` with each result of a keyword that is found in time, as
    /// ``enumerateResults(forKeyword:options:using:)`` does.
    ///
    /// - Parameters:
    ///   - keyword: the text to look for inside words.
    ///   - options: `.reverse`, `.concurrent`.
    ///   - budget: how long looking for the words may take, before the first call of the block;
    ///     what was found by then is enumerated. ``TextIndexConfiguration/searchTimeout`` is no
    ///     bound here.
    ///   - block: called with the item, its rank from 0, the number of all results, and what ends
    ///     the enumeration.
    /// - Returns: Whether the search ran to its end; false if the budget was spent.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` if it takes
    ///   more than ``QueryLimits/memory``.
    @discardableResult
    public func enumerateResults(
        forKeyword keyword: String, options: EnumerationOptions = [], budget: SearchBudget,
        using block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) throws -> Bool {
        let clock = keywordClock(budget)
        try enumerateResults(forKeyword: keyword, options, clock, block)
        return clock.isComplete
    }

    func enumerateResults(
        forKeyword keyword: String, _ options: EnumerationOptions, _ clock: SearchClock,
        mostHits: Int = KeywordHits.most, needsAll: Bool = false,
        _ block:
            @Sendable (
                _ item: SearchResultItem<Object>, _ rank: Int, _ count: Int, _ stop: EnumerationStop
            ) -> Void
    ) throws {
        let stop = EnumerationStop()
        try usage.beginSearch()
        var results: KeywordResults<Object>
        do {
            defer { usage.endSearch() }
            let snapshot = writer.snapshot
            results = try KeywordResults(
                query(forKeyword: keyword, snapshot), index: self, snapshot: snapshot,
                clock: clock, isReversed: options.contains(.reverse), mostHits: mostHits)
            if needsAll { try clock.checkComplete() }
        }
        let count = results.count
        var rank = 0
        try results.forEachRun(of: options.contains(.concurrent) ? 512 : 32) { items in
            stop.enumerate(items, from: rank, of: count, options, block)
            rank += items.count
            return !stop.isStopped
        }
    }

    func item(
        _ record: ObjectRecord, relevance: Double, defaultScore: Double,
        _ places: PageDetails.Places, place: MatchPlace, document: UInt32
    ) -> SearchResultItem<Object> {
        var match = Match(
            record, relevance: relevance,
            tokenCount: places.hasMore ? place.count : places.tokens.count)
        match.defaultScore = defaultScore
        let score = score(asked: match)
        return SearchResultItem(
            .record(record.head), score: score,
            matches: .known(places),
            place: place,
            document: document, index: self)
    }

    /// The score of a match, through the override where there may be one.
    func score(asked match: Match) -> Double {
        if usesDefaultOrder { return match.defaultScore }
        let score = score(of: match)
        return score.isNaN ? -.infinity : score
    }

    /// The items, best first.
    func ordered(_ items: [SearchResultItem<Object>]) -> [SearchResultItem<Object>] {
        if usesDefaultOrder { return items.sorted(by: SearchResultItem.precedes) }
        // An order by a hook may be no order at all; sorting copes, whatever it says.
        return items.sorted { a, b in
            switch compare(a, b) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: SearchResultItem.precedes(a, b)
            }
        }
    }
}
