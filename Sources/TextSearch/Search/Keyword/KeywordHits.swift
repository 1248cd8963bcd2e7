/// The hits of a keyword as they are found: kept while they are few, and from then on folded into
/// what the order needs of each document.
struct KeywordHits: ~Copyable, HitCollector {
    /// So many are kept: 24 MB of them.
    static let most = 1 << 20

    private let most: Int
    /// How many of each document are wanted of those that are kept, and how many are kept before
    /// the others are left out.
    private let mostOfDocument: Int
    private var room: Int
    /// Whether two words at different positions may be of one piece of text.
    private let wordsOverlap: Bool
    private(set) var kept = Buffer<Hit>()
    /// Whether all hits are kept.
    private(set) var areKept = true
    private var summaries = DocumentSummaries()
    private let clock: SearchClock
    private let share: MemoryShare
    /// The numbers of the term whose hits come, and where it matches with each.
    private var term: [(number: UInt32, offset: UInt16)] = []
    /// Where the terms of kept hits match, by their numbers; 0 for those that are not there.
    private var offsets: [UInt16] = []
    /// Lets only so many of the term's places in a document pass as can be wanted.
    private var bound = HitBound(most: .max)
    /// How many hits came beside the first one of a place.
    private var furtherCount = 0

    init(most: Int, wordsOverlap: Bool, mostOfDocument: Int = .max, _ clock: SearchClock) {
        self.clock = clock
        share = MemoryShare(clock)
        self.most = most
        self.mostOfDocument = mostOfDocument
        room = mostOfDocument < .max ? 1 << 16 : .max
        self.wordsOverlap = wordsOverlap
    }

    /// A term counts once for each place in it that matches.
    mutating func begin(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, of pattern: TermPattern,
        _ terms: inout TermHits
    ) {
        self.term.removeAll(keepingCapacity: true)
        bound = HitBound(most: mostOfDocument == .max ? .max : mostOfDocument + 1)
        func append(_ match: Range<Int>) {
            let offset = UInt16(clamping: match.lowerBound)
            // The terms of hits that are folded are not asked for again.
            let number = areKept ? terms.note(term, match) : 0
            if areKept { note(offset, of: number) }
            self.term.append((number, offset))
        }
        append(match)
        pattern.forEachFurtherMatch(in: term, after: match.lowerBound, append)
    }

    private mutating func note(_ offset: UInt16, of number: UInt32) {
        while offsets.count <= Int(number) { offsets.append(0) }
        offsets[Int(number)] = offset
    }

    @inline(__always)
    mutating func append(
        _ positions: UnsafeBufferPointer<UInt32>, of document: UInt32, _ string: UInt32
    ) {
        let count = bound.take(positions.count, of: document)
        let positions = UnsafeBufferPointer(rebasing: positions[..<count])
        furtherCount &+= count &* (term.count &- 1)
        for (number, offset) in term {
            if areKept {
                kept.append(positions, of: document, string, term: number)
                // A term may match at hundreds of places.
                if kept.count > most { fold() }
                continue
            }
            for position in positions {
                let hit = Hit(
                    document: document, string: string, position: position, term: number)
                fold(hit, offset: offset)
            }
        }
    }

    /// Takes a hit of a term that was noted before, and where it matches in its term.
    mutating func append(_ hit: Hit, offset: UInt16 = 0) {
        guard areKept else { return fold(hit, offset: offset) }
        if offset > 0 { note(offset, of: hit.term) }
        kept.append(hit)
    }

    /// Leaves out what is not wanted, too.
    mutating func hold(_ matched: borrowing MatchedTerms) throws {
        if areKept, kept.count > most { fold() }
        if areKept, kept.count > room { try shorten(matched) }
        // Who ends is the one that finds the hits.
        _ = clock.isOver(afterWork: furtherCount / 16)
        furtherCount = 0
        try share.set(
            to: kept.byteCountAhead + summaries.byteCount + offsets.capacity * 2)
    }

    mutating func end(_ terms: inout TermHits) {}

    /// Leaves out what is not wanted; twice as many as are left come before the next time.
    private mutating func shorten(_ matched: borrowing MatchedTerms) throws {
        try sort(matched)
        // One more says that there are more.
        var shortened: Set<UInt32> = []
        kept.keepFirst(mostOfDocument + 1, &shortened)
        room = max(1 << 16, 2 * kept.count)
    }

    private mutating func fold() {
        areKept = false
        for place in 0..<kept.count {
            let hit = kept[place]
            fold(hit, offset: Int(hit.term) < offsets.count ? offsets[Int(hit.term)] : 0)
        }
        kept = Buffer<Hit>()
        offsets = []
    }

    private mutating func fold(_ hit: Hit, offset: UInt16) {
        summaries.add(
            document: hit.document, string: hit.string, position: hit.position, offset: offset,
            // Any two hits of a string may then share text.
            textPosition: wordsOverlap ? 0 : hit.position)
    }

