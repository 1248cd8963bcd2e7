import Foundation
import HTTPTypes
import Synchronization
import TextIndexInterface
import TextSearch

/// What the endpoints share.
///
/// **Thread safety**: may be used from any thread.
final class SearchService<Object: Sendable>: AnsweringService {
    /// A search that can be gone on with.
    struct Continuation: Sendable {
        let served: ServedIndex<Object>
        let cursor: SearchCursor
    }

    /// Who types: a client, and what it calls its session.
    struct Typist: Hashable, Sendable {
        let client: String
        let session: String
    }

    /// A typing session, with what it was made for: another index or filter takes another one.
    struct Typing: Sendable {
        let session: TypingSession<Object>
        let key: String
        let served: ServedIndex<Object>
    }

    let indexes: [CurrentIndex<Object>]
    let options: ServerOptions
    let gate: SearchGate
    let metrics = ServerMetrics()
    let typing: KeptValues<Typist, Typing>
    let cursors: KeptValues<String, Continuation>
    let followed = FollowedTables()
    /// The queries that objects are matched against, where there are some.
    let storedQueries: [(name: String, query: String)]
    /// Tells the answers of this run from those of others.
    let run = UUID().uuidString
    private let statuses = Mutex<[String: (time: ContinuousClock.Instant, json: JSON)]>([:])

    init(
        _ sources: [IndexSource<Object>], storedQueries: [(name: String, query: String)],
        _ options: ServerOptions
    ) throws {
        guard !sources.isEmpty, Set(sources.map(\.name)).count == sources.count else {
            throw TextIndexError(
                .invalidArgument, "A server needs indexes, each with a name of its own.")
        }
        indexes = try sources.map { try CurrentIndex($0) }
        self.storedQueries = storedQueries
        self.options = options
        gate = SearchGate(options.limits)
        typing = KeptValues(most: options.limits.typingSessions, age: options.limits.typingTime)
        cursors = KeptValues(most: options.limits.cursors, age: options.limits.cursorTime)
    }

    /// The index that a request names, or the first.
    func index(_ arguments: inout Arguments) throws -> CurrentIndex<Object> {
        guard let name = try arguments.text("index") else { return indexes[0] }
        guard let index = indexes.first(where: { $0.name == name }) else {
            throw Problem(
                .notFound, "unknown-index", "There is no such index",
                "The server has no index of this name; GET /v1/status lists them.",
                parameter: "index")
        }
        return index
    }

    /// Looks for new generations, and lets go of what nobody uses any more.
    func tick() async -> [String] {
        let failures = try? await gate.onThread { [indexes] in
            indexes.compactMap { index -> String? in
                do {
                    try index.refresh()
                    return nil
                } catch {
                    return "Index \(index.name): no newer generation: \(error)"
                }
            }
        }
        for typing in typing.expire() { typing.session.cancel() }
        _ = cursors.expire()
        return failures ?? []
    }

    func close() async throws {
        for index in indexes { try await index.served.index.shutdown() }
    }

    /// A status that is at most a second old: it reads more of an index than a search does.
    func status(of index: CurrentIndex<Object>, _ make: () throws -> JSON) rethrows -> JSON {
        let kept = statuses.withLock { $0[index.name] }
        if let kept, .now - kept.time < .seconds(1) { return kept.json }
        let json = try make()
        statuses.withLock { $0[index.name] = (.now, json) }
        return json
    }
}
