/// Queries in the normal form that query text parses to; see ``Query/normalized()``.
///
/// The functions for kinds of queries take queries in normal form and give one in normal form,
/// without going down the tree: the parser builds with them as it goes, so that it needs no second
/// pass and no deep recursion.
enum NormalForm {
    /// The normal form of a query.
    static func of(_ query: Query) -> Query {
        // Children before parents, on a stack of its own: nothing recurses.
        enum Step {
            case descend(Query)
            case join(Query, count: Int)
        }
        var steps = [Step.descend(query)]
        var results: [Query] = []
        while let step = steps.popLast() {
            switch step {
            case .descend(let query):
                let children = query.children
                steps.append(.join(query, count: children.count))
                for child in children.reversed() { steps.append(.descend(child)) }
            case .join(let query, let count):
                let children = Array(results.suffix(count))
                results.removeLast(count)
                results.append(joined(query, of: children))
            }
        }
        return results.first ?? query
    }

    /// A query in normal form, made of its children in normal form.
    private static func joined(_ query: Query, of children: [Query]) -> Query {
        let child = children.first ?? .nothing
        switch query.node {
        case .keyword(let text), .prefix(let text), .infix(let text), .suffix(let text):
            return text.isEmpty ? .everything : query
        case .term(let text), .part(let text), .fuzzy(let text, _, _), .phrase(let text, _, _),
            .exactly(let text):
            return text.isEmpty ? .nothing : query
        case .attribute(_, .range(let bounds)):
            // Nothing is less or greater than a whole array.
            return bounds.hasArray ? .nothing : query
        case .near(_, let distance, let ordered): return near(children, distance, ordered)
        case .all: return all(children)
        case .any: return any(children)
        case .none: return none(children)
        case .atLeast(let count, _): return atLeast(count, children)
        case .first: return first(children)
        case .field(let name, _): return field(name, child)
        case .boost(_, let factor): return boost(child, factor)
        case .constantScore(_, let score): return constantScore(child, score)
        case .filter: return filter(child)
        case .everything, .nothing, .wildcard, .regularExpression, .attribute, .identifiers,
            .weight:
            return query
        }
    }

    // MARK: Kinds

    static func all(_ queries: [Query]) -> Query {
        var members: [Query] = []
        var excluded: [Query] = []
        var exclusionPosition: Int?
        for query in queries {
            let parts: [Query]
            if case .all(let inner) = query.node { parts = inner } else { parts = [query] }
            for part in parts {
                if case .none(let inner) = part.node {
                    exclusionPosition = exclusionPosition ?? members.count
                    excluded.append(contentsOf: inner)
                } else if part.node != .everything {
                    members.append(part)
                }
            }
        }
        if let exclusionPosition {
            members.insert(Query(.none(excluded)), at: exclusionPosition)
        }
        if members.isEmpty { return .everything }
        return members.count == 1 ? members[0] : Query(.all(members))
    }

    static func any(_ queries: [Query]) -> Query {
        let members = joiningAny(queries)
        if members.isEmpty { return .nothing }
        return members.count == 1 ? members[0] : Query(.any(members))
    }

    static func none(_ queries: [Query]) -> Query {
        let members = joiningAny(queries)
        return members.isEmpty ? .everything : Query(.none(members))
    }

    /// The queries, and the parts of those that are "any" in their places.
    private static func joiningAny(_ queries: [Query]) -> [Query] {
        queries.flatMap { query in
            if case .any(let inner) = query.node { inner } else { [query] }
        }
    }

    static func atLeast(_ count: Int, _ queries: [Query]) -> Query {
        if count > queries.count { return .nothing }
        if queries.isEmpty { return .everything }
        if count == 1 { return any(queries) }
        return count == queries.count ? all(queries) : Query(.atLeast(count, queries))
    }

    static func near(_ queries: [Query], _ distance: Int, _ ordered: Bool) -> Query {
        switch queries.count {
        case 0: return .nothing
        case 1: return queries[0]
        default: return Query(.near(queries, within: distance, ordered: ordered))
        }
    }

    static func first(_ queries: [Query]) -> Query {
        switch queries.count {
        case 0: return .nothing
        case 1: return queries[0]
        default: return Query(.first(queries))
        }
    }

    static func field(_ name: String, _ query: Query) -> Query {
        if case .field = query.node { return query }
        return Query(.field(name, query))
    }

    static func boost(_ query: Query, _ factor: Double) -> Query {
        switch query.node {
        case .boost(let inner, let other):
            return Query(.boost(inner, Query.clampedBoost(factor * other)))
        case .constantScore(let inner, let score):
            return Query(.constantScore(inner, Query.clampedBoost(factor * score)))
        // Nothing but its field stands before a word, so the boost belongs to the word.
        case .field(let name, let inner): return field(name, boost(inner, factor))
        default: return Query(.boost(query, factor))
        }
    }

    static func constantScore(_ query: Query, _ score: Double) -> Query {
        switch query.node {
        case .boost(let inner, _), .constantScore(let inner, _), .filter(let inner):
            return constantScore(inner, score)
        case .field(let name, let inner):
            return field(name, constantScore(inner, score))
        default: return Query(.constantScore(query, score))
        }
    }

    static func filter(_ query: Query) -> Query {
        switch query.node {
        case .filter: return query
        case .boost(let inner, _), .constantScore(let inner, _): return filter(inner)
        default: return Query(.filter(query))
        }
    }
}
