internal import Foundation

/// What to search for: a tree of conditions on words, attributes, weights and identifiers.
///
/// Build one with the static functions, or let ``QueryParser`` read it from text.
///
/// ```swift
/// let query: Query = .all(of: [
///     .phrase("peking duck", slop: 1),
///     .none(of: [.infix("goose")]),
///     .attribute("stars", .greaterOrEqual(4)),
/// ])
/// ```
///
/// ``description`` prints a query as text that parses back to ``normalized()``; the coded form
/// keeps the tree as it was built. A query knows nothing of any index, and keeps texts as they were
/// given, before any analysis.
///
/// **Thread safety.** A query is immutable.
public struct Query: Sendable {
    /// What the functions of ``Query`` build and matching switches over.
    ///
    /// It is not public so that kinds can be added without breaking anybody's `switch`.
    indirect enum Node: Hashable, Sendable {
        case everything
        case nothing
        /// Objects that `searchResults(forKeyword:)` finds: all words as substrings of words.
        case keyword(String)
        /// A word; a phrase if analysis finds several.
        case term(String)
        /// Words that begin with the text.
        case prefix(String)
        /// Words that contain the text.
        case infix(String)
        /// Words that end with the text.
        case suffix(String)
        /// Words of which the text is a part between signs, or which it is.
        case part(String)
        /// Words within `distance` edits (0–2) that share the first `exactPrefix` characters.
        case fuzzy(String, distance: Int, exactPrefix: Int)
        /// A ``WildcardMatcher`` pattern.
        case wildcard(String)
        /// A ``RegularExpressionMatcher`` pattern.
        case regularExpression(String)
        case phrase(String, slop: Int, lastIsPrefix: Bool)
        /// A string that is as a whole the text.
        case exactly(String)
        case near([Query], within: Int, ordered: Bool)
        case all([Query])
        case any([Query])
        /// Objects that none of the queries matches; scores nothing.
        case none([Query])
        /// `0` restricts nothing: what matches only adds to the score.
        case atLeast(Int, [Query])
        /// Those that an earlier one matches come above those that only a later one does.
        case first([Query])
        /// Inside, words are looked for in this field only; the innermost field wins.
        case field(String, Query)
        case boost(Query, Double)
        case constantScore(Query, Double)
        /// Restricts without scoring.
        case filter(Query)
        case attribute(String, AttributeComparison.Operation)
        /// Sorted, without duplicates.
        case identifiers([Data])
        /// The bounds are numbers.
        case weight(AttributeBounds)
    }

    let node: Node

    init(_ node: Node) { self.node = node }
}

// MARK: - Limits of the numbers in a query

extension Query {
    /// The largest number of edits of a ``fuzzy(_:distance:exactPrefix:)`` query.
    public static let maximumFuzzyDistance = FuzzyMatcher.maximumDistance

    /// The largest slop of a phrase and distance of near; larger values are clamped.
    public static let maximumSlop = 10_000

    /// The largest boost and constant score. Larger values are clamped, negative ones count as
    /// zero.
    public static let maximumBoost = 1e6

    static func clampedSlop(_ slop: Int) -> Int { min(max(slop, 0), maximumSlop) }

    static func clampedBoost(_ boost: Double) -> Double {
        boost.isNaN ? 1 : min(max(boost, 0), maximumBoost)
    }
}
