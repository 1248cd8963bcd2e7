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
    /// `query` must be a filter; `isNegated`: it is within an exclusion. `documents` finds those of
    /// identifiers, and all of them there.
    init(
        _ query: Query, fields: [String], isNegated: Bool = false,
        documents: (_ identifiers: [Data], _ isNegated: Bool) throws -> [UInt32]
    ) rethrows {
        func node(_ part: Query, isNegated: Bool) throws -> FilterNode {
            try FilterNode(part, fields: fields, isNegated: isNegated, documents: documents)
        }
        func nodes(_ parts: [Query]) throws -> [FilterNode] {
            try parts.map { try node($0, isNegated: isNegated) }
        }
        switch query.node {
        case .everything: self = .everything
        case .attribute(let name, let operation): self = .attribute(name, operation)
        case .weight(let bounds): self = .weight(bounds)
        case .identifiers(let identifiers): self = .documents(try documents(identifiers, isNegated))
        case .filter(let part), .boost(let part, _), .constantScore(let part, _):
            self = try node(part, isNegated: isNegated)
        case .field(let name, let part):
            // The innermost field counts.
            if case .field = part.node {
            } else if !fields.contains(name) {
                self = .nothing
                return
            }
            self = try node(part, isNegated: isNegated)
        case .all(let parts):
            self =
                parts.count == 1
                ? try node(parts[0], isNegated: isNegated)
                : .all(try nodes(parts))
        case .any(let parts): self = .any(try nodes(parts))
        case .none(let parts): self = .none(try parts.map { try node($0, isNegated: true) })
        case .atLeast(let count, let parts): self = .atLeast(count, try nodes(parts))
        default: self = .nothing
        }
    }
}
