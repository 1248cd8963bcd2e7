import Foundation

/// Queries as they are for one object alone: what asks for its record is everything or nothing.
struct RecordResolver {
    let record: ObjectRecord

    /// Whether a query asks for attributes, weights or identifiers.
    ///
    /// Complexity: linear in the query; without recursion.
    static func isNeeded(for query: Query) -> Bool {
        QueryWalk(query).contains { part in
            switch part.node {
            case .attribute, .weight, .identifiers: true
            default: false
            }
        }
    }

    func resolved(_ query: Query) -> Query {
        switch query.node {
        case .attribute(let name, let operation):
            known(operation.holds(for: record.attributes[name]))
        case .weight(let bounds): known(bounds.contains(.number(record.weight)))
        case .identifiers(let identifiers): known(identifiers.contains(record.identifier))
        default: query.mapParts(resolved)
        }
    }

    private func known(_ isTrue: Bool) -> Query { isTrue ? .everything : .nothing }
}
