/// Queries whose hits are close together; see ``Query/near(_:within:ordered:)-(Query...,_,_)``.
struct NearScorer: QueryScorer {
    let parts: [Query]
    let within: Int
    let isOrdered: Bool
    let string: UInt32?

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        // As in normal form: one alone is near itself, whatever it is.
        if parts.count < 2 {
            return try parts.first.map { try evaluator.evaluate($0, in: string, needs) }
                ?? QueryMatches()
        }
        var inner = needs
        // The score depends on how many documents have them near each other.
        inner.selection = nil
        // The first places of each word may not be those that are near.
        inner.mostHits = .max
        var whole = inner
        whole.hits = .none
        // Which documents have them is all that counts.
        whole.scores = false
        whole.traced = nil
        // The hits are of some documents alone; their terms are those of all.
        if case .all = needs.hits { whole.frequencies = true }
        var documents = needs.hits.documents
        // Each distinct query once, and which of them each part is.
        var asking: [Query] = []
        var words: [Int] = []
        for part in parts {
            guard let found = try evaluator.evaluate(part, in: string, whole) else { continue }
            let number = asking.firstIndex(of: part)
            if number == nil { asking.append(part) }
            words.append(number ?? asking.count - 1)
            documents = documents.map { found.documents(in: $0) } ?? found.documents
            if try evaluator.clock.isSpent && evaluator.terms.isCut(needs) {
                return QueryMatches()
            }
        }
        guard !asking.isEmpty else { return nil }
        var found = FoundGroups(keepsHits: needs.hits.areKept, evaluator.clock)
        // Scores of the slices are nobody's: neither are they to be asked of other indexes, slice
        // by slice of this one.
        inner.scores = false
        try add(asking, words, documents ?? [], to: &found, inner, &evaluator)
        return try evaluator.scored(found, needs)
    }

    /// Adds the groups among the hits of the queries, slice by slice of some documents.
    private func add(
        _ queries: [Query], _ words: [Int], _ documents: [UInt32], to groups: inout FoundGroups,
        _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws {
        let share = try MemoryShare(evaluator.clock, documents.capacity * 4)
        defer { withExtendedLifetime(share) {} }
        var needs = needs
        // Each slice evaluates the queries again.
        let least = queries.allSatisfy(\.isTerm) ? 1 : documents.count / 16
        var slices = DocumentSlices(documents, least: least)
        while let slice = slices.nextSlice() {
            if try evaluator.terms.isCut(needs) { return }
            var hitCount = 0
            // These count the memory of their hits.
            var found: [QueryMatches] = []
            needs.hits = .some(Array(slice))
            for query in queries {
                let matches =
                    try evaluator.evaluate(query, in: string, needs) ?? QueryMatches()
                hitCount += matches.hits.count
                found.append(matches)
                if matches.hits.isEmpty { break }
            }
            slices.adapt(to: hitCount)
            guard found.count == queries.count, found.allSatisfy({ !$0.hits.isEmpty }) else {
                continue
            }
            try TermHits.cut(needs) {
                try Proximity(found.map(\.hits), words: words, evaluator.clock)
                    .near(within: within, ordered: isOrdered) { try groups.append($0) }
            }
        }
    }
}
