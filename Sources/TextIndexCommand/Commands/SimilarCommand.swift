import ArgumentParser
import Foundation
import TextSearch

/// `textindex similar`: finds objects that are like one of the index, or like a text.
struct SimilarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar",
        abstract: "Finds objects that are like an object or a text.",
        discussion: """
            Takes an identifier as search prints it; the path of a file may be written as from here. \
            Objects are alike that share words which are frequent in the one and rare elsewhere; \
            these words are said first. The text of the object is read again where it came from.
            Exit code: 0 when something was found, 1 when nothing was.

            Examples:
              textindex similar Books/moby-dick.txt --index my.textindex
              textindex similar 4711 --index shop --filter 'stock:>0' --json
              textindex similar --text 'a voyage after white whales' --index my.textindex
            """
    )

    @Argument(help: "The identifier of the object.")
    var identifier: String?

    @Option(parsing: .unconditional, help: "A text, instead of an object.")
    var text: String?

    @OptionGroup var location: IndexOption

    @Option(name: .shortAndLong, help: "How many hits to show.")
    var limit = 10

    @Option(help: "How many hits to pass over.")
    var offset = 0

    @Option(help: "How many words to compare by.")
    var words = SimilarityOptions().maximumTerms

    @Option(help: "How many of these words a hit must have.")
    var least = 1

    @Option(help: "How many lines of text to show of a hit.")
    var snippets = 2

    @Option(help: "Compare this field only.")
    var field: String?

    @Option(
        parsing: .unconditional,
        help: "Query text that hits must match too, without an effect on their order.")
    var filter: String?

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if (identifier == nil) == (text == nil) {
            throw ValidationError("name an object, or give a text with --text")
        }
        if limit < 0 { throw ValidationError("--limit must not be negative") }
        if offset < 0 { throw ValidationError("--offset must not be negative") }
        if least < 1 { throw ValidationError("--least must be 1 or more") }
        if !(1...1000).contains(words) {
            throw ValidationError("--words must be from 1 to 1000")
        }
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
        let (index, settings) = (folder.index, folder.settings)
        let filter = try filter(folder)
        let options = options(filter.query)
        let source = SourceText(settings: settings)
        let start = ContinuousClock.now
        var notes = filter.notes
        let terms: [SignificantTerm]
        let results: SearchResults<Record>
        if let text {
            terms = try index.significantTerms(ofText: text, options: options)
            results = try index.similarObjects(having: terms, options: options)
        } else {
            let object = try object(in: folder)
            let strings: [String]
            switch source.text(of: object) {
            case .strings(let all): strings = all
            case .beginnings(let some):
                strings = some
                notes.append("compared by what is kept of standard input")
            case .unavailable(let reason):
                throw CommandError("\(object.name) cannot be compared: \(reason)")
            }
            terms = try index.significantTerms(of: object.identifier, options: options) { _ in
                strings
            }
            results = try index.similarObjects(
                having: terms, except: object.identifier, options: options)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try results.items.checkReadable()
        let maker = SnippetMaker(width: Console.width - 4, count: snippets)
        let hits = results.items.enumerated().lazy.map { place, item in
            Hit(
                item, rank: offset + place, source: source, maker: maker,
                matchLimit: json ? 1000 : 0)
        }
        if json {
            let report = SimilarReport(
                terms, results, notes: notes, offset: offset, seconds: seconds, hits: Array(hits),
                fields: settings.fields)
            try Console.write(report.jsonDocument())
        } else {
            for note in notes { Console.writeError("\(Printable.line(note))\n") }
            try show(terms, hits, results, seconds, settings.fields)
        }
        return results.totalCount.value
    }

    private func show(
        _ terms: [SignificantTerm], _ hits: some Sequence<Hit>, _ results: SearchResults<Record>,
        _ seconds: Double, _ fields: [String]
    ) throws {
        let style = Style(color)
        if !terms.isEmpty {
            let words = terms.map { Printable.line($0.text) }.joined(separator: ", ")
            try Console.write(style.faint("by \(words)") + "\n")
        }
        let printer = HitPrinter(style: style, fields: fields)
        for hit in hits { try Console.write(printer.text(hit)) }
        guard results.totalCount.value > 0 else {
            Console.writeError("nothing is like it\n")
            return
        }
        let total = Format.count(results.totalCount.value, "hit")
        let summary = "\(Format.count(results.count)) of \(total) in \(Format.duration(seconds))"
        try Console.write(style.faint(summary) + "\n")
    }

    private func filter(_ folder: IndexFolder) throws -> FilterText {
        try folder.check(field: field)
        return FilterText(filter, folder.queryParser())
    }

    private func options(_ filter: Query?) -> SimilarityOptions {
        var options = SimilarityOptions()
        options.limit = limit
        options.offset = offset
        options.maximumTerms = words
        options.minimumMatches = least
        options.field = field
        options.filter = filter
        return options
    }

    private func object(in folder: IndexFolder) throws -> SearchResultItem<Record> {
        let given = Path.named(by: identifier.map { [$0] } ?? [])
        if let found = try given.first.flatMap({ try folder.identifier(of: $0) }),
            let item = try folder.index.item(for: found)
        {
            return item
        }
        throw CommandError("\(Printable.line(identifier ?? "")) is not in the index")
    }
}

extension SearchResultItem {
    /// The identifier as text that is safe to print.
    fileprivate var name: String { Printable.line(String(decoding: identifier, as: UTF8.self)) }
}
