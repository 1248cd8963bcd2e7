import Foundation

extension Query {
    /// Whether attributes, weights or identifiers are asked for.
    ///
    /// Complexity: linear in the query; without recursion.
    var asksForRecord: Bool {
        var open = [self]
        while let query = open.popLast() {
            switch query.node {
            case .attribute, .weight, .identifiers: return true
            default: open += query.children
            }
        }
        return false
    }

    /// The query as it is for one object alone: what asks for its record is everything or nothing.
    func resolved(for record: ObjectRecord) -> Query {
        func every(_ parts: [Query]) -> [Query] { parts.map { $0.resolved(for: record) } }
        func holds(_ isTrue: Bool) -> Query { isTrue ? .everything : .nothing }
        switch node {
        case .attribute(let name, let operation):
            return holds(operation.holds(for: record.attributes[name]))
        case .weight(let bounds): return holds(bounds.contains(.number(record.weight)))
        case .identifiers(let identifiers): return holds(identifiers.contains(record.identifier))
        case .all(let parts): return Query(.all(every(parts)))
        case .any(let parts): return Query(.any(every(parts)))
        case .none(let parts): return Query(.none(every(parts)))
        case .atLeast(let count, let parts): return Query(.atLeast(count, every(parts)))
        case .near(let parts, let within, let ordered):
            return Query(.near(every(parts), within: within, ordered: ordered))
        case .first(let parts): return Query(.first(every(parts)))
        case .field(let name, let part): return Query(.field(name, part.resolved(for: record)))
        case .boost(let part, let factor): return Query(.boost(part.resolved(for: record), factor))
        case .constantScore(let part, let score):
            return Query(.constantScore(part.resolved(for: record), score))
        case .filter(let part): return Query(.filter(part.resolved(for: record)))
        default: return self
        }
    }
}
