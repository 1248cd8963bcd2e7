internal import Foundation

/// What restricts without scoring.
extension QueryEvaluator {
    /// `isCombining`: what it is asked for was found by other parts of the query.
    private func filters(isCombining: Bool = false) -> FilterEvaluator {
        FilterEvaluator(
            snapshot: snapshot, store: store, clock: clock, needsAll: terms.needsAll,
            isCombining: isCombining)
    }

    /// `query` must be a filter.
    private func node(_ query: Query) throws -> FilterNode {
        try FilterNode(query, fields: fields) { try documents(of: $0) }
    }

    /// What a filter lets pass, in each segment.
    func sets(ofFilter query: Query) throws -> FilterSets { try filters().sets(try node(query)) }

    /// What a filter matches.
    func matches(ofFilter query: Query) throws -> QueryMatches {
        guard let documents = wanted.documents else {
            return try sets(ofFilter: query).matches(clock)
        }
        let places = try filters().places(try node(query), among: documents)
        return QueryMatches(unscored: places.map { documents[$0] })
    }

    /// Those of some matches that all of some filters let pass.
    func kept(_ matches: QueryMatches, by queries: [Query]) throws -> QueryMatches {
        guard !queries.isEmpty, !matches.documents.isEmpty else { return matches }
        let places = try filters(isCombining: true).places(
            try node(.all(of: queries)), among: matches.documents)
        let share = try MemoryShare(clock, places.count * 8)
        defer { withExtendedLifetime(share) {} }
        var kept = QueryMatches()
        kept.documents = places.map { matches.documents[$0] }
        kept.scores = places.map { matches.scores[$0] }
        kept.hits = try matches.hits(in: kept.documents, work)
        try kept.hold(by: clock)
        return kept
    }

    /// The living documents of some identifiers, ascending.
    private func documents(of identifiers: [Data]) throws -> [UInt32] {
        var lookup = IdentifierLookup(store: store)
        var documents: Set<UInt32> = []
        for identifier in identifiers where (1...4096).contains(identifier.count) {
            // Each is looked up in the store.
            if try terms.isCut(afterWork: 64) { break }
            let found = try Array(identifier).withUnsafeBufferPointer {
                try lookup.document(for: $0, in: snapshot)
            }
            if let found { documents.insert(found) }
        }
        return documents.sorted()
    }
}
