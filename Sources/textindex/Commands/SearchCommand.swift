import ArgumentParser
import Foundation
import TextSearch

/// `textindex search`: finds objects and shows where they match.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches an index.",
        discussion: """
            The query may hold words, "phrases", +must, -not, OR, pre*, *infix*, wo?d, typo~1 and \
            field:word. Words side by side must all be found. Where no object has them as whole \
            words, they are looked for inside words; --mode keyword does so from the start, best \
            weight first.
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

    @Option(help: "How to read the query: auto, query or keyword (parts of words).")
    var mode = SearchMode.auto

    @Option(
        help: """
            What to rank by: relevance, weight or combined (default: combined if the index has \
            weights, else relevance).
            """)
    var rank: RankingChoice?

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "How many matches of a hit to list in JSON.")
    var matches = 1000

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        if offset < 0 { throw ValidationError("--offset must not be negative") }
        if matches < 0 { throw ValidationError("--matches must not be negative") }
        if !(0...100).contains(snippets) {
            throw ValidationError("--snippets must be from 0 to 100")
        }
    }

    func run() async throws {
        let total = try await IndexFolder.use(existing: location) { try search($0) }
        if total == 0 { throw Outcome.nothingFound }
    }

    /// Searches and shows the hits; gives how many there are.
    private func search(_ folder: IndexFolder) throws -> Int {
        let rank = rank ?? (folder.settings.weight == nil ? .relevance : .combined)
        let finder = Finder(
            index: folder.index, mode: mode, ranking: rank.ranking, offset: offset, limit: limit,
            isReversed: reverse)
        let start = ContinuousClock.now
        let page = try finder.page(query)
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        let source = SourceText(settings: folder.settings)
        let maker = SnippetMaker(width: Console.width - 4, count: snippets)
        let hits = zip(offset..., page.items).lazy.map { rank, item in
            Hit(
                item, rank: rank, source: source, maker: maker, matchLimit: json ? matches : 0)
        }
        try show(page, hits, seconds, fields: folder.settings.fields)
        return page.total
    }

    private func show(
        _ page: Finder.Page, _ hits: some Sequence<Hit>, _ seconds: Double, fields: [String]
    ) throws {
        if json {
            let report = SearchReport(
                query: query, page: page, offset: offset, seconds: seconds, hits: Array(hits),
                fields: fields)
            try Console.write(report.jsonDocument())
            return
        }
        for note in page.notes { Console.writeError("\(Printable.line(note))\n") }
        let style = Style(color)
        let printer = HitPrinter(style: style, fields: fields)
        for hit in hits { try Console.write(printer.text(hit)) }
        if page.total == 0 {
            Console.writeError("nothing found for \(Printable.line(query))\n")
            return
        }
        let total = (page.isExact ? "" : "at least ") + Format.count(page.total, "hit")
        let summary = "\(Format.count(page.items.count)) of \(total) in \(Format.duration(seconds))"
        try Console.write(style.faint(summary) + "\n")
    }
}
