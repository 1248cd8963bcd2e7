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
            let explanation = try Problem.inTime {
                try self.explain(asked, identifier, in: served, budget.until(deadline.wanted))
            }
            return HitRenderer<Object>.encoded(explanation)?.bytes
        }
        guard let bytes else { throw Problem.unknownObject }
        return Answer(type: "application/json", bytes: bytes)
    }

    private func explain(
        _ asked: SearchParameters, _ identifier: Data, in served: ServedIndex<Object>,
        _ budget: SearchBudget
    ) throws -> MissExplanation {
        let isKeyword = asked.mode == .keyword
        let ranking = asked.ranking(asked.query == nil && isKeyword ? .weight : served.ranking)
        let filter = asked.filter(served)
        guard let text = asked.text, !isKeyword else {
            let query = Self.narrowed(asked.query ?? .keyword(asked.text ?? ""), asked, filter)
            return try served.index.explain(
                missing: identifier, for: query, ranking: ranking, budget: budget)
        }
        return try served.index.explain(
            missing: identifier, for: text, ranking: ranking, filter: filter, fields: asked.fields,
            budget: budget, parser: asked.textParser(served))
    }
}
