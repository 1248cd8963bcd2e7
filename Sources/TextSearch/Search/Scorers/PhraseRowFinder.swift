/// Counts in each string how often single terms stand one after the other, exactly as in a phrase.
struct PhraseRowFinder {
    let phrase: PhraseWords
    let strings: StringSelection
    let needs: MatchNeeds

    /// The counts; nil where one of the words may be several terms.
    ///
    /// Complexity: that of finding the documents that have all of them, and linear in the postings
    /// of their blocks, slice by slice of the documents. When the time is over, what was found is
    /// right; nothing is, where it ends before the documents are known.
    func counts(_ evaluator: inout QueryEvaluator) throws -> Buffer<WordCount>? {
        // The frequencies of these postings are those in all strings.
        guard phrase.words.count > 1, strings == .all || !needs.frequencies,
            let all = try PhrasePostings(phrase, needs, &evaluator)
        else { return nil }
        var counts = Buffer<WordCount>()
        let documents = try all.documents(needs, &evaluator)
        guard !documents.isEmpty else { return counts }
        let share = try MemoryShare(evaluator.clock, documents.capacity * 4)
        let order = phrase.words.indices.sorted {
            all.terms[phrase.words[$0]].postings.documentFrequency
                < all.terms[phrase.words[$1]].postings.documentFrequency
        }
        for (place, segment) in evaluator.snapshot.segments.enumerated() {
            let some = Array(documents.part(in: segment.documents))
            var slices = DocumentSlices(some, size: 1 << 10, most: 1 << 14)
            while let slice = slices.nextSlice() {
                guard
                    let found = try addRows(all, order, slice, place, to: &counts, &evaluator)
                else { return counts }
                slices.adapt(to: found / 4)
                try share.grow(to: documents.capacity * 4 + counts.byteCount)
            }
        }
        return counts
    }

    /// Those in some documents of a segment; how many places of the first word were looked at, and
    /// nil when the time is over.
    private func addRows(
        _ all: borrowing PhrasePostings, _ order: [Int], _ documents: ArraySlice<UInt32>,
        _ place: Int, to counts: inout Buffer<WordCount>, _ evaluator: inout QueryEvaluator
    ) throws -> Int? {
        var rows = PhraseRows()
        let share = MemoryShare(evaluator.clock)
        var some = documents
        var firstCount = 0
        for (number, word) in order.enumerated() where !some.isEmpty {
            if try evaluator.terms.isCut(needs) { return nil }
            let offset = phrase.offsets[word]
            try TermHits.cut(needs) {
                try forEachRun(of: all.terms[phrase.words[word]], in: some, place, &evaluator) {
                    number == 0 ? .max : rows.last($0, $1, offset: offset)
                } _: {
                    if number == 0 {
                        rows.begin($0, $1, $2, offset: offset)
                    } else {
                        rows.goOn($0, $1, $2, offset: offset)
                    }
                } endBlock: {
                    try share.grow(to: rows.byteCount)
                }
            }
            if number > 0 { rows.endWord() } else { firstCount = rows.count }
            try share.grow(to: rows.byteCount)
            if number + 1 < order.count { some = rows.documents()[...] }
        }
        // What the last word was not looked for in was left out.
        rows.append(to: &counts)
        return try evaluator.terms.isCut(needs) ? nil : firstCount
    }

    /// Calls `body` with where a term occurs in each string of some documents of a segment, in text
    /// order, as far as `limit` wants it.
    private func forEachRun(
        of term: PhrasePostings.Term, in documents: ArraySlice<UInt32>, _ place: Int,
        _ evaluator: inout QueryEvaluator, upTo limit: PostingsChunk.RunLimit,
        _ body: PostingsChunk.RunBody, endBlock: () throws -> Void
    ) throws {
        switch evaluator.snapshot.segments[place] {
        case .flushed(let segment):
            guard let stored = term.postings.stored(in: place) else { return }
            let first = segment.manifest.firstDocument
            try evaluator.terms.forEachRun(of: term.bytes, stored, segment, in: documents) {
                strings.contains($1) ? limit(first &+ $0, $1) : nil
            } _: {
                body(first &+ $0, $1, $2)
            } endBlock: {
                try endBlock()
            }
        case .memory(let placed):
            let (dead, clock) = (evaluator.snapshot.dead, evaluator.clock)
            try evaluator.terms.terms.forEach(of: .exact(term.bytes), in: placed.segment) {
                number, _, _, _ in
                try placed.forEachOccurrence(of: number, in: strings, without: dead) {
                    try endBlock()
                    try clock.work(PostingsChunk.pieceSize / 16)
                } _: { document, string, occurrence in
                    guard documents.holds(document) else { return }
                    withUnsafePointer(to: occurrence.position) {
                        body(document, string, UnsafeBufferPointer(start: $0, count: 1))
                    }
                }
            }
        }
    }
}
