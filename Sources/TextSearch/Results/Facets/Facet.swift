public import Foundation

/// What to count of the objects that a query matches: how many have each value of an attribute, or values in each of some ranges.
///
/// ```swift
/// let found = try index.search("duck", facets: [
///     .values(of: "cuisine", limit: 5),
///     .histogram(of: "minutes", every: 15),
///     .dates(of: "published", every: .month),
///     .levels(of: "shelf", below: "meat"),  // of "meat/poultry/duck": "meat/poultry"
/// ])
/// for bucket in found.facets[0].buckets { print(bucket.key, bucket.count) }
/// ```
///
/// An object counts once in each bucket that one of its values lies in. Values are told apart as ``AttributeValue`` does.
public struct Facet: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case values
        case levels(separator: String, below: String?)
        case ranges([FacetRange])
        case histogram(interval: Double, origin: Double)
        case dates(FacetPeriod, TimeZone)
        case automatic(count: Int, TimeZone)
    }

    /// Which buckets come first, and which are given where there are more than the limit.
    public enum Order: Hashable, Sendable {
        /// Those with the most objects; of equally many the one with the lower key.
        case count
        /// Those with the lower key; ranges as they were given.
        case key
        /// Those whose best object comes first in the order of the results.
        case bestHit
    }

    /// The attribute that is looked at.
    public let attribute: String
    let kind: Kind
    /// How many buckets to give at most.
    public var limit: Int
    /// Which buckets come first.
    public var order: Order
    /// How many results to give of each bucket, the first in the order of the results: what the results look like when they are grouped.
    public var topHits: Int
    /// Whether what the query asks of this attribute, and of no other, is left out for its counts: how many results each of its values would give instead. By
    /// default false: what matches is counted.
    ///
    /// That are the filters of the uppermost "all", so that of `.all(of: [.term("duck"), .filter(.attribute("cuisine", .equal("french")))])` the cuisines of all
    /// ducks are counted, and other facets count the French ones.
    public var isDisjunctive = false

    /// Each value that some object has.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - limit: how many buckets to give at most.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each bucket.
    /// - Returns: The facet.
    public static func values(
        of attribute: String, limit: Int = 10, order: Order = .count, topHits: Int = 0
    ) -> Facet {
        Facet(attribute: attribute, kind: .values, limit: limit, order: order, topHits: topHits)
    }

    /// Strings that are paths, one level at a time: of `a/b/c` the first level is `a`, the one below `a` is `a/b`.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - separator: what stands between the levels, byte for byte; not empty.
    ///   - parent: the path whose next level is counted; nil for the first level.
    ///   - limit: how many buckets to give at most.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each bucket.
    /// - Returns: The facet; its keys are whole paths.
    public static func levels(
        of attribute: String, separator: String = "/", below parent: String? = nil,
        limit: Int = 10, order: Order = .count, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .levels(separator: separator, below: parent), limit: limit,
            order: order, topHits: topHits)
    }

    /// Ranges of your own, which may overlap; those without an object are given too.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - ranges: the ranges.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each bucket.
    /// - Returns: The facet.
    public static func ranges(
        of attribute: String, _ ranges: [FacetRange], order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .ranges(ranges), limit: .max, order: order,
            topHits: topHits)
    }

    /// Numbers in ranges of one width; ranges without an object are left out.
    ///
    /// Where numbers are so large, or the width so small, that a `Double` does not tell the bounds apart, each number is a range of its own.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - interval: the width, finite and more than 0.
    ///   - origin: where one of the ranges begins.
    ///   - limit: how many buckets to give at most.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each bucket.
    /// - Returns: The facet.
    public static func histogram(
        of attribute: String, every interval: Double, from origin: Double = 0, limit: Int = .max,
        order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .histogram(interval: interval, origin: origin),
            limit: limit, order: order, topHits: topHits)
    }

    /// Dates by hours, days, weeks, months, quarters or years of the Gregorian calendar; those without an object are left out.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - period: how much time a bucket is.
    ///   - timeZone: where days begin at midnight.
    ///   - limit: how many buckets to give at most.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each bucket.
    /// - Returns: The facet.
    public static func dates(
        of attribute: String, every period: FacetPeriod, in timeZone: TimeZone = .gmt,
        limit: Int = .max, order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .dates(period, timeZone), limit: limit, order: order,
            topHits: topHits)
    }

    /// Numbers or dates in ranges of one width with round bounds, as narrow as it takes to be no more than `count`; those without an object are left out.
    ///
    /// The least and the greatest value of what matches decide: numbers are cut at multiples of 1, 2 or 5 times a power of ten, dates at hours, days, weeks, months,
    /// quarters, years, or multiples of 1, 2 or 5 times a power of ten years. An attribute that has both counts by its numbers.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - count: how many ranges to give at most; more than 0.
    ///   - timeZone: where days begin at midnight.
    ///   - order: which come first.
    ///   - topHits: how many results to give of each range.
    /// - Returns: The facet.
    public static func automaticRanges(
        of attribute: String, atMost count: Int = 10, in timeZone: TimeZone = .gmt,
        order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .automatic(count: count, timeZone), limit: .max,
            order: order, topHits: topHits)
    }

    /// The same facet, of whose attribute the query's own filters are left out; see ``isDisjunctive``.
    public var disjunctive: Facet {
        var facet = self
        facet.isDisjunctive = true
        return facet
    }

    /// Refuses what cannot be counted.
    func check() throws {
        switch kind {
        case .levels(let separator, _) where separator.isEmpty:
            throw TextIndexError(.invalidArgument, "The separator of a facet is empty.")
        case .automatic(let count, _) where count < 1:
            throw TextIndexError(.invalidArgument, "A facet of automatic ranges has none.")
        case .histogram(let interval, let origin)
        where !(interval > 0 && interval.isFinite && origin.isFinite):
            throw TextIndexError(
                .invalidArgument,
                "The interval of a histogram is not a finite number above 0, or its origin not finite."
            )
        default: break
        }
    }
}

