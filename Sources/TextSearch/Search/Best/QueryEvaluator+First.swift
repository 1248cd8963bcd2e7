/// Queries of which earlier ones come above later ones; see ``Query/first(of:)``.
extension QueryEvaluator {
    /// What one of several queries matches and none before it.
    struct Tier {
        /// The number of the query.
        var part: Int
        /// With the scores that the query itself gives.
        var matches: QueryMatches
        /// Where its scores are put.
        var place = TierPlace()
    }

    mutating func first(of parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        guard let tiers = try tiers(of: parts, in: string) else { return nil }
        return try union(tiers)
    }

    /// The tiers of those queries that ask for something; nil when the first one does not.
    mutating func tiers(of parts: [Query], in string: UInt32?) throws -> [Tier]? {
        // Those within one another are no steps of a search.
        let factors = tierFactors
        tierFactors = .none
        // The scores of a tier depend on all of those further up.
        let selection = selection
        self.selection = nil
        defer { (tierFactors, self.selection) = (factors, selection) }
        var tiers: [Tier] = []
        for (number, part) in parts.enumerated() {
            guard var found = try evaluate(part, in: string) else {
                if number == 0 { return nil }
                continue
            }
            for tier in tiers where !found.documents.isEmpty {
                found = try found.subtracting(tier.matches, work)
            }
            tiers.append(Tier(part: number, matches: found))
        }
        stack(&tiers, factors)
        return tiers
    }

    /// The documents of tiers, none of which is in two, those of earlier tiers with higher scores.
    mutating func joined(_ matches: [QueryMatches]) throws -> QueryMatches {
        var tiers = matches.enumerated().map { Tier(part: $0.offset, matches: $0.element) }
        stack(&tiers, tierFactors)
        return try union(tiers)
    }

    /// No document is in two of them.
    private func union(_ tiers: [Tier]) throws -> QueryMatches {
        try .union(tiers.map { tier in tier.matches.mapScores { tier.place.score($0) } }, work)
    }

    /// Has the scores of each tier be below those of the tiers further up, once what was chosen
    /// before is raised in it.
    private mutating func stack(_ tiers: inout [Tier], _ factors: LearnedFactors) {
        var place = TierPlace()
        for index in tiers.indices {
            factors.raise(&tiers[index].matches)
            tiers[index].place = place
            if let least = least(of: tiers[index].matches.scores) {
                place = TierPlace(below: place.score(least))
            }
        }
    }

    /// The least score, of those in other indexes too where there are some.
    private mutating func least(of scores: [Double]) -> Double? {
        exchange == nil ? scores.least : exchange?.least(scores)
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

    init(below limit: Double? = nil) { self.limit = limit }

    func score(_ score: Double) -> Double {
        guard let limit else { return score }
        let share = Self.share(score)
        let below = limit > 0 ? limit * share : limit - (1 - share)
        return below >= limit ? limit.nextDown : below
    }

    /// From 0 to 1 as the score grows, a half for none.
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
