/// Orders the documents that a query matches, and makes items of those that are asked for.
///
/// Where only scores, weights and attributes say the order, documents are ordered first, and records of others than those of the page are read
/// only where places of matches have to break a tie. Where an override or a function of the application's does, all items are made first. Both
/// give the same order.
struct QueryRanker<Object>: ~Copyable {
    private let index: TextIndex<Object>
    private let snapshot: Snapshot
    private let ranking: Ranking
    private let minimumScore: Double
    private let origin: SearchOrigin
    private let matches: QueryMatches
    private let evaluator: QueryEvaluator
    private var reader: RecordReader
    /// The numbers of tokens that took a record to count, by document.
    private var tokenCounts: [UInt32: Int] = [:]
    private var failure: (any Error)?

    /// The best of the documents, and how many there are.
    typealias Page = (items: [SearchResultItem<Object>], totalCount: Int)

    private struct Entry {
        var score: Double
        var document: UInt32
        /// Where its keys are, if the ranking sorts by some.
        var keys = 0
        /// Of the first hit; as in `MatchPlace`.
        var string: UInt32 = .max
        var position: UInt32 = .max
        var offset: UInt16 = .max
        /// -1 where it takes the record to count.
        var tokenCount: Int32 = 0
        var hits: Range<Int>
    }

    init(
        _ matches: QueryMatches, evaluator: consuming QueryEvaluator, index: TextIndex<Object>,
        request: SearchRequest
    ) {
        self.index = index
        snapshot = evaluator.snapshot
        ranking = request.ranking
        minimumScore = request.minimumScore.isNaN ? -.infinity : request.minimumScore
        self.matches = matches
        origin = SearchOrigin(request, evaluator.snapshot)
        reader = RecordReader(store: index.store)
        self.evaluator = evaluator
    }

    /// The results of a range of ranks; `makesAllItems` takes the other way, for tests.
    mutating func page(_ range: Range<Int>, makesAllItems: Bool) throws -> Page {
        switch ranking.kind {
        case .sorted(let keys): try page(range, sortedBy: keys)
        case .relevance, .weight, .combined:
            if index.usesDefaultOrder, !makesAllItems {
                try pageOfBest(range)
            } else {
                try pageOfAll(range)
            }
        case .custom: try pageOfAll(range)
        }
    }

    // MARK: All items

