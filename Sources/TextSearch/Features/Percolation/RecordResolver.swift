import Foundation

/// Rewrites a query for one object: conditions on its record become everything or nothing.
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
