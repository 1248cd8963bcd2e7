public import Foundation

/// What to count of the objects that a query matches: how many have each value of an attribute, or
/// values in ranges.
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
/// An object counts once in each bucket that one of its values lies in. Values are equal as
/// ``AttributeValue`` defines it.
public struct Facet: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case values
        case levels(separator: String, below: String?)
        case ranges([FacetRange])
        case histogram(interval: Double, origin: Double)
        case dates(FacetPeriod, TimeZone)
        case automatic(count: Int, TimeZone)
        /// What an automatic facet becomes: numbers, or seconds of dates since the reference date,
        /// are cut there, and have no bound beyond.
        case cuts([Double], ofDates: Bool)
    }

    /// Which buckets come first, and which are returned if there are more than the limit.
    public enum Order: Hashable, Sendable {
        /// By the number of objects, the greatest first, then the lower key.
        case count
        /// By key, the lowest first; ranges as they were given.
        case key
        /// By the best object of each bucket, in the order of the results.
        case bestHit
    }

    /// The name of the attribute to count.
    public let attribute: String
    let kind: Kind
    /// The maximum number of buckets to return.
    public var limit: Int
    /// Which buckets to return first.
    public var order: Order
    /// How many results to return for each bucket, in the order of the results. Use it to group
    /// results.
    public var topHits: Int
    /// Whether the query's own filters on this attribute are ignored for its counts, so that each
    /// value shows how many results it would give instead. False by default: only what matches is
    /// counted.
    ///
    /// It concerns the filters of the uppermost `all`. With `.all(of: [.term("duck"),
    /// .filter(.attribute("cuisine", .equal("french")))])` the cuisines of all ducks are counted,
    /// and other facets count the French ones.
    public var isDisjunctive = false

    /// Counts each value that some object has.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - limit: the maximum number of buckets.
    ///   - order: which buckets come first.
    ///   - topHits: how many results to return for each bucket.
    /// - Returns: The facet.
    public static func values(
        of attribute: String, limit: Int = 10, order: Order = .count, topHits: Int = 0
    ) -> Facet {
        Facet(attribute: attribute, kind: .values, limit: limit, order: order, topHits: topHits)
    }

    /// Counts strings that are paths, one level at a time: the first level of `a/b/c` is `a`, the
    /// one below `a` is `a/b`.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - separator: the text between the levels, compared byte for byte; not empty.
    ///   - parent: the path whose next level is counted; nil for the first level.
    ///   - limit: the maximum number of buckets.
    ///   - order: which buckets come first.
    ///   - topHits: how many results to return for each bucket.
    /// - Returns: The facet; its keys are whole paths.
    public static func levels(
        of attribute: String, separator: String = "/", below parent: String? = nil,
        limit: Int = 10, order: Order = .count, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .levels(separator: separator, below: parent), limit: limit,
            order: order, topHits: topHits)
    }

    /// Counts ranges of your own, which may overlap. Ranges without an object are returned too.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - ranges: the ranges.
    ///   - order: which buckets come first.
    ///   - topHits: how many results to return for each bucket.
    /// - Returns: The facet.
    public static func ranges(
        of attribute: String, _ ranges: [FacetRange], order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .ranges(ranges), limit: .max, order: order,
            topHits: topHits)
    }

    /// Counts numbers in ranges of equal width. Ranges without an object are left out.
    ///
    /// If numbers are so large, or the width so small, that a `Double` does not distinguish the
    /// bounds, each number is a range of its own.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - interval: the width, finite and more than 0.
    ///   - origin: the lower bound of one of the ranges.
    ///   - limit: the maximum number of buckets.
    ///   - order: which buckets come first.
    ///   - topHits: how many results to return for each bucket.
    /// - Returns: The facet.
    public static func histogram(
        of attribute: String, every interval: Double, from origin: Double = 0, limit: Int = .max,
        order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .histogram(interval: interval, origin: origin),
            limit: limit, order: order, topHits: topHits)
    }

    /// Counts dates by hours, days, weeks, months, quarters or years of the Gregorian calendar.
    /// Periods without an object are left out.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - period: the length of a bucket.
    ///   - timeZone: the time zone in which days begin at midnight.
    ///   - limit: the maximum number of buckets.
    ///   - order: which buckets come first.
    ///   - topHits: how many results to return for each bucket.
    /// - Returns: The facet.
    public static func dates(
        of attribute: String, every period: FacetPeriod, in timeZone: TimeZone = .gmt,
        limit: Int = .max, order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .dates(period, timeZone), limit: limit, order: order,
            topHits: topHits)
    }

    /// Counts numbers or dates in ranges of equal width with round bounds, as narrow as possible
    /// for at most `count` ranges, and at most 10,000. Ranges without an object are left out.
    ///
    /// The matching values decide. Numbers are cut at multiples of 1, 2 or 5 times a power of ten.
    /// Dates are cut at hours, days, weeks, months, quarters, years, or multiples of 1, 2 or 5
    /// times a power of ten years. An attribute with both counts by its numbers.
    ///
    /// Where there may be more than three ranges, few values far away from all others make no
    /// difference to the bounds: up to two of a hundred at an end, or one of ten or more. They lie
    /// in a first range without a lower bound, or a last one without an upper bound.
    ///
    /// - Parameters:
    ///   - attribute: the attribute's name.
    ///   - count: the maximum number of ranges; more than 0.
    ///   - timeZone: the time zone in which days begin at midnight.
    ///   - order: which ranges come first.
    ///   - topHits: how many results to return for each range.
    /// - Returns: The facet.
    public static func automaticRanges(
        of attribute: String, atMost count: Int = 10, in timeZone: TimeZone = .gmt,
        order: Order = .key, topHits: Int = 0
    ) -> Facet {
        Facet(
            attribute: attribute, kind: .automatic(count: count, timeZone), limit: .max,
            order: order, topHits: topHits)
    }

    /// The same facet, with the query's own filters on its attribute ignored; see
    /// ``isDisjunctive``.
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

