internal import Foundation

extension Query: Codable {
    /// How deeply a coded query may nest.
    ///
    /// Far beyond what query text can make, far below what would exhaust the stack.
    static let maximumCodedDepth = 1_000

    // Stored by applications; never rename.
    private enum Kind: String, CodingKey {
        case everything, nothing, keyword, term, prefix, infix, suffix, fuzzy, wildcard
        case part, regularExpression, phrase, near, all, any, none, atLeast, first, field, boost
        case constantScore, filter, attribute, identifiers, weight, exactly
    }

    /// Decodes a query written by ``encode(to:)``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for anything but exactly one known kind of query.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1,
            decoder.codingPath.count < Self.maximumCodedDepth
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a query has exactly one kind, one that is known here"))
        }
        func text() throws -> String { try container.decode(String.self, forKey: kind) }
        func queries() throws -> [Query] { try container.decode([Query].self, forKey: kind) }
        func parts() throws -> Parts { try container.decode(Parts.self, forKey: kind) }
        switch kind {
        case .everything: self = .everything
        case .nothing: self = .nothing
        case .keyword: self = .keyword(try text())
        case .term: self = .term(try text())
        case .prefix: self = .prefix(try text())
        case .infix: self = .infix(try text())
        case .suffix: self = .suffix(try text())
        case .part: self = .part(try text())
        case .wildcard: self = .wildcard(try text())
        case .regularExpression: self = .regularExpression(try text())
        case .exactly: self = .exactly(try text())
        case .fuzzy:
            let parts = try parts()
            self = .fuzzy(
                try parts.text.orThrow(decoder), distance: parts.distance ?? 2,
                exactPrefix: parts.exactPrefix ?? 0)
        case .phrase:
            let parts = try parts()
            self = .phrase(
                try parts.text.orThrow(decoder), slop: parts.distance ?? 0,
                lastWordIsPrefix: parts.lastWordIsPrefix ?? false)
        case .near:
            let parts = try parts()
            self = .near(
                try parts.queries.orThrow(decoder), within: parts.distance ?? 0,
                ordered: parts.ordered ?? false)
        case .all: self = .all(of: try queries())
        case .any: self = .any(of: try queries())
        case .none: self = .none(of: try queries())
        case .atLeast:
            let parts = try parts()
            self = .atLeast(parts.count ?? 1, of: try parts.queries.orThrow(decoder))
        case .first: self = .first(of: try queries())
        case .field:
            let parts = try parts()
            self = .field(
                try parts.name.orThrow(decoder), try (parts.queries?.first).orThrow(decoder))
        case .boost:
            let parts = try parts()
            self = .boost(
                try (parts.queries?.first).orThrow(decoder), parts.factor ?? 1)
        case .constantScore:
            let parts = try parts()
            self = .constantScore(
                try (parts.queries?.first).orThrow(decoder), parts.factor ?? 1)
        case .filter: self = .filter(try container.decode(Query.self, forKey: kind))
        case .attribute:
            let parts = try parts()
            self = .attribute(
                try parts.name.orThrow(decoder), try parts.comparison.orThrow(decoder))
        case .identifiers: self = .identifiers(try container.decode([Data].self, forKey: kind))
        case .weight:
            self = Query(.weight(try container.decode(AttributeBounds.self, forKey: kind)))
        }
    }

    /// Encodes the query, as it was built, as a container with one key: its kind.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch node {
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
