import TextSearch

/// Prints hits for people.
struct HitPrinter {
    let style: Style
    let fields: [String]

    /// The lines for a hit: a heading, and its snippets.
    func text(_ hit: Hit) -> String {
        var heading = "\(hit.rank + 1). \(style.heading(hit.name))"
        if let title = hit.title, title != hit.name { heading += "  \(Printable.line(title))" }
        var facts: [String] = []
        if hit.item.weight != 0 { facts.append("weight \(Format.weight(hit.item.weight))") }
        if let step = Self.steps[hit.item.matchedBy] { facts.append(step) }
        let matchCount = hit.item.resultTokens.count
        if matchCount > 0 {
            let count = Format.count(matchCount, "match", plural: "matches")
            facts.append(hit.item.hasMoreMatches ? "\(count) and more" : count)
        } else if hit.item.hasMoreMatches {
            facts.append("matches that there was no time or memory to find")
        }
        if !facts.isEmpty { heading += "  " + style.faint(facts.joined(separator: ", ")) }
        var lines = [heading]
        for snippet in hit.snippets {
            lines.append("   " + label(snippet) + marked(snippet.snippet))
        }
        if let note = hit.note { lines.append("   " + style.faint("(\(note))")) }
        if let explanation = hit.explanation {
            for line in explanation.description.split(separator: "\n") {
                let depth = line.prefix { $0 == " " }
                lines.append("   " + depth + style.faint(Printable.line(line)))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How an object was found that does not have the words as they are.
    private static let steps: [SearchSteps: String] = [
        .variants: "other spelling", .unfinished: "unfinished word", .typos: "typing error",
        .insideWords: "inside words", .someWords: "some of the words",
    ]

    private func label(_ snippet: Hit.FieldSnippet) -> String {
        guard fields.count > 1, fields.indices.contains(snippet.field) else { return "" }
        // The text of a file needs no name.
        if fields == IndexSettings.fieldsOfFiles, snippet.field == 1 { return "" }
        return style.faint(Printable.line(fields[snippet.field]) + ": ")
    }

    private func marked(_ snippet: Snippet) -> String {
        snippet.pieces.map { $0.isMatch ? style.match($0.text) : $0.text }.joined()
    }
}
