internal import Foundation

/// What restricts without scoring.
extension QueryEvaluator {
    private var filters: FilterEvaluator {
        FilterEvaluator(
            snapshot: snapshot, store: store, clock: clock, needsAll: terms.needsAll)
    }

    /// `query` must be a filter.
    private func node(_ query: Query) throws -> FilterNode {
        try FilterNode(query, fields: fields) { try documents(of: $0) }
    }

    /// What a filter lets pass, in each segment.
    func sets(ofFilter query: Query) throws -> FilterSets { try filters.sets(try node(query)) }

    /// What a filter matches.
    func matches(ofFilter query: Query) throws -> QueryMatches {
        guard let documents = wanted.documents else {
            return QueryMatches(unscored: try sets(ofFilter: query).documents)
        }
        let places = try filters.places(try node(query), among: documents)
        return QueryMatches(unscored: places.map { documents[$0] })
    }

    /// Those of some matches that all of some filters let pass.
    func kept(_ matches: QueryMatches, by queries: [Query]) throws -> QueryMatches {
        guard !queries.isEmpty, !matches.documents.isEmpty else { return matches }
        let places = try filters.places(try node(.all(of: queries)), among: matches.documents)
        var kept = QueryMatches()
        kept.documents = places.map { matches.documents[$0] }
        kept.scores = places.map { matches.scores[$0] }
        kept.hits = QueryMatches.kept(matches.hits, in: kept.documents)
        return kept
    }

    /// The living documents of some identifiers, ascending.
    private func documents(of identifiers: [Data]) throws -> [UInt32] {
        var lookup = IdentifierLookup(store: store)
        var documents: Set<UInt32> = []
        for identifier in identifiers where (1...4096).contains(identifier.count) {
            let found = try Array(identifier).withUnsafeBufferPointer {
                try lookup.document(for: $0, in: snapshot)
            }
            if let found { documents.insert(found) }
        }
        return documents.sorted()
    }
}
