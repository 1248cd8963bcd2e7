/// Finds the words that begin with a prefix and for which the most objects speak.
struct CompletionFinder {
    let scope: SuggestionScope
    let limit: Int
    /// Words that nobody needs to be told of.
    let lowValueWords: ByteSet
    /// How much speaks for some words, where it is not the objects that have them.
    var known: [[UInt8]: SuggestionScope.Tally] = [:]

    /// The best words but the prefix itself.
    ///
    /// Complexity: linear in the postings of all words that begin with the prefix.
    func completions(
        of prefix: [UInt8], _ terms: inout TermHits
    ) throws -> [(term: [UInt8], tally: SuggestionScope.Tally)] {
        // Those in memory are few, and may stand in flushed segments, too.
        let share = MemoryShare(terms.clock)
        defer { withExtendedLifetime(share) {} }
        var inMemory = try countInMemory(prefix, terms, share)
        var best = BestTerms(limit: limit)
        var current: [UInt8] = []
        var tally = SuggestionScope.Tally()
        func finish() {
            if let more = inMemory.removeValue(forKey: current) {
                tally.count += more.count
                tally.value += more.value
            }
            if current != prefix, !lowValueWords.contains(current) {
                best.add(current, known[current] ?? tally)
            }
            tally = .init()
        }
        let segments = scope.snapshot.flushed
        try TermHits.forEachTermInOrder(&terms, of: .prefix(prefix), in: segments, .documents) {
            hits, term, _, place, postings in
            try hits.reader.readCounts(postings)
            if hits.clock.isOver(afterWork: hits.reader.chunk.documentCount) { throw SearchEnded() }
            if !term.elementsEqual(current) {
                if !current.isEmpty { finish() }
                current = Array(term)
            }
            add(hits.reader, segments[place], &tally)
        }
        if !current.isEmpty { finish() }
        for (term, tally) in inMemory
        where term != prefix && !lowValueWords.contains(term) {
            best.add(term, known[term] ?? tally)
        }
        best.prune()
        return best.found
    }

    private func add(
        _ reader: borrowing TermPostingsReader, _ segment: FlushedSegment,
        _ tally: inout SuggestionScope.Tally
    ) {
        let dead = scope.snapshot.dead
        let hasDead = scope.snapshot.hasDead(in: segment)
        for index in 0..<reader.chunk.documentCount {
            let document = segment.manifest.firstDocument &+ reader.chunk.documents[index]
            if hasDead, dead.contains(document) { continue }
            if let documents = scope.documents, !documents.contains(document) { continue }
            let isIn = reader.chunk.runRange(at: index).contains {
                scope.strings.contains(reader.chunk.runs[$0].string)
            }
            if isIn { tally.add(scope.values.value(of: document)) }
        }
    }

    private func countInMemory(
        _ prefix: [UInt8], _ terms: borrowing TermHits, _ share: MemoryShare
    ) throws -> [[UInt8]: SuggestionScope.Tally] {
        var found: [[UInt8]: SuggestionScope.Tally] = [:]
        for part in scope.snapshot.memory {
            try TermHits.cut(.documents) {
                try terms.terms.forEach(of: .prefix(prefix), in: part.segment) {
                    term, bytes, _, _ in
                    var tally = SuggestionScope.Tally()
                    var last: UInt32?
                    try part.forEachOccurrence(
                        of: term, in: scope.strings, without: scope.snapshot.dead
                    ) {
                        try terms.clock.work(PostingsChunk.pieceSize / 16)
                    } _: { document, _, _ in
                        guard document != last else { return }
                        last = document
                        guard scope.documents?.contains(document) ?? true else { return }
                        tally.add(scope.values.value(of: document))
                    }
                    guard tally.count > 0 else { return }
                    // Of a term, and what is empty of the table.
                    try share.grow(to: 2 * (found.count + 1) * (128 + bytes.count))
                    let key = Array(bytes)
                    found[key, default: .init()].count += tally.count
                    found[key, default: .init()].value += tally.value
                }
            }
        }
        return found
    }
}
