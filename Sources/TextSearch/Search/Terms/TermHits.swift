/// The terms that words and patterns stand for in one snapshot, within the limits of a search.
///
/// ``HitFinder`` finds where they occur, ``CountFinder`` how often, and ``DocumentFinder`` in which
/// documents.
struct TermHits: ~Copyable {
    let snapshot: Snapshot
    let store: IndexStore
    var matched = MatchedTerms()
    var reader: TermPostingsReader
    /// Made when it is needed: most searches read no places.
    private var cursor: PostingsCursor?
    private(set) var terms: PatternTerms
    /// The number of the pattern that is looked for.
    private(set) var patternNumber: UInt32 = 0
    var clock: SearchClock {
        didSet {
            terms.clock = clock
            share = MemoryShare(clock)
        }
    }
    /// Counts the memory of `matched`.
    private var share: MemoryShare
    /// How many terms the pattern that is looked for may stand for.
    var expansions = ExpansionLimit(.max)
    /// The documents of which hits were left out, since only the first ones are to be shown.
    var shortened: Set<UInt32> = []
    /// What is known of prefixes, while somebody types.
    var typed: TypedPrefixes?

    init(snapshot: Snapshot, store: IndexStore, clock: SearchClock) {
        self.snapshot = snapshot
        self.store = store
        self.clock = clock
        share = MemoryShare(clock)
        terms = PatternTerms(stems: StoredStems(store: store), clock: clock)
        reader = TermPostingsReader()
    }

    mutating func begin(_ pattern: TermPattern) {
        number(pattern)
        expansions = ExpansionLimit(clock.maximumExpansions)
    }

    /// Terms that are noted from here on are counted by themselves.
    private mutating func number(_ pattern: TermPattern) {
        patternNumber += 1
        matched.begin(pattern, part: patternNumber)
    }

    /// Runs `body` for a pattern; once more, from the start, with no more terms than a pattern may
    /// stand for, where there were too many.
    mutating func withinLimit<R: ~Copyable>(
        of pattern: TermPattern, _ needs: MatchNeeds, _ body: (inout TermHits) throws -> R
    ) throws -> R {
        begin(pattern)
        // However little there is to do, a time that is over before it has nothing found.
        _ = clock.check()
        if needs.settledPatterns, pattern.isOpen { try limit(pattern, needs) }
        do {
            return try body(&self)
        } catch is TooManyTerms {
            try limit(pattern, needs)
            number(pattern)
            return try body(&self)
        }
    }

    /// Begins again with no more terms than a pattern may stand for.
    private mutating func limit(_ pattern: TermPattern, _ needs: MatchNeeds) throws {
        try expansions.settle(pattern, terms, snapshot)
        guard expansions.ceiling != nil else { return }
        clock.noteTooManyTerms()
        if needs.whole { throw SearchEnded() }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all, unless
    /// the whole is needed.
    static func cut(_ needs: MatchNeeds, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let end as SearchEnded {
            if needs.whole { throw end }
        }
    }

    func isCut(_ needs: MatchNeeds) throws -> Bool {
        guard clock.check() else { return false }
        if needs.whole { throw SearchEnded() }
        return true
    }

    /// The same after some work.
    func isCut(_ needs: MatchNeeds, afterWork units: Int) throws -> Bool {
        guard clock.isOver(afterWork: units) else { return false }
        if needs.whole { throw SearchEnded() }
        return true
    }

    /// To be called for each term that is looked for.
    func checkTime() throws {
        try clock.work(8)
        try share.grow(to: matched.byteCount)
    }

    /// Notes a term that was met, and gives its number.
    mutating func note(_ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>) -> UInt32 {
        matched.append(term, offset: match.lowerBound, matched: match.count, part: patternNumber)
    }

    /// Notes a term that was met, and in how many documents.
    mutating func note(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, documentCount: UInt32
    ) {
        let number = note(term, match)
        matched.setDocumentCount(documentCount, of: number)
    }

    // MARK: Positions

    /// The cursor that reads positions, to be given back to ``keep(_:)``.
    mutating func takeCursor() -> PostingsCursor { cursor.take() ?? PostingsCursor() }

    mutating func keep(_ used: consuming PostingsCursor) { cursor = .some(used) }

    /// Calls `body` with where a term stands in each string of some documents: see
    /// `PostingsCursor`.
    mutating func forEachRun(
        of term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        in wanted: ArraySlice<UInt32>, upTo limit: PostingsChunk.RunLimit,
        _ body: PostingsChunk.RunBody, endBlock: () throws -> Void
    ) throws {
        if cursor == nil { cursor = PostingsCursor() }
        try cursor?.forEachRun(
            of: term, postings, segment, in: wanted, clock, upTo: limit, body, endBlock: endBlock)
    }

    /// Leaves out the hits after the first of each document; they are in the order of documents and
    /// text.
    mutating func keepFirst(_ most: Int, of hits: inout [Hit]) {
        guard most < .max, hits.count > most else { return }
        var bound = HitBound(most: most)
        hits.removeAll { bound.take(1, of: $0.document) == 0 }
        shortened.formUnion(bound.shortened)
    }

    static func missing(_ segment: FlushedSegment) -> TextIndexError {
        .corrupted("postings of segment \(segment.number)")
    }
}
