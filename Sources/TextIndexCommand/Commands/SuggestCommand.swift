import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex suggest`: says what may be meant by a text.
struct SuggestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Suggests what a text may become, or may have meant.",
        discussion: """
            Words that the last word may become, what follows the text in objects, and other words \
            for those that no object has; each with the number of objects that speak for it, the \
            likeliest first. A text that ends in a space has no unfinished word.
            Exit code: 0 when there are some, 1 when there are none.

            Examples:
              textindex suggest white wh --index my.textindex
              textindex suggest 'white ' --index my.textindex
              textindex suggest pekng duvk --index shop --filter 'stock:>0' --json
            """
    )

    @Argument(help: "The text, as far as it is typed.")
    var text: [String]

    @OptionGroup var location: IndexOption

    @Option(name: .shortAndLong, help: "How many suggestions of each kind to show.")
    var limit = 5

    @Option(help: "Only words of this field.")
    var field: String?

    @Option(
        parsing: .unconditional,
        help: "Query text that objects must match to speak for a suggestion.")
    var filter: String?

    @Option(help: "The keyboard that was typed on: qwerty, qwertz, azerty or none.")
    var keyboard = KeyboardChoice.qwerty

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
    }

    func run() async throws {
        let typed = text.joined(separator: " ")
        let (found, notes) = try await IndexFolder.use(existing: location) {
            try suggestions(for: typed, $0)
        }
        if json {
            try Console.write(SuggestionReport(typed, found, notes).jsonDocument())
        } else {
            for note in notes { Console.writeError("\(Printable.line(note))\n") }
            try Console.write(SuggestionPrinter(style: Style(color)).text(found))
        }
        if found.isEmpty {
            if !json { Console.writeError("nothing to suggest for \(Printable.line(typed))\n") }
            throw Outcome.nothingFound
        }
    }

    private func suggestions(
        for text: String, _ folder: IndexFolder
    ) throws -> (Suggestions, notes: [String]) {
        try folder.check(field: field)
        let filter = FilterText(filter, folder.queryParser())
        var options = SuggestionOptions()
        options.limit = limit
        options.field = field
        options.filter = filter.query
        options.keyboard = keyboard.layout
        let source = SourceText(settings: folder.settings)
        let found = try folder.index.suggestions(for: text, options: options) {
            source.text(of: $0).strings
        }
        return (found, filter.notes)
    }
}
