/// Finds where the words of a keyword stand, in one snapshot.
struct KeywordMatcher: ~Copyable {
    private let snapshot: Snapshot
    private let store: IndexStore
    private var rule = TokenRule(minimalLength: 1)
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader
    /// The number of the unit that is looked for.
    private var unitNumber: UInt32 = 0
    /// When it has to end: what is found by then is right, for parts of what a word finds are parts
    /// of what all words find.
    private let clock: SearchClock
    /// Counts the memory of `matched`, and that of sets of documents.
    private let share: MemoryShare
    private let sets: MemoryShare

    init(snapshot: Snapshot, store: IndexStore, clock: SearchClock) {
        self.snapshot = snapshot
        self.store = store
        self.clock = clock
        share = MemoryShare(clock)
        sets = MemoryShare(clock)
        reader = TermPostingsReader()
    }

    /// Collects the hits of the living documents in which every part matches, or of `documents`, of
    /// which that is known.
    mutating func collect(
        _ query: KeywordQuery, among documents: DocumentSet? = nil, into hits: inout KeywordHits
    ) throws {
        rule = query.rule
        if query.parts.count == 1, query.parts[0].count == 1, query.parts[0][0].units.count == 1 {
            let only = query.parts[0][0]
            try collect(only.units[0], only.strings, documents, into: &hits)
        } else if !query.parts.isEmpty {
            // What does not match every part is ruled out before any position is read.
            let wanted = try documents ?? self.documents(of: query)
            for part in query.parts {
                for alternative in part {
                    var documents = wanted
                    if alternative.units.count > 1 || part.count > 1 {
                        documents.formIntersection(try self.documents(matching: alternative))
                    }
                    for unit in alternative.units {
                        try collect(unit, alternative.strings, documents, into: &hits)
                    }
                }
            }
        }
        try hits.sort(matched)
    }

    /// The living documents in which every part matches.
    mutating func documents(of query: KeywordQuery) throws -> DocumentSet {
        rule = query.rule
        var documents: DocumentSet?
        for part in query.parts {
            var found = DocumentSet()
            for alternative in part {
                found.formUnion(try self.documents(matching: alternative))
                // With those of the unit at hand.
                try sets.grow(to: 4 * found.byteCount)
            }
            if let documents { found.formIntersection(documents) }
            documents = found
        }
        return documents ?? DocumentSet()
    }

    private mutating func documents(
        matching alternative: KeywordQuery.Alternative
    ) throws -> DocumentSet {
        var documents: DocumentSet?
        for unit in alternative.units {
            var found = try self.documents(matching: unit, alternative.strings)
            if let documents { found.formIntersection(documents) }
            documents = found
        }
        return documents ?? DocumentSet()
    }

    private mutating func collect(
        _ unit: KeywordQuery.Unit, _ strings: StringSelection, _ wanted: DocumentSet?,
        into hits: inout KeywordHits
    ) throws {
        unitNumber += 1
        switch unit {
        case .infix(let bytes):
            try collect(bytes, prefixOnly: false, strings, wanted, into: &hits)
        case .run(let bigrams): try collectRun(bigrams, strings, wanted, into: &hits)
        }
    }

    // MARK: Documents

    private mutating func documents(
        matching unit: KeywordQuery.Unit, _ strings: StringSelection
    ) throws -> DocumentSet {
        var documents = DocumentSet()
        switch unit {
        case .infix(let bytes) where strings == .all:
            try addDocuments(bytes, prefixOnly: false, to: &documents)
        case .run(let bigrams) where strings == .all && bigrams.count == 1:
            try addDocuments(bigrams[0], prefixOnly: true, to: &documents)
        default:
            var hits = KeywordHits(most: 0, wordsOverlap: false, clock)
            try collect(unit, strings, nil, into: &hits)
            hits.forEachDocument(matched) { document, _, _ in documents.insert(document) }
        }
        let dead = snapshot.dead
        if dead.count > 0 { documents.remove { dead.contains($0) } }
        return documents
    }