    /// Puts kept hits into the order of documents, and of text in each; none are left where the
    /// time is over.
    mutating func sort(_ matched: borrowing MatchedTerms) throws {
        let work = MatchWork(clock: clock)
        let areSorted = try matched.terms.withElements { terms in
            try kept.withMutableElements { all in
                try work.sort(all) { a, b in
                    if a.document != b.document { return a.document < b.document }
                    if a.string != b.string { return a.string < b.string }
                    if a.position != b.position { return a.position < b.position }
                    return terms[Int(a.term)].offset < terms[Int(b.term)].offset
                }
            }
        }
        if !areSorted { kept.removeAll() }
    }

    /// Calls `body` with each document, where its matches are, and whether several may be of one
    /// piece of text; documents ascend.
    ///
    /// Kept hits must be sorted.
    borrowing func forEachDocument(
        _ matched: borrowing MatchedTerms,
        _ body: (_ document: UInt32, _ place: MatchPlace, _ mayShareText: Bool) throws -> Void
    ) rethrows {
        guard areKept else {
            return try summaries.forEach { document, summary in
                try body(document, MatchPlace(summary), summary.mayShareText)
            }
        }
        var start = 0
        while start < kept.count {
            let range = start..<end(from: start)
            try body(
                kept[start].document, MatchPlace(kept[start], count: range.count, matched),
                mayShareText(range))
            start = range.upperBound
        }
    }

    /// Behind the last hit of the document of the hit at `start`.
    private borrowing func end(from start: Int) -> Int {
        var end = start + 1
        while end < kept.count, kept[end].document == kept[start].document { end += 1 }
        return end
    }

    private borrowing func mayShareText(_ range: Range<Int>) -> Bool {
        for place in range.dropFirst() {
            let (a, b) = (kept[place - 1], kept[place])
            if a.string == b.string, wordsOverlap || a.position == b.position { return true }
        }
        return false
    }

    /// The kept hits of a document, once they are sorted.
    ///
    /// Complexity: logarithmic in their number.
    borrowing func places(of document: UInt32) -> Range<Int> {
        let start = (0..<kept.count).firstPlace { kept[$0].document >= document }
        guard start < kept.count, kept[start].document == document else { return start..<start }
        return start..<end(from: start)
    }
}

/// What the order of results needs to know of the matches in each document.
struct DocumentSummaries: ~Copyable {
    /// The matches in one document, folded.
    struct Summary: BitwiseCopyable {
        /// The first of them, in the order of text.
        var string: UInt32 = .max
        var position: UInt32 = .max
        var offset: UInt16 = .max
        /// Whether two may be of one piece of text; sometimes true where none are.
        var mayShareText = false
        var count: UInt32 = 0
        /// Where matches were met, as bits of hashes.
        var met: UInt64 = 0
    }

    /// Of documents.
    private static let pageSize = 256
    /// Where the page of 256 documents begins among the summaries, -1 for none.
    private var pages: [Int32] = []
    private var summaries = Buffer<Summary>()

    /// The bytes of memory held.
    var byteCount: Int { pages.capacity * 4 + summaries.byteCount }

    /// Adds a match. Those with the same `textPosition` in a string may be of one piece of text.
    mutating func add(
        document: UInt32, string: UInt32, position: UInt32, offset: UInt16, textPosition: UInt32
    ) {
        let place = place(of: document)
        var summary = summaries[place]
        if (string, position, offset) < (summary.string, summary.position, summary.offset) {
            (summary.string, summary.position, summary.offset) = (string, position, offset)
        }
        summary.count &+= 1
        // Fibonacci hashing: the highest bits are the mixed ones.
        let mixed = (UInt64(string) << 32 | UInt64(textPosition)) &* 0x9e37_79b9_7f4a_7c15
        let bit: UInt64 = 1 << (mixed >> 58)
        if summary.met & bit != 0 { summary.mayShareText = true }
        summary.met |= bit
        summaries[place] = summary
    }

    private mutating func place(of document: UInt32) -> Int {
        let page = Int(document) / Self.pageSize
        if page >= pages.count {
            pages += [Int32](repeating: -1, count: page + 1 - pages.count)
        }
        if pages[page] < 0 {
            pages[page] = Int32(clamping: summaries.count / Self.pageSize)
            for _ in 0..<Self.pageSize { summaries.append(Summary()) }
        }
        return Int(pages[page]) * Self.pageSize + Int(document) % Self.pageSize
    }

    /// Calls `body` with each document that has a match, ascending.
    borrowing func forEach(
        _ body: (_ document: UInt32, _ summary: Summary) throws -> Void
    ) rethrows {
        for page in pages.indices where pages[page] >= 0 {
            for offset in 0..<Self.pageSize {
                let summary = summaries[Int(pages[page]) * Self.pageSize + offset]
                if summary.count > 0 {
                    try body(UInt32(page * Self.pageSize + offset), summary)
                }
            }
        }
    }
}

extension MatchPlace {
    init(_ summary: DocumentSummaries.Summary) {
        self.init()
        (string, position, offset) = (summary.string, summary.position, summary.offset)
        count = Int(summary.count)
    }
}
