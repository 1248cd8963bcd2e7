import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex watch`: shows how the hits of a query change.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows how the hits of a query change.",
        discussion: """
            Watches what textindex publish makes: an index that is written to cannot be read \
            meanwhile, a published one can. The first hits come at once; then, whenever a \
            generation changes them, a line for each change: + new, - gone, > moved, ~ indexed anew. \
            It goes on until it is interrupted, or as --changes says.

            Examples:
              textindex watch 'white whale' --index /srv/notes
              textindex watch duck --filter 'price:<20' --index /srv/shop --json --changes 1
            """
    )

    @Argument(help: "What to search for.")
    var query: String

    @OptionGroup var location: IndexOption

    @Option(name: .shortAndLong, help: "How many hits to watch.")
    var limit = 10

    @Option(help: "How many lines of text to show of a new hit.")
    var snippets = 1

    @Option(help: "How to read the query: auto, query, lenient or keyword (parts of words).")
    var mode = SearchMode.query

    @Option(help: "Look in this field only, where the query names none.")
    var field: String?

    @Option(
        parsing: .unconditional,
        help: "Query text that hits must match too, without an effect on their order.")
    var filter: String?

    @Option(help: "What to rank by: relevance, weight or combined.")
    var rank: RankingChoice?

    @Option(help: "How often to look for a new generation, in seconds.")
    var interval = 1.0

    @Option(help: "End after so many changes of the hits; those at the beginning do not count.")
    var changes: Int?

    @Flag(help: "Print a line of JSON for each change.")
    var json = false

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        if !(0...100).contains(snippets) {
            throw ValidationError("--snippets must be from 0 to 100")
        }
        if !(0.01...86_400).contains(interval) {
            throw ValidationError("--interval must be from 0.01 to 86400")
        }
        if let changes, changes < 0 { throw ValidationError("--changes must not be negative") }
    }

    func run() async throws {
        let place = try IndexPlace(existing: location.path)
        guard place.isPublished else {
            throw CommandError(
                "\(location.path) is an index itself; publish it to watch it: "
                    + "textindex publish DIR --index \(location.path)")
        }
        var shown: Shown?
        var count = 0
        while true {
            let newest = try TextIndex<Record>.newestGeneration(published: place.url)
            if newest != shown?.generation {
                let old = shown
                let (now, isNew) = try await IndexFolder.use(existing: location) {
                    try show($0, old)
                }
                if old != nil, isNew { count += 1 }
                shown = now
            }
            if let changes, count >= changes { return }
            try await Task.sleep(for: .seconds(interval))
        }
    }

    /// What was shown last.
    private struct Shown {
        var generation: Int?
        var items: [SearchResultItem<Record>]
        var total: Int
    }

    /// Searches a generation and shows what changed, if something did.
    private func show(_ folder: IndexFolder, _ old: Shown?) throws -> (Shown, isNew: Bool) {
        try folder.check(field: field)
        let page = try finder(folder).page(query)
        try page.items.checkReadable()
        let now = Shown(
            generation: folder.index.generation, items: page.items, total: page.total)
        let difference = LiveDifference(
            from: old?.items ?? [], to: page.items,
            totalCount: .init(integerLiteral: page.total))
        guard !difference.isEmpty || old?.total != page.total else { return (now, false) }
        let source = SourceText(settings: folder.settings)
        let maker = SnippetMaker(width: Console.width - 4, count: snippets)
        func hit(_ item: SearchResultItem<Record>) -> Hit {
            Hit(item, rank: item.rank, source: source, maker: maker, matchLimit: json ? 1000 : 0)
        }
        let fields = folder.settings.fields
        if json {
            let report = WatchReport(
                difference, generation: now.generation, fields: fields, hit: hit)
            try Console.write(report.jsonLine())
        } else {
            if old == nil {
                for note in page.notes { Console.writeError("\(Printable.line(note))\n") }
            }
            let style = Style(color)
            let printer = WatchPrinter(
                style: style, hits: HitPrinter(style: style, fields: fields))
            try Console.write(printer.text(difference, generation: now.generation, hit: hit))
        }
        return (now, true)
    }

    private func finder(_ folder: IndexFolder) -> Finder {
        let settings = folder.settings
        let usual: RankingChoice = settings.weight == nil ? .relevance : .combined
        return Finder(
            index: folder.index, mode: mode, parser: folder.queryParser(mode),
            ranking: (rank ?? usual).ranking,
            isSorted: false, field: field, filter: filter, offset: 0, limit: limit,
            isReversed: false)
    }
}
