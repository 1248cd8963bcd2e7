extension Query {
    /// Returns the same query in the normal form that its text parses to.
    ///
    /// Nested `all` and `any` are joined, exclusions inside an `all` are gathered, boosts are
    /// multiplied into one, and combinations of one or no queries are resolved. ``everything`` is
    /// left out of an `all`, since it adds no score. Matches and scores stay the same.
    ///
    /// Complexity: O(*n*) in the size of the tree.
    public func normalized() -> Query {
        // Children before parents, on a stack of its own: nothing recurses.
        enum Step {
            case descend(Query)
            case join(Query, count: Int)
        }
        var steps = [Step.descend(self)]
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
                results.append(query.joined(children))
            }
        }
        return results.first ?? self
    }

    /// This query in normal form, made of its children in normal form.
    private func joined(_ children: [Query]) -> Query {
        let child = children.first ?? .nothing
        switch node {
        case .keyword(let text), .prefix(let text), .infix(let text), .suffix(let text):
            return text.isEmpty ? .everything : self
        case .term(let text), .part(let text), .fuzzy(let text, _, _), .phrase(let text, _, _),
            .exactly(let text):
            return text.isEmpty ? .nothing : self
        case .attribute(_, .range(let bounds)):
            // Nothing is less or greater than a whole array.
            return bounds.hasArray ? .nothing : self
        case .near(_, let distance, let ordered): return .joinedNear(children, distance, ordered)
        case .all: return .joinedAll(children)
        case .any: return .joinedAny(children)
        case .none: return .joinedNone(children)
        case .atLeast(let count, _): return .joinedAtLeast(count, children)
        case .first: return .joinedFirst(children)
        case .field(let name, _): return .joinedField(name, child)
        case .boost(_, let factor): return .joinedBoost(child, factor)
        case .constantScore(_, let score): return .joinedConstantScore(child, score)
        case .filter: return .joinedFilter(child)
        case .everything, .nothing, .wildcard, .regularExpression, .attribute, .identifiers,
            .weight:
            return self
        }
    }
}

// These take queries in normal form and give one in normal form, without going down the tree:
// the parser builds with them as it goes, so that it needs no second pass and no deep recursion.
extension Query {
    static func joinedAll(_ queries: [Query]) -> Query {
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

    static func joinedAny(_ queries: [Query]) -> Query {
        var members: [Query] = []
        for query in queries {
            if case .any(let inner) = query.node {
                members.append(contentsOf: inner)
            } else {
                members.append(query)
            }
        }
        if members.isEmpty { return .nothing }
        return members.count == 1 ? members[0] : Query(.any(members))
    }

    static func joinedNone(_ queries: [Query]) -> Query {
        var members: [Query] = []
        for query in queries {
            if case .any(let inner) = query.node {
                members.append(contentsOf: inner)
            } else {
                members.append(query)
            }
        }
        return members.isEmpty ? .everything : Query(.none(members))
    }

    static func joinedAtLeast(_ count: Int, _ queries: [Query]) -> Query {
        if count > queries.count { return .nothing }
        if queries.isEmpty { return .everything }
        if count == 1 { return joinedAny(queries) }
        return count == queries.count ? joinedAll(queries) : Query(.atLeast(count, queries))
    }

    static func joinedNear(_ queries: [Query], _ distance: Int, _ ordered: Bool) -> Query {
        switch queries.count {
        case 0: return .nothing
        case 1: return queries[0]
        default: return Query(.near(queries, within: distance, ordered: ordered))
        }
    }

    static func joinedFirst(_ queries: [Query]) -> Query {
        switch queries.count {
        case 0: return .nothing
        case 1: return queries[0]
        default: return Query(.first(queries))
        }
    }

    static func joinedField(_ name: String, _ query: Query) -> Query {
        if case .field = query.node { return query }
        return Query(.field(name, query))
    }

    static func joinedBoost(_ query: Query, _ factor: Double) -> Query {
        switch query.node {
        case .boost(let inner, let other): return Query(.boost(inner, clampedBoost(factor * other)))
        case .constantScore(let inner, let score):
            return Query(.constantScore(inner, clampedBoost(factor * score)))
        // Nothing but its field stands before a word, so the boost belongs to the word.
        case .field(let name, let inner): return joinedField(name, joinedBoost(inner, factor))
        default: return Query(.boost(query, factor))
        }
    }

    static func joinedConstantScore(_ query: Query, _ score: Double) -> Query {
        switch query.node {
        case .boost(let inner, _), .constantScore(let inner, _), .filter(let inner):
            return joinedConstantScore(inner, score)
        case .field(let name, let inner):
            return joinedField(name, joinedConstantScore(inner, score))
        default: return Query(.constantScore(query, score))
        }
    }

    static func joinedFilter(_ query: Query) -> Query {
        switch query.node {
        case .filter: return query
        case .boost(let inner, _), .constantScore(let inner, _): return joinedFilter(inner)
        default: return Query(.filter(query))
        }
    }
}
