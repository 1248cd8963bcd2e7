/// How the results of a query are ordered.
///
/// Every ranking is a total order. Ties come by relevance, then by the order of indexing; those of
/// ``sorted(by:)`` only by the order of indexing.
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
    /// By the objects' weights, the greatest first.
    public static let weight = Ranking(.weight)
    /// By relevance times the object's weight. A weight of 0 or less counts as the smallest
    /// positive number. If the relevance is 0, so is the product, even with an infinite weight. The
    /// results of a step of a text come before those of later steps; see ``SearchSteps``. If the
    /// application overrides score or order, the first step that finds anything is the last.
    public static let combined = Ranking(.combined)

    /// Whether the results of a step come before those of later ones, however they rank there.
    var takesAllSteps: Bool {
        switch kind {
        case .relevance, .combined: true
        case .weight, .sorted, .custom: false
        }
    }

    /// The relevance times a weight, as in ``combined``.
    static func weighed(_ relevance: Double, by weight: Double) -> Double {
        // Nothing of an infinite weight is nothing.
        relevance == 0 ? 0 : relevance * max(weight, .leastNormalMagnitude)
    }

    /// By relevance: BM25F with parameters of your own.
    ///
    /// - Parameter parameters: the parameters.
    /// - Returns: The ranking.
    public static func relevance(_ parameters: BM25Parameters) -> Ranking {
        Ranking.relevance.using(parameters)
    }

    /// By several keys: each orders the ties of the key before, and the order of indexing decides
    /// last.
    ///
    /// ```swift
    /// let cheapest = try index.search(
    ///     "duck", ranking: .sorted(by: [.attribute("price", .ascending), .relevance]))
    /// ```
    ///
    /// An item's `score` is then its relevance. The overrides `score(of:)` and `compare(_:_:)` are
    /// not called.
    ///
    /// Complexity: linear in the matches. An attribute is read on first use and stays in memory, as
    /// for facets.
    ///
    /// - Parameter keys: the keys; without any, results come in the order of indexing.
    /// - Returns: The ranking.
    public static func sorted(by keys: [SortKey]) -> Ranking { Ranking(.sorted(keys)) }

    /// By a function of your own.
    ///
    /// - Parameter score: returns the score of a match; NaN counts as the lowest.
    /// - Returns: The ranking.
    public static func custom(_ score: @escaping @Sendable (Match) -> Double) -> Ranking {
        Ranking(.custom(score))
    }

    /// This ranking, with other parameters for the relevance in it.
    ///
    /// - Parameter parameters: the parameters.
    /// - Returns: The ranking.
    public func using(_ parameters: BM25Parameters) -> Ranking {
        var ranking = self
        ranking.parameters = parameters
        return ranking
    }
}
