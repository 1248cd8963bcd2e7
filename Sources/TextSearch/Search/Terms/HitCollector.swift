/// Takes the hits of words and patterns as they are found, term by term.
protocol HitCollector: ~Copyable {
    /// Notes a term whose hits come next, and where the pattern first matches in it.
    mutating func begin(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, of pattern: TermPattern,
        _ terms: inout TermHits)

    /// Takes where the term occurs in a string of a document.
    mutating func append(
        _ positions: UnsafeBufferPointer<UInt32>, of document: UInt32, _ string: UInt32)

    /// Has the memory counted that is held, and that of the next hits; called after some of them.
    mutating func hold(_ matched: borrowing MatchedTerms) throws

    /// Ends the hits of the term.
    mutating func end(_ terms: inout TermHits) throws
}

/// The hits of a pattern; only the first ones in the text of each document, where only so many are
/// wanted.
struct HitList: ~Copyable, HitCollector {
    private var hits = Buffer<Hit>()
    /// How many documents the hits are of; nil for those of all.
    private let wantedCount: Int?
    private let most: Int
    private let work: MatchWork
    private let share: MemoryShare
    /// The number of the term, and what is found of it.
    private var term: UInt32 = 0
    private var bound: HitBound
    private var documents = DocumentCounter()

    init(_ terms: borrowing TermHits, of wantedCount: Int?, _ needs: MatchNeeds) {
        self.wantedCount = wantedCount
        most = wantedCount == nil ? .max : needs.mostHitsOfWord
        work = MatchWork(clock: terms.clock, needsAll: needs.whole)
        share = MemoryShare(terms.clock)
        bound = HitBound(most: most)
    }

    mutating func begin(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, of pattern: TermPattern,
        _ terms: inout TermHits
    ) {
        self.term = terms.note(term, match)
        bound = HitBound(most: most)
        documents = DocumentCounter()
    }

    @inline(__always)
    mutating func append(
        _ positions: UnsafeBufferPointer<UInt32>, of document: UInt32, _ string: UInt32
    ) {
        documents.count(document)
        let count = bound.take(positions.count, of: document)
        hits.append(
            UnsafeBufferPointer(rebasing: positions[..<count]), of: document, string, term: term)
    }

    mutating func hold(_ matched: borrowing MatchedTerms) throws {
        try share.grow(to: hits.byteCountAhead)
    }

    mutating func end(_ terms: inout TermHits) throws {
        guard let wantedCount else {
            return terms.matched.setDocumentCount(documents.count, of: term)
        }
        terms.shortened.formUnion(bound.shortened)
        // What is not wanted is left out once there is several times as much as is.
        guard most < .max, hits.count / 4 > most * wantedCount + 1_024 else { return }
        try sort()
        hits.keepFirst(most, &terms.shortened)
    }

    /// The hits, by document, then in text order.
    consuming func sorted(_ terms: inout TermHits) throws -> Buffer<Hit> {
        // Those of one term are so already.
        try sort()
        hits.keepFirst(most, &terms.shortened)
        return hits
    }

    /// Sorts them; none are left where the time is over.
    private mutating func sort() throws {
        let areSorted = try hits.withMutableElements { hits in
            try work.sort(hits) { a, b in
                if a.document != b.document { return a.document < b.document }
                return (a.string, a.position, a.span) < (b.string, b.position, b.span)
            }
        }
        if !areSorted { hits.removeAll() }
    }
}

extension Buffer<Hit> {
    /// Appends where a term occurs in a string.
    @inline(__always)
    mutating func append(
        _ positions: UnsafeBufferPointer<UInt32>, of document: UInt32, _ string: UInt32,
        term: UInt32
    ) {
        let room = tail(room: positions.count)
        for place in positions.indices {
            room[place] = Hit(
                document: document, string: string, position: positions[place], term: term)
        }
        commit(positions.count)
    }
}
