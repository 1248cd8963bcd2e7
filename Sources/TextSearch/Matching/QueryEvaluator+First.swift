/// Queries of which earlier ones come above later ones; see ``Query/first(of:)``.
extension QueryEvaluator {
    /// What one of several queries matches and none before it.
    struct Tier {
        /// The number of the query.
        var part: Int
        /// With the scores that the query itself gives.
        var matches: QueryMatches
        /// What is added to the scores of this tier: the greatest score further down, or as much more as it takes to be above that.
        var below = 0.0
    }

    /// Small beside any score that matters, and large enough to outlast boosts and sums.
    private static let tierStep = 0x1p-30

    mutating func first(of parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        guard let tiers = try tiers(of: parts, in: string) else { return nil }
        // No document is in two of them.
        return try .union(
            tiers.map { tier in tier.matches.mapScores { $0 + tier.below } }, work)
    }

    /// The tiers of those queries that ask for something; nil when the first one does not.
    mutating func tiers(of parts: [Query], in string: UInt32?) throws -> [Tier]? {
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
        try stack(&tiers)
        return tiers
    }

    /// The documents of tiers, none of which is in two, those of earlier tiers with higher scores.
    mutating func joined(_ matches: [QueryMatches]) throws -> QueryMatches {
        var tiers = matches.enumerated().map { Tier(part: $0.offset, matches: $0.element) }
        try stack(&tiers)
        return try .union(
            tiers.map { tier in tier.matches.mapScores { $0 + tier.below } }, work)
    }

    /// Has the scores of each tier be above those of the tiers further down.
    private mutating func stack(_ tiers: inout [Tier]) throws {
        var greatest = 0.0
        var isLowest = true
        for index in tiers.indices.reversed() {
            guard let (least, most) = extremes(of: tiers[index].matches.scores) else { continue }
            tiers[index].below = greatest
            // What scores nothing, or next to nothing, would not be told apart from the best further down.
            if !isLowest, least + greatest <= greatest {
                tiers[index].below = greatest + max(greatest, 1) * Self.tierStep
            }
            isLowest = false
            greatest = max(greatest, most + tiers[index].below)
        }
    }

    /// The least and the greatest score, of those in other indexes too where there are some.
    private mutating func extremes(of scores: [Double]) -> (least: Double, most: Double)? {
        if exchange != nil {
            return exchange?.extremes(scores).map { ($0.least, $0.most) }
        }
        guard let least = scores.min(), let most = scores.max() else { return nil }
        return (least, most)
    }
}
