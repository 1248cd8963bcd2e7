/// What the results of a query are ordered by.
public struct Ranking: Sendable {
    enum Kind: Sendable {
        case relevance
        case weight
        case combined
        case custom(@Sendable (Match) -> Double)
    }

    let kind: Kind

    /// By relevance: BM25 over the fields.
    public static let relevance = Ranking(kind: .relevance)
    /// By the objects' weights.
    public static let weight = Ranking(kind: .weight)
    /// By relevance times the object's weight; a weight of 0 or less counts as the smallest.
    public static let combined = Ranking(kind: .combined)

    /// By a function of your own.
    ///
    /// - Parameter score: gives the score of a match; NaN counts as the lowest.
    /// - Returns: The ranking.
    public static func custom(_ score: @escaping @Sendable (Match) -> Double) -> Ranking {
        Ranking(kind: .custom(score))
    }
}
