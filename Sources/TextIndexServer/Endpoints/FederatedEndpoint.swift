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
        let all = try IndexesAsOne(indexes.map(\.served), names: indexes.map(\.name))
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            let found = try all.results(parameters, limit: limit, offset: offset, budget)
            let remarks = all.remarks(parameters.attributes, found, deadline, budget)
            let hits = try all.hits(found, showing, self.limits, deadline, budget)
            return JSON.members([
                "total": .int(found.totalCount.value),
                "isTotalExact": .bool(found.totalCount.isExact),
                "isComplete": .bool(found.isComplete), "hits": hits,
                "diagnostics": ResultPage<Object>.json(
                    found.diagnostics.adding(remarks), parameters.text, showing.unit),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }
}
