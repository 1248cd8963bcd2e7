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
    private let reading: ShardReading

    var asked: SearchParameters { reading.asked }
    var facets: [FacetChoice] { reading.facets }
    var limit: Int { reading.limit }

    /// - Parameters:
    ///   - generation: that of the set.
    ///   - text: the numbers of the shards.
    ///   - sets: what the node serves.
    ///   - read: reads what is asked of these shards.
    /// - Throws: ``Problem`` for shards, or a generation, that the node does not serve; what `read`
    ///   throws.
    init(
        generation: String, shards text: String, _ sets: CurrentSets<Object>,
        _ read: ([ServedShard<Object>]) throws -> ShardReading
    ) throws {
        guard text.utf8.count <= Longest.query, let wanted = ShardNumbers(argument: text) else {
            throw Problem.invalid("shards", "Name shards as shards, such as 0-3,7.")
        }
        let set = try sets.set(of: generation)
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
        self.shards = shards
        reading = try read(shards)
    }

    /// What results are ordered by.
    func ranking(in served: ServedIndex<Object>) -> Ranking {
        let isKeyword = asked.query == nil && asked.mode == .keyword
        return asked.ranking(isKeyword ? .weight : served.ranking)
    }

    /// What each shard knows of the query.
    func statistics(
        known: QueryStatistics?, _ budget: SearchBudget
    ) throws -> [QueryStatistics] {
        try inEach { index, search in
            try index.statistics(of: search, known: known, budget: budget)
        }
    }

    /// What a shard found, and a mark of the content in which it looked.
    struct Found: Sendable {
        let page: ResultPage<Object>
        let mark: IndexGeneration
        /// With all buckets.
        let facets: [FacetCounts<Object>]

        init(_ results: SearchResults<Object>) {
            page = ResultPage(results)
            mark = results.generation
            facets = results.facets
        }
    }

    /// The best results of each shard, and what is counted of all.
    func results(
        by sum: QueryStatistics, counts: Bool, _ budget: SearchBudget
    ) throws -> [Found] {
        let facets = counts ? facets.map { $0.facet(limit: .max, topHits: 0) } : []
        return try inEach { index, search in
            Found(try index.search(search, statistics: sum, facets: facets, budget: budget))
        }
    }

    /// What `body` gives for each shard, at the same time where there are several.
    private func inEach<R: Sendable>(
        _ body: @Sendable (TextIndex<Object>, PreparedSearch) throws -> R
    ) throws -> [R] {
        let searches = reading.searches
        // Without pairs and closures, whose generic types take longer to find than a short search.
        if shards.count == 1 { return [try body(shards[0].served.index, searches[0])] }
        let results = Mutex([Result<R, any Error>?](repeating: nil, count: shards.count))
        DispatchQueue.concurrentPerform(iterations: shards.count) { place in
            let result = Result { try body(shards[place].served.index, searches[place]) }
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
