/// Finds where the words of a keyword stand, in one snapshot.
struct KeywordMatcher: ~Copyable {
    private let snapshot: Snapshot
    private let store: IndexStore
    private var rule = TokenRule(minimalLength: 1)
    private(set) var matched = MatchedTerms()
    private var reader: TermPostingsReader
    /// The number of the unit that is looked for.
    private var unitNumber: UInt32 = 0
    /// When it has to end: what is found by then is right, for parts of what a word finds are parts of what all words find.
    private let clock: SearchClock

    init(snapshot: Snapshot, store: IndexStore, clock: SearchClock) {
        self.snapshot = snapshot
        self.store = store
        self.clock = clock
        reader = TermPostingsReader()
    }

    /// Collects the hits of the living documents in which every part matches, or of `documents`, of which that is known.
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
        hits.sort(matched)
    }

    /// The living documents in which every part matches.
    mutating func documents(of query: KeywordQuery) throws -> DocumentSet {
        rule = query.rule
        var documents: DocumentSet?
        for part in query.parts {
            var found = DocumentSet()
            for alternative in part {
                found.formUnion(try self.documents(matching: alternative))
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
            var hits = KeywordHits(most: 0, wordsOverlap: false)
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
        for part in snapshot.memory {
            part.segment.forEachTerm(holding: needle, rule, prefixOnly: prefixOnly) { term, _, _ in
                if clock.check() { return }
                part.segment.withOccurrences(of: term) { occurrences in
                    for occurrence in occurrences {
                        let (document, _) = part.segment.place(ofString: occurrence.string)
                        documents.insert(part.firstDocument + document)
                    }
                }
            }
        }
        var chunk = PostingsChunk()
        let stored = AscendingEntries(store, .postings)
        try Self.untilEnd {
            for segment in snapshot.flushed {
                let first = segment.manifest.firstDocument
                if !prefixOnly, try addListed(needle, of: segment, to: &documents) { continue }
                let entries = PostingsEntries(segment, stored)
                try forEachTerm(of: entries, holding: needle, prefixOnly: prefixOnly) { value in
                    try clock.work(8 + chunk.documentCount)
                    try chunk.decode(value)
                    documents.insert(chunk, offset: first)
                }
            }
        }
    }

    /// Runs `body`, which ends by throwing when the time is over; then what it did is all.
    private static func untilEnd(_ body: () throws -> Void) throws {
        do { try body() } catch is SearchEnded {}
    }

    /// Adds the documents of a segment that says which of its own hold `needle`, as it does for stop words; false for others.
    private func addListed(
        _ needle: [UInt8], of segment: FlushedSegment, to documents: inout DocumentSet
    ) throws -> Bool {
        let list = try segment.championList(
            of: .token(needle, rule), snapshot.analyzer.stopWordInfixes)
        guard let list else { return false }
        let first = segment.manifest.firstDocument
        return try list.documents.forEach(of: segment.manifest.documentCount) {
            documents.insert(first &+ $0)
        }
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
        let dead = snapshot.dead
        for part in snapshot.memory {
            let first = part.firstDocument
            part.segment.forEachTerm(holding: needle, rule, prefixOnly: prefixOnly) {
                term, bytes, offset in
                if clock.check() { return }
                let number = matched.append(
                    bytes, offset: offset, matched: needle.count, part: unitNumber,
                    when: hits.areKept)
                part.segment.withOccurrences(of: term) { occurrences in
                    for occurrence in occurrences {
                        let (relative, index) = part.segment.place(ofString: occurrence.string)
                        let document = first + relative
                        guard !dead.contains(document), wanted?.contains(document) ?? true,
                            strings.contains(index)
                        else { continue }
                        hits.append(
                            Hit(
                                document: document, string: index,
                                position: occurrence.position, term: number),
                            offset: offset, matched)
                    }
                }
            }
        }
        for segment in snapshot.flushed {
            let first = segment.manifest.firstDocument
            try Self.untilEnd {
                let terms = try FlushedTermList(
                    segment, holding: needle, rule, prefixOnly: prefixOnly, clock: clock)
                try terms.forEachMatch { term, place, offset, isNewTerm in
                    try clock.work(8 + reader.chunk.documentCount)
                    let number = matched.append(
                        term, offset: offset, matched: needle.count, part: unitNumber,
                        when: hits.areKept)
                    if isNewTerm { try reader.read(term, segment, at: place) }
                    try reader.forEachOccurrence(where: { relative in
                        !dead.contains(first &+ relative)
                            && wanted?.contains(first &+ relative) ?? true
                    }) { relative, string, position in
                        guard strings.contains(string) else { return }
                        hits.append(
                            Hit(
                                document: first &+ relative, string: string, position: position,
                                term: number), offset: offset, matched)
                    }
                }
            }
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
        for (index, bigram) in bigrams.enumerated() {
            var found = KeywordHits(most: .max, wordsOverlap: false)
            try collect(bigram, prefixOnly: true, strings, wanted, into: &found)
            var next: [Place: Hit] = [:]
            for place in 0..<found.kept.count {
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
        for hit in starts.values {
            hits.append(hit, offset: Int(matched.terms[Int(hit.term)].offset), matched)
        }
    }

    private struct Place: Hashable {
        var document: UInt32
        var string: UInt32
        var position: UInt32
    }
}

extension MemorySegment {
    /// Calls `body` with each term that holds `needle` at a place that `rule` allows, and with the place.
    ///
    /// Complexity: linear in the bytes of the terms.
    func forEachTerm(
        holding needle: [UInt8], _ rule: TokenRule, prefixOnly: Bool,
        _ body: (_ term: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Void
    ) {
        needle.withUnsafeBufferPointer { needle in
            termBytes.withElements { all in
                InfixScan.forEachMatch(of: needle, in: all) { range, offset in
                    let bytes = UnsafeBufferPointer(rebasing: all[range])
                    guard !prefixOnly || offset == 0, rule.allows(offset, in: bytes) else { return }
                    let term = self.term(startingAt: range.lowerBound)
                    body(term, bytes, offset)
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
