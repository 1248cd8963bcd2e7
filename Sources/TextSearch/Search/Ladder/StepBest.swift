/// Scores only those documents of a step that can be among the best of it.
///
/// What a part of the query scores has a bound that depends on nothing but how rare it is. The
/// parts that a document matches bound its score. The documents of the greatest bounds are scored
/// first, and others only if their bound reaches the worst score that is wanted.
struct StepBest {
    /// Bounds are counted by so many steps.
    private static let steps = 64
    /// What a part of the query adds to a score at the most, and what it matches.
    private var parts: [(bound: Double, documents: SnapshotDocuments)] = []
    /// What parts add at the most of which nobody knows what they match.
    private var rest = 0.0

    /// Nil where scores have no bounds. `known` is what the parts match.
    init?(
        _ query: Query, _ known: [QueryPartKey: StepSearch.Found?],
        _ evaluator: inout QueryEvaluator
    ) throws {
        guard evaluator.similarity.hasUsualScores,
            try add(query, in: nil, 1, known, &evaluator)
        else { return nil }
    }

    /// Whether a query, whose scores are multiplied by a factor, has bounds, which are added.
    private mutating func add(
        _ query: Query, in string: UInt32?, _ factor: Double,
        _ known: [QueryPartKey: StepSearch.Found?], _ evaluator: inout QueryEvaluator
    ) throws -> Bool {
        switch query.node {
        case .boost(let part, let boost):
            guard boost >= 0, factor * boost <= 1e18 else { return false }
            return try add(part, in: string, factor * boost, known, &evaluator)
        case .field(let name, let part):
            if case .field = part.node {
                return try add(part, in: string, factor, known, &evaluator)
            }
            guard let index = evaluator.fields.firstIndex(of: name) else { return true }
            return try add(part, in: UInt32(index), factor, known, &evaluator)
        case .all(let parts), .any(let parts), .atLeast(_, let parts):
            for part in parts where !part.onlyFilters {
                guard try add(part, in: string, factor, known, &evaluator) else { return false }
            }
            return true
        case .term, .phrase, .exactly, .prefix, .infix, .suffix, .part, .fuzzy, .wildcard,
            .regularExpression:
            break
        default: return query.onlyFilters
        }
        switch known[QueryPartKey(node: query.node, string: string)] {
        case .some(.some(let found)):
            guard found.count > 0 else { return true }
            parts.append((factor * evaluator.bound(ofCount: found.count), found.documents))
        case .some(.none): break
        case .none:
            rest += factor * evaluator.bound(ofCount: try evaluator.leastCount(of: query, string))
        }
        return true
    }

    /// The scores of the best `count` documents of a step, of which there are as many at least;
    /// the score of a document that is none of them may be -infinity. `score` gives ascending
    /// documents the scores of the query, which the factors are yet to raise.
    func scores(
        _ count: Int, of documents: [UInt32], _ factors: DocumentFactors, _ work: MatchWork,
        by score: ([UInt32]) throws -> QueryMatches
    ) throws -> QueryMatches {
        let share = try MemoryShare(work.clock, documents.count * 24)
        defer { withExtendedLifetime(share) {} }
        guard let bounds = bounds(of: documents, factors, work.clock),
            let least = Self.least(of: count, bounds)
        else { return try score(documents) }
        func those(where isWanted: (Double) -> Bool) -> [UInt32] {
            documents.indices.filter { isWanted(bounds[$0]) }.map { documents[$0] }
        }
        var found = try score(those { $0 >= least })
        guard found.documents.count >= count else { return found }
        let worst = factors.raised(found).sorted(by: >)[count - 1]
        let others = those { $0 < least && Self.reaches($0, worst) }
        if !others.isEmpty { found = try .union([found, try score(others)], work) }
        if work.clock.isSpent { return found }
        found = found.filled(documents)
        try found.hold(by: work.clock)
        return found
    }

    /// Whether a score that has a bound may come before another one, or be equal once both are put
    /// below those of other tiers. Scores are not added up in the order of bounds.
    private static func reaches(_ bound: Double, _ score: Double) -> Bool {
        TierPlace.share(bound * (1 + 1e-9)) + 1e-14 >= TierPlace.share(score)
    }

    /// What each document scores at the most; nil when the time is over.
    private func bounds(
        of documents: [UInt32], _ factors: DocumentFactors, _ clock: SearchClock
    ) -> [Double]? {
        var bounds = [Double](repeating: rest, count: documents.count)
        for part in parts {
            if clock.isOver(afterWork: documents.count / 16) { return nil }
            part.documents.forEachPlace(in: documents) { bounds[$0] += part.bound }
        }
        factors.raise(&bounds, of: documents)
        return bounds
    }

    /// A bound that `count` documents reach at the least, about the greatest such one; nil where it
    /// is that of all.
    private static func least(of count: Int, _ bounds: [Double]) -> Double? {
        guard let most = bounds.max(), most > 0 else { return nil }
        var counts = [Int](repeating: 0, count: steps)
        func step(_ bound: Double) -> Int { min(Int(bound / most * Double(steps)), steps - 1) }
        for bound in bounds { counts[step(bound)] += 1 }
        var reached = 0
        for number in counts.indices.reversed() {
            reached += counts[number]
            guard reached >= count else { continue }
            return reached < bounds.count ? bounds.filter { step($0) >= number }.min() : nil
        }
        return nil
    }
}

extension QueryMatches {
    /// With the score -infinity for all others of some ascending documents.
    fileprivate func filled(_ all: [UInt32]) -> QueryMatches {
        var filled = QueryMatches(unscored: all)
        var next = 0
        for place in all.indices {
            let isScored = next < documents.count && documents[next] == all[place]
            filled.scores[place] = isScored ? scores[next] : -.infinity
            if isScored { next += 1 }
        }
        return filled
    }
}

extension QueryEvaluator {
    /// What a word that so many documents have scores at the most.
    fileprivate func bound(ofCount count: Int) -> Double {
        similarity.idf(documentFrequency: count, documentCount: snapshot.count)
            * (similarity.saturation.k1 + 1)
    }

    /// How many documents have a word, and 0 for other queries.
    fileprivate mutating func leastCount(of query: Query, _ string: UInt32?) throws -> Int {
        string == nil ? try documentFrequency(of: query) ?? 0 : 0
    }

    /// How many documents have a word; nil for other queries.
    mutating func documentFrequency(of query: Query) throws -> Int? {
        guard case .term(let term, _) = QueryPlan(word: query, analyzer)?.parts.first else {
            return nil
        }
        return try TermPostings(term, snapshot, store, .documents, &terms).documentFrequency
    }
}
