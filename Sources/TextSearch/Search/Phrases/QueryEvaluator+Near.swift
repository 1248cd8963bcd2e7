/// Queries whose hits are close together; see ``Query/near(_:within:ordered:)-(Query...,_,_)``.
extension QueryEvaluator {
    mutating func near(
        _ parts: [Query], _ within: Int, _ ordered: Bool, in string: UInt32?
    ) throws -> QueryMatches? {
        let (outer, neededFrequencies) = (wanted, terms.needsFrequencies)
        let shown = mostShown
        // The first places of each word may not be those that are near.
        mostShown = .max
        defer { mostShown = shown }
        // The hits are of some documents alone; their terms are those of all.
        if case .all = outer { terms.needsFrequencies = true }
        defer { (wanted, terms.needsFrequencies) = (outer, neededFrequencies) }
        var documents = outer.documents
        // Each distinct query once, and which of them each part is.
        var asking: [Query] = []
        var words: [Int] = []
        wanted = .none
        for part in parts {
            guard let found = try evaluate(part, in: string) else { continue }
            let number = asking.firstIndex(of: part)
            if number == nil { asking.append(part) }
            words.append(number ?? asking.count - 1)
            documents = documents.map { found.documents(in: $0) } ?? found.documents
            if try clock.isSpent && terms.isCut() { return QueryMatches() }
        }
        guard !asking.isEmpty else { return nil }
        terms.needsFrequencies = neededFrequencies
        var found = FoundGroups(keepsHits: outer.keepsHits, clock)
        try addNear(
            asking, words, documents ?? [], in: string, to: &found
        ) { try $0.near(within: within, ordered: ordered, $1) }
        (wanted, mostShown) = (outer, shown)
        return try scored(found)
    }

    /// Adds the groups that `find` finds among the hits of queries, slice by slice of some
    /// documents.
    private mutating func addNear(
        _ queries: [Query], _ words: [Int], _ documents: [UInt32], in string: UInt32?,
        to groups: inout FoundGroups,
        _ find: (_ hits: Proximity, _ body: Proximity.GroupBody) throws -> Void
    ) throws {
        let share = try MemoryShare(clock, documents.capacity * 4)
        defer { withExtendedLifetime(share) {} }
        // Scores of these evaluations are nobody's: neither are they to be asked of other indexes,
        // slice by slice of this one.
        let (outerExchange, neededScores) = (exchange, needsScores)
        exchange = nil
        if trace == nil { needsScores = false }
        defer { (exchange, needsScores) = (outerExchange, neededScores) }
        // Each slice evaluates the queries again.
        let least = queries.allSatisfy(\.isTerm) ? 1 : documents.count / 16
        var slices = DocumentSlices(documents, least: least)
        while let slice = slices.nextSlice() {
            if try terms.isCut() { return }
            var hitCount = 0
            // These count the memory of their hits.
            var found: [QueryMatches] = []
            let some = Array(slice)
            for query in queries {
                wanted = .some(some)
                let matches = try evaluate(query, in: string) ?? QueryMatches()
                hitCount += matches.hits.count
                found.append(matches)
                if matches.hits.isEmpty { break }
            }
            slices.adapt(to: hitCount)
            guard found.count == queries.count, found.allSatisfy({ !$0.hits.isEmpty }) else {
                continue
            }
            try TermHits.cut(terms.needsAll) {
                try find(Proximity(found.map(\.hits), words: words, clock)) {
                    try groups.append($0)
                }
            }
        }
    }
}

extension Query {
    fileprivate var isTerm: Bool {
        if case .term = node { return true }
        return false
    }
}
