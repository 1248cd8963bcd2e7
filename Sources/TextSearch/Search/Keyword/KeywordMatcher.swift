/// Finds where the words of a keyword stand, in one snapshot.
///
/// Which documents match is what the query `.keyword` says. Hits are found apart, since there may
/// be more of them than there is memory for: see ``KeywordHits``.
struct KeywordMatcher: ~Copyable {
    private let snapshot: Snapshot
    private var evaluator: QueryEvaluator
    private var rule = TokenRule(minimalLength: 1)
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader
    /// The number of the unit that is looked for.
    private var unitNumber: UInt32 = 0
    /// When it has to end: what is found by then is right, for parts of what a word finds are parts
    /// of what all words find.
    private let clock: SearchClock
    /// Counts the memory of `matched`, and that of lists of documents.
    private let share: MemoryShare
    private let lists: MemoryShare

    init(_ evaluator: consuming QueryEvaluator) {
        snapshot = evaluator.snapshot
        clock = evaluator.clock
        share = MemoryShare(clock)
        lists = MemoryShare(clock)
        reader = TermPostingsReader()
        self.evaluator = evaluator
        self.evaluator.needs = .documents
    }

    /// Collects the hits of the living documents in which every part matches, or of `documents`,
    /// ascending, of which that is known.
    mutating func collect(
        _ query: KeywordQuery, among documents: [UInt32]? = nil, into hits: inout KeywordHits
    ) throws {
        rule = query.rule
        if query.parts.count == 1, query.parts[0].count == 1, query.parts[0][0].units.count == 1 {
            let only = query.parts[0][0]
            // The living ones of them, a segment at a time.
            try lists.grow(to: (documents?.count ?? 0) * 4)
            try collect(only.units[0], only.strings, documents?[...], into: &hits)
        } else if !query.parts.isEmpty {
            // What does not match every part is ruled out before any position is read.
            let wanted = try documents ?? KeywordScorer(query).found(&evaluator).documents
            // With those of a part, and the living ones of them, a segment at a time.
            try lists.grow(to: 3 * wanted.count * 4)
            for part in query.parts {
                for alternative in part {
                    var documents = wanted
                    if alternative.units.count > 1 || part.count > 1 {
                        let found = try KeywordScorer.found(alternative, query.rule, &evaluator)
                        documents = found.documents(in: wanted)
                    }
                    for unit in alternative.units {
                        try collect(unit, alternative.strings, documents[...], into: &hits)
                    }
                }
            }
        }
        try hits.sort(matched)
    }

