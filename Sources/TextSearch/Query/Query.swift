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

// MARK: - Parts

extension Query {
    /// The queries that this one is made of, in order.
    var children: [Query] {
        switch node {
        case .all(let queries), .any(let queries), .none(let queries), .atLeast(_, let queries),
            .near(let queries, _, _), .first(let queries):
            return queries
        case .field(_, let query), .boost(let query, _), .constantScore(let query, _),
            .filter(let query):
            return [query]
        case .everything, .nothing, .keyword, .term, .prefix, .infix, .suffix, .part, .fuzzy,
            .wildcard, .regularExpression, .phrase, .exactly, .attribute, .identifiers, .weight:
            return []
        }
    }

    /// The same query made of other parts; itself where it has none.
    func mapParts(_ transform: (Query) throws -> Query) rethrows -> Query {
        switch node {
        case .near(let parts, let within, let ordered):
            try Query(.near(parts.map(transform), within: within, ordered: ordered))
        case .all(let parts): try Query(.all(parts.map(transform)))
        case .any(let parts): try Query(.any(parts.map(transform)))
        case .none(let parts): try Query(.none(parts.map(transform)))
        case .atLeast(let count, let parts): try Query(.atLeast(count, parts.map(transform)))
        case .first(let parts): try Query(.first(parts.map(transform)))
        case .field(let name, let part): try Query(.field(name, transform(part)))
        case .boost(let part, let factor): try Query(.boost(transform(part), factor))
        case .constantScore(let part, let score): try Query(.constantScore(transform(part), score))
        case .filter(let part): try Query(.filter(transform(part)))
        case .everything, .nothing, .keyword, .term, .prefix, .infix, .suffix, .part, .fuzzy,
            .wildcard, .regularExpression, .phrase, .exactly, .attribute, .identifiers, .weight:
            self
        }
    }
}

// MARK: - Normal form, equality, text and stored form

extension Query {
    /// Returns the same query in the normal form that its text parses to.
    ///
    /// Nested `all` and `any` are joined, exclusions inside an `all` are gathered, boosts are
    /// multiplied into one, and combinations of one or no queries are resolved. ``everything`` is
    /// left out of an `all`, since it adds no score. Matches and scores stay the same.
    ///
    /// Complexity: O(*n*) in the size of the tree.
    public func normalized() -> Query { NormalForm.of(self) }
}

extension Query: Hashable {
    /// Whether two queries were built alike. Compare ``normalized()`` forms for equal meaning.
    ///
    /// Complexity: O(*n*) in the size of the tree, without recursion, so that a deep query cannot
    /// exhaust the stack.
    public static func == (a: Query, b: Query) -> Bool {
        var pairs = [(a, b)]
        while let (a, b) = pairs.popLast() {
            let (inner, other) = (a.children, b.children)
            guard inner.count == other.count, a.childless == b.childless else { return false }
            pairs.append(contentsOf: zip(inner, other))
        }
        return true
    }

    /// Feeds the query to a hasher, without recursion.
    public func hash(into hasher: inout Hasher) {
        var queries = [self]
        while let query = queries.popLast() {
            let children = query.children
            hasher.combine(query.childless)
            hasher.combine(children.count)
            queries.append(contentsOf: children)
        }
    }

    /// The node by itself, with nothing in the place of its children.
    private var childless: Node {
        switch node {
        case .near(_, let distance, let ordered): .near([], within: distance, ordered: ordered)
        case .all: .all([])
        case .any: .any([])
        case .none: .none([])
        case .atLeast(let count, _): .atLeast(count, [])
        case .first: .first([])
        case .field(let name, _): .field(name, .nothing)
        case .boost(_, let factor): .boost(.nothing, factor)
        case .constantScore(_, let score): .constantScore(.nothing, score)
        case .filter: .filter(.nothing)
        case .everything, .nothing, .keyword, .term, .prefix, .infix, .suffix, .part, .fuzzy,
            .wildcard, .regularExpression, .phrase, .exactly, .attribute, .identifiers, .weight:
            node
        }
    }
}

extension Query: CustomStringConvertible {
    /// The query in normal form, as query text.
    ///
    /// ``QueryParser`` reads it back as ``normalized()`` if it knows the fields and attributes
    /// named in it and no limit is exceeded.
    public var description: String { QueryPrinter.text(normalized()) }
}

extension Query: Codable {
    /// Decodes a query written by ``encode(to:)``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for anything but exactly one known kind of query.
    public init(from decoder: any Decoder) throws {
        self = try CodedQuery(from: decoder).query
    }

    /// Encodes the query, as it was built, as a container with one key: its kind.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try CodedQuery(query: self).encode(to: encoder)
    }
}
