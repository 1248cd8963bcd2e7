/// Queries of which earlier ones come above later ones; see ``Query/first(of:)``.
extension QueryEvaluator {
    /// What one of several queries matches and none before it.
    struct Tier {
        /// The number of the query.
        var part: Int
        /// With the scores that the query itself gives.
        var matches: QueryMatches
        /// The greatest score further down, which is added to those of this tier.
        var below = 0.0
    }

    mutating func first(of parts: [Query], in string: UInt32?) throws -> QueryMatches? {
        guard let tiers = try tiers(of: parts, in: string) else { return nil }
        // No document is in two of them.
        return .union(tiers.map { tier in tier.matches.mapScores { $0 + tier.below } })
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
                found = found.subtracting(tier.matches)
            }
            tiers.append(Tier(part: number, matches: found))
        }
        var greatest = 0.0
        for index in tiers.indices.reversed() {
            tiers[index].below = greatest
            for score in tiers[index].matches.scores {
                greatest = max(greatest, score + tiers[index].below)
            }
        }
        return tiers
    }
}
