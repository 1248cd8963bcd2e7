import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex search`: finds objects and shows where they match.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches an index.",
        discussion: """
            The query may hold words, "phrases", +must, -not, OR, pre*, *infix*, wo?d, typo~1 and \
            field:word. Objects with all words as they are come first. Behind them, until the page \
            is full, come those that further steps find: variants of the words, the last word \
            unfinished, typos, words inside words, some of the words. --steps takes fewer of them. \
            --mode keyword looks inside words alone, best weight first. Attributes (textindex index \
            --attribute) are compared by name:value, name:>3, name:[a TO b].
            Exit code: 0 when something was found, 1 when nothing was.

            Examples:
              textindex search 'white whale' --index my.textindex
              textindex search whal --index my.textindex --limit 50 --snippets 1
              textindex search duck --index shop --json
              textindex search duck --index shop --sort price:asc,relevance --filter 'stock:>0'
              textindex search duck --index shop --facet cuisine --facet price:10 --limit 0
              textindex search --index shop -- -goose
              textindex search --queries q.jsonl --index shop --limit 10 --json
            """
    )

    @Argument(help: "What to search for.")
    var query: String?

    @Option(
        help: ArgumentHelp(
            "Search for many queries, a line of JSON for each: {\"query\": …, \"id\": …}.",
            valueName: "file"))
    var queries: String?

    @Option(
        help: ArgumentHelp(
            "With --queries: the sums of what indexes know (textindex statistics).",
            valueName: "file"))
    var statistics: String?

    @OptionGroup var location: IndexOption

    @Option(name: .shortAndLong, help: "How many hits to show.")
    var limit = 10

    @Option(help: "How many hits to pass over.")
    var offset = 0

    @Flag(help: "Show the last hits first.")
    var reverse = false

    @Option(
        name: [.customLong("snippets"), .customLong("snippet")],
        help: "How many lines of text to show of a hit.")
    var snippets = 2

    @Option(help: "How to read the query: auto, query, lenient or keyword (parts of words).")
    var mode = SearchMode.auto

    @Option(help: "How far to go where a page is not full: \(StepsChoice.expectation).")
    var steps: StepsChoice?

    @Option(help: "Look in this field only, where the query names none.")
    var field: String?

    @Option(
        parsing: .unconditional,
        help: "Query text that hits must match too, without an effect on their order.")
    var filter: String?

    @Option(
        help: """
            What to sort by: attributes, weight and relevance, separated by commas, each with \
            :asc or :desc.
            """)
    var sort: SortChoice?

    @Option(
        name: .customLong("facet"), parsing: .unconditionalSingleValue,
        help: """
            Count all hits by an attribute (repeatable): cuisine, price:10 (ranges of ten), \
            price:..10,10..50,50.., published:month (hour to year), shelf:/ (the first level of \
            paths), shelf:/meat (the one below).
            """)
    var facets: [FacetChoice] = []

    @Option(help: "How many values of an attribute to count.")
    var facetLimit = 10

    @Option(help: "How many hits to list of each value or range.")
    var facetHits = 0

    @Flag(help: "Say how each score comes about.")
    var explain = false

    @Option(
        help: """
            What to rank by: relevance, weight or combined (default: combined if the index has \
            weights, else relevance).
            """)
    var rank: RankingChoice?

    @Flag(help: "Have what was chosen before for this query come higher (textindex engage).")
    var learned = false

    @Option(
        help: ArgumentHelp("Seconds that the search may take.", valueName: "seconds"))
    var time: Double?

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "How many matches of a hit to list in JSON.")
    var matches = 1000

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if query == nil, queries == nil {
            throw ValidationError("Missing expected argument '<query>'")
        }
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        try validateBatch()
        if offset < 0 { throw ValidationError("--offset must not be negative") }
        if steps != nil, mode != .auto { throw ValidationError("give --steps or --mode, not both") }
        if sort != nil, rank != nil { throw ValidationError("give --sort or --rank, not both") }
        if facetLimit < 0 { throw ValidationError("--facet-limit must not be negative") }
        if facetHits < 0 { throw ValidationError("--facet-hits must not be negative") }
        if matches < 0 { throw ValidationError("--matches must not be negative") }
        if let time, !(0.01...86_400).contains(time) {
            throw ValidationError("--time must be from 0.01 to 86400")
        }
        if !(0...100).contains(snippets) {
            throw ValidationError("--snippets must be from 0 to 100")
        }
    }

    private func validateBatch() throws {
        if statistics != nil, queries == nil {
            throw ValidationError("--statistics needs --queries")
        }
        guard queries != nil else { return }
        guard query == nil else { throw ValidationError("give a query or --queries, not both") }
        guard json else { throw ValidationError("--queries needs --json") }
        guard offset == 0, !reverse, mode == .auto, sort == nil, facets.isEmpty, !explain,
            !learned, time == nil
        else {
            throw ValidationError(
                "with --queries there are only --limit, --rank, --steps, --field and --filter")
        }
    }

    func run() async throws {
        if let queries { return try await run(QueryBatch(queries)) }
        let total: Int
        if SetFolder.exists(at: location.path) {
            try checkForSet()
            total = try await SetFolder.use(existing: location) { set in
                try search(set.shards[0], try set.search())
            }
        } else {
            total = try await IndexFolder.use(existing: location) { try search($0, nil) }
        }
        if total == 0 { throw Outcome.nothingFound }
    }

    private func run(_ batch: QueryBatch) async throws {
        let search = BatchSearch(
            batch: batch,
            options: BatchOptions(
                limit: limit, rank: rank, field: field, filter: filter, steps: steps?.steps))
        if SetFolder.exists(at: location.path) {
            guard statistics == nil else {
                throw CommandError("--statistics is for one shard of a set; name that")
            }
            try await SetFolder.use(existing: location) { try search.run(in: $0) }
        } else {
            try await IndexFolder.use(existing: location) {
                try search.run(in: $0, statistics: statistics)
            }
        }
    }

    /// Refuses what a search over several indexes cannot do.
    private func checkForSet() throws {
        if mode == .keyword || reverse || explain || facetHits > 0 {
            throw CommandError(
                "a set of shards has no --mode keyword, --reverse, --explain and --facet-hits; "
                    + "name a shard for these")
        }
    }

    /// Searches and shows the hits; gives how many there are. `shards`: all of a set, of which
    /// `folder` is the first.
    private func search(
        _ folder: IndexFolder, _ shards: FederatedSearch<Record>?
    ) throws -> Int {
        var finder = try finder(folder)
        finder.shards = shards
        let query = query ?? ""
        let start = ContinuousClock.now
        var page = try finder.page(query)
        // What took all the time there was leaves none to find out why it found nothing.
        let isInTime = time == nil || page.isComplete
        page.notes += try finder.attributeNotes(
            isInTime ? sort?.attributes ?? [] : [], to: "sorted", for: page, folder.settings)
        let uncounted = page.facets.filter { isInTime && $0.areEmpty }
        page.notes += try finder.attributeNotes(
            uncounted.map(\.facet.attribute), to: "counted", for: page, folder.settings)
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        try page.items.checkReadable()
        let explanations = explain ? try page.items.map { try finder.explanation(of: $0) } : []
        let source = SourceText(settings: folder.settings)
        let maker = SnippetMaker(width: Console.width - 4, count: snippets)
        let hits = page.items.enumerated().lazy.map { place, item in
            var hit = Hit(
                item, rank: offset + place, source: source, maker: maker,
                matchLimit: json ? matches : 0)
            if explain { hit.explanation = explanations[place] }
            return hit
        }
        try show(page, hits, seconds, fields: folder.settings.fields)
        return page.total
    }

    private func finder(_ folder: IndexFolder) throws -> Finder {
        let settings = folder.settings
        try folder.check(field: field)
        var parser = folder.queryParser(mode, others: sort?.attributes ?? [])
        if let steps { parser.options.steps = steps.steps }
        let usual: RankingChoice = settings.weight == nil ? .relevance : .combined
        let plain = sort.map { Ranking.sorted(by: $0.keys) } ?? (rank ?? usual).ranking
        let ranking = learned ? plain.learning() : plain
        return Finder(
            index: folder.index, mode: mode, parser: parser, ranking: ranking,
            isSorted: sort != nil, field: field, filter: filter, offset: offset, limit: limit,
            isReversed: reverse, explains: explain,
            deadline: time.map { .now + .seconds($0) },
            facets: facets.map { $0.facet(limit: facetLimit, topHits: facetHits) })
    }

    private func show(
        _ page: Finder.Page, _ hits: some Sequence<Hit>, _ seconds: Double, fields: [String]
    ) throws {
        if json {
            let report = SearchReport(
                query: query ?? "", page: page, offset: offset, seconds: seconds, hits: Array(hits),
                fields: fields)
            try Console.write(report.jsonDocument())
            return
        }
        for note in page.notes { Console.writeError("\(Printable.line(note))\n") }
        let style = Style(color)
        let printer = HitPrinter(style: style, fields: fields)
        for hit in hits { try Console.write(printer.text(hit)) }
        if page.total == 0 {
            let inTime = page.isComplete ? "" : " in time"
            Console.writeError("nothing found\(inTime) for \(Printable.line(query ?? ""))\n")
            return
        }
        for facet in page.facets { try Console.write(FacetReport(facet).text(style)) }
        let total = (page.isExact ? "" : "at least ") + Format.count(page.total, "hit")
        let summary = "\(Format.count(page.items.count)) of \(total) in \(Format.duration(seconds))"
        try Console.write(style.faint(summary) + "\n")
    }
}
