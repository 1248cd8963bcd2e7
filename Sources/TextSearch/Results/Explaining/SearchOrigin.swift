/// The search that found an item.
///
/// It does not keep the state of the index that was searched: whoever holds the results or their
/// cursor does.
final class SearchOrigin: Sendable {
    let query: Query
    let ranking: Ranking
    let factors: RequestFactors
    weak let snapshot: Snapshot?

    init(_ request: SearchRequest, _ snapshot: Snapshot) {
        query = request.query
        ranking = request.ranking
        factors = request.factors
        self.snapshot = snapshot
    }
}
