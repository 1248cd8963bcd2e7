import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

extension SearchService {
    /// Finds objects that are like one of the index, or like a text.
    func similar(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let served = try index(&arguments).served
        let showing = try ShowingParameters(&arguments)
        let text = try arguments.text("text")
        let identifier = try arguments.identifier()
        guard (text == nil) != (identifier == nil) else {
            throw Problem.invalid("id", "Name an object as id, or give a text.")
        }
        var options = SimilarityOptions()
        options.limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        options.offset = try arguments.int("offset", in: 0...limits.reach) ?? 0
        options.maximumTerms = try arguments.int("words", in: 1...1000) ?? options.maximumTerms
        options.minimumMatches = try arguments.int("least", in: 1...1000) ?? 1
        options.field = try arguments.text("field", upTo: Longest.name)
        options.filter = try arguments.text("filter", upTo: Longest.query).map {
            served.parser.parse($0).query
        }
        try arguments.finish()
        try served.check(field: options.field)
        let asked = options
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            var options = asked
            options.budget = budget
            return try self.similar(
                to: identifier, text ?? "", options, served, showing, deadline
            ).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    private func similar(
        to identifier: Data?, _ text: String, _ options: SimilarityOptions,
        _ served: ServedIndex<Object>, _ showing: ShowingParameters, _ times: SearchTimes
    ) throws -> JSON {
        let budget = options.budget
        // The time of the terms and that of the search are one.
        var rest: SimilarityOptions {
            var rest = options
            rest.budget = budget.until(times.wanted)
            return rest
        }
        let index = served.index
        let (terms, results): ([SignificantTerm], SearchResults<Object>)
        if let identifier {
            guard let item = try index.item(for: identifier) else { throw Problem.unknownObject }
            guard let strings = served.strings(item) else {
                throw Problem(
                    .conflict, "text-unavailable", "The text cannot be had",
                    "The index keeps no text, and that of the object is not where it came from.")
            }
            terms = try index.significantTerms(of: identifier, options: options) { _ in strings }
            results = try index.similarObjects(
                having: terms, except: identifier, options: rest)
        } else {
            terms = try index.significantTerms(ofText: text, options: options)
            results = try index.similarObjects(having: terms, options: rest)
        }
        let renderer = HitRenderer(
            served: served, showing: showing, limits: limits, times: times, budget: budget)
        return .members([
            "total": .int(results.totalCount.value),
            "isTotalExact": .bool(results.totalCount.isExact),
            "isComplete": .bool(results.isComplete),
            "terms": .array(
                terms.map {
                    .members([
                        "text": .string($0.text), "term": .string($0.term),
                        "occurrences": .int($0.occurrences), "objects": .int($0.documentFrequency),
                        "weight": .number($0.weight),
                    ])
                }),
            "hits": try renderer.list(results.items),
        ])
    }
}
