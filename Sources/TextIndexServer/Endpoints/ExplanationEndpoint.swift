import Foundation
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Says how the score of an object comes about, or why a search does not find it.
    func explain(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let served = try index(&arguments).served
        var parameters = try SearchParameters(&arguments)
        try arguments.finish()
        guard let identifier = parameters.identifier else {
            throw Problem.invalid("id", "Name the object to explain as id.")
        }
        parameters.identifier = nil
        let asked = parameters
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            try asked.check(served)
            let query = try self.run(asked, in: served, budget)
            let isByWeight = asked.query == nil && asked.mode == .keyword
            let ranking = asked.ranking(isByWeight ? .weight : served.ranking)
            let explanation = try Problem.inTime {
                try served.index.explain(
                    missing: identifier, for: query, ranking: ranking,
                    budget: budget.until(deadline.wanted))
            }
            return HitRenderer<Object>.encoded(explanation)?.bytes
        }
        guard let bytes else { throw Problem.unknownObject }
        return Answer(type: "application/json", bytes: bytes)
    }

    /// The query as a search runs it: of a text, with any of the words where no object has all.
    private func run(
        _ asked: SearchParameters, in served: ServedIndex<Object>, _ budget: SearchBudget
    ) throws -> Query {
        guard let text = asked.text, asked.mode != .keyword else {
            return Self.narrowed(
                asked.query ?? .keyword(asked.text ?? ""), asked, asked.filter(served))
        }
        return try served.index.search(
            text, reading: asked.textParser(served),
            field: asked.field, filter: asked.filter(served), limit: 1, budget: budget
        ).query
    }
}
