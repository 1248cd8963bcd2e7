import TextIndexInterface
import TextSearch

extension SearchService {
    /// Searches all indexes as if they were one.
    func federated(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let showing = try ShowingParameters(&arguments)
        let parameters = try SearchParameters(&arguments)
        let limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        let offset = try arguments.int("offset", in: 0...limits.reach) ?? 0
        try arguments.finish()
        let (all, names) = (indexes.map(\.served), indexes.map(\.name))
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            let found = try Self.search(parameters, all, limit, offset, budget)
            let hits = try HitList.json(found.hits, within: self.limits, until: deadline.last) {
                hit in
                try HitRenderer(
                    served: all[hit.source], showing: showing, limits: self.limits,
                    times: deadline, budget: budget
                )
                .json(hit.item, source: names[hit.source])
            }
            return JSON.members([
                "total": .int(found.totalCount.value),
                "isTotalExact": .bool(found.totalCount.isExact),
                "isComplete": .bool(found.isComplete), "hits": hits,
                "diagnostics": ResultPage<Object>.json(
                    found.diagnostics, parameters.text, showing.unit),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    private static func search(
        _ asked: SearchParameters, _ all: [ServedIndex<Object>], _ limit: Int, _ offset: Int,
        _ budget: SearchBudget
    ) throws -> FederatedResults<Object> {
        let first = all[0]
        try asked.check(first)
        let search = try FederatedSearch(all.map(\.index))
        let filter = asked.filter(first)
        guard let text = asked.text, asked.mode != .keyword else {
            let query = narrowed(asked.query ?? .keyword(asked.text ?? ""), asked, filter)
            let usual = asked.mode == .keyword ? Ranking.weight : first.ranking
            return try search.search(
                query, limit: limit, offset: offset, ranking: asked.ranking(usual), budget: budget)
        }
        return try search.search(
            text, limit: limit, offset: offset, ranking: asked.ranking(first.ranking),
            filter: filter, fields: asked.fields, budget: budget,
            parser: asked.textParser(first))
    }
}
