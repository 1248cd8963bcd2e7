/// What the results of a query are ordered by.
///
/// Every ranking is a total order: results that it does not tell apart come by relevance, then by the order in which they were indexed; those of
/// ``sorted(by:)`` by the order in which they were indexed alone.
public struct Ranking: Sendable {
    enum Kind: Sendable {
        case relevance
        case weight
        case combined
        case sorted([SortKey])
        case custom(@Sendable (Match) -> Double)
    }

    let kind: Kind
    /// Nil for those of the index's configuration.
    private(set) var parameters: BM25Parameters?
    /// Nil where nothing is learned.
    var engagement: EngagementBoost?

    private init(_ kind: Kind) { self.kind = kind }

    /// By relevance: BM25F with the parameters of ``TextIndexConfiguration/relevance``.
    public static let relevance = Ranking(.relevance)
    /// By the objects' weights.
    public static let weight = Ranking(.weight)
    /// By relevance times the object's weight; a weight of 0 or less counts as the smallest. Where the relevance is 0 so is the product, also
    /// with an infinite weight.
    public static let combined = Ranking(.combined)

    /// By relevance: BM25F with parameters of your own.
    ///
    /// - Parameter parameters: the parameters.
    /// - Returns: The ranking.
    public static func relevance(_ parameters: BM25Parameters) -> Ranking {
        Ranking.relevance.using(parameters)
    }

    /// By several keys: where the first does not tell two results apart the next does, in the end the order in which they were indexed.
    ///
    /// ```swift
    /// let cheapest = try index.search(
    ///     "duck", ranking: .sorted(by: [.attribute("price", .ascending), .relevance]))
    /// ```
    ///
    /// An item's `score` is its relevance then. The overrides `score(of:)` and `compare(_:_:)` are not asked.
    ///
    /// Complexity: linear in the matches; an attribute is read when it is first asked for, and stays in memory as facets have it.
    ///
    /// - Parameter keys: the keys; without any the order is that of indexing.
    /// - Returns: The ranking.
    public static func sorted(by keys: [SortKey]) -> Ranking { Ranking(.sorted(keys)) }

    /// By a function of your own.
    ///
    /// - Parameter score: gives the score of a match; NaN counts as the lowest.
    /// - Returns: The ranking.
    public static func custom(_ score: @escaping @Sendable (Match) -> Double) -> Ranking {
        Ranking(.custom(score))
    }

    /// This ranking with other parameters for the relevance in it.
    ///
    /// - Parameter parameters: the parameters.
    /// - Returns: The ranking.
    public func using(_ parameters: BM25Parameters) -> Ranking {
        var ranking = self
        ranking.parameters = parameters
        return ranking
    }
}
