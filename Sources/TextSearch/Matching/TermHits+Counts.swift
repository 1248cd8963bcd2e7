extension TermHits {
    /// How often the words stand in each string of living documents, by document, then by string.
    mutating func counts(
        of pattern: TermPattern, in strings: StringSelection
    ) throws -> Buffer<WordCount> {
        begin(pattern)
        do {
            return try limitedCounts(of: pattern, in: strings)
        } catch is TooManyTerms {
            try limit(pattern)
            return try limitedCounts(of: pattern, in: strings)
        }
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
        } else if let typed, case .prefix(let prefix) = pattern, expansions.ceiling == nil {
            try countTyped(prefix, strings, typed, into: &counts)
        } else {
            try countExpanded(pattern, strings, into: &counts)
        }
        for part in snapshot.memory where try !isCut() {
            count(pattern, part, strings, into: &counts)
            if expansions.isExceeded { throw TooManyTerms() }
        }
        return counts
    }

    /// How often a term stands in the strings of a memory segment.
    mutating func counts(of term: [UInt8], in part: SegmentWriter.Part) -> [WordCount] {
        var counts = Buffer<WordCount>()
        count(.exact(term), part, StringSelection(nil), into: &counts)
        return counts.withElements { Array($0) }
    }

    /// Notes that a term was met elsewhere.
    mutating func note(_ term: [UInt8], documentCount: Int) {
        begin(.exact(term))
        let number = term.withUnsafeBufferPointer {
            matched.append($0, offset: 0, matched: $0.count, part: patternNumber)
        }
        matched.setDocumentCount(UInt32(clamping: documentCount), of: number)
    }

    /// How often a term stands in a flushed segment.
    private mutating func count(
        _ term: [UInt8], _ segment: FlushedSegment, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) throws {
        guard let postings = try segment.postings(of: term) else { return }
        try postings.bytes.withBytes { try reader.readCounts($0) }
        let first = segment.manifest.firstDocument
        term.withUnsafeBufferPointer { term in
            count(term, 0..<term.count, segment, strings) { document, run in
                counts.append(
                    WordCount(
                        document: first &+ document, string: run.string, count: run.frequency))
            }
        }
    }

    /// The counts of the terms that a pattern stands for add up.
    private mutating func countExpanded(
        _ pattern: TermPattern, _ strings: StringSelection, into counts: inout Buffer<WordCount>
    ) throws {
        let segments = snapshot.flushed
        let lengths = try segments.map { try $0.lengths() }
        let sums = lengths.map { SlotSums(slotCount: $0.stringCount) }
        try Self.forEachTerm(&self, of: pattern, in: segments) { hits, term, match, place in
            let isSound = hits.add(
                term, match, segments[place], strings, lengths[place], &sums[place].counter)
            if !isSound { throw Self.missing(segments[place]) }
        }
        for (place, segment) in segments.enumerated() {
            Self.drain(sums[place], lengths[place], segment.manifest.firstDocument, into: &counts)
        }
    }

    /// Adds the counts of a term that the reader has read; false where a string is none of the segment's.
    private mutating func add(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ lengths: LengthColumn, _ sums: inout SlotCounter
    ) -> Bool {
        var isSound = true
        count(term, match, segment, strings) { document, run in
            if let slot = lengths.slot(of: Int(document), string: Int(run.string)) {
                sums.add(UInt32(truncatingIfNeeded: slot), run.frequency)
            } else {
                isSound = false
            }
        }
        return isSound
    }

    private static func drain(
        _ sums: SlotSums, _ lengths: LengthColumn, _ first: UInt32,
        into counts: inout Buffer<WordCount>
    ) {
        var document = 0
        sums.counter.drain { slot, count in
            while lengths.start(of: document + 1) <= Int(slot) { document += 1 }
            counts.append(
                WordCount(
                    document: first + UInt32(document),
                    string: slot - UInt32(lengths.start(of: document)), count: count))
        }
    }

    /// Calls `body` with the occurrences in living documents that the reader has read of a term.
    private mutating func count(
        _ term: UnsafeBufferPointer<UInt8>, _ match: Range<Int>, _ segment: FlushedSegment,
        _ strings: StringSelection, _ body: (_ document: UInt32, _ run: PostingsRun) -> Void
    ) {
        let number = matched.append(
            term, offset: match.lowerBound, matched: match.count, part: patternNumber)
        let first = segment.manifest.firstDocument
        let dead = snapshot.dead
        let hasDead = snapshot.hasDead(in: segment)
        var documents: UInt32 = 0
        for index in 0..<reader.chunk.documentCount {
            let document = reader.chunk.documents[index]
            if hasDead, dead.contains(first &+ document) { continue }
            var isIn = false
            for run in reader.chunk.runRange(at: index) {
                let run = reader.chunk.runs[run]
                guard strings.contains(run.string) else { continue }
                isIn = true
                body(document, run)
            }
            if isIn { documents += 1 }
        }
        matched.setDocumentCount(documents, of: number)
    }

    private mutating func count(
        _ pattern: TermPattern, _ part: SegmentWriter.Part, _ strings: StringSelection,
        into counts: inout Buffer<WordCount>
    ) {
        let segment = part.segment
        let dead = snapshot.dead
        var sums = SlotCounter(slotCount: segment.strings.count)
        let isOpen = pattern.isOpen
        terms.forEach(of: pattern, in: segment) { term, bytes, match in
            if isOpen, !expansions.admits(bytes) { return }
            let number = matched.append(
                bytes, offset: match.lowerBound, matched: match.count, part: patternNumber)
            var documents = DocumentCounter()
            part.forEachOccurrence(of: term, in: strings, without: dead) {
                document, _, occurrence in
                documents.count(document)
                sums.add(occurrence.string, 1)
            }
            matched.setDocumentCount(documents.count, of: number)
        }
        sums.drain { slot, count in
            counts.append(
                WordCount(
                    document: part.firstDocument + segment.strings.document[Int(slot)],
                    string: segment.strings.index[Int(slot)], count: count))
        }
    }
}
