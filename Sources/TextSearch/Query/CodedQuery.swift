internal import Foundation

/// A query as applications store it: a container with one key, its kind.
struct CodedQuery: Codable {
    let query: Query

    init(query: Query) { self.query = query }

    /// How deeply a coded query may nest.
    ///
    /// Far beyond what query text can make, far below what would exhaust the stack.
    private static let maximumDepth = 1_000

    // Stored by applications; never rename.
    private enum Kind: String, CodingKey {
        case everything, nothing, keyword, term, prefix, infix, suffix, fuzzy, wildcard
        case part, regularExpression, phrase, near, all, any, none, atLeast, first, field, boost
        case constantScore, filter, attribute, identifiers, weight, exactly
    }

    init(from decoder: any Decoder) throws {
        let (container, kind) = try decoder.singleKind(
            Kind.self, depth: Self.maximumDepth,
            "a query has exactly one kind, one that is known here")
        switch kind {
        case .everything: query = .everything
        case .nothing: query = .nothing
        case .keyword, .term, .prefix, .infix, .suffix, .part, .wildcard, .regularExpression,
            .exactly:
            query = Self.word(kind, try container.decode(String.self, forKey: kind))
        case .all: query = .all(of: try container.decode([Query].self, forKey: kind))
        case .any: query = .any(of: try container.decode([Query].self, forKey: kind))
        case .none: query = .none(of: try container.decode([Query].self, forKey: kind))
        case .first: query = .first(of: try container.decode([Query].self, forKey: kind))
        case .filter: query = .filter(try container.decode(Query.self, forKey: kind))
        case .identifiers: query = .identifiers(try container.decode([Data].self, forKey: kind))
        case .weight:
            query = Query(.weight(try container.decode(AttributeBounds.self, forKey: kind)))
        case .fuzzy, .phrase, .near, .atLeast, .field, .boost, .constantScore, .attribute:
            query = try Self.named(
                kind, try container.decode(Parts.self, forKey: kind), decoder)
        }
    }

    /// A kind of query that is a text alone.
    private static func word(_ kind: Kind, _ text: String) -> Query {
        switch kind {
        case .term: .term(text)
        case .prefix: .prefix(text)
        case .infix: .infix(text)
        case .suffix: .suffix(text)
        case .part: .part(text)
        case .wildcard: .wildcard(text)
        case .regularExpression: .regularExpression(text)
        case .exactly: .exactly(text)
        default: .keyword(text)
        }
    }

    /// A kind of query that has named values.
    private static func named(
        _ kind: Kind, _ parts: Parts, _ decoder: any Decoder
    ) throws -> Query {
        switch kind {
        case .fuzzy:
            .fuzzy(
                try parts.text.orThrow(decoder), distance: parts.distance ?? 2,
                exactPrefix: parts.exactPrefix ?? 0)
        case .phrase:
            .phrase(
                try parts.text.orThrow(decoder), slop: parts.distance ?? 0,
                lastWordIsPrefix: parts.lastWordIsPrefix ?? false)
        case .near:
            .near(
                try parts.queries.orThrow(decoder), within: parts.distance ?? 0,
                ordered: parts.ordered ?? false)
        case .atLeast: .atLeast(parts.count ?? 1, of: try parts.queries.orThrow(decoder))
        case .field:
            .field(try parts.name.orThrow(decoder), try (parts.queries?.first).orThrow(decoder))
        case .boost: .boost(try (parts.queries?.first).orThrow(decoder), parts.factor ?? 1)
        case .constantScore:
            .constantScore(try (parts.queries?.first).orThrow(decoder), parts.factor ?? 1)
        default:
            .attribute(try parts.name.orThrow(decoder), try parts.comparison.orThrow(decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch query.node {
        case .everything: try container.encode(true, forKey: .everything)
        case .nothing: try container.encode(true, forKey: .nothing)
        case .keyword(let text): try container.encode(text, forKey: .keyword)
        case .term(let text): try container.encode(text, forKey: .term)
        case .prefix(let text): try container.encode(text, forKey: .prefix)
        case .infix(let text): try container.encode(text, forKey: .infix)
        case .part(let text): try container.encode(text, forKey: .part)
        case .suffix(let text): try container.encode(text, forKey: .suffix)
        case .wildcard(let text): try container.encode(text, forKey: .wildcard)
        case .regularExpression(let text): try container.encode(text, forKey: .regularExpression)
        case .exactly(let text): try container.encode(text, forKey: .exactly)
        case .fuzzy(let text, let distance, let exactPrefix):
            try container.encode(
                Parts(text: text, distance: distance, exactPrefix: exactPrefix), forKey: .fuzzy)
        case .phrase(let text, let slop, let lastIsPrefix):
            try container.encode(
                Parts(text: text, distance: slop, lastWordIsPrefix: lastIsPrefix), forKey: .phrase)
        case .near(let queries, let distance, let ordered):
            try container.encode(
                Parts(queries: queries, distance: distance, ordered: ordered), forKey: .near)
        case .all(let queries): try container.encode(queries, forKey: .all)
        case .any(let queries): try container.encode(queries, forKey: .any)
        case .none(let queries): try container.encode(queries, forKey: .none)
        case .atLeast(let count, let queries):
            try container.encode(Parts(queries: queries, count: count), forKey: .atLeast)
        case .first(let queries): try container.encode(queries, forKey: .first)
        case .field(let name, let query):
            try container.encode(Parts(name: name, queries: [query]), forKey: .field)
        case .boost(let query, let factor):
            try container.encode(Parts(queries: [query], factor: factor), forKey: .boost)
        case .constantScore(let query, let score):
            try container.encode(Parts(queries: [query], factor: score), forKey: .constantScore)
        case .filter(let query): try container.encode(query, forKey: .filter)
        case .attribute(let name, let operation):
            try container.encode(
                Parts(name: name, comparison: AttributeComparison(operation: operation)),
                forKey: .attribute)
        case .identifiers(let identifiers):
            try container.encode(identifiers, forKey: .identifiers)
        case .weight(let bounds): try container.encode(bounds, forKey: .weight)
        }
    }
}

/// The named values that kinds of queries have; each kind uses a few.
private struct Parts: Codable {
    var text: String?
    var name: String?
    var queries: [Query]?
    var distance: Int?
    var exactPrefix: Int?
    var lastWordIsPrefix: Bool?
    var ordered: Bool?
    var count: Int?
    var factor: Double?
    var comparison: AttributeComparison?
}

extension Optional {
    /// The value, or an error that the coded query lacks it.
    fileprivate func orThrow(_ decoder: any Decoder) throws -> Wrapped {
        guard let self else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a part of the query is missing"))
        }
        return self
    }
}
