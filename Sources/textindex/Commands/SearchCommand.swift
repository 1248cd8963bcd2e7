import ArgumentParser
import Foundation
import TextSearch

/// `textindex search`: finds objects and shows where they match.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches an index.",
        discussion: """
            Finds the words of the query anywhere inside words, whatever their case and accents; all \
            of them must be found. The highest weight comes first, then the earliest match.
            Exit code: 0 when something was found, 1 when nothing was.

            Examples:
              textindex search 'white whale' --index my.textindex
              textindex search whal --index my.textindex --limit 50 --snippets 1
              textindex search duck --index shop --json
            """
    )

    @Argument(help: "What to search for.")
    var query: String

    @OptionGroup var location: IndexOption

    @Option(name: .shortAndLong, help: "How many hits to show.")
    var limit = 10

    @Option(help: "How many hits to pass over.")
    var offset = 0

    @Flag(help: "Show the last hits first.")
    var reverse = false

    @Option(help: "How many lines of text to show of a hit.")
    var snippets = 2

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        if offset < 0 { throw ValidationError("--offset must not be negative") }
        if !(0...100).contains(snippets) {
            throw ValidationError("--snippets must be from 0 to 100")
        }
    }

    func run() throws {
        let folder = try IndexFolder(existing: location.path)
        defer { try? folder.index.close() }
        let start = ContinuousClock.now
        let found = try folder.index.searchResults(
            forKeyword: query, options: reverse ? .reverse : [])
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        let shown = found.dropFirst(offset).prefix(limit)
        let source = SourceText(settings: folder.settings)
        let maker = SnippetMaker(width: Console.width - 4, count: snippets)
        let hits = zip(offset..., shown).lazy.map { rank, item in
            Hit(item, rank: rank, source: source, maker: maker)
        }
        if json {
            let report = SearchReport(
                query: query, total: found.count, offset: offset, seconds: seconds,
                hits: Array(hits), fields: folder.settings.fields)
            Console.write(try report.jsonDocument())
        } else {
            let style = Style(color)
            let printer = HitPrinter(style: style, fields: folder.settings.fields)
            for hit in hits { Console.write(printer.text(hit)) }
            if found.isEmpty {
                Console.writeError("nothing found for \(Printable.line(query))\n")
            } else {
                let summary =
                    "\(Format.count(shown.count)) of \(Format.count(found.count, "hit")) "
                    + "in \(Format.duration(seconds))"
                Console.write(style.faint(summary) + "\n")
            }
        }
        if found.isEmpty { throw Outcome.nothingFound }
    }
}