/// How much time a bucket of a facet of dates is.
public enum FacetPeriod: String, Hashable, Sendable, CaseIterable {
    /// An hour.
    case hour
    /// A day from midnight to midnight.
    case day
    /// A week that begins on Monday.
    case week
    /// A month.
    case month
    /// Three months, the first from January on.
    case quarter
    /// A year.
    case year
}

/// A range of attribute values of one kind, without its upper bound.
public struct FacetRange: Hashable, Sendable {
    /// The least value; nil where there is no bound.
    public let lower: AttributeValue?
    /// What all values are less than; nil where there is no bound.
    public let upper: AttributeValue?

    /// A range.
    ///
    /// - Parameters:
    ///   - lower: the least value; nil for no bound.
    ///   - upper: what all values are less than; nil for no bound. Only values of the kind of the bounds lie in the range.
    public init(from lower: AttributeValue? = nil, to upper: AttributeValue? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether a single value lies in the range. What is not a number does only where it is the lower bound.
    func contains(_ value: AttributeValue) -> Bool {
        if value.isNotANumber { return lower == value }
        if let lower, !value.isComparable(to: lower) || value < lower { return false }
        if let upper, !value.isComparable(to: upper) || value >= upper { return false }
        return true
    }
}

/// What the objects of a bucket have in common.
public enum FacetKey: Hashable, Sendable, CustomStringConvertible {
    /// A value; of ``Facet/levels(of:separator:below:limit:order:topHits:)`` a path.
    case value(AttributeValue)
    /// A value in a range.
    case range(FacetRange)

    /// The key as query text writes it after the attribute's name: `"french"`, `[10 TO 20}`.
    public var description: String {
        switch self {
        case .value(let value): return value.description
        case .range(let range):
            let lower = range.lower?.description ?? "*"
            let upper = range.upper?.description ?? "*"
            return "[\(lower) TO \(upper)\(range.upper == nil ? "]" : "}")"
        }
    }

    /// Values in their order, ranges by their lower bounds.
    static func precedes(_ a: FacetKey, _ b: FacetKey) -> Bool {
        switch (a, b) {
        case (.value(let a), .value(let b)): a < b
        case (.range(let a), .range(let b)):
            switch (a.lower, b.lower) {
            case (nil, let b): b != nil
            case (_, nil): false
            case (let a?, let b?): a < b
            }
        case (.value, .range): true
        case (.range, .value): false
        }
    }
}

/// Objects that have something in common.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct FacetBucket<Object> {
    /// What they have in common.
    public let key: FacetKey
    /// How many objects there are.
    public let count: Int
    /// The first of them in the order of the results, as many as ``Facet/topHits`` says; their ranks are those within the bucket.
    public let hits: [SearchResultItem<Object>]
}

/// How many of the objects that a query matches lie in each bucket of a facet.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct FacetCounts<Object> {
    /// What was counted.
    public let facet: Facet
    /// The buckets, in the order that the facet asks for.
    public let buckets: [FacetBucket<Object>]
    /// How many buckets there are in all.
    public let bucketCount: Int
    /// How many of the objects have a value of the attribute, in a bucket or not.
    public let objectCount: Int
    /// How many of the objects have none.
    public let missingCount: Int
    /// Whether all objects were counted; otherwise the counts are lower bounds.
    public let isComplete: Bool
}
