internal import Foundation

/// A query that restricts without scoring: attributes, weights, identifiers, and what is made of
/// them.
indirect enum FilterNode {
    case everything
    case nothing
    case attribute(String, AttributeComparison.Operation)
    case weight(AttributeBounds)
    /// Ascending.
    case documents([UInt32])
    case all([FilterNode])
    case any([FilterNode])
    case none([FilterNode])
    case atLeast(Int, [FilterNode])
}

extension FilterNode {
    /// `query` must be a filter; `documents` finds those of identifiers.
    init(
        _ query: Query, fields: [String], documents: ([Data]) throws -> [UInt32]
    ) rethrows {
        func nodes(_ parts: [Query]) throws -> [FilterNode] {
            try parts.map { try FilterNode($0, fields: fields, documents: documents) }
        }
        switch query.node {
        case .everything: self = .everything
        case .attribute(let name, let operation): self = .attribute(name, operation)
        case .weight(let bounds): self = .weight(bounds)
        case .identifiers(let identifiers): self = .documents(try documents(identifiers))
        case .filter(let part), .boost(let part, _), .constantScore(let part, _):
            self = try FilterNode(part, fields: fields, documents: documents)
        case .field(let name, let part):
            // The innermost field counts.
            if case .field = part.node {
            } else if !fields.contains(name) {
                self = .nothing
                return
            }
            self = try FilterNode(part, fields: fields, documents: documents)
        case .all(let parts):
            self =
                parts.count == 1
                ? try FilterNode(parts[0], fields: fields, documents: documents)
                : .all(try nodes(parts))
        case .any(let parts): self = .any(try nodes(parts))
        case .none(let parts): self = .none(try nodes(parts))
        case .atLeast(let count, let parts): self = .atLeast(count, try nodes(parts))
        default: self = .nothing
        }
    }
}
