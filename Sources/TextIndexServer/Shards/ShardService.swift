import Foundation
import HTTPTypes
import TextIndexInterface
import TextSearch

/// What the endpoints of a node share: a server of shards, which other servers search together.
///
/// **Thread safety**: may be used from any thread.
final class ShardService<Object: Sendable>: AnsweringService {
    let sets: CurrentSets<Object>
    let options: ServerOptions
    let gate: SearchGate
    let metrics = ServerMetrics()
    let expected = ExpectedSums(most: 4 << 20)

    init(_ source: SetSource<Object>, _ options: ServerOptions) throws {
        // Whoever began with a set may end with it.
        sets = try CurrentSets(source, overlap: options.limits.time * 2 + options.interval * 4)
        self.options = options
        gate = SearchGate(options.limits)
    }

    var routes: [Route] {
        let own = [
            Route(path: "/health", methods: [.get], isOpen: true) { try await self.health($0) },
            Route(path: "/v1/shards", methods: [.get]) { try await self.shards($0) },
            Route(path: "/v1/shard/statistics", methods: [.post], takesMessages: true) {
                try await self.statistics($0)
            },
            Route(path: "/v1/shard/search", methods: [.post], takesMessages: true) {
                try await self.search($0)
            },
            Route(path: "/v1/status", methods: [.get]) { try await self.status($0) },
        ]
        let ofWhole = [
            Route(path: "/v1/search", methods: [.get, .post]) { try await self.searchWhole($0) },
            Route(path: "/v1/facets", methods: [.get, .post]) { try await self.facetsOfWhole($0) },
        ]
        let set = sets.current
        let isWhole = set.shards.count == set.plan.names.count
        return own + ofWhole + [.openAPI(of: isWhole ? own + ofWhole : own)]
    }

    func tick() async -> [String] {
        do {
            try await gate.onThread { [sets] in try sets.refresh() }
            return []
        } catch {
            return ["no newer set: \(error)"]
        }
    }

    func close() async throws {
        for set in sets.all {
            for shard in set.shards { try await shard.served.index.shutdown() }
        }
    }

    // MARK: What there is

    /// Whether all shards are there that the node is to serve.
    func health(_ exchange: Exchange) async throws -> Answer {
        let set = sets.current
        let missing = try await gate.onThread { set.shards.filter { !$0.isThere() } }
        return .health(
            missing: missing.map { set.plan.names[$0.number] }, isDown: !missing.isEmpty)
    }

    /// The sets that are served, which shards of them, and the version of messages.
    func shards(_ exchange: Exchange) async throws -> Answer {
        try await arguments(of: exchange).finish()
        let all = sets.all
        let areThere = try await gate.onThread {
            all.map { set in set.shards.map { $0.isThere() } }
        }
        return Answer(
            json: .members([
                "messages": .int(Int(ShardMessage.version)),
                "sets": .array(
                    zip(all, areThere).map { set, areThere in
                        .members([
                            "generation": .string(set.plan.generation),
                            "count": .int(set.plan.names.count),
                            "shards": .array(
                                zip(set.shards, areThere).map { shard, isThere in
                                    .members([
                                        "number": .int(shard.number),
                                        "name": .string(set.plan.names[shard.number]),
                                        "objects": .int(shard.served.index.count),
                                        "isThere": .bool(isThere),
                                    ])
                                }),
                        ])
                    }),
            ]))
    }

    /// What the node does.
    func status(_ exchange: Exchange) async throws -> Answer {
        try await arguments(of: exchange).finish()
        let set = sets.current
        return Answer(
            json: activity().adding([
                "set": .members([
                    "generation": .string(set.plan.generation),
                    "count": .int(set.plan.names.count), "shards": .int(set.shards.count),
                    "objects": .int(set.shards.reduce(0) { $0 + $1.served.index.count }),
                ])
            ]))
    }
}
