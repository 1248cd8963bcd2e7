/// Queries whose hits are close together; see ``Query/near(_:within:ordered:)-(Query...,_,_)``.
struct NearScorer: QueryScorer {
    let parts: [Query]
    let within: Int
    let isOrdered: Bool
    let string: UInt32?

    func matches(_ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        // As in normal form: one alone is near itself, whatever it is.
        if parts.count < 2 {
            return try parts.first.map { try evaluator.evaluate($0, in: string) } ?? QueryMatches()
        }
        // The score depends on how many documents have them near each other.
        let selection = evaluator.selection
        evaluator.selection = nil
        let outer = evaluator.needs
        let neededFrequencies = evaluator.terms.needsFrequencies
        // The first places of each word may not be those that are near.
        evaluator.needs.mostHits = .max
        // The hits are of some documents alone; their terms are those of all.
        if case .all = outer.hits { evaluator.terms.needsFrequencies = true }
        defer {
            evaluator.selection = selection
            evaluator.needs = outer
            evaluator.terms.needsFrequencies = neededFrequencies
        }
        var documents = outer.hits.documents
        // Each distinct query once, and which of them each part is.
        var asking: [Query] = []
        var words: [Int] = []
        evaluator.needs.hits = .none
        for part in parts {
            guard let found = try evaluator.evaluate(part, in: string) else { continue }
            let number = asking.firstIndex(of: part)
            if number == nil { asking.append(part) }
            words.append(number ?? asking.count - 1)
            documents = documents.map { found.documents(in: $0) } ?? found.documents
            if try evaluator.clock.isSpent && evaluator.terms.isCut() { return QueryMatches() }
        }
        guard !asking.isEmpty else { return nil }
        evaluator.terms.needsFrequencies = neededFrequencies
        var found = FoundGroups(keepsHits: outer.hits.areKept, evaluator.clock)
        try add(asking, words, documents ?? [], to: &found, &evaluator)
        evaluator.needs = outer
        return try evaluator.scored(found)
    }

    /// Adds the groups among the hits of the queries, slice by slice of some documents.
    private func add(
        _ queries: [Query], _ words: [Int], _ documents: [UInt32], to groups: inout FoundGroups,
        _ evaluator: inout QueryEvaluator
    ) throws {
        let share = try MemoryShare(evaluator.clock, documents.capacity * 4)
        defer { withExtendedLifetime(share) {} }
        // Scores of these evaluations are nobody's: neither are they to be asked of other indexes,
        // slice by slice of this one.
        let (outerExchange, neededScores) = (evaluator.exchange, evaluator.needs.scores)
        evaluator.exchange = nil
        if evaluator.trace == nil { evaluator.needs.scores = false }
        defer {
            evaluator.exchange = outerExchange
            evaluator.needs.scores = neededScores
        }
        // Each slice evaluates the queries again.
        let least = queries.allSatisfy(\.isTerm) ? 1 : documents.count / 16
        var slices = DocumentSlices(documents, least: least)
        while let slice = slices.nextSlice() {
            if try evaluator.terms.isCut() { return }
            var hitCount = 0
            // These count the memory of their hits.
            var found: [QueryMatches] = []
            let some = Array(slice)
            for query in queries {
                evaluator.needs.hits = .some(some)
                let matches = try evaluator.evaluate(query, in: string) ?? QueryMatches()
                hitCount += matches.hits.count
                found.append(matches)
                if matches.hits.isEmpty { break }
            }
            slices.adapt(to: hitCount)
            guard found.count == queries.count, found.allSatisfy({ !$0.hits.isEmpty }) else {
                continue
            }
            try TermHits.cut(evaluator.terms.needsAll) {
                try Proximity(found.map(\.hits), words: words, evaluator.clock)
                    .near(within: within, ordered: isOrdered) { try groups.append($0) }
            }
        }
    }
}
