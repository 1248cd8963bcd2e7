internal import Foundation

/// What restricts without scoring.
struct FilterScorer {
    private let query: Query
    private let needs: MatchNeeds

    /// `query` must be a filter.
    init(_ query: Query, _ needs: MatchNeeds) {
        self.query = query
        self.needs = needs
    }

    /// What the filter matches, of the documents whose hits are wanted if those of some are.
    func found(_ evaluator: borrowing QueryEvaluator) throws -> QueryMatches {
        guard let documents = needs.hits.documents else {
            return try sets(evaluator).matches(evaluator.clock)
        }
        let places = try filters(evaluator).places(try node(evaluator), among: documents)
        return QueryMatches(unscored: places.map { documents[$0] })
    }

    /// What the filter lets pass, in each segment.
    func sets(_ evaluator: borrowing QueryEvaluator) throws -> FilterSets {
        try filters(evaluator).sets(try node(evaluator))
    }

    /// Those of some matches that all of some filters let pass.
    static func kept(
        _ matches: QueryMatches, by queries: [Query], _ needs: MatchNeeds,
        _ evaluator: borrowing QueryEvaluator
    ) throws -> QueryMatches {
        guard !queries.isEmpty, !matches.documents.isEmpty else { return matches }
        let filter = FilterScorer(.all(of: queries), needs)
        let places = try filter.filters(evaluator, isCombining: true)
            .places(try filter.node(evaluator), among: matches.documents)
        let share = try MemoryShare(evaluator.clock, places.count * 8)
        defer { withExtendedLifetime(share) {} }
        var kept = QueryMatches()
        kept.documents = places.map { matches.documents[$0] }
        kept.scores = places.map { matches.scores[$0] }
        kept.hits = try matches.hits(in: kept.documents, evaluator.work(needs))
        try kept.hold(by: evaluator.clock)
        return kept
    }

    /// `isCombining`: what it is asked for was found by other parts of the query.
    private func filters(
        _ evaluator: borrowing QueryEvaluator, isCombining: Bool = false
    ) -> FilterEvaluator {
        FilterEvaluator(
            snapshot: evaluator.snapshot, store: evaluator.store, clock: evaluator.clock,
            needsAll: needs.whole, isCombining: isCombining)
    }

    private func node(_ evaluator: borrowing QueryEvaluator) throws -> FilterNode {
        let (snapshot, store, work) = (evaluator.snapshot, evaluator.store, evaluator.work(needs))
        return try FilterNode(query, fields: evaluator.fields) { identifiers, isNegated in
            try Self.documents(of: identifiers, snapshot, store, work, needsAll: isNegated)
        }
    }

    /// The living documents of some identifiers, ascending. Where the time is over, those found
    /// until then, or the search ends if all are needed: others would pass an exclusion.
    private static func documents(
        of identifiers: [Data], _ snapshot: Snapshot, _ store: IndexStore, _ work: MatchWork,
        needsAll: Bool
    ) throws -> [UInt32] {
        var lookup = IdentifierLookup(store: store)
        var documents: Set<UInt32> = []
        for identifier in identifiers where (1...4096).contains(identifier.count) {
            // Each is looked up in the store.
            if work.clock.isOver(afterWork: 64) {
                if work.needsAll || needsAll { throw SearchEnded() }
                break
            }
            let found = try Array(identifier).withUnsafeBufferPointer {
                try lookup.document(for: $0, in: snapshot)
            }
            if let found { documents.insert(found) }
        }
        return documents.sorted()
    }
}
