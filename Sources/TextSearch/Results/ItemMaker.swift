/// Makes items of documents that a query matches.
struct ItemMaker<Object>: ~Copyable {
    let index: any ResultSource<Object>
    let snapshot: Snapshot
    private let request: SearchRequest
    private let origin: SearchOrigin
    private var evaluator: QueryEvaluator
    private var reader: RecordReader

    init(
        _ evaluator: consuming QueryEvaluator, index: any ResultSource<Object>,
        request: SearchRequest
    ) {
        self.index = index
        self.request = request
        snapshot = evaluator.snapshot
        origin = SearchOrigin(request, evaluator.snapshot)
        reader = RecordReader(store: index.store)
        self.evaluator = evaluator
    }

    /// The scores of some matches of a query.
    mutating func scores(of query: Query, _ documents: [UInt32]) throws -> [UInt32: Double] {
        guard let plan = evaluator.planOfWords(query) else { return [:] }
        let entries = try plan.entries(among: documents.sorted(), .scores, &evaluator)
        return entries.reduce(into: [:]) { $0[$1.document] = $1.score }
    }

    /// The items of a page, whose matches are looked for when somebody asks.
    mutating func items(
        _ entries: ArraySlice<RankedDocument>, firstRank: Int = 0
    ) throws -> [SearchResultItem<Object>] {
        try Self.items(entries, evaluator, index, request, origin, firstRank: firstRank)
    }

    /// The same by itself.
    static func items(
        _ entries: ArraySlice<RankedDocument>, _ evaluator: borrowing QueryEvaluator,
        _ index: any ResultSource<Object>, _ request: SearchRequest, _ origin: SearchOrigin,
        firstRank: Int = 0
    ) throws -> [SearchResultItem<Object>] {
        guard !entries.isEmpty else { return [] }
        let (details, identities) = try PageDetails.make(
            entries, evaluator, request, index.configuration)
        index.pendingDetails.add(details)
        let shared = PageDetails.Shared(details)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(identities.count)
        for place in 0..<identities.count {
            let entry = entries[entries.startIndex + place]
            items.append(
                SearchResultItem(
                    identities[place], score: entry.score, relevance: entry.relevance,
                    matches: .page(shared, place), document: entry.document, index: index,
                    origin: origin, rank: firstRank + place))
        }
        return items
    }

    /// The items of all matches, scored by `score`; hits are there already.
    mutating func items(
        of matches: QueryMatches, _ score: (Match) -> Double
    ) throws -> [SearchResultItem<Object>] {
        let statistics = TermStatistics(evaluator.terms.matched)
        var items: [SearchResultItem<Object>] = []
        items.reserveCapacity(matches.documents.count)
        let share = MemoryShare(evaluator.clock)
        var byteCount = 0
        for (document, relevance) in zip(matches.documents, matches.scores) {
            if evaluator.clock.check() { break }
            let hits = matches.hits.of(document)
            let record = try reader.record(of: document)
            let terms = MatchedTermList(hits, statistics)
            let item = try item(document, hits, record) { tokenCount in
                var match = Match(
                    record, relevance: relevance, tokenCount: tokenCount, terms: terms)
                match.defaultScore = score(match)
                return match
            }
            byteCount += Self.byteCount(of: item)
            try share.grow(to: byteCount)
            items.append(item)
        }
        return items
    }

    /// What an item takes of memory, but for the values of context and attributes.
    private static func byteCount(of item: SearchResultItem<Object>) -> Int {
        256 + item.resultTokens.count * MemoryLayout<ResultToken>.stride
    }

    private borrowing func item(
        _ document: UInt32, _ hits: ArraySlice<Hit>, _ record: ObjectRecord,
        _ match: (_ tokenCount: Int) -> Match
    ) throws -> SearchResultItem<Object> {
        let limits = index.configuration.queryLimits
        let places = try PageDetails.Places(
            hits, record, evaluator.terms.matched, most: limits.matches(ofEachOf: 1))
        let match = match(places.wordCount)
        var score = match.defaultScore
        if case .sorted = request.ranking.kind {} else { score = index.score(asked: match) }
        return SearchResultItem(
            .record(record.head), score: score, relevance: match.relevance,
            matches: .known(places),
            document: document, index: index, origin: origin)
    }
}

extension Array where Element == Hit {
    /// Those of one document, of hits in the order of documents.
    func of(_ document: UInt32) -> ArraySlice<Hit> {
        let start = firstPlace { $0.document >= document }
        return self[start..<Swift.max(start, firstPlace { $0.document > document })]
    }
}
