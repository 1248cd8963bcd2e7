/// Patterns whose terms are looked for once, however often it is asked what they add up to.
extension TermHits {
    /// The living documents that have a word in some strings, of all segments; and the terms of
    /// flushed ones that the pattern stands for, where there are no more than it may stand for.
    ///
    /// `none` is an empty set for the documents of the snapshot.
    mutating func found(
        of pattern: TermPattern, in strings: StringSelection, _ none: SnapshotDocuments,
        _ needs: MatchNeeds
    ) throws -> (documents: SnapshotDocuments, terms: FoundTerms?) {
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        var (documents, terms) = try withinLimit(of: pattern, needs) { hits in
            var documents = none
            var terms: FoundTerms?
            try Self.cut(needs) {
                terms = try hits.insertFlushed(pattern, strings, share, into: &documents)
                try hits.insertMemory(pattern, strings, into: &documents)
            }
            return (documents, terms)
        }
        documents.subtract(snapshot.dead)
        return (documents, expansions.ceiling == nil ? terms : nil)
    }

    private mutating func insertFlushed(
        _ pattern: TermPattern, _ strings: StringSelection, _ share: MemoryShare,
        into documents: inout SnapshotDocuments
    ) throws -> FoundTerms {
        let segments = snapshot.flushed
        let terms = try terms(of: pattern, in: segments, share)
        try Self.forEachTerm(&self, of: terms, in: segments) { hits, _, _, place, postings in
            let segment = segments[place]
            if let (document, run) = try TermPostingsReader.readSingle(postings) {
                guard strings.contains(run.string) else { return }
                return try documents.insert(document, of: segment)
            }
            if case .all = strings {
                try hits.reader.readDocuments(postings)
                try documents.insert(hits.reader.chunk, of: segment)
            } else {
                try documents.insert(postings, strings, &hits.reader, of: segment, hits.clock)
            }
        }
        return terms
    }

    private mutating func insertMemory(
        _ pattern: TermPattern, _ strings: StringSelection,
        into documents: inout SnapshotDocuments
    ) throws {
        let isOpen = pattern.isOpen
        for part in snapshot.memory {
            try terms.forEach(of: pattern, in: part.segment) { term, bytes, _, only in
                if isOpen, !expansions.admits(bytes) { return }
                try checkTime()
                try part.forEachOccurrence(of: term, in: strings, without: snapshot.dead) {
                    try clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, _, _ in
                    guard only?[...].holds(document &- part.firstDocument) ?? true else { return }
                    documents.insert(document)
                }
            }
            if expansions.isExceeded { throw TooManyTerms() }
        }
    }

    /// How often words stand in strings of some documents, which ascend and live, or of all; in
    /// those of memory segments, perhaps in others, too. The terms of flushed segments are those
    /// that were found before.
    mutating func sums(
        of pattern: TermPattern, _ found: FoundTerms, in strings: StringSelection,
        among documents: [UInt32]?, _ needs: MatchNeeds
    ) throws -> CountFinder.Sums {
        begin(pattern)
        let segments = snapshot.flushed
        let finder = CountFinder(pattern, in: strings, needs)
        let flushed = try finder.emptySums(snapshot, clock)
        let wanted = segments.map { documents?.part(in: $0.manifest.documents) }
        try Self.cut(needs) {
            try Self.forEachTerm(&self, of: found, in: segments) { hits, _, _, place, postings in
                let isSound =
                    if let wanted = wanted[place] {
                        try wanted.isEmpty
                            || flushed[place].add(postings, &hits.reader, among: wanted)
                    } else {
                        try flushed[place].add(postings, &hits.reader) != nil
                    }
                if !isSound { throw Self.missing(segments[place]) }
            }
        }
        var sums = CountFinder.Sums(flushed: flushed)
        try finder.countMemory(into: &sums.memory, &self)
        return sums
    }
}

extension SnapshotDocuments {
    /// Inserts a document of a flushed segment, by its number there.
    fileprivate mutating func insert(_ document: UInt32, of segment: FlushedSegment) throws {
        guard document < segment.manifest.documentCount else { throw TermHits.missing(segment) }
        insert(segment.manifest.firstDocument &+ document)
    }

    /// Inserts those that have a term in some strings.
    fileprivate mutating func insert(
        _ postings: UnsafeRawBufferPointer, _ strings: StringSelection,
        _ reader: inout TermPostingsReader, of segment: FlushedSegment, _ clock: SearchClock
    ) throws {
        let first = segment.manifest.firstDocument
        let count = segment.manifest.documentCount
        var isSound = true
        try reader.readRuns(postings) { chunk in
            chunk.forEachRun { document, run in
                guard strings.contains(run.string) else { return }
                if document < count { insert(first &+ document) } else { isSound = false }
            }
            return !clock.isOver(afterWork: 128)
        }
        if !isSound { throw TermHits.missing(segment) }
    }

    /// Inserts all of a chunk.
    fileprivate mutating func insert(
        _ chunk: borrowing PostingsChunk, of segment: FlushedSegment
    ) throws {
        let first = segment.manifest.firstDocument
        try chunk.documents.withElements { documents in
            // They ascend.
            guard documents.last ?? 0 < segment.manifest.documentCount else {
                throw TermHits.missing(segment)
            }
            insert(documents, from: first)
        }
    }
}
