public import Foundation

/// How much higher objects rank that were chosen before for the same query.
///
/// The relevance of such an object is multiplied by 1 + ``factor`` · *strength*, and by ``maximum``
/// at most; *strength* is what remains of its engagements. Others keep their relevance, and nothing
/// more is found.
///
/// ```swift
/// let results = try index.search("duck", ranking: .relevance.learning())
/// ```
///
/// **Thread safety**: a value.
public struct EngagementBoost: Sendable, Hashable {
    /// How much an engagement of strength 1 adds, as a share of the relevance; 0.2 by default.
    /// Negative values count as 0.
    public var factor = 0.2
    /// The largest factor of the relevance; 2 by default. Values below 1 count as 1.
    public var maximum = 2.0
    /// After how many seconds half of an engagement remains, at least 1; nil, the default, for
    /// ``LearningSettings/halfLife``.
    public var halfLife: TimeInterval?
    /// The time at which engagements are valued; nil, the default, for the time of the search. A
    /// cursor keeps the time of its first page.
    public var date: Date?

    /// Creates the default boost: a fresh engagement adds a fifth, and five of them double the
    /// relevance.
    public init() {}

    /// What the relevance is multiplied by.
    func multiplier(
        _ engagement: StoredEngagement, at time: TimeInterval, halfLife settled: TimeInterval
    ) -> Double {
        let strength = LearningSettings.decayed(
            engagement.strength, after: time - engagement.time, halfLife: halfLife ?? settled)
        let most = maximum >= 1 ? maximum : 1
        let multiplier = 1 + (factor > 0 ? factor : 0) * strength
        return multiplier < most ? multiplier : most
    }
}

extension Ranking {
    /// Returns this ranking with relevance that learns: objects rank higher that were chosen before
    /// for the same query (``TextIndex/recordEngagement(_:for:strength:at:)-(_,String,_,_)``).
    ///
    /// The higher relevance counts wherever relevance is used: in scores, minimum scores, counts,
    /// pages, cursors, sort keys, functions and explanations. For a text, the text itself
    /// identifies the query, whatever field, filter or parser it is searched with.
    ///
    /// Complexity: one look-up for the query and one for each object that was chosen for it.
    ///
    /// - Parameter boost: how much higher.
    /// - Returns: The ranking.
    public func learning(_ boost: EngagementBoost = .init()) -> Ranking {
        var ranking = self
        ranking.engagement = boost
        return ranking
    }
}
