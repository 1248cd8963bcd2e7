/// Queries of which earlier ones come above later ones; see ``Query/first(of:)``.
struct TierScorer: QueryScorer {
    let parts: [Query]
    let string: UInt32?

    /// What one of the queries matches and none before it.
    struct Tier {
        /// The number of the query.
        var part: Int
        /// With the scores that the query itself gives.
        var matches: QueryMatches
        /// Where its scores are put.
        var place = TierPlace()
    }

    func matches(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> QueryMatches? {
        guard let tiers = try tiers(needs, &evaluator) else { return nil }
        return try Self.union(tiers, evaluator.work(needs))
    }

    /// The tiers of those queries that ask for something; nil when the first one does not.
    func tiers(_ needs: MatchNeeds, _ evaluator: inout QueryEvaluator) throws -> [Tier]? {
        var inner = needs
        // Those within one another are no steps of a search.
        inner.tierFactors = .none
        // The scores of a tier depend on all of those further up.
        inner.selection = nil
        var tiers: [Tier] = []
        for (number, part) in parts.enumerated() {
            guard var found = try evaluator.evaluate(part, in: string, inner) else {
                if number == 0 { return nil }
                continue
            }
            for tier in tiers where !found.documents.isEmpty {
                found = try found.subtracting(tier.matches, evaluator.work(needs))
            }
            tiers.append(Tier(part: number, matches: found))
        }
        try Self.stack(&tiers, needs, &evaluator)
        return tiers
    }

    /// The documents of tiers, none of which is in two, those of earlier tiers with higher scores.
    static func joined(
        _ matches: [QueryMatches], _ factors: TierFactors, _ evaluator: inout QueryEvaluator
    ) throws -> QueryMatches {
        let needs = MatchNeeds(tierFactors: factors)
        var tiers = matches.enumerated().map { Tier(part: $0.offset, matches: $0.element) }
        try stack(&tiers, needs, &evaluator)
        return try union(tiers, evaluator.work(needs))
    }

    /// No document is in two of them.
    private static func union(_ tiers: [Tier], _ work: MatchWork) throws -> QueryMatches {
        try .union(tiers.map { tier in tier.matches.mapScores { tier.place.score($0) } }, work)
    }

    /// Has the scores of each tier be below those of the tiers further up, once they are multiplied
    /// by what documents have of their own.
    private static func stack(
        _ tiers: inout [Tier], _ needs: MatchNeeds, _ evaluator: inout QueryEvaluator
    ) throws {
        let isWide = needs.tierFactors.countsWeights
        var place = TierPlace(isWide: isWide)
        for index in tiers.indices {
            try needs.tierFactors.raise(
                &tiers[index].matches, evaluator.snapshot, evaluator.clock)
            tiers[index].place = place
            // The least score, of those in other indexes too where there are some.
            let scores = tiers[index].matches.scores
            let least =
                evaluator.tells(needs) ? evaluator.exchange?.least(scores) : scores.least
            if let least { place = TierPlace(below: place.score(least), isWide: isWide) }
        }
    }
}

/// Where the scores of a tier are put: below the least score of the tiers before it, in their
/// order.
///
/// So they depend on what is further up and not on what is further down, and stay the same when
/// more tiers are added.
struct TierPlace: Sendable {
    /// The least score further up; nil where nothing is.
    private(set) var limit: Double?
    /// Whether scores have weights in them, which may be of any size.
    private let isWide: Bool

    init(below limit: Double? = nil, isWide: Bool = false) {
        // Below infinity is room for one number alone.
        self.limit = isWide ? limit.map { min($0, .greatestFiniteMagnitude) } : limit
        self.isWide = isWide
    }

    func score(_ score: Double) -> Double {
        guard let limit else { return score }
        let share = share(of: score)
        let below = limit > 0 ? limit * share : limit - (1 - share)
        return below >= limit ? limit.nextDown : below
    }

    /// From 0 to 1 as the score grows, a half for none.
    func share(of score: Double) -> Double {
        guard isWide, !score.isNaN else { return Self.share(score) }
        // The bits of positive numbers ascend as these do, as fast at all sizes.
        let part = Double(abs(score).bitPattern) / Double(Double.infinity.bitPattern)
        return (1 + (score < 0 ? -part : part)) / 2
    }

    /// The same for scores of no great size.
    static func share(_ score: Double) -> Double {
        let score = score.isInfinite ? (score < 0 ? -1 : 1) * .greatestFiniteMagnitude : score
        return (1 + score / (1 + abs(score))) / 2
    }
}

extension [Double] {
    /// The least of those that are numbers.
    var least: Double? {
        var least: Double?
        for score in self where score < least ?? .infinity { least = score }
        return least
    }
}
