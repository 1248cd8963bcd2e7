import Foundation
import Synchronization
import TextIndexInterface
import TextSearch

/// How `repl` searches.
struct ReplOptions: Sendable {
    var text = ""
    var mode = SearchMode.query
    var facets: [Facet] = []
    var snippets = 2
    /// Whether what is opened is remembered, and comes higher.
    var learns = false
    var interval = Duration.seconds(1)
}

/// Answers what is typed, elsewhere than on the thread that has the screen.
///
/// **Thread safety**: may be used from any thread.
final class ReplSearcher: Sendable {
    let folder: IndexFolder
    private let options: ReplOptions
    private let inbox: ReplInbox
    private let session: TypingSession<Record>
    private let parser: QueryParser
    private let ranking: Ranking
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// How long the first answer to a text may take.
    private static let patience = Duration.milliseconds(50)
    private static let countingTime = Duration.seconds(2)
    private static let pageLength = 100

    init(_ folder: IndexFolder, _ options: ReplOptions, _ inbox: ReplInbox) {
        self.folder = folder
        self.options = options
        self.inbox = inbox
        parser = folder.queryParser(options.mode)
        let usual: RankingChoice = folder.settings.weight == nil ? .relevance : .combined
        ranking = options.learns ? usual.ranking.learning() : usual.ranking
        var typing = TypingOptions()
        typing.limit = Self.pageLength
        typing.ranking = ranking
        typing.parser = parser
        session = folder.index.makeTypingSession(typing)
    }

    /// Answers a text; what was asked before is given up.
    func search(_ text: String, number: Int, layout: ReplLayout) {
        let start = ContinuousClock.now
        let answers = session.answers(to: text, within: Self.patience)
        let next = Task { [self] in
            do {
                for try await results in answers {
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    try Task.checkCancellation()
                    let ready = try answer(results, text, seconds, layout)
                    inbox.post(.answer(number, ready))
                }
                try await count(text, number)
                try await suggest(text, number)
            } catch is CancellationError {
                // Another text came.
            } catch {
                let message = (error as? TextIndexError)?.message ?? "\(error)"
                inbox.post(.failed(number, message))
            }
        }
        task.withLock { task in
            task?.cancel()
            task = next
        }
    }

    /// Ends what is under way.
    func stop() {
        task.withLock { $0?.cancel() }
        session.cancel()
    }

    private func answer(
        _ results: SearchResults<Record>, _ text: String, _ seconds: Double, _ layout: ReplLayout
    ) throws -> ReplAnswer {
        let total = results.totalCount
        let count = (total.isExact ? "" : "at least ") + Format.count(total.value, "hit")
        let items = results.items
        return ReplAnswer(
            items: items, cursor: results.cursor,
            summary: "\(count) in \(Format.duration(seconds))",
            notes: results.diagnostics.compactMap { Finder.note($0, in: text) },
            ready: try hits(Array(items.indices.prefix(layout.visibleCount)), of: items, layout))
    }

    private func count(_ text: String, _ number: Int) async throws {
        guard !options.facets.isEmpty else { return }
        let cancellation = SearchCancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                DispatchQueue.global(qos: .userInitiated).async { [self] in
                    done.resume(
                        with: Result {
                            let found = try counts(text, cancellation)
                            inbox.post(.facets(number, found))
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        try Task.checkCancellation()
    }

    private func counts(
        _ text: String, _ cancellation: SearchCancellation
    ) throws -> [ReplFacet] {
        var parser = parser
        parser.options.lastWordIsPrefix = true
        let found = try folder.index.search(
            text, limit: 0, facets: options.facets,
            budget: SearchBudget(time: Self.countingTime, cancellation: cancellation),
            parser: parser)
        return found.facets.map { ReplFacet($0) }
    }

    private func suggest(_ text: String, _ number: Int) async throws {
        var wanted = SuggestionOptions()
        wanted.kinds = [.completions, .corrections]
        let found = try await folder.index.suggestions(for: text, options: wanted)
        let texts = (found.corrections + found.completions).map(\.text).filter { $0 != text }
        inbox.post(.suggestions(number, texts))
    }

    // MARK: Hits

    /// Makes hits ready that came on the screen.
    func prepare(
        _ places: [Int], of items: [SearchResultItem<Record>], number: Int, layout: ReplLayout
    ) {
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            do {
                inbox.post(.ready(number, try hits(places, of: items, layout)))
            } catch {
                let message = (error as? TextIndexError)?.message ?? "\(error)"
                inbox.post(.failed(number, message))
            }
        }
    }

    private func hits(
        _ places: [Int], of items: [SearchResultItem<Record>], _ layout: ReplLayout
    ) throws -> [Int: ReplHit] {
        try places.filter(items.indices.contains).map { items[$0] }.checkReadable()
        let source = SourceText(settings: folder.settings)
        let maker = SnippetMaker(width: max(layout.listColumns - 6, 8), count: layout.textRows)
        var hits: [Int: ReplHit] = [:]
        for place in places where items.indices.contains(place) {
            let hit = Hit(
                items[place], rank: place, source: source, maker: maker, matchLimit: 0)
            hits[place] = ReplHit(hit, fields: folder.settings.fields)
        }
        return hits
    }

    /// Looks for the hits behind the last ones.
    func searchMore(after cursor: SearchCursor, number: Int) {
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            do {
                let results = try folder.index.search(after: cursor, limit: Self.pageLength)
                inbox.post(.more(number, items: results.items, cursor: results.cursor))
            } catch {
                let message = (error as? TextIndexError)?.message ?? "\(error)"
                inbox.post(.failed(number, message))
            }
        }
    }
}
