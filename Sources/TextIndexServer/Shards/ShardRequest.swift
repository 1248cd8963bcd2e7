import Dispatch
import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What is asked of some shards of a node: a search, and how many hits of all shards are wanted.
struct ShardRequest<Object: Sendable>: Sendable {
    let shards: [ServedShard<Object>]
    let asked: SearchParameters
    /// What may be counted; the texts may compare these attributes.
    let facets: [FacetChoice]
    let limit: Int
    let minimumScore: Double
    /// What is known of all shards.
    let known: QueryStatistics?
    /// What each shard is asked, which several phases need.
    private let readings = Readings()

    private final class Readings: Sendable {
        let ofIndexes = Mutex<[ObjectIdentifier: SearchRequest]>([:])
    }

    /// - Throws: ``Problem`` for shards, or a generation, that the node does not serve.
    init(
        _ arguments: inout Arguments, known: QueryStatistics?, _ sets: CurrentSets<Object>,
        _ limits: ServerLimits
    ) throws {
        self.known = known
        guard let generation = try arguments.text("generation", upTo: Longest.name) else {
            throw Problem.invalid("generation", "Name the generation of the set as generation.")
        }
        let text = try arguments.text("shards", upTo: Longest.query) ?? ""
        let kept = sets.kept(text, of: generation)
        let numbers = kept == nil ? ShardNumbers(argument: text) : nil
        guard kept != nil || numbers != nil else {
            throw Problem.invalid("shards", "Name shards as shards, such as 0-3,7.")
        }
        var asked = try SearchParameters(&arguments)
        facets = try arguments.facets()
        asked.attributes += facets.map(\.name)
        self.asked = asked
        limit = try arguments.int("limit", in: 0...limits.reach + limits.pageLength) ?? 10
        minimumScore = try arguments.number("minimumScore") ?? -.infinity
        guard !asked.learned else { throw Problem.notSpread("learned") }
        shards = try kept ?? Self.shards(numbers ?? .all, of: sets.set(of: generation))
        if kept == nil { sets.keep(shards, as: text, of: generation) }
    }

    private static func shards(
        _ wanted: ShardNumbers, of set: ServedSet<Object>
    ) throws -> [ServedShard<Object>] {
        let shards = set.shards.filter { wanted.contains($0.number) }
        // Paths to members of generic types are made anew each time.
        let numbers = shards.map { $0.number }
        guard numbers == wanted.numbers(of: set.plan.names.count), !shards.isEmpty
        else {
            throw Problem(
                .notFound, "unknown-shard", "There is no such shard",
                "The node does not serve all of these shards; GET /v1/shards names those that it does.",
                parameter: "shards")
        }
        return shards
    }

    /// What results are ordered by.
    func ranking(in served: ServedIndex<Object>) -> Ranking {
        let isKeyword = asked.query == nil && asked.mode == .keyword
        return asked.ranking(isKeyword ? .weight : served.ranking)
    }

    /// What is searched for where the request has no text that is read as query text.
    private func typed(_ served: ServedIndex<Object>) -> Query? {
        if asked.text != nil, asked.mode != .keyword { return nil }
        return SearchService<Object>.narrowed(
            asked.query ?? .keyword(asked.text ?? ""), asked, asked.filter(served))
    }

    /// What a shard is asked.
    private func search(
        of served: ServedIndex<Object>, _ budget: SearchBudget
    ) throws -> SearchRequest {
        let name = ObjectIdentifier(served.index)
        if let known = readings.ofIndexes.withLock({ $0[name] }) { return known.within(budget) }
        let read = try reading(of: served)
        readings.ofIndexes.withLock { $0[name] = read }
        return read.within(budget)
    }

    private func reading(of served: ServedIndex<Object>) throws -> SearchRequest {
        try asked.check(served)
        if let query = typed(served) {
            return try served.index.request(
                query, limit: limit, ranking: ranking(in: served), minimumScore: minimumScore)
        }
        return try served.index.request(
            asked.text ?? "", limit: limit, ranking: ranking(in: served),
            filter: asked.filter(served), fields: asked.fields, minimumScore: minimumScore,
            parser: asked.textParser(served))
    }

    /// What the shards know of the query in the round after some sums.
    func statistics(
        known: QueryStatistics?, _ budget: SearchBudget
    ) throws -> QueryStatistics {
        try QueryStatistics.sum(
            of: inEach { try $0.index.statistics(search(of: $0, budget), known) })
    }

    /// The words that are looked for, the same in all shards; nil where it is anything else.
    func words() throws -> [[UInt8]]? {
        guard let served = shards.first?.served else { return nil }
        return try served.index.words(of: search(of: served, .unlimited))
    }

    /// What a shard found, and a mark of the content in which it looked.
    struct Found: Sendable {
        let page: ResultPage<Object>
        let mark: IndexGeneration
        /// With all buckets.
        let facets: [FacetCounts<Object>]
        let findUnknownWords: @Sendable () -> [UnknownWord]?

        init(_ results: SearchResults<Object>) {
            findUnknownWords = results.findUnknownWords
            page = ResultPage(results)
            mark = results.generation
            facets = results.facets
        }
    }

    /// The best results of a shard, and what is counted of all.
    func results(
        in served: ServedIndex<Object>, by sum: QueryStatistics, counts: Bool,
        _ budget: SearchBudget
    ) throws -> Found {
        let request = try search(of: served, budget)
        let facets = counts ? facets.map { $0.facet(limit: .max, topHits: 0) } : []
        return Found(try served.index.search(request, sum, facets))
    }

    /// What `body` gives for each shard, at the same time where there are several.
    func inEach<R: Sendable>(
        _ body: @Sendable (ServedIndex<Object>) throws -> R
    ) throws -> [R] {
        // Without pairs and closures, whose generic types take longer to find than a short search.
        if shards.count == 1 { return [try body(shards[0].served)] }
        let results = Mutex([Result<R, any Error>?](repeating: nil, count: shards.count))
        DispatchQueue.concurrentPerform(iterations: shards.count) { place in
            let result = Result { try body(shards[place].served) }
            results.withLock { $0[place] = result }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
    }
}

extension Problem {
    /// What one index answers, and many that are searched as one do not.
    static func notSpread(_ parameter: String) -> Problem {
        Problem(
            .badRequest, "not-over-shards", "This is not there over shards",
            "Shards that are searched as one do not take \(parameter); ask a server of one index.",
            parameter: parameter)
    }
}
