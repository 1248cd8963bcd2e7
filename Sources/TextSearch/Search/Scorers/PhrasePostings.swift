/// The postings of the distinct words of a phrase, each of which is a single term.
struct PhrasePostings {
    typealias Term = (bytes: [UInt8], postings: TermPostings)

    private(set) var terms: [Term] = []
    /// Counts their memory.
    private let share: MemoryShare

    /// Nil where a word may be several terms. None are there when the time is over.
    init?(_ phrase: PhraseWords, _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws {
        guard let words = phrase.terms else { return nil }
        share = MemoryShare(evaluator.clock)
        var byteCount = 0
        for word in words {
            if try evaluator.terms.isCut(needs) {
                terms = []
                return
            }
            let postings = try TermPostings(
                word, evaluator.snapshot, evaluator.store, needs, &evaluator.terms)
            byteCount += postings.byteCount
            try share.grow(to: byteCount)
            terms.append((word, postings))
        }
    }

    /// The living documents that have all of the terms, in whatever strings, ascending; of many
    /// terms the rarest are asked for.
    ///
    /// Complexity: linear in the documents of the rarest, in each segment, and in the blocks of the
    /// others that may have one of them; linear in all documents of the terms in segments where
    /// some are dead, when a snapshot is asked first.
    func documents(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> [UInt32] {
        if terms.isEmpty || terms.contains(where: { $0.postings.documentFrequency == 0 }) {
            return []
        }
        let rarest =
            terms.count <= QueryPlan.mostParts
            ? terms[...]
            : terms.sorted { $0.postings.documentFrequency < $1.postings.documentFrequency }
                .prefix(QueryPlan.mostParts)
        let parts = rarest.map { PartCursors.Part.term(.init($0.postings, scored: false)) }
        var cursors = try PartCursors(parts, evaluator.snapshot, evaluator.similarity)
        var candidates = Candidates()
        var documents: [UInt32] = []
        let share = MemoryShare(evaluator.clock)
        try cursors.forEachSegment(needsAll: true) { some, segment in
            let order = some.byDocumentCount
            while !some[order[0]].isAtEnd {
                if try evaluator.terms.isCut(needs) { return }
                try some[order[0]].begin(&candidates)
                for other in order.dropFirst() where !candidates.isEmpty {
                    try some[other].restrict(&candidates)
                    if evaluator.clock.isOver(afterWork: 128) { break }
                }
                if evaluator.clock.isSpent { continue }
                for place in 0..<candidates.count {
                    let relative = candidates.document(place)
                    if segment.leavesOut(relative) { continue }
                    let document = segment.firstDocument &+ relative
                    // Who reads the positions counts on it.
                    if let last = documents.last, last >= document {
                        throw TextIndexError.corrupted("postings of a term")
                    }
                    documents.append(document)
                }
                try share.grow(to: documents.capacity * 4)
                some[order[0]].enterNextBlock()
            }
        }
        return documents
    }
}
