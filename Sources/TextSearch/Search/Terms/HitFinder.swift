/// Finds where the words that match a pattern occur in living documents.
struct HitFinder {
    let pattern: TermPattern
    let strings: StringSelection
    /// Only these are looked at, ascending; nil for all.
    let documents: [UInt32]?
    private let needs: MatchNeeds

    init(
        _ pattern: TermPattern, in strings: StringSelection, of documents: [UInt32]? = nil,
        _ needs: MatchNeeds
    ) {
        self.pattern = pattern
        self.strings = strings
        self.documents = documents
        self.needs = needs
    }

    /// The hits, by document, then in text order.
    func hits(_ terms: inout TermHits) throws -> Buffer<Hit> {
        try terms.withinLimit(of: pattern, needs) { terms in
            var found = HitList(terms, of: documents?.count, needs)
            try find(into: &found, &terms)
            return try found.sorted(&terms)
        }
    }

    /// Gives the hits to a collector, those of one term after those of another.
    func find<Hits: HitCollector & ~Copyable>(
        into found: inout Hits, _ terms: inout TermHits
    ) throws {
        var parts = terms.snapshot.flushed.compactMap {
            SegmentPart($0, of: documents, terms.snapshot)
        }
        if pattern.isOpen {
            try TermHits.forEachTerm(&terms, of: pattern, in: parts.map(\.segment), needs) {
                terms, term, match, place, postings in
                try find(term, match, postings, in: &parts[place], into: &found, &terms)
            }
        } else {
            for place in parts.indices {
                try findNamed(in: &parts[place], into: &found, &terms)
            }
        }
        for part in terms.snapshot.memory {
            let some = documents?.part(in: part.documents)
            if let some, some.isEmpty { continue }
            if try terms.isCut(needs) { break }
            try find(in: part, some, into: &found, &terms)
            if terms.expansions.isExceeded { throw TooManyTerms() }
        }
    }

    // MARK: Flushed segments

    /// The documents of a flushed segment that are looked at.
    private struct SegmentPart {
        let segment: FlushedSegment
        /// Nil for all.
        let documents: ArraySlice<UInt32>?
        /// The tombstones, if some are of this segment.
        let dead: Tombstones?
        private var known: ArraySlice<UInt32>?

        /// Nil where none are in the segment.
        init?(_ segment: FlushedSegment, of documents: [UInt32]?, _ snapshot: Snapshot) {
            self.documents = documents?.part(in: segment.manifest.documents)
            if let some = self.documents, some.isEmpty { return nil }
            self.segment = segment
            dead = snapshot.hasDead(in: segment) ? snapshot.dead : nil
        }

        var first: UInt32 { segment.manifest.firstDocument }

        /// The living ones of some.
        mutating func living(of documents: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
            guard let dead else { return documents }
            let living = known ?? documents.filter { !dead.contains($0) }[...]
            known = living
            return living
        }
    }

    /// Those of the terms that the pattern names itself.
    private func findNamed<Hits: HitCollector & ~Copyable>(
        in part: inout SegmentPart, into found: inout Hits, _ terms: inout TermHits
    ) throws {
        let source = terms.terms
        try TermHits.cut(needs) {
            try source.forEach(of: pattern, in: part.segment) { term, match, _, only in
                try terms.checkTime()
                let bytes = Array(term)
                guard let postings = try part.segment.postings(of: bytes) else { return }
                try find(
                    bytes, match, postings, among: only, in: &part, into: &found, &terms)
            }
        }
    }

