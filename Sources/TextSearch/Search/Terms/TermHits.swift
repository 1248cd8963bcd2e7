/// Finds where the words that match a pattern stand, or how often, in one snapshot.
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
    /// Whether what is cut short is of no use: it would let through what is to be left out.
    var needsAll = false
    /// How many terms the pattern that is looked for may stand for.
    var expansions = ExpansionLimit(.max)
    /// Whether which terms a pattern stands for is found out before it is looked for in some
    /// documents: in their segments there may be few enough.
    var settlesPatterns = false
    /// Whether it is asked in how many living documents each term stands, even where only what a
    /// pattern adds up to is looked for.
    var needsFrequencies = false
    /// How many hits of a word in each document are found, where they are to be shown: the first
    /// ones in its text.
    var mostHits = Int.max
    /// The documents of which hits were left out for that.
    private(set) var shortened: Set<UInt32> = []
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
        of pattern: TermPattern, _ body: (inout TermHits) throws -> R
    ) throws -> R {
        begin(pattern)
        // However little there is to do, a time that is over before it has nothing found.
        _ = clock.check()
        if settlesPatterns, pattern.isOpen { try limit(pattern) }
        do {
            return try body(&self)
        } catch is TooManyTerms {
            try limit(pattern)
            number(pattern)
            return try body(&self)
        }
    }

    /// Begins again with no more terms than a pattern may stand for.
    private mutating func limit(_ pattern: TermPattern) throws {
        try expansions.settle(pattern, terms, snapshot)
        guard expansions.ceiling != nil else { return }
        clock.noteTooManyTerms()
        if needsAll { throw SearchEnded() }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all, unless
    /// `needsAll`.
    static func cut(_ needsAll: Bool, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let end as SearchEnded {
            if needsAll { throw end }
        }
    }

    func isCut() throws -> Bool {
        guard clock.check() else { return false }
        if needsAll { throw SearchEnded() }
        return true
    }

    /// The same after some work.
    func isCut(afterWork units: Int) throws -> Bool {
        guard clock.isOver(afterWork: units) else { return false }
        if needsAll { throw SearchEnded() }
        return true
    }

    /// To be called for each term that is looked for.
    func checkTime() throws {
        try clock.work(8)
        try share.grow(to: matched.byteCount)
    }

    // MARK: Hits

    /// The hits in living documents, by document, then in text order.
    ///
    /// Only `strings` are looked in, and only the documents of `wanted`, ascending, if there are
    /// some.
    mutating func hits(
        of pattern: TermPattern, in strings: StringSelection, of wanted: [UInt32]? = nil
    ) throws -> Buffer<Hit> {
        try withinLimit(of: pattern) {
            try $0.limitedHits(of: pattern, in: strings, of: wanted)
        }
    }

    private mutating func limitedHits(
        of pattern: TermPattern, in strings: StringSelection, of wanted: [UInt32]?
    ) throws -> Buffer<Hit> {
        var hits = Buffer<Hit>()
        let isOpen = pattern.isOpen
        let share = MemoryShare(clock)
        if isOpen, let wanted { try collect(pattern, strings, wanted, share, into: &hits) }
        for segment in snapshot.flushed where !isOpen || wanted == nil {
            let some = wanted?.part(in: segment.manifest.documents)
            if let some, some.isEmpty { continue }
            try Self.cut(needsAll) {
                try terms.forEach(of: pattern, in: segment) { term, match, place, only in
                    try checkTime()
                    if isOpen, try !admits(term) { return }
                    if let some {
                        try collect(
                            term, match, segment, strings, some, only, share, isKnown: place != nil,
                            into: &hits)
                        try shorten(&hits, beyond: wanted?.count)
                    } else {
                        try collect(
                            term, match, segment, strings, only, share, isKnown: place != nil,
                            into: &hits)
                    }
                }
            }
        }
        for part in snapshot.memory {
            let some = wanted?.part(in: part.documents)
            if let some, some.isEmpty { continue }
            if try isCut() { break }
            try Self.cut(needsAll) {
                try terms.forEach(of: pattern, in: part.segment) { term, bytes, match, only in
                    if isOpen, !expansions.admits(bytes) { return }
                    try checkTime()
                    try collect(
                        term, bytes, match, part, strings, some, only, share, into: &hits)
                    try shorten(&hits, beyond: wanted?.count)
                    try share.grow(to: hits.byteCount)
                }
            }
            if expansions.isExceeded { throw TooManyTerms() }
        }
        // By document, then in text order. Those of one term are so already.
        try sort(&hits)
        if wanted != nil { hits.keepFirst(mostHits, &shortened) }
        return hits
    }

    /// Sorts hits; none are left where the time is over.
    private func sort(_ hits: inout Buffer<Hit>) throws {
        let work = MatchWork(clock: clock, needsAll: needsAll)
        let areSorted = try hits.withMutableElements { try work.sort($0, by: Self.comesBefore) }
        if !areSorted { hits.removeAll() }
    }

    /// Leaves out what is not wanted of hits, once there are several times as many as are.
    private mutating func shorten(_ hits: inout Buffer<Hit>, beyond documents: Int?) throws {
        guard let documents, mostHits < .max, hits.count / 4 > mostHits * documents + 1_024
        else { return }
        try sort(&hits)
        hits.keepFirst(mostHits, &shortened)
    }

    @inline(__always)
    private static func comesBefore(_ a: Hit, _ b: Hit) -> Bool {
        if a.document != b.document { return a.document < b.document }
        return (a.string, a.position, a.span) < (b.string, b.position, b.span)
    }

    /// Notes a term of a segment, and gives its postings; nil where there are none.
    private mutating func meet(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        isKnown: Bool
    ) throws -> (bytes: [UInt8], postings: StoredPostings, share: MemoryShare, number: UInt32)? {
        let bytes = Array(term)
        guard let postings = try segment.postings(of: bytes) else {
            if isKnown { throw Self.missing(segment) }
            return nil
        }
        let share = try MemoryShare(clock, postings.byteCount)
        let number = matched.append(
            term, offset: match.lowerBound, matched: match.count, part: patternNumber)
        return (bytes, postings, share, number)
    }

    private mutating func collect(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ only: [UInt32]?, _ share: MemoryShare, isKnown: Bool,
        into hits: inout Buffer<Hit>
    ) throws {
        guard let met = try meet(term, match, segment, isKnown: isKnown) else { return }
        defer { withExtendedLifetime(met.share) {} }
        let number = met.number
        let first = segment.manifest.firstDocument
        var documents = DocumentCounter()
        if cursor == nil { cursor = PostingsCursor() }
        var found = Buffer<Hit>()
        swap(&found, &hits)
        defer { swap(&found, &hits) }
        try cursor?.forEachRun(
            of: met.bytes, met.postings, segment,
            without: snapshot.hasDead(in: segment) ? snapshot.dead : nil, clock
        ) { document, string, positions in
            guard strings.contains(string), only?[...].holds(document) ?? true else { return }
            documents.count(document)
            found.append(positions, of: first &+ document, string, term: number)
        } endBlock: {
            try share.grow(to: found.byteCountAhead)
        }
        matched.setDocumentCount(documents.count, of: number)
    }

    /// Those of some documents alone.
    private mutating func collect(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ wanted: ArraySlice<UInt32>, _ only: [UInt32]?,
        _ share: MemoryShare, isKnown: Bool, into hits: inout Buffer<Hit>
    ) throws {
        guard let met = try meet(term, match, segment, isKnown: isKnown) else { return }
        defer { withExtendedLifetime(met.share) {} }
        let number = met.number
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        let living =
            snapshot.hasDead(in: segment) || only != nil
            ? wanted.filter { !dead.contains($0) && only?[...].holds($0 - first) ?? true }[...]
            : wanted
        var bound = HitBound(most: mostHits)
        try forEachRun(of: met.bytes, met.postings, segment, in: living) {
            document, string, positions in
            guard strings.contains(string) else { return }
            let count = bound.take(positions.count, of: first &+ document)
            hits.append(
                UnsafeBufferPointer(rebasing: positions[..<count]), of: first &+ document, string,
                term: number)
        } endBlock: {
            try share.grow(to: hits.byteCountAhead)
        }
        shortened.formUnion(bound.shortened)
        try checkTime()
    }

    /// Calls `body` with where a term stands in each string of some documents: see
    /// `PostingsCursor`.
    mutating func forEachRun(
        of term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        in wanted: ArraySlice<UInt32>,
        _ body: PostingsChunk.RunBody, endBlock: () throws -> Void
    ) throws {
        if cursor == nil { cursor = PostingsCursor() }
        try cursor?.forEachRun(
            of: term, postings, segment, in: wanted, clock, body, endBlock: endBlock)
    }

    private mutating func collect(
        _ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ part: PlacedSegment, _ strings: StringSelection, _ wanted: ArraySlice<UInt32>?,
        _ only: [UInt32]?, _ share: MemoryShare, into hits: inout Buffer<Hit>
    ) throws {
        let number = matched.append(
            bytes, offset: match.lowerBound, matched: match.count, part: patternNumber)
        var documents = DocumentCounter()
        var bound = HitBound(most: wanted == nil ? .max : mostHits)
        try part.forEachOccurrence(of: term, in: strings, without: snapshot.dead) {
            try share.grow(to: hits.byteCountAhead)
            try clock.work(PostingsChunk.pieceSize / 16)
        } _: { document, string, occurrence in
            guard wanted?.holds(document) ?? true,
                only?[...].holds(document - part.firstDocument) ?? true
            else { return }
            documents.count(document)
            guard bound.take(1, of: document) > 0 else { return }
            hits.append(
                Hit(
                    document: document, string: string, position: occurrence.position,
                    term: number))
        }
        matched.setDocumentCount(documents.count, of: number)
        shortened.formUnion(bound.shortened)
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

    /// The hits of a pattern in some documents of flushed segments.
    private mutating func collect(
        _ pattern: TermPattern, _ strings: StringSelection, _ wanted: [UInt32],
        _ share: MemoryShare, into hits: inout Buffer<Hit>
    ) throws {
        let segments = snapshot.flushed.filter { !wanted.part(in: $0.manifest.documents).isEmpty }
        guard !segments.isEmpty else { return }
        try Self.forEachTerm(&self, of: pattern, in: segments) {
            hitsOf, term, match, place, postings in
            let segment = segments[place]
            let some = wanted.part(in: segment.manifest.documents)
            try hitsOf.reader.readDocuments(postings)
            if hitsOf.reader.chunk.holds(some, from: segment.manifest.firstDocument) {
                try hitsOf.collect(
                    term, match, segment, strings, some, nil, share, isKnown: true, into: &hits)
                try hitsOf.shorten(&hits, beyond: wanted.count)
            }
        }
    }
}

extension Buffer<Hit> {
    /// Appends where a term occurs in a string.
    fileprivate mutating func append(
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
