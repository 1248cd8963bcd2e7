import ArgumentParser
import Foundation
import TextIndexInterface
import TextSearch

/// `textindex repl`: searches on the whole screen while somebody types.
struct ReplCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repl",
        abstract: "Searches on the whole screen while you type.",
        discussion: """
            Hits come with every letter, what they count to at the side. Up, Down and the Page keys go \
            through the hits, Enter opens one: a text file in $PAGER or $EDITOR, anything else here. \
            Tab takes the first suggestion, Ctrl-Up and Ctrl-Down recall earlier texts, Esc leaves. \
            Of a published index the newest generation is shown; an index itself is in use while the \
            screen is open.

            Examples:
              textindex repl --index my.textindex
              textindex repl 'white wh' --index /srv/shop --facet cuisine --facet price:10
            """
    )

    @Argument(help: "What to begin with.")
    var text = ""

    @OptionGroup var location: IndexOption

    @Option(help: "How to read the query: query or lenient.")
    var mode = SearchMode.query

    @Option(
        name: .customLong("facet"), parsing: .unconditionalSingleValue,
        help: """
            Count all hits by an attribute (repeatable), as textindex search does; otherwise by the \
            first three that the index was told of.
            """)
    var facets: [FacetChoice] = []

    @Option(help: "How many values of an attribute to count.")
    var facetLimit = 8

    @Option(help: "How many lines of text to show of a hit, 2 at most.")
    var snippets = 2

    @Flag(help: "Remember what is opened, and have it come higher for the same query.")
    var learn = false

    @Option(help: "How often to look for a new generation, in seconds.")
    var interval = 1.0

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    func validate() throws {
        if mode == .keyword || mode == .auto {
            throw ValidationError("--mode must be query or lenient")
        }
        if !(0...2).contains(snippets) { throw ValidationError("--snippets must be from 0 to 2") }
        if facetLimit < 0 { throw ValidationError("--facet-limit must not be negative") }
        if !(0.01...86_400).contains(interval) {
            throw ValidationError("--interval must be from 0.01 to 86400")
        }
    }

    func run() async throws {
        // Before the index is opened, which may take a while.
        _ = try Terminal(style: Style(color))
        let place = try IndexPlace(existing: location.path)
        if learn, place.isPublished {
            throw CommandError(
                "\(location.path) is what textindex publish made, to be read only; --learn takes "
                    + "the index itself")
        }
        let style = Style(color)
        try await IndexFolder.use(existing: location) { folder in
            let options = options(folder.settings)
            try await Self.onThread {
                try ReplRun(folder, place, options, style).run()
            }
        }
    }

    private func options(_ settings: IndexSettings) -> ReplOptions {
        let known = settings.attributeChoices.prefix(3).map {
            Facet.values(of: $0.name, limit: facetLimit)
        }
        var options = ReplOptions()
        options.text = text
        options.mode = mode
        options.facets =
            facets.isEmpty ? known : facets.map { $0.facet(limit: facetLimit, topHits: 0) }
        options.snippets = snippets
        options.learns = learn
        options.interval = .seconds(interval)
        return options
    }

    /// Waiting for keys would hold a thread of those that all tasks share.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { done.resume(with: Result { try body() }) }
        }
    }
}
