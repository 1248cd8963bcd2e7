public import Foundation

/// A record that an object was chosen among the results of a query.
///
/// Repeated choices are one engagement, whose strength is what remains of all of them.
///
/// **Thread safety**: a value.
public struct Engagement: Sendable, Hashable, Codable {
    /// The identifier of the object.
    public var identifier: Data
    /// The query in the form in which queries are compared; see
    /// ``TextIndex/recordEngagement(_:for:strength:at:)-(_,String,_,_)``.
    public var query: String
    /// Its strength at ``date``; a single fresh choice has 1.
    public var strength: Double
    /// When it was strengthened last.
    public var date: Date

    /// Creates an engagement, such as one that another index listed.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the object.
    ///   - query: the query, as an index lists it.
    ///   - strength: its strength.
    ///   - date: when that was.
    public init(identifier: Data, query: String, strength: Double, date: Date) {
        self.identifier = identifier
        self.query = query
        self.strength = strength
        self.date = date
    }
}

/// How an index learns from what people choose. These settings are not stored.
public struct LearningSettings: Sendable, Hashable {
    /// After how many seconds half of an engagement remains, at least 1; 30 days by default.
    public var halfLife: TimeInterval = 30 * 24 * 3600
    /// How many objects are remembered for a query, at least 1; 200 by default. The weakest of the
    /// others makes room for a new one.
    public var maximumObjects = 200
    /// How many queries are remembered for an object, at least 1; 1,000 by default. The one
    /// strengthened longest ago makes room for a new one.
    public var maximumQueries = 1_000
    /// The maximum length of a query in bytes of UTF-8, as it is listed; 1,024 by default, at most
    /// 4,096. Longer ones are refused with ``TextIndexError/Code/limitExceeded``.
    public var maximumQueryLength = 1_024

    /// Creates settings with the defaults of the properties.
    public init() {}

    /// What is left of a strength after a time, which counts as none if it is negative.
    func decayed(_ strength: Double, after seconds: TimeInterval) -> Double {
        Self.decayed(strength, after: seconds, halfLife: halfLife)
    }

    static func decayed(
        _ strength: Double, after seconds: TimeInterval, halfLife: TimeInterval
    ) -> Double {
        guard seconds > 0 else { return strength }
        // Also where it is not a number.
        return strength * exp2(-seconds / (halfLife >= 1 ? halfLife : 1))
    }
}
