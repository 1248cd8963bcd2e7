import ArgumentParser
import Foundation
import TextSearch

/// `textindex terms`: lists the words of an index.
struct TermsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms",
        abstract: "Lists the words that an index holds, with how often.",
        discussion: """
            Each word as it is indexed (folded), the number of objects that have it, and how often \
            it stands in them in all; in the order of their UTF-8. Stop words are not indexed.
            Exit code: 0 when there are some, 1 when there are none.

            Examples:
              textindex terms --index my.textindex
              textindex terms wha --index my.textindex --limit 20
              textindex terms du --index shop --field title --json
            """
    )

    @Argument(help: "What the words begin with; nothing for all.")
    var prefix = ""

    @OptionGroup var location: IndexOption

    @Option(help: "Only words of this field.")
    var field: String?

    @Option(name: .shortAndLong, help: "How many words to list.")
    var limit = 100

    @Flag(help: "Print one JSON document.")
    var json = false

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
    }

    func run() async throws {
        let terms = try await IndexFolder.use(existing: location) { folder in
            try folder.check(field: field)
            return try folder.index.terms(prefix: prefix, field: field, limit: limit)
        }
        if json {
            try Console.write(terms.jsonDocument())
        } else if !terms.isEmpty {
            try Console.write(Self.table(terms))
        }
        if terms.isEmpty {
            if !json { Console.writeError("no words begin with \(Printable.line(prefix))\n") }
            throw Outcome.nothingFound
        }
    }

    private static func table(_ terms: [IndexedTerm]) -> String {
        let rows = terms.map {
            (
                objects: Format.count($0.documentFrequency), total: Format.count($0.totalFrequency),
                text: Printable.line($0.text)
            )
        }
        let widths = rows.reduce((objects: 7, total: 5)) {
            (max($0.objects, $1.objects.count), max($0.total, $1.total.count))
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(width - text.count, 0)) + text
        }
        let lines = [(objects: "objects", total: "total", text: "word")] + rows
        return lines.map {
            "\(right($0.objects, widths.objects))  \(right($0.total, widths.total))  \($0.text)\n"
        }.joined()
    }
}
