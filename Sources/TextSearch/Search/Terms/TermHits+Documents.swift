/// Which documents a pattern matches, and what it adds up to in some of them.
extension TermHits {
    /// The living documents that have a word, ascending; nothing is noted in `matched`.
    mutating func documents(of pattern: TermPattern) throws -> [UInt32] {
        try withinLimit(of: pattern) { hits in
            var found: [UInt32] = []
            let share = MemoryShare(hits.clock)
            try hits.forEachDocument(of: pattern) { document in
                found.append(document)
                if found.count & 0xfff == 0 { try share.grow(to: found.capacity * 4) }
            }
            return found
        }
    }

    /// How many they are, in the memory of a bit for each document.
    mutating func documentCount(of pattern: TermPattern) throws -> Int {
        try withinLimit(of: pattern) { hits in
            var count = 0
            try hits.forEachDocument(of: pattern) { _ in count += 1 }
            return count
        }
    }

    @inline(__always)
    private mutating func forEachDocument(
        of pattern: TermPattern, _ body: (UInt32) throws -> Void
    ) throws {
        try forEachFlushed(pattern, body)
        let isOpen = pattern.isOpen
        for part in snapshot.memory where try !isCut() {
            var bits = DocumentBits(count: part.segment.documentCount)
            let first = part.firstDocument
            try Self.cut(needsAll) {
                try terms.forEach(of: pattern, in: part.segment) { term, bytes, _, only in
                    if isOpen, !expansions.admits(bytes) { return }
                    try checkTime()
                    try part.forEachOccurrence(of: term, in: .all, without: snapshot.dead) {
                        try clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, _, _ in
                        guard only?[...].holds(document &- first) ?? true else { return }
                        _ = bits.insert(document &- first)
                    }
                }
            }
            if expansions.isExceeded { throw TooManyTerms() }
            try bits.forEach { try body(first &+ $0) }
        }
    }

    @inline(__always)
    private mutating func forEachFlushed(
        _ pattern: TermPattern, _ body: (UInt32) throws -> Void
    ) throws {
        let segments = snapshot.flushed
        let sets = segments.map { DocumentBitSet(count: $0.manifest.documentCount) }
        if case .prefix(let prefix) = pattern, expansions.ceiling == nil {
            try add(prefix, to: sets, of: segments)
        } else {
            try Self.forEachTerm(&self, of: pattern, in: segments) {
                hits, _, _, place, postings in
                guard try sets[place].take(postings, &hits.reader) else {
                    throw Self.missing(segments[place])
                }
            }
        }
        let share = MemoryShare(clock)
        for (place, hasDead) in snapshot.segmentsWithDead().enumerated() {
            try share.grow(to: segments[place].manifest.documentCount / 8)
            // What was found is put together in far less time than it was found.
            if try isCut(afterWork: segments[place].manifest.documentCount / 64) { break }
            let first = segments[place].manifest.firstDocument
            let dead = snapshot.dead
            try sets[place].bits.forEach { document in
                let number = first &+ document
                if hasDead, dead.contains(number) { return }
                try body(number)
            }
        }
    }

    // MARK: Terms that are looked for once

    /// The living documents that have a word in some strings, of all segments; and the terms of
    /// flushed ones that the pattern stands for, where there are no more than it may stand for.
    ///
    /// `none` is an empty set for the documents of the snapshot.
    mutating func found(
        of pattern: TermPattern, in strings: StringSelection, _ none: SnapshotDocuments
    ) throws -> (documents: SnapshotDocuments, terms: ExpandedTerms?) {
        var (documents, terms) = try withinLimit(of: pattern) { hits in
            var documents = none
            var terms: ExpandedTerms?
            try Self.cut(hits.needsAll) {
                terms = try hits.insertFlushed(pattern, strings, into: &documents)
                try hits.insertMemory(pattern, strings, into: &documents)
            }
            return (documents, terms)
        }
        documents.subtract(snapshot.dead)
        return (documents, expansions.ceiling == nil ? terms : nil)
    }

    private mutating func insertFlushed(
        _ pattern: TermPattern, _ strings: StringSelection,
        into documents: inout SnapshotDocuments
    ) throws -> ExpandedTerms {
        let segments = snapshot.flushed
        let terms = try expanded(pattern, in: segments)
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
        of pattern: TermPattern, _ found: ExpandedTerms, in strings: StringSelection,
        among documents: [UInt32]?
    ) throws -> Sums {
        begin(pattern)
        let segments = snapshot.flushed
        let flushed = try zip(segments, snapshot.segmentsWithDead()).map { segment, hasDead in
            SegmentSums(
                try segment.lengths(), strings, firstDocument: segment.manifest.firstDocument,
                dead: hasDead ? snapshot.dead : nil, segment.spareSlots, segment.slotWeights,
                clock: clock)
        }
        let wanted = segments.map { documents?.part(in: $0.manifest.documents) }
        try Self.cut(needsAll) {
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
        var sums = Sums(flushed: flushed)
        try count(pattern, strings, into: &sums.memory)
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
