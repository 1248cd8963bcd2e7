import TextIndexInterface
import TextSearch

extension SearchService {
    /// Suggests what a text may become, or may have meant.
    func suggest(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let served = try index(&arguments).served
        guard let text = try arguments.text("q", upTo: Longest.query) else {
            throw Problem.invalid("q", "Give the text as q.")
        }
        let limit = try arguments.int("limit", in: 0...100) ?? 5
        let field = try arguments.text("field", upTo: Longest.name)
        let filter = try arguments.text("filter", upTo: Longest.query)
        let keyboard = try arguments.choice("keyboard", KeyboardChoice.self) ?? .qwerty
        let unit = try arguments.choice("units", OffsetUnit.self) ?? .utf16
        try arguments.finish()
        try served.check(field: field)
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            var options = SuggestionOptions()
            options.limit = limit
            options.field = field
            options.filter = filter.map { served.parser.parse($0).query }
            options.keyboard = keyboard.layout
            options.budget = budget
            let found = try served.index.suggestions(for: text, options: options) {
                served.strings($0) ?? []
            }
            return Self.json(found, text, unit).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    private static func json(_ found: Suggestions, _ text: String, _ unit: OffsetUnit) -> JSON {
        func list(_ suggestions: [Suggestion]) -> JSON {
            .array(suggestions.map { json($0, text, unit) })
        }
        return .members([
            "completions": list(found.completions), "phrases": list(found.phrases),
            "corrections": list(found.corrections), "isComplete": .bool(found.isComplete),
        ])
    }

    private static func json(_ suggestion: Suggestion, _ text: String, _ unit: OffsetUnit) -> JSON {
        .members([
            "text": .string(suggestion.text), "objects": .int(suggestion.objectCount),
            "score": .number(suggestion.score),
            "edits": .array(
                suggestion.edits.map { edit in
                    let range = edit.range(in: text) ?? text.endIndex..<text.endIndex
                    let (location, length) = unit.range(range, in: text)
                    let typed = edit.typedRange.map { unit.range($0, in: edit.replacement).1 }
                    return .members([
                        "location": .int(location), "length": .int(length),
                        "replacement": .string(edit.replacement), "typedLength": .int(typed ?? 0),
                    ])
                }),
        ])
    }
}
