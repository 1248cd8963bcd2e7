import TextIndexInterface
import TextSearch

/// Results as clients are given them.
struct ResultPage<Object>: Sendable {
    let items: [SearchResultItem<Object>]
    let total: SearchResults<Object>.TotalCount
    let isComplete: Bool
    let steps: SearchSteps
    let diagnostics: QueryDiagnostics

    /// The results of a search; `remarks` are more that is to be said of it.
    init(_ results: SearchResults<Object>, _ remarks: [QueryDiagnostic] = []) {
        items = results.items
        total = results.totalCount
        isComplete = results.isComplete
        steps = results.steps
        diagnostics = results.diagnostics.adding(remarks)
    }

    /// - Parameters:
    ///   - renderer: makes the hits.
    ///   - text: the text that was searched for, which diagnostics point into.
    ///   - facets: what was counted.
    ///   - cursor: where the results go on.
    /// - Returns: The results, and what is to be said of them.
    /// - Throws: ``Problem`` where it is too much.
    func json(
        _ renderer: HitRenderer<Object>, text: String? = nil, facets: JSON? = nil,
        cursor: String? = nil
    ) throws -> JSON {
        .members([
            "total": .int(total.value), "isTotalExact": .bool(total.isExact),
            "isComplete": .bool(isComplete),
            "steps": text.map { _ in .array(steps.names.map { .string($0) }) },
            "generation": renderer.served.index.generation.map { .int($0) },
            "hits": try renderer.list(items), "facets": facets,
            "cursor": .optional(cursor),
            "diagnostics": Self.json(diagnostics, text, renderer.showing.unit),
        ])
    }

    /// What was read otherwise than it may have been meant, and where.
    static func json(_ diagnostics: QueryDiagnostics, _ text: String?, _ unit: OffsetUnit) -> JSON {
        .array(
            diagnostics.map { diagnostic in
                let range = text.flatMap { text in
                    diagnostic.range(in: text).map { unit.range($0, in: text) }
                }
                return .members([
                    "kind": .string(diagnostic.kind.rawValue), "location": .int(range?.0 ?? 0),
                    "length": .int(range?.1 ?? 0), "message": .string(diagnostic.message),
                    "suggestions": .array(diagnostic.suggestions.map { .string($0) }),
                ])
            })
    }
}