    private mutating func collect(
        _ unit: KeywordQuery.Unit, _ strings: StringSelection, _ wanted: ArraySlice<UInt32>?,
        into hits: inout KeywordHits
    ) throws {
        unitNumber += 1
        switch unit {
        case .infix(let bytes):
            try collect(bytes, prefixOnly: false, strings, wanted, into: &hits)
        case .run(let bigrams): try collectRun(bigrams, strings, wanted, into: &hits)
        }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all.
    private static func untilEnd(_ body: () throws -> Void) throws {
        do { try body() } catch is SearchEnded {}
    }

    // MARK: Hits

    private mutating func collect(
        _ needle: [UInt8], prefixOnly: Bool, _ strings: StringSelection,
        _ wanted: ArraySlice<UInt32>?, into hits: inout KeywordHits
    ) throws {
        if clock.check() { return }
        try collectFromMemory(needle, prefixOnly: prefixOnly, strings, wanted, into: &hits)
        for segment in snapshot.flushed {
            let some = wanted?.part(in: segment.manifest.documents)
            if let some, some.isEmpty { continue }
            try collect(needle, prefixOnly: prefixOnly, strings, some, segment, into: &hits)
        }
    }

    private mutating func collectFromMemory(
        _ needle: [UInt8], prefixOnly: Bool, _ strings: StringSelection,
        _ wanted: ArraySlice<UInt32>?, into hits: inout KeywordHits
    ) throws {
        let (rule, clock) = (rule, clock)
        for part in snapshot.memory {
            try Self.untilEnd {
                try part.segment.terms.forEach(holding: needle, rule, prefixOnly: prefixOnly) {
                    term, bytes, offset in
                    try clock.work(8)
                    let number = matched.append(
                        bytes, offset: offset, matched: needle.count, part: unitNumber,
                        when: hits.areKept)
                    try share.grow(to: matched.byteCount)
                    try part.forEachOccurrence(of: term, in: strings, without: snapshot.dead) {
                        try hits.hold(matched)
                        try clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, string, occurrence in
                        guard wanted?.holds(document) ?? true else { return }
                        hits.append(
                            Hit(
                                document: document, string: string,
                                position: occurrence.position, term: number),
                            offset: offset, matched)
                    }
                    try hits.hold(matched)
                }
            }
        }
    }

    private mutating func collect(
        _ needle: [UInt8], prefixOnly: Bool, _ strings: StringSelection,
        _ wanted: ArraySlice<UInt32>?, _ segment: FlushedSegment, into hits: inout KeywordHits
    ) throws {
        let clock = clock
        try Self.untilEnd {
            let terms = try FlushedTermList(
                segment, holding: needle, rule, prefixOnly: prefixOnly, clock: clock)
            // Of a term that is too large to be read in one piece.
            var postings: StoredPostings?
            var own: MemoryShare?
            defer { withExtendedLifetime(own) {} }
            var living: [UInt32]?
            try terms.forEachMatch { term, place, offset, isNewTerm in
                try clock.work(8)
                let number = matched.append(
                    term, offset: offset, matched: needle.count, part: unitNumber,
                    when: hits.areKept)
                try share.grow(to: matched.byteCount)
                if isNewTerm {
                    own = nil
                    postings = try reader.readIfSmall(term, segment, at: place)
                    own = try postings.map { try MemoryShare(clock, $0.byteCount) }
                }
                let match = Match(number: number, offset: offset, strings: strings)
                if let postings {
                    if living == nil { living = wanted?.filter { !snapshot.dead.contains($0) } }
                    try collect(match, Array(term), postings, segment, living, into: &hits)
                } else {
                    try collect(match, segment, wanted, into: &hits)
                }
                try hits.hold(matched)
            }
        }
    }

    /// A term that matches: its number, where, and the strings to look in.
    private struct Match {
        var number: UInt32
        var offset: Int
        var strings: StringSelection

        func hit(_ document: UInt32, _ string: UInt32, _ position: UInt32) -> Hit {
            Hit(document: document, string: string, position: position, term: number)
        }
    }

    /// The hits of the term that was read.
    private borrowing func collect(
        _ match: Match, _ segment: FlushedSegment, _ wanted: ArraySlice<UInt32>?,
        into hits: inout KeywordHits
    ) throws {
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        try reader.forEachOccurrence(where: { relative in
            !dead.contains(first &+ relative) && wanted?.holds(first &+ relative) ?? true
        }) { relative, string, position in
            guard match.strings.contains(string) else { return }
            hits.append(
                match.hit(first &+ relative, string, position), offset: match.offset, matched)
        }
    }

    /// The hits of a term that is read block by block, in some living documents if there are some.
    private borrowing func collect(
        _ match: Match, _ term: [UInt8], _ postings: StoredPostings, _ segment: FlushedSegment,
        _ living: [UInt32]?, into hits: inout KeywordHits
    ) throws {
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        var cursor = PostingsCursor()
        func take(_ relative: UInt32, _ string: UInt32, _ positions: UnsafeBufferPointer<UInt32>) {
            guard match.strings.contains(string) else { return }
            for position in positions {
                hits.append(
                    match.hit(first &+ relative, string, position), offset: match.offset, matched)
            }
        }
        guard let living else {
            return try cursor.forEachRun(of: term, postings, segment, without: dead, clock) {
                take($0, $1, $2)
            } endBlock: {
                try hits.hold(matched)
            }
        }
        try cursor.forEachRun(of: term, postings, segment, in: living[...], clock) {
            take($0, $1, $2)
        } endBlock: {
            try hits.hold(matched)
        }
    }

    /// The places where the bigrams stand one after the other.
    private mutating func collectRun(
        _ bigrams: [[UInt8]], _ strings: StringSelection, _ wanted: ArraySlice<UInt32>?,
        into hits: inout KeywordHits
    ) throws {
        guard bigrams.count > 1 else {
            return try collect(bigrams[0], prefixOnly: true, strings, wanted, into: &hits)
        }
        var starts: [Place: Hit] = [:]
        let share = MemoryShare(clock)
        for (index, bigram) in bigrams.enumerated() {
            var found = KeywordHits(most: .max, wordsOverlap: false, clock)
            try collect(bigram, prefixOnly: true, strings, wanted, into: &found)
            var next: [Place: Hit] = [:]
            for place in 0..<found.kept.count {
                if place & 1_023 == 0 {
                    // Tables are doubled, and the old one is there meanwhile.
                    try share.grow(to: (starts.capacity + 3 * next.capacity) * Self.startSize)
                    if clock.isOver(afterWork: 1_024) { return }
                }
                let hit = found.kept[place]
                guard Int(hit.position) >= index else { continue }
                let start = Place(
                    document: hit.document, string: hit.string,
                    position: hit.position - UInt32(index))
                if index == 0 {
                    next[start] = hit
                } else if var begun = starts[start] {
                    begun.span = UInt32(index)
                    begun.lastTerm = hit.term
                    next[start] = begun
                }
            }
            starts = next
            if starts.isEmpty { return }
        }
        try hits.hold(matched)
        for hit in starts.values {
            hits.append(hit, offset: Int(matched.terms[Int(hit.term)].offset), matched)
        }
    }

    /// Of an entry of a table of places, with what is empty of it.
    private static var startSize: Int {
        (MemoryLayout<Place>.stride + MemoryLayout<Hit>.stride) * 4 / 3
    }

    private struct Place: Hashable {
        var document: UInt32
        var string: UInt32
        var position: UInt32
    }
}