    private mutating func pageOfAll(_ range: Range<Int>) throws -> Page {
        let statistics = TermStatistics(evaluator.terms.matched)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(matches.documents.count)
        var end = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            let hits = self.hits(of: document, from: end)
            end = hits.upperBound
            let record = try reader.record(of: document)
            let terms = MatchedTermList(matches.hits[hits], statistics)
            let item = try item(document, hits, record) { tokenCount in
                var match = Match(
                    record, relevance: relevance, tokenCount: tokenCount, terms: terms)
                match.defaultScore = Self.ordered(self.score(match))
                return match
            }
            if item.score >= minimumScore { items.append(item) }
        }
        let count = items.count
        return (Array(index.ordered(items)[range.clamped(to: 0..<count)]), count)
    }

    private func score(_ match: Match) -> Double {
        switch ranking.kind {
        case .relevance, .sorted: match.relevance
        case .weight: match.weight
        case .combined: Self.combined(match.relevance, match.weight)
        case .custom(let score): score(match)
        }
    }

    private static func combined(_ relevance: Double, _ weight: Double) -> Double {
        relevance * max(weight, .leastNormalMagnitude)
    }

    /// What is not a number (infinite boosts of nothing, a function's mistake) has no place in an order.
    private static func ordered(_ score: Double) -> Double { score.isNaN ? -.infinity : score }

    // MARK: Items of the page

    private mutating func pageOfBest(_ range: Range<Int>) throws -> Page {
        var weights = WeightLookup(snapshot)
        let usesWeights = if case .relevance = ranking.kind { false } else { true }
        let usesRelevance = if case .weight = ranking.kind { false } else { true }
        var best: [Entry] = []
        // Room for more than are wanted, so that most of those to come need only be compared with the worst that is.
        var room = max(range.upperBound, 32).multipliedReportingOverflow(by: 2).partialValue
        if room <= 0 { room = .max }
        var worst: Double?
        var count = 0
        var end = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            let hits = self.hits(of: document, from: end)
            end = hits.upperBound
            var score = relevance
            if usesWeights {
                let weight = try weights.weight(of: document)
                score = usesRelevance ? Self.combined(relevance, weight) : weight
            }
            score = Self.ordered(score)
            guard score >= minimumScore else { continue }
            count += 1
            if let worst, score < worst { continue }
            best.append(entry(document, score, hits))
            guard best.count >= room else { continue }
            best.sort { precedes($0, $1) }
            best.removeSubrange(range.upperBound...)
            worst = best.last?.score ?? .infinity
        }
        best.sort { precedes($0, $1) }
        if let failure { throw failure }
        return (try items(best[range.clamped(to: 0..<best.count)]), count)
    }

    private mutating func page(_ range: Range<Int>, sortedBy keys: [SortKey]) throws -> Page {
        var weights = WeightLookup(snapshot)
        var values: [[SortValue]] = []
        var entries: [Entry] = []
        let usesRecords = keys.contains { if case .attribute = $0.kind { true } else { false } }
        var end = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            let hits = self.hits(of: document, from: end)
            end = hits.upperBound
            let score = Self.ordered(relevance)
            guard score >= minimumScore else { continue }
            let attributes = usesRecords ? try reader.record(of: document).attributes : [:]
            entries.append(
                Entry(score: score, document: document, keys: values.count, hits: hits))
            values.append(
                try keys.map { key in
                    switch key.kind {
                    case .attribute(let name): .attribute(key.value(of: attributes[name]))
                    case .weight: .number(try weights.weight(of: document))
                    case .relevance: .number(score)
                    }
                })
        }
        entries.sort { a, b in
            for (number, key) in keys.enumerated() {
                let order = key.order(values[a.keys][number], values[b.keys][number])
                if order != 0 { return order < 0 }
            }
            return a.document < b.document
        }
        return (try items(entries[range.clamped(to: 0..<entries.count)]), entries.count)
    }

    private mutating func items(_ entries: ArraySlice<Entry>) throws -> [SearchResultItem<Object>] {
        var items: [SearchResultItem<Object>] = []
        for entry in entries {
            let record = try reader.record(of: entry.document)
            items.append(
                try item(entry.document, entry.hits, record) { tokenCount in
                    var match = Match(record, relevance: entry.score, tokenCount: tokenCount)
                    match.defaultScore = entry.score
                    return match
                })
        }
        return items
    }

    // MARK: Order

    private borrowing func entry(_ document: UInt32, _ score: Double, _ hits: Range<Int>) -> Entry {
        var entry = Entry(score: score, document: document, hits: hits)
        guard let first = hits.first else { return entry }
        entry.string = matches.hits[first].string
        entry.position = matches.hits[first].position
        entry.offset = evaluator.terms.matched.terms[Int(matches.hits[first].term)].offset
        // Matches of one word may be the same piece of text, which only the record tells.
        let isClear = zip(hits, hits.dropFirst()).allSatisfy {
            let (a, b) = (matches.hits[$0], matches.hits[$1])
            return a.position != b.position || a.string != b.string
        }
        entry.tokenCount = isClear ? Int32(clamping: hits.count) : -1
        return entry
    }

    /// The order of `SearchResultItem`, over entries.
    private mutating func precedes(_ a: Entry, _ b: Entry) -> Bool {
        if a.score != b.score { return a.score > b.score }
        if a.string != b.string { return a.string < b.string }
        if a.position != b.position { return a.position < b.position }
        if a.offset != b.offset { return a.offset < b.offset }
        let (countA, countB) = (tokenCount(a), tokenCount(b))
        return countA != countB ? countA > countB : a.document < b.document
    }

    private mutating func tokenCount(_ entry: Entry) -> Int {
        if entry.tokenCount >= 0 { return Int(entry.tokenCount) }
        if let known = tokenCounts[entry.document] { return known }
        var count = 0
        do {
            var record = try reader.record(of: entry.document)
            count = try tokens(entry.hits, &record).count
        } catch {
            failure = failure ?? error
        }
        tokenCounts[entry.document] = count
        return count
    }

    // MARK: Items

    private borrowing func hits(of document: UInt32, from start: Int) -> Range<Int> {
        var end = start
        while end < matches.hits.count, matches.hits[end].document == document { end += 1 }
        return start..<end
    }

    /// One token for each piece of text.
    private borrowing func tokens(
        _ hits: Range<Int>, _ record: inout ObjectRecord
    ) throws -> [ResultToken] {
        var tokens: [ResultToken] = []
        for hit in hits {
            let token = try ResultToken(matches.hits[hit], evaluator.terms.matched, &record)
            if token == tokens.last {
                tokens[tokens.count - 1].clauses |= token.clauses
            } else {
                tokens.append(token)
            }
        }
        return tokens
    }

    /// Other places of the same words.
    private borrowing func furtherTokens(
        _ hits: Range<Int>, _ record: inout ObjectRecord
    ) throws -> [ResultToken] {
        var tokens: [ResultToken] = []
        for hit in hits {
            let hit = matches.hits[hit]
            for bytes in evaluator.terms.matched.furtherMatches(of: Int(hit.term)) {
                tokens.append(
                    try ResultToken(hit, bytes: bytes, evaluator.terms.matched, &record))
            }
        }
        return tokens
    }

    private borrowing func item(
        _ document: UInt32, _ hits: Range<Int>, _ record: ObjectRecord,
        _ match: (_ tokenCount: Int) -> Match
    ) throws -> SearchResultItem<Object> {
        var record = record
        let tokens = try tokens(hits, &record)
        let place =
            hits.isEmpty
            ? MatchPlace()
            : MatchPlace(
                matches.hits[hits.lowerBound], count: tokens.count, evaluator.terms.matched)
        let match = match(tokens.count)
        var score = match.defaultScore
        if case .sorted = ranking.kind {} else { score = index.score(asked: match) }
        return SearchResultItem(
            record: record, score: score, tokens: tokens, place: place, document: document,
            index: index, origin: origin, furtherTokens: try furtherTokens(hits, &record))
    }
}

/// What a sort key compares of one document.
private enum SortValue {
    case number(Double)
    case attribute(AttributeValue?)
}

extension SortKey {
    fileprivate func order(_ a: SortValue, _ b: SortValue) -> Int {
        switch (a, b) {
        case (.number(let a), .number(let b)): order(a, b)
        case (.attribute(let a), .attribute(let b)): order(a, b)
        default: 0
        }
    }
}
