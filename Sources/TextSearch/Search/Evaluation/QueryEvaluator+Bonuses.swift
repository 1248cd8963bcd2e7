/// Parts of an "all" that require nothing: `atLeast(0, …)`, as words of little value beside others.
extension QueryEvaluator {
    /// Whether what only adds to scores is looked for among what the other parts match, and not in
    /// the whole index.
    ///
    /// Hits are wanted of all that is found, and who explains, or asks others for their statistics,
    /// goes through all of it.
    func addsBonusesLater(_ parts: [Query]) -> Bool {
        guard case .none = wanted, trace == nil, exchange == nil else { return false }
        return parts.contains { !$0.isBonus && !$0.isRestriction }
    }

    /// What matches, with the scores that a bonus gives some of it.
    mutating func adding(
        _ bonus: Query, to found: QueryMatches, in string: UInt32?
    ) throws -> QueryMatches {
        guard needsScores, case .atLeast(_, let parts) = bonus.node, !found.documents.isEmpty
        else { return found }
        // A heap of all, and their scores twice.
        let share = try MemoryShare(clock, found.documents.count * 48)
        defer { withExtendedLifetime(share) {} }
        var added: QueryMatches
        if string == nil, parts.count == 1, let word = term(parts[0], factors: []) {
            let entries = try entries(of: [word], .one, among: found.documents)
            added = QueryMatches()
            for entry in entries.sorted(by: { $0.document < $1.document }) {
                added.documents.append(entry.document)
                added.scores.append(entry.score)
            }
        } else {
            var union = MatchUnion(work)
            try add(parts, to: &union, in: string)
            added = try union.matches()
        }
        return found.adding(added)
    }
}

extension QueryMatches {
    /// Those that match, with the scores of those that `other` has besides.
    fileprivate func adding(_ other: QueryMatches) -> QueryMatches {
        var result = self
        var next = 0
        for (document, score) in zip(other.documents, other.scores) {
            while next < result.documents.count, result.documents[next] < document { next += 1 }
            guard next < result.documents.count else { break }
            if result.documents[next] == document { result.scores[next] += score }
        }
        return result
    }
}
