/// Finds how often the words that match a pattern occur in the strings of living documents.
struct CountFinder {
    private let pattern: TermPattern
    private let strings: StringSelection
    private let needs: MatchNeeds

    init(_ pattern: TermPattern, in strings: StringSelection, _ needs: MatchNeeds) {
        self.pattern = pattern
        self.strings = strings
        self.needs = needs
    }

    /// The counts, by document, then by string.
    func counts(_ terms: inout TermHits) throws -> Buffer<WordCount> {
        try terms.withinLimit(of: pattern, needs) { try limitedCounts(&$0) }
    }

    private func limitedCounts(_ terms: inout TermHits) throws -> Buffer<WordCount> {
        var counts = Buffer<WordCount>()
        if case .exact(let bytes) = pattern {
            for segment in terms.snapshot.flushed {
                try TermHits.cut(needs) {
                    try terms.checkTime()
                    try count(bytes, segment, into: &counts, &terms)
                }
            }
        } else if let typed = terms.typed, case .prefix(let prefix) = pattern,
            terms.expansions.ceiling == nil, !needs.frequencies
        {
            try terms.countTyped(prefix, strings, typed, needs, into: &counts)
        } else {
            let sums = try flushedSums(&terms)
            let share = MemoryShare(terms.clock)
            for sums in sums {
                try share.grow(to: counts.byteCount + sums.touchedCount * (8 + 12))
                sums.append(to: &counts)
                if try terms.isCut(needs, afterWork: sums.touchedCount / 8) { break }
            }
        }
        try countMemory(into: &counts, &terms)
        return counts
    }

    // MARK: Sums

    /// How often words occur in the strings of documents: in those of each flushed segment, and in
    /// those in memory.
    struct Sums: ~Copyable {
        var flushed: [SegmentSums]
        var memory = Buffer<WordCount>()
    }

    /// What ``counts(_:)`` gives for a pattern that may stand for several terms, added up but not
    /// yet drawn out.
    func sums(_ terms: inout TermHits) throws -> Sums {
        try terms.withinLimit(of: pattern, needs) { terms in
            var sums = Sums(flushed: try flushedSums(&terms))
            try countMemory(into: &sums.memory, &terms)
            return sums
        }
    }

    /// Sums to which postings of each flushed segment can be added.
    func emptySums(_ snapshot: Snapshot, _ clock: SearchClock) throws -> [SegmentSums] {
        try zip(snapshot.flushed, snapshot.segmentsWithDead()).map { segment, hasDead in
            SegmentSums(
                try segment.lengths(), strings, firstDocument: segment.manifest.firstDocument,
                dead: hasDead ? snapshot.dead : nil, segment.spareSlots, segment.slotWeights,
                clock: clock)
        }
    }

    /// The counts of the terms that the pattern stands for add up. Which they are is noted where
    /// their frequencies are asked for, and where they are few.
    private func flushedSums(_ terms: inout TermHits) throws -> [SegmentSums] {
        let segments = terms.snapshot.flushed
        let haveDead = terms.snapshot.segmentsWithDead()
        let sums = try emptySums(terms.snapshot, terms.clock)
        let notesTerms = needs.frequencies || !pattern.isOpen
        if !notesTerms, case .prefix(let prefix) = pattern, terms.expansions.ceiling == nil {
            try PrefixPostings(prefix).give(to: sums, of: segments, needs, &terms)
            return sums
        }
        try TermHits.forEachTerm(&terms, of: pattern, in: segments, needs) {
            terms, term, match, place, found in
            guard let documents = try sums[place].add(found, &terms.reader) else {
                throw TermHits.missing(segments[place])
            }
            if !notesTerms { return }
            if !haveDead[place] {
                terms.note(term, match, documentCount: documents)
            } else if needs.frequencies {
                try noteLiving(term, match, found, segments[place], &terms)
            }
        }
        return sums
    }

    /// Notes a term that was met in a segment with dead documents.
    private func noteLiving(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ postings: UnsafeRawBufferPointer, _ segment: FlushedSegment, _ terms: inout TermHits
    ) throws {
        try terms.reader.readCounts(postings)
        let (first, dead) = (segment.manifest.firstDocument, terms.snapshot.dead)
        var documents = DocumentCounter()
        terms.reader.chunk.forEachRun { document, run in
            guard strings.contains(run.string), !dead.contains(first &+ document) else { return }
            documents.count(document)
        }
        terms.note(term, match, documentCount: documents.count)
    }

    // MARK: Single terms

    /// How often a term occurs in a flushed segment.
    private func count(
        _ term: [UInt8], _ segment: FlushedSegment, into counts: inout Buffer<WordCount>,
        _ terms: inout TermHits
    ) throws {
        guard let postings = try segment.postings(of: term) else { return }
        let first = segment.manifest.firstDocument
        let dead = terms.snapshot.hasDead(in: segment) ? terms.snapshot.dead : nil
        let share = MemoryShare(terms.clock)
        var documents = DocumentCounter()
        var chunk = PostingsChunk()
        for block in 0..<postings.blockCount {
            try IndexStore.translating(.postings) {
                try chunk.decodeBlock(block, of: postings, with: .runs)
            }
            chunk.forEachRun { document, run in
                if !strings.contains(run.string) { return }
                if let dead, dead.contains(first &+ document) { return }
                documents.count(document)
                counts.append(
                    WordCount(
                        document: first &+ document, string: run.string, count: run.frequency))
            }
            try share.grow(to: counts.byteCount)
            if try terms.isCut(needs, afterWork: 128) { break }
        }
        term.withUnsafeBufferPointer {
            terms.note($0, 0..<$0.count, documentCount: documents.count)
        }
    }

    // MARK: Memory

    /// How often the words occur in memory segments.
    func countMemory(into counts: inout Buffer<WordCount>, _ terms: inout TermHits) throws {
        for part in terms.snapshot.memory where try !terms.isCut(needs) {
            try count(in: part, into: &counts, &terms)
            if terms.expansions.isExceeded { throw TooManyTerms() }
        }
    }

    /// How often they occur in a memory segment.
    func count(
        in part: PlacedSegment, into counts: inout Buffer<WordCount>, _ terms: inout TermHits
    ) throws {
        let segment = part.segment
        let (source, dead) = (terms.terms, terms.snapshot.dead)
        var sums = SlotCounter(slotCount: segment.strings.count)
        let isOpen = pattern.isOpen
        try TermHits.cut(needs) {
            try source.forEach(of: pattern, in: segment) { term, bytes, match, only in
                if isOpen, !terms.expansions.admits(bytes) { return }
                let number = terms.note(bytes, match)
                var documents = DocumentCounter()
                try part.forEachOccurrence(of: term, in: strings, without: dead) {
                    try terms.clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, _, occurrence in
                    guard only?[...].holds(document &- part.firstDocument) ?? true else { return }
                    documents.count(document)
                    sums.add(occurrence.string, 1)
                }
                terms.matched.setDocumentCount(documents.count, of: number)
                if isOpen { try terms.checkTime() }
            }
        }
        let found = sums.sums()
        for number in 0..<found.count {
            let (document, string) = segment.place(ofString: found[number].slot)
            counts.append(
                WordCount(
                    document: part.firstDocument + document, string: string,
                    count: found[number].count))
        }
    }
}
