public import Foundation

/// How much higher objects come that were chosen before for the same query.
///
/// The relevance of such an object is multiplied by 1 + ``factor`` · *strength*, and by ``maximum`` at most, where *strength* is what is left
/// of its engagements. Others keep theirs, and nothing is found that was not found before.
///
/// ```swift
/// let results = try index.search("duck", ranking: .relevance.learning())
/// ```
///
/// **Thread safety**: a value.
public struct EngagementBoost: Sendable, Hashable {
    /// How much an engagement of strength 1 adds, as a part of the relevance; less than 0 counts as 0.
    public var factor = 0.2
    /// What relevance is multiplied by at most; less than 1 counts as 1.
    public var maximum = 2.0
    /// After how many seconds half of an engagement is left, at least 1; nil for ``LearningSettings/halfLife``.
    public var halfLife: TimeInterval?
    /// The time that engagements have decayed to; nil for that of the search. A cursor keeps that of its first page.
    public var date: Date?

    /// The default boost: each fresh engagement adds a fifth, five of them double.
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
    /// This ranking with relevance that learns: objects come higher that were chosen before for the same query
    /// (``TextIndex/recordEngagement(_:for:strength:at:)-(_,String,_,_)``).
    ///
    /// An object's relevance is what it is then wherever relevance is used: in scores, the least score, counts, pages, cursors, sort keys,
    /// functions and explanations. Where a text is searched for, the text says what the same query is, whatever field, filter or parser it
    /// is searched with.
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
