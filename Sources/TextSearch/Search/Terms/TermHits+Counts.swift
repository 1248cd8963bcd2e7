extension TermHits {
    /// How often the words stand in each string of living documents, by document, then by string.
    mutating func counts(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<WordCount> {
        try withinLimit(of: pattern) { try $0.limitedCounts(of: pattern, in: strings) }
    }

    private mutating func limitedCounts(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<WordCount> {
        var counts = Buffer<WordCount>()
        if case .exact(let bytes) = pattern {
            for segment in snapshot.flushed {
                try Self.cut(needsAll) {
                    try checkTime()
                    try count(bytes, segment, strings, into: &counts)
                }
            }
        } else if let typed, case .prefix(let prefix) = pattern, expansions.ceiling == nil,
            !needsFrequencies
        {
            try countTyped(prefix, strings, typed, into: &counts)
        } else {
            let sums = try sums(ofFlushed: pattern, strings)
            let share = MemoryShare(clock)
            for sums in sums {
                try share.grow(to: counts.byteCount + sums.touchedCount * (8 + 12))
                sums.append(to: &counts)
                if try isCut(afterWork: sums.touchedCount / 8) { break }
            }
        }
        try count(pattern, strings, into: &counts)
        return counts
    }

    /// How often words stand in the strings of documents: in those of each flushed segment, and in
    /// those in memory.
    struct Sums: ~Copyable {
        var flushed: [SegmentSums]
        var memory = Buffer<WordCount>()
    }

    /// What ``counts(of:in:)`` gives for a pattern that may stand for several terms, added up but
    /// not yet drawn out.
    mutating func sums(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Sums {
        try withinLimit(of: pattern) { hits in
            var sums = Sums(flushed: try hits.sums(ofFlushed: pattern, strings))
            try hits.count(pattern, strings, into: &sums.memory)
            return sums
        }
    }

    /// How often the words stand in memory segments.
    mutating func count(
        _ pattern: TermPattern, _ strings: StringSelection, into counts: inout Buffer<WordCount>
    ) throws {
        for part in snapshot.memory where try !isCut() {
            try count(pattern, part, strings, into: &counts)
            if expansions.isExceeded { throw TooManyTerms() }
        }
    }

    /// How often a term stands in the strings of a memory segment.
    mutating func counts(of term: [UInt8], in part: PlacedSegment) throws -> [WordCount] {
        var counts = Buffer<WordCount>()
        try count(.exact(term), part, StringSelection(nil), into: &counts)
        return counts.withElements { Array($0) }
    }

    /// Notes that a term was met elsewhere.
    mutating func note(_ term: [UInt8], documentCount: Int) {
        begin(.exact(term))
        term.withUnsafeBufferPointer {
            note($0, 0..<$0.count, documentCount: UInt32(clamping: documentCount))
        }
    }

    /// How often a term stands in a flushed segment.
    private mutating func count(
        _ term: [UInt8], _ segment: FlushedSegment, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) throws {
        guard let postings = try segment.postings(of: term) else { return }
        let first = segment.manifest.firstDocument
        let dead = snapshot.hasDead(in: segment) ? snapshot.dead : nil
        let share = MemoryShare(clock)
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
            if try isCut(afterWork: 128) { break }
        }
        term.withUnsafeBufferPointer { note($0, 0..<$0.count, documentCount: documents.count) }
    }

    /// Takes a term that was met in a segment.
    private mutating func note(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, documentCount: UInt32
    ) {
        let number = note(term, match)
        matched.setDocumentCount(documentCount, of: number)
    }

    /// The counts of the terms that a pattern stands for add up. Which they are is noted where
    /// their frequencies are asked for, and where they are few.
    private mutating func sums(
        ofFlushed pattern: TermPattern, _ strings: StringSelection
    ) throws -> [SegmentSums] {
        let segments = snapshot.flushed
        let haveDead = snapshot.segmentsWithDead()
        let sums = try zip(segments, haveDead).map { segment, hasDead in
            SegmentSums(
                try segment.lengths(), strings, firstDocument: segment.manifest.firstDocument,
                dead: hasDead ? snapshot.dead : nil, segment.spareSlots, segment.slotWeights,
                clock: clock)
        }
        let notesTerms = needsFrequencies || !pattern.isOpen
        if !notesTerms, case .prefix(let prefix) = pattern, expansions.ceiling == nil {
            try add(prefix, to: sums, of: segments)
            return sums
        }
        try Self.forEachTerm(&self, of: pattern, in: segments) { hits, term, match, place, found in
            guard let documents = try sums[place].add(found, &hits.reader) else {
                throw Self.missing(segments[place])
            }
            if !notesTerms { return }
            if !haveDead[place] {
                hits.note(term, match, documentCount: documents)
            } else if hits.needsFrequencies {
                try hits.noteLiving(term, match, found, segments[place], strings)
            }
        }
        return sums
    }

    /// Takes a term that was met in a segment with dead documents.
    private mutating func noteLiving(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>,
        _ postings: UnsafeRawBufferPointer, _ segment: FlushedSegment,
        _ strings: StringSelection
    ) throws {
        try reader.readCounts(postings)
        let (first, dead) = (segment.manifest.firstDocument, snapshot.dead)
        var documents = DocumentCounter()
        _ = reader.forEachRun(in: strings) { document, _ in
            if !dead.contains(first &+ document) { documents.count(document) }
        }
        note(term, match, documentCount: documents.count)
    }

    private mutating func count(
        _ pattern: TermPattern, _ part: PlacedSegment, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) throws {
        let segment = part.segment
        let dead = snapshot.dead
        var sums = SlotCounter(slotCount: segment.strings.count)
        let isOpen = pattern.isOpen
        try Self.cut(needsAll) {
            try terms.forEach(of: pattern, in: segment) { term, bytes, match, only in
                if isOpen, !expansions.admits(bytes) { return }
                let number = note(bytes, match)
                var documents = DocumentCounter()
                try part.forEachOccurrence(of: term, in: strings, without: dead) {
                    try clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, _, occurrence in
                    guard only?[...].holds(document &- part.firstDocument) ?? true else { return }
                    documents.count(document)
                    sums.add(occurrence.string, 1)
                }
                matched.setDocumentCount(documents.count, of: number)
                if isOpen { try checkTime() }
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

extension TermPostingsReader {
    /// Calls `body` with what it has read in the strings that are looked in; in how many documents.
    @inline(__always)
    borrowing func forEachRun(
        in strings: StringSelection, _ body: (_ document: UInt32, _ run: PostingsRun) -> Void
    ) -> UInt32 {
        if case .all = strings {
            chunk.forEachRun(body)
            return UInt32(clamping: chunk.documentCount)
        }
        var documents = DocumentCounter()
        chunk.forEachRun { document, run in
            if !strings.contains(run.string) { return }
            documents.count(document)
            body(document, run)
        }
        return documents.count
    }
}