/// The length of a bucket of a facet of dates.
public enum FacetPeriod: String, Hashable, Sendable, CaseIterable {
    /// An hour, from its first minute.
    case hour
    /// A day from midnight to midnight.
    case day
    /// A week that begins on Monday.
    case week
    /// A month, from its first day.
    case month
    /// Three months; the first quarter begins in January.
    case quarter
    /// A year, from the first of January.
    case year
}

/// A range of attribute values of one kind, excluding its upper bound.
public struct FacetRange: Hashable, Sendable {
    /// The lowest value; nil for no lower bound.
    public let lower: AttributeValue?
    /// The bound that all values are below; nil for no upper bound.
    public let upper: AttributeValue?

    /// Creates a range of values between two bounds.
    ///
    /// - Parameters:
    ///   - lower: the lowest value; nil for no bound.
    ///   - upper: the bound that all values are below; nil for no bound. The range has only values
    ///     of the kind of its bounds.
    public init(from lower: AttributeValue? = nil, to upper: AttributeValue? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Whether a single value lies in the range. What is not a number does only where it is the
    /// lower bound.
    func contains(_ value: AttributeValue) -> Bool {
        if value.isNotANumber { return lower == value }
        if let lower, !value.isComparable(to: lower) || value < lower { return false }
        if let upper, !value.isComparable(to: upper) || value >= upper { return false }
        return true
    }
}

/// What the objects of a bucket have in common.
public enum FacetKey: Hashable, Sendable, CustomStringConvertible {
    /// A single value; of ``Facet/levels(of:separator:below:limit:order:topHits:)`` a path.
    case value(AttributeValue)
    /// A range that a value of each object lies in.
    case range(FacetRange)

    /// The key as it is written in query text after the attribute's name: `"french"`, `[10 TO 20}`.
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

/// Objects with a value or range in common.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct FacetBucket<Object>: Sendable {
    /// The value or range that the objects have in common.
    public let key: FacetKey
    /// How many objects are in the bucket.
    public let count: Int
    /// The first of them in the order of the results, at most ``Facet/topHits``. Their ranks count
    /// within the bucket.
    public let hits: [SearchResultItem<Object>]
}

/// How many of the objects that a query matches lie in each bucket of a facet.
///
/// **Thread safety**: an immutable value, as far as `Object` is.
public struct FacetCounts<Object>: Sendable {
    /// The facet that was counted.
    public let facet: Facet
    /// The buckets in the order of the facet, up to its limit.
    public let buckets: [FacetBucket<Object>]
    /// How many buckets there are, also beyond the limit.
    public let bucketCount: Int
    /// How many of the objects have a value of the attribute, in a bucket or not.
    public let objectCount: Int
    /// How many of the objects have no value of it.
    public let missingCount: Int
    /// Whether all objects were counted; otherwise the counts are lower bounds.
    public let isComplete: Bool
}