    /// Those of a term of which the postings are lent.
    private func find<Hits: HitCollector & ~Copyable>(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ postings: UnsafeRawBufferPointer, in part: inout SegmentPart,
        into found: inout Hits, _ terms: inout TermHits
    ) throws {
        let (documents, dead, first) = (part.documents, part.dead, part.first)
        guard try terms.reader.readIfSmall(postings) else {
            if let documents {
                try terms.reader.readDocuments(postings)
                _ = terms.clock.isOver(afterWork: terms.reader.chunk.documentCount / 16)
                guard terms.reader.chunk.holds(documents, from: first) else { return }
            }
            let stored = try IndexStore.translating(.postings) { try StoredPostings(postings) }
            return try find(
                Array(term), match, stored, among: nil, in: &part, into: &found, &terms)
        }
        if let documents, !Self.holds(terms.reader.chunk, documents, from: first) { return }
        found.begin(term, match, of: pattern, &terms)
        try terms.reader.forEachOccurrence(where: { relative in
            if let dead, dead.contains(first &+ relative) { return false }
            return documents?.holds(first &+ relative) ?? true
        }) { relative, string, position in
            guard strings.contains(string) else { return }
            withUnsafePointer(to: position) {
                found.append(
                    UnsafeBufferPointer(start: $0, count: 1), of: first &+ relative, string)
            }
        }
        try found.hold(terms.matched)
        try found.end(&terms)
    }

    /// Whether a chunk has one of some documents; the fewer ones are looked for among the others.
    private static func holds(
        _ chunk: borrowing PostingsChunk, _ documents: ArraySlice<UInt32>, from first: UInt32
    ) -> Bool {
        if documents.count <= chunk.documentCount { return chunk.holds(documents, from: first) }
        return chunk.documents.withElements { own in
            own.contains { documents.holds(first &+ $0) }
        }
    }

    /// Those of a term that is read block by block; `only` are the documents that alone count,
    /// relative to the segment.
    private func find<Hits: HitCollector & ~Copyable>(
        _ term: [UInt8], _ match: Range<Int>, _ postings: StoredPostings, among only: [UInt32]?,
        in part: inout SegmentPart, into found: inout Hits, _ terms: inout TermHits
    ) throws {
        let share = try MemoryShare(terms.clock, postings.byteCount)
        defer { withExtendedLifetime(share) {} }
        term.withUnsafeBufferPointer { found.begin($0, match, of: pattern, &terms) }
        let first = part.first
        var cursor = terms.takeCursor()
        if let some = part.documents {
            var living = part.living(of: some)
            if let only { living = living.filter { only[...].holds($0 - first) }[...] }
            try cursor.forEachRun(of: term, postings, part.segment, in: living, terms.clock) {
                document, string, positions in
                guard strings.contains(string) else { return }
                found.append(positions, of: first &+ document, string)
            } endBlock: {
                try found.hold(terms.matched)
            }
            try terms.checkTime()
        } else {
            try cursor.forEachRun(
                of: term, postings, part.segment, without: part.dead, terms.clock
            ) { document, string, positions in
                guard strings.contains(string), only?[...].holds(document) ?? true else { return }
                found.append(positions, of: first &+ document, string)
            } endBlock: {
                try found.hold(terms.matched)
            }
        }
        terms.keep(cursor)
        try found.end(&terms)
    }

    // MARK: Memory

    private func find<Hits: HitCollector & ~Copyable>(
        in part: PlacedSegment, _ some: ArraySlice<UInt32>?, into found: inout Hits,
        _ terms: inout TermHits
    ) throws {
        let (source, dead) = (terms.terms, terms.snapshot.dead)
        let (first, isOpen) = (part.firstDocument, pattern.isOpen)
        try TermHits.cut(needs) {
            try source.forEach(of: pattern, in: part.segment) { term, bytes, match, only in
                if isOpen, !terms.expansions.admits(bytes) { return }
                try terms.checkTime()
                found.begin(bytes, match, of: pattern, &terms)
                try part.forEachOccurrence(of: term, in: strings, without: dead) {
                    try found.hold(terms.matched)
                    try terms.clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, string, occurrence in
                    guard some?.holds(document) ?? true,
                        only?[...].holds(document - first) ?? true
                    else { return }
                    withUnsafePointer(to: occurrence.position) {
                        found.append(
                            UnsafeBufferPointer(start: $0, count: 1), of: document, string)
                    }
                }
                try found.hold(terms.matched)
                try found.end(&terms)
            }
        }
    }
}
