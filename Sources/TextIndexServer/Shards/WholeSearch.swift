import HTTPTypes
import TextIndexInterface
import TextSearch

extension ShardService {
    /// Searches all shards as one index, where all are here.
    func searchWhole(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let times = try deadline(&arguments, exchange)
        let request = try SpreadRequest(&arguments, limits)
        let set = sets.current
        guard set.shards.count == set.plan.names.count else { throw Problem.partOfSet }
        let all = set.shards.map { $0.served }
        let bytes = try await gate.run(for: exchange.client, until: times) { budget in
            let found = try Self.find(request, all, budget)
            let hits = try HitList.json(found.hits, within: self.limits, until: times.last) { hit in
                try HitRenderer(
                    served: all[hit.source], showing: request.showing, limits: self.limits,
                    times: times, budget: budget
                ).json(hit.item)
            }
            let steps = found.steps.names.map { JSON.string($0) }
            return JSON.members([
                "total": .int(found.totalCount.value),
                "isTotalExact": .bool(found.totalCount.isExact),
                "isComplete": .bool(found.isComplete),
                "steps": request.hasText ? .array(steps) : nil,
                "set": .string(set.plan.generation), "hits": hits,
                "diagnostics": ResultPage<Object>.json(
                    found.diagnostics, request.parameters.text, request.showing.unit),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    private static func find(
        _ request: SpreadRequest, _ all: [ServedIndex<Object>], _ budget: SearchBudget
    ) throws -> FederatedResults<Object> {
        let (asked, page, first) = (request.parameters, request.page, all[0])
        try asked.check(first)
        var search = try FederatedSearch(all.map { $0.index })
        // Each shard has its part of the server's memory; all of them are one search.
        search.memory = all.reduce(0) { sum, served in
            let part = served.index.configuration.queryLimits.memory
            let (more, isTooMuch) = sum.addingReportingOverflow(max(part, 0))
            return isTooMuch ? .max : more
        }
        let filter = asked.filter(first)
        let least = page.minimumScore ?? -.infinity
        guard let text = asked.text, asked.mode != .keyword else {
            let query = SearchService<Object>.narrowed(
                asked.query ?? .keyword(asked.text ?? ""), asked, filter)
            let usual = asked.mode == .keyword ? Ranking.weight : first.ranking
            return try search.search(
                query, limit: page.limit, offset: page.offset, ranking: asked.ranking(usual),
                minimumScore: least, budget: budget)
        }
        return try search.search(
            text, limit: page.limit, offset: page.offset, ranking: asked.ranking(first.ranking),
            filter: filter, fields: asked.fields, minimumScore: least, budget: budget,
            parser: asked.textParser(first))
    }
}

extension Problem {
    static let partOfSet = Problem(
        .notImplemented, "part-of-set", "There are other shards",
        "This node has some shards of a set only; ask a server with --set, which asks all nodes.")
}
