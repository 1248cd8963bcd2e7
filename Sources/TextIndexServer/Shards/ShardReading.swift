import TextIndexInterface
import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What is asked of some shards, read: the same for all requests of the same words.
struct ShardReading: Sendable {
    let asked: SearchParameters
    /// What may be counted; the texts may compare these attributes.
    let facets: [FacetChoice]
    let limit: Int
    /// The search of each shard.
    let searches: [PreparedSearch]

    /// - Throws: ``Problem`` for what cannot be asked of these shards.
    init<Object: Sendable>(
        _ arguments: inout Arguments, _ shards: [ServedShard<Object>], _ limits: ServerLimits
    ) throws {
        var asked = try SearchParameters(&arguments)
        let facets = try arguments.facets()
        asked.attributes += facets.map(\.name)
        let limit = try arguments.int("limit", in: 0...limits.reach + limits.pageLength) ?? 10
        let minimumScore = try arguments.number("minimumScore") ?? -.infinity
        guard !asked.learned else { throw Problem.notSpread("learned") }
        let isKeyword = asked.query == nil && asked.mode == .keyword
        searches = try shards.map { shard in
            let served = shard.served
            try asked.check(served)
            let filter = asked.filter(served)
            let ranking = asked.ranking(isKeyword ? .weight : served.ranking)
            guard let text = asked.text, !isKeyword else {
                let query = SearchService<Object>.narrowed(
                    asked.query ?? .keyword(asked.text ?? ""), asked, filter)
                return served.index.prepared(
                    query, limit: limit, ranking: ranking, minimumScore: minimumScore)
            }
            return try served.index.prepared(
                text, limit: limit, ranking: ranking, filter: filter, fields: asked.fields,
                minimumScore: minimumScore, parser: asked.textParser(served))
        }
        self.asked = asked
        self.facets = facets
        self.limit = limit
    }
}

/// Readings of late: both phases of a search ask for the same, and so do many clients.
///
/// **Thread safety**: guarded. **Invariants**: it holds a bounded number of readings of short
/// requests; what was used of late is there at least as long as half of them are new. It holds no
/// index.
final class ShardReadings: Sendable {
    struct Key: Hashable {
        let generation: String
        let shards: String
        let asked: [UInt8]
    }

    private let state = Mutex((young: [Key: ShardReading](), old: [Key: ShardReading]()))
    private let most: Int
    /// What is longer takes long to search for, too.
    private static let longest = 512

    /// - Parameter most: how many it may hold.
    init(most: Int) { self.most = most }

    var count: Int { state.withLock { $0.young.count + $0.old.count } }

    /// The reading of a request, made by `read` where it is not known.
    func reading(of key: Key, _ read: () throws -> ShardReading) rethrows -> ShardReading {
        guard key.asked.count <= Self.longest else { return try read() }
        let known = state.withLock { $0.young[key] ?? $0.old[key] }
        let reading = try known ?? read()
        state.withLock { state in
            guard state.young[key] == nil else { return }
            if state.young.count >= max(most / 2, 1) { state = ([:], state.young) }
            state.old[key] = nil
            state.young[key] = reading
        }
        return reading
    }
}
