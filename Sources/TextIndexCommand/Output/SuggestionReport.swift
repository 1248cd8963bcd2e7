import TextSearch

/// Suggestions for machines: one JSON document.
///
/// Locations and lengths count UTF-16 code units.
struct SuggestionReport: Encodable {
    struct Edit: Encodable {
        let location: Int
        let length: Int
        let replacement: String
        let typedLength: Int
    }

    struct Item: Encodable {
        let text: String
        let objects: Int
        let score: Double
        let edits: [Edit]
    }

    let text: String
    let completions: [Item]
    let phrases: [Item]
    let corrections: [Item]
    let isComplete: Bool
    let notes: [String]

    init(_ text: String, _ suggestions: Suggestions, _ notes: [String]) {
        self.text = text
        self.notes = notes
        isComplete = suggestions.isComplete
        func items(_ suggestions: [Suggestion]) -> [Item] {
            suggestions.map { suggestion in
                Item(
                    text: suggestion.text, objects: suggestion.objectCount,
                    score: suggestion.score, edits: suggestion.edits.map { Edit($0, text) })
            }
        }
        completions = items(suggestions.completions)
        phrases = items(suggestions.phrases)
        corrections = items(suggestions.corrections)
    }
}

extension SuggestionReport.Edit {
    fileprivate init(_ edit: Suggestion.Edit, _ text: String) {
        let range = edit.range(in: text) ?? text.endIndex..<text.endIndex
        location = text.utf16.distance(from: text.startIndex, to: range.lowerBound)
        length = text[range].utf16.count
        replacement = edit.replacement
        typedLength = edit.typedRange.map { edit.replacement[$0].utf16.count } ?? 0
    }
}

/// Suggestions for people.
struct SuggestionPrinter {
    let style: Style

    /// A heading for each kind, and a line for each suggestion.
    func text(_ suggestions: Suggestions) -> String {
        var lines = ""
        for (heading, some) in [
            ("did you mean", suggestions.corrections), ("words", suggestions.completions),
            ("phrases", suggestions.phrases),
        ] where !some.isEmpty {
            lines += style.heading(heading) + "\n"
            for suggestion in some {
                let count = Format.count(suggestion.objectCount, "object")
                lines += "  \(Printable.line(suggestion.text))  \(style.faint(count))\n"
            }
        }
        return lines
    }
}
