extension Query {
    /// The same query in the one form that its text parses to.
    ///
    /// Nested `all` and `any` are joined, exclusions inside an `all` are gathered into one, boosts are
    /// multiplied into one, combinations of one or no queries are resolved, and ``everything``, which
    /// scores nothing, is left out of an `all`. Matches and scores stay the same.
    ///
    /// Complexity: O(*n*) in the size of the tree.
    public func normalized() -> Query {
        switch node {
        case .keyword(let text): return text.isEmpty ? .everything : self
        case .prefix(let text), .infix(let text), .suffix(let text):
            return text.isEmpty ? .everything : self
        case .term(let text), .fuzzy(let text, _, _), .phrase(let text, _, _):
            return text.isEmpty ? .nothing : self
        case .attribute(_, .range(let bounds)):
            // Nothing is less or greater than a whole array.
            return bounds.hasArray ? .nothing : self
        case .near(let queries, let distance, let ordered):
            return Query(.near(queries.map { $0.normalized() }, within: distance, ordered: ordered))
        case .all(let queries): return .joinedAll(queries.map { $0.normalized() })
        case .any(let queries): return .joinedAny(queries.map { $0.normalized() })
        case .none(let queries): return .joinedNone(queries.map { $0.normalized() })
        case .atLeast(let count, let queries):
            return .joinedAtLeast(count, queries.map { $0.normalized() })
        case .field(let name, let query): return .joinedField(name, query.normalized())
        case .boost(let query, let factor): return .joinedBoost(query.normalized(), factor)
        case .constantScore(let query, let score):
            return .joinedConstantScore(query.normalized(), score)
        case .filter(let query): return .joinedFilter(query.normalized())
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

    static func joinedField(_ name: String, _ query: Query) -> Query {
        if case .field = query.node { return query }
        return Query(.field(name, query))
    }

    static func joinedBoost(_ query: Query, _ factor: Double) -> Query {
        switch query.node {
        case .boost(let inner, let other): return Query(.boost(inner, clampedBoost(factor * other)))
        case .constantScore(let inner, let score):
            return Query(.constantScore(inner, clampedBoost(factor * score)))
        default: return Query(.boost(query, factor))
        }
    }

    static func joinedConstantScore(_ query: Query, _ score: Double) -> Query {
        switch query.node {
        case .boost(let inner, _), .constantScore(let inner, _), .filter(let inner):
            return Query(.constantScore(inner, score))
        default: return Query(.constantScore(query, score))
        }
    }

    static func joinedFilter(_ query: Query) -> Query {
        switch query.node {
        case .filter: return query
        case .boost(let inner, _), .constantScore(let inner, _): return Query(.filter(inner))
        default: return Query(.filter(query))
        }
    }
}
