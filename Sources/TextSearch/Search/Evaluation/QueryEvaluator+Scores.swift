/// The scores of what was found: BM25F, for all or only for those that are wanted.
extension QueryEvaluator {
    /// The documents of groups of words, each of which counts as one.
    mutating func scored(
        _ found: consuming FoundGroups, _ needs: MatchNeeds
    ) throws -> QueryMatches {
        guard try found.sort(work(needs)) else { return QueryMatches() }
        var matches = try found.counts.withElements { try scored($0, needs) }
        if needs.hits.areKept {
            let share = try MemoryShare(clock, found.hits.count * MemoryLayout<Hit>.stride)
            matches.hits = found.hits.withElements { Array($0) }
            withExtendedLifetime(share) {}
        }
        terms.keepFirst(needs.mostHits, of: &matches.hits)
        try matches.hold(by: clock)
        return matches
    }

    private static func unscored(_ counts: UnsafeBufferPointer<WordCount>) -> QueryMatches {
        var documents: [UInt32] = []
        documents.reserveCapacity(counts.count)
        var last: UInt32?
        for count in counts where count.document != last {
            documents.append(count.document)
            last = count.document
        }
        return QueryMatches(unscored: documents)
    }

    /// So many counts are scored before the time is looked at.
    private static let pieceSize = 1_024
    /// The memory that scoring takes for a document.
    private static let scoredSize = 12 + MemoryLayout<NormalizedFrequency>.stride

    /// The documents of sorted counts, scored as those of one word.
    mutating func scored(
        _ counts: UnsafeBufferPointer<WordCount>, _ needs: MatchNeeds
    ) throws -> QueryMatches {
        var matches = QueryMatches()
        if needs.traced != nil { trace.begin() }
        guard !counts.isEmpty else {
            if needs.scores { _ = exchange?.frequency(0) }
            return matches
        }
        let share = try MemoryShare(clock, counts.count * Self.scoredSize)
        defer { withExtendedLifetime(share) {} }
        guard needs.scores else { return Self.unscored(counts) }
        var frequencies = Buffer<NormalizedFrequency>()
        matches.documents.reserveCapacity(counts.count)
        let lengths = try snapshot.lengthStatistics()
        var rest = counts[...]
        while !rest.isEmpty {
            let piece = rest.firstDocuments(of: Self.pieceSize)
            if try work(needs).isOver(after: piece.count) { break }
            addFrequencies(
                UnsafeBufferPointer(rebasing: piece), lengths, needs.traced, to: &matches.documents,
                &frequencies)
            rest = rest[piece.endIndex...]
        }
        matches.scores = scores(of: frequencies)
        if needs.traced != nil { trace.end(documentFrequency: matches.documents.count) }
        return matches
    }

    /// The documents of words, scored as those of one. Where they are not all that have it,
    /// `documentFrequency` says how many have.
    mutating func scored(
        _ sums: consuming CountFinder.Sums, documentFrequency: Int? = nil, _ needs: MatchNeeds
    ) throws -> QueryMatches {
        guard needs.scores else { return try unscored(sums, needs) }
        let lengths = try snapshot.lengthStatistics()
        let norms = norms(averages(lengths))
        var documents = Buffer<UInt32>()
        var frequencies = Buffer<NormalizedFrequency>()
        let share = MemoryShare(clock)
        for sums in sums.flushed {
            try share.grow(to: share.bytes + sums.touchedCount * (8 + Self.scoredSize))
            try sums.append(norms, work(needs), to: &documents, &frequencies)
        }
        var matches = QueryMatches()
        matches.documents = documents.withElements { Array($0) }
        sums.memory.withElements { counts in
            if !counts.isEmpty {
                addFrequencies(counts, lengths, nil, to: &matches.documents, &frequencies)
            }
        }
        matches.scores = scores(of: frequencies, documentFrequency)
        return matches
    }

    private func unscored(
        _ sums: consuming CountFinder.Sums, _ needs: MatchNeeds
    ) throws -> QueryMatches {
        var documents: [UInt32] = []
        let share = MemoryShare(clock)
        for sums in sums.flushed {
            try share.grow(to: share.bytes + sums.touchedCount * 12)
            sums.append(to: &documents)
            if try terms.isCut(needs, afterWork: sums.touchedCount / 8) { break }
        }
        sums.memory.withElements { counts in
            for count in counts where count.document != documents.last {
                documents.append(count.document)
            }
        }
        return QueryMatches(unscored: documents)
    }

    /// The scores of all documents that a word was found in, or of some where `documentFrequency`
    /// says of how many.
    private mutating func scores(
        of frequencies: borrowing Buffer<NormalizedFrequency>, _ documentFrequency: Int? = nil
    ) -> [Double] {
        let found = documentFrequency ?? frequencies.count
        let idf = similarity.idf(
            documentFrequency: exchange?.frequency(found) ?? found,
            documentCount: exchange?.known.documentCount ?? snapshot.count)
        let saturation = similarity.saturation
        // All empty arrays share a count, which the initialiser below would write.
        guard frequencies.count > 0 else { return [] }
        return frequencies.withElements { frequencies in
            Array(unsafeUninitializedCapacity: frequencies.count) { scores, count in
                for place in frequencies.indices {
                    scores.initializeElement(
                        at: place,
                        to: saturation.score(idf: idf, frequency: frequencies[place]))
                }
                count = frequencies.count
            }
        }
    }

    func averages(_ lengths: LengthStatistics) -> [Double] {
        lengths.averages.indices.map {
            exchange?.known.averageLength(of: $0) ?? lengths.average(of: $0)
        }
    }

    func norms(_ averages: [Double]) -> [StringNorm] {
        averages.enumerated().map {
            StringNorm(similarity.field($0.offset), averageLength: $0.element)
        }
    }

    /// Appends the documents of sorted counts, and how often the word stands there.
    mutating func addFrequencies(
        _ counts: UnsafeBufferPointer<WordCount>, _ lengths: LengthStatistics,
        _ traced: UInt32?, to documents: inout [UInt32],
        _ frequencies: inout Buffer<NormalizedFrequency>
    ) {
        let averages = averages(lengths)
        let norms = norms(averages)
        var document = counts[0].document
        var frequency = NormalizedFrequency()
        lengths.forEach(counts) { count, length in
            if count.document != document {
                documents.append(document)
                frequencies.append(frequency)
                document = count.document
                frequency = NormalizedFrequency()
            }
            let string = Int(count.string)
            guard string < norms.count else { return }
            frequency.add(
                norms[string].normalized(
                    frequency: Double(count.count), length: Double(length)))
            if traced == document {
                trace.add(
                    count.string, count: Int(count.count), length: Double(length),
                    average: averages[string])
            }
        }
        documents.append(document)
        frequencies.append(frequency)
    }
}

extension Slice<UnsafeBufferPointer<WordCount>> {
    /// The first ones, with all of the last document among them.
    fileprivate func firstDocuments(of number: Int) -> Self {
        var end = Swift.min(startIndex + number, endIndex)
        while end < endIndex, self[end].document == self[end - 1].document { end += 1 }
        return self[startIndex..<end]
    }
}

extension Hit {
    /// By document, then in text order.
    static func precedes(_ a: Hit, _ b: Hit) -> Bool {
        (a.document, a.string, a.position) < (b.document, b.string, b.position)
    }
}

extension Array where Element == Hit {
    init(_ buffer: consuming Buffer<Hit>) {
        let copied = buffer.withElements { Array($0) }
        self = copied
    }
}
