import TextIndexInterface
import TextSearch

/// Indexes of this process that are searched as one: those of a server, or all shards of a set.
///
/// What a request leaves open is that of the first.
struct IndexesAsOne<Object: Sendable>: Sendable {
    private let all: [ServedIndex<Object>]
    private let first: ServedIndex<Object>
    /// How they are named in hits; nil where they are not.
    private let names: [String]?
    private let search: FederatedSearch<Object>

    /// - Parameters:
    ///   - all: the indexes, at least one.
    ///   - names: how they are named in hits; nil where they are not.
    ///   - memory: how many bytes a search may hold; nil for what the first index gives one.
    /// - Throws: `TextIndexError` where they cannot be searched as one.
    init(_ all: [ServedIndex<Object>], names: [String]? = nil, memory: Int? = nil) throws {
        self.all = all
        var search = try FederatedSearch(all.map { $0.index })
        search.memory = memory
        self.search = search
        first = all[0]
        self.names = names
    }

    /// The results of a page.
    func results(
        _ asked: SearchParameters, limit: Int, offset: Int, facets: [Facet] = [],
        minimumScore least: Double = -.infinity, _ budget: SearchBudget
    ) throws -> FederatedResults<Object> {
        try asked.check(first)
        let filter = asked.filter(first)
        guard let text = asked.text, asked.mode != .keyword else {
            let query = SearchService<Object>.narrowed(
                asked.query ?? .keyword(asked.text ?? ""), asked, filter)
            let usual = asked.mode == .keyword ? Ranking.weight : first.ranking
            return try search.search(
                query, limit: limit, offset: offset, ranking: asked.ranking(usual), facets: facets,
                minimumScore: least, budget: budget)
        }
        return try search.search(
            text, limit: limit, offset: offset, ranking: asked.ranking(first.ranking),
            filter: filter, fields: asked.fields, facets: facets, minimumScore: least,
            budget: budget, parser: asked.textParser(first))
    }

    /// Remarks on attributes that none of the indexes has.
    func remarks(
        _ sorted: [String], _ found: FederatedResults<Object>, _ times: SearchTimes,
        _ budget: SearchBudget
    ) -> [QueryDiagnostic] {
        guard !sorted.isEmpty || !found.facets.isEmpty else { return [] }
        var items = [[SearchResultItem<Object>]](repeating: [], count: all.count)
        for hit in found.hits { items[hit.source].append(hit.item) }
        return AttributeRemarks(sorted, found.facets).remarks(
            on: all, beside: items, isComplete: found.isComplete, times, budget)
    }

    /// The hits of a page.
    func hits(
        _ found: FederatedResults<Object>, _ showing: ShowingParameters, _ limits: ServerLimits,
        _ times: SearchTimes, _ budget: SearchBudget
    ) throws -> JSON {
        try HitList.json(found.hits, within: limits, until: times.last) { hit in
            try HitRenderer(
                served: all[hit.source], showing: showing, limits: limits, times: times,
                budget: budget
            ).json(hit.item, source: names?[hit.source])
        }
    }
}
