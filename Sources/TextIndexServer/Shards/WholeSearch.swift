import HTTPTypes
import TextIndexInterface
import TextSearch

extension ShardService {
    /// Searches all shards as one index, where all are here.
    func searchWhole(_ exchange: Exchange) async throws -> Answer {
        try await whole(exchange, onlyCounts: false)
    }

    /// Facets alone, of all shards.
    func facetsOfWhole(_ exchange: Exchange) async throws -> Answer {
        try await whole(exchange, onlyCounts: true)
    }

    private func whole(_ exchange: Exchange, onlyCounts: Bool) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let times = try deadline(&arguments, exchange)
        let request = try SpreadRequest(&arguments, limits, onlyCounts: onlyCounts)
        guard let (set, all) = try sets.whole() else { throw Problem.partOfSet }
        let bytes = try await gate.run(for: exchange.client, until: times) { budget in
            let page = request.page
            let found = try all.results(
                request.parameters, limit: page.limit, offset: page.offset,
                facets: request.facets, minimumScore: page.minimumScore ?? -.infinity, budget)
            let hits =
                try onlyCounts
                ? nil : all.hits(found, request.showing, self.limits, times, budget)
            let remarks = onlyCounts ? [] : all.remarks(request.sorted, found, times, budget)
            let steps = found.steps.names.map { JSON.string($0) }
            let facets = zip(page.facets, found.facets).map {
                FacetRenderer(choice: $0, counts: $1).json
            }
            return JSON.members([
                "total": .int(found.totalCount.value),
                "isTotalExact": .bool(found.totalCount.isExact),
                "isComplete": .bool(found.isComplete),
                "steps": request.hasText && !onlyCounts ? .array(steps) : nil,
                "set": .string(set.plan.generation), "hits": hits,
                "facets": page.facets.isEmpty ? nil : .array(facets),
                "diagnostics": onlyCounts
                    ? nil
                    : ResultPage<Object>.json(
                        found.diagnostics.adding(remarks), request.parameters.text,
                        request.showing.unit),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }
}

extension Problem {
    static let partOfSet = Problem(
        .notImplemented, "part-of-set", "There are other shards",
        "This node has some shards of a set only; ask a server with --set, which asks all nodes.")
}