    private mutating func addDocuments(
        _ needle: [UInt8], prefixOnly: Bool, to documents: inout DocumentSet
    ) throws {
        let rule = rule
        let clock = clock
        let share = MemoryShare(clock)
        // However little there is to do, a time that is over before it has nothing found.
        if clock.check() { return }
        try Self.untilEnd {
            for part in snapshot.memory {
                try part.segment.forEachTerm(holding: needle, rule, prefixOnly: prefixOnly) {
                    term, _, _ in
                    try clock.work(8)
                    try share.grow(to: documents.byteCount)
                    try part.forEachOccurrence(of: term, in: .all, without: Tombstones()) {
                        try clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, _, _ in
                        documents.insert(document)
                    }
                }
            }
        }
        var chunk = PostingsChunk()
        let stored = AscendingEntries(store, .postings)
        try Self.untilEnd {
            for segment in snapshot.flushed {
                let first = segment.manifest.firstDocument
                let entries = PostingsEntries(segment, stored)
                try forEachTerm(of: entries, holding: needle, prefixOnly: prefixOnly) { value in
                    try clock.work(8)
                    try share.grow(to: documents.byteCount)
                    try chunk.forEachBlock(of: value) { block in
                        documents.insert(block, offset: first)
                        return !clock.isOver(afterWork: block.documentCount)
                    }
                }
            }
        }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all.
    private static func untilEnd(_ body: () throws -> Void) throws {
        do { try body() } catch is SearchEnded {}
    }

    /// Calls `body` with the postings of each term of a segment that holds `needle`.
    private func forEachTerm(
        of entries: PostingsEntries, holding needle: [UInt8], prefixOnly: Bool,
        _ body: (_ value: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let terms = try FlushedTermList(
            entries.segment, holding: needle, rule, prefixOnly: prefixOnly, .first, clock: clock)
        try terms.forEachMatch { term, place, _, _ in
            _ = try entries.withPostings(of: term, at: place) { try body($0) }
        }
    }

    // MARK: Hits

    private mutating func collect(
        _ needle: [UInt8], prefixOnly: Bool, _ strings: StringSelection, _ wanted: DocumentSet?,
        into hits: inout KeywordHits
    ) throws {
        let rule = rule
        let clock = clock
        if clock.check() { return }
        for part in snapshot.memory {
            try Self.untilEnd {
                try part.segment.forEachTerm(holding: needle, rule, prefixOnly: prefixOnly) {
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
                        guard wanted?.contains(document) ?? true else { return }
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
        for segment in snapshot.flushed {
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
                        if let wanted, living == nil {
                            let documents = segment.manifest.documents
                            living = wanted.sorted(in: documents, without: snapshot.dead)
                            try sets.grow(to: sets.bytes + documents.count * 4)
                        }
                        try collect(match, Array(term), postings, segment, living, into: &hits)
                    } else {
                        try collect(match, segment, wanted, into: &hits)
                    }
                    try hits.hold(matched)
                }
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
        _ match: Match, _ segment: FlushedSegment, _ wanted: DocumentSet?,
        into hits: inout KeywordHits
    ) throws {
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        try reader.forEachOccurrence(where: { relative in
            !dead.contains(first &+ relative) && wanted?.contains(first &+ relative) ?? true
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
        _ bigrams: [[UInt8]], _ strings: StringSelection, _ wanted: DocumentSet?,
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

extension MemorySegment {
    /// Calls `body` with each term that holds `needle` at a place that `rule` allows, and with the
    /// place.
    ///
    /// Complexity: linear in the bytes of the terms.
    func forEachTerm(
        holding needle: [UInt8], _ rule: TokenRule, prefixOnly: Bool,
        _ body: (_ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) throws -> Void
    ) rethrows {
        try needle.withUnsafeBufferPointer { needle in
            try termBytes.withElements { all in
                try InfixScan.forEachMatch(of: needle, in: all) { range, offset in
                    let bytes = UnsafeBufferPointer(rebasing: all[range])
                    guard !prefixOnly || offset == 0, rule.allows(offset, in: bytes) else { return }
                    let term = self.term(startingAt: range.lowerBound)
                    try body(term, bytes, offset)
                }
            }
        }
    }

    /// The number of the term whose bytes begin at `start`.
    private func term(startingAt start: Int) -> Int {
        var low = 0
        var high = termStarts.count
        while low < high {
            let middle = (low + high) / 2
            if Int(termStarts[middle]) < start { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
