import Foundation
import TextIndexInterface
import TextSearch

extension ShardService {
    /// What shards know of a query: the first phase of a search, once or round by round.
    func statistics(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let request = try ShardRequest(&arguments, sets, limits)
        try arguments.finish()
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            let told = try Self.inTime(deadline) {
                try request.inEach { try request.statistics(of: $0, budget) }
            }
            let sum = try QueryStatistics.sum(of: told)
            return JSON.members([
                "isComplete": .bool(sum.isComplete), "statistics": HitRenderer<Object>.encoded(sum),
            ]).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    /// The best hits of shards by the statistics of all: the second phase of a search.
    ///
    /// Only a range of them is shown: of a page far down, few are on it.
    func search(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        let showing = try ShowingParameters(&arguments)
        guard !showing.explains else { throw Problem.notSpread("explain") }
        let request = try ShardRequest(&arguments, sets, limits)
        let most = limits.reach + limits.pageLength
        let first = try arguments.int("from", in: 0...most) ?? 0
        let count = try arguments.int("count", in: 0...limits.pageLength) ?? limits.pageLength
        try arguments.finish()
        guard let sum = request.known else {
            throw Problem.invalid("statistics", "Give the sums of the first phase as statistics.")
        }
        let bytes = try await gate.run(for: exchange.client, until: deadline) { budget in
            let results = try request.inEach { try request.results(in: $0, by: sum, budget) }
            let found = ShardHits(results, request)
            return try found.json(
                found.hits.dropFirst(first).prefix(count), within: self.limits, showing.unit
            ) { hit in
                try HitRenderer(
                    served: request.shards[hit.source].served, showing: showing,
                    limits: self.limits, times: deadline, budget: budget
                ).json(hit.item, isRanked: false)
            }.bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    /// Statistics that are cut short are of no use.
    private static func inTime<R>(_ times: SearchTimes, _ body: () throws -> R) throws -> R {
        do {
            return try Problem.inTime(body)
        } catch let error as TextIndexError
            where error.code == .limitExceeded && times.wanted <= .now
        {
            throw Problem.outOfTime
        }
    }
}

/// What several shards of a node found, in the order of one index.
struct ShardHits<Object: Sendable> {
    struct Hit {
        /// Its place among the shards that were asked.
        let source: Int
        let item: SearchResultItem<Object>
        let rank: ShardRank
    }

    let hits: [Hit]
    private let results: [ResultPage<Object>]
    private let mark: IndexGeneration?
    private let request: ShardRequest<Object>

    init(_ found: [ShardRequest<Object>.Found], _ request: ShardRequest<Object>) {
        results = found.map(\.page)
        self.request = request
        var mark = found.first?.mark
        for one in found.dropFirst() { mark?.add(one.mark) }
        self.mark = mark
        let ranking = request.shards.first.map { request.ranking(in: $0.served) } ?? .relevance
        let all = results.enumerated().flatMap { source, found in
            found.items.map { Hit(source: source, item: $0, rank: ShardRank($0, ranking)) }
        }
        let order = all.indices.sorted { a, b in
            if all[a].rank.precedes(all[b].rank, ranking) { return true }
            return a < b && !all[b].rank.precedes(all[a].rank, ranking)
        }
        hits = order.prefix(request.limit).map { all[$0] }
    }

    /// - Parameters:
    ///   - shown: the hits that are shown; of the others only their ranks are told.
    ///   - limits: how many bytes the list of hits may have.
    ///   - unit: what places in the text are counted in.
    ///   - render: makes the JSON of one, without its place among all.
    /// - Returns: what ``ShardReply`` reads.
    /// - Throws: ``Problem`` where it is too much; what `render` throws.
    func json(
        _ shown: ArraySlice<Hit>, within limits: ServerLimits, _ unit: OffsetUnit,
        _ render: (Hit) throws -> JSON
    ) throws -> JSON {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        var lengths: [JSON] = []
        for hit in shown {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            try render(hit).write(to: &bytes)
            lengths.append(.int(bytes.count - start))
            guard bytes.count <= limits.answerLength else {
                throw Problem.answerTooLarge(limits.answerLength)
            }
        }
        bytes.append(UInt8(ascii: "]"))
        let text = request.asked.text
        return .members([
            "mark": .optional(mark?.description),
            "total": .int(results.reduce(0) { $0 &+ $1.total.value }),
            "isTotalExact": .bool(results.allSatisfy(\.total.isExact)),
            "isComplete": .bool(results.allSatisfy(\.isComplete)),
            "steps": text.map { _ in
                .array(
                    results.reduce(SearchSteps()) { $0.union($1.steps) }.names.map { .string($0) })
            },
            "diagnostics": diagnostics(unit),
            "ranks": .array(hits.map { Self.json($0.rank, request.shards[$0.source].number) }),
            "lengths": .array(lengths), "hits": .encoded(bytes),
        ])
    }

    /// The remarks of all shards, each once: most are on the text, which is the same for all.
    private func diagnostics(_ unit: OffsetUnit) -> JSON {
        var all = results.first?.diagnostics ?? QueryDiagnostics()
        var known = Set(all)
        for result in results.dropFirst() {
            for diagnostic in result.diagnostics where known.insert(diagnostic).inserted {
                all.append(diagnostic)
            }
        }
        return ResultPage<Object>.json(all, request.asked.text, unit)
    }

    /// A rank, and the number of the shard that it is of.
    private static func json(_ rank: ShardRank, _ shard: Int) -> JSON {
        var values: [JSON] = [.int(shard), .number(rank.score), .number(rank.relevance)]
        if !rank.values.isEmpty {
            values.append(.number(rank.weight))
            values.append(HitRenderer<Object>.encoded(rank.values) ?? .null)
        }
        return .array(values)
    }
}
