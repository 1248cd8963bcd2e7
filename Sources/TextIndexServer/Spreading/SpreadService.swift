import HTTPTypes
import TextIndexInterface
import TextSearch

/// What the endpoints of a server share that searches many nodes as one index. It keeps nothing of
/// an index but the statistics of recent searches: any number of them may ask the same nodes.
///
/// **Thread safety**: may be used from any thread.
final class SpreadService: AnsweringService {
    let options: ServerOptions
    let gate: SearchGate
    let metrics = ServerMetrics()
    let plan: SpreadPlan
    /// Whether a search is refused where shards are missing.
    private let isStrict: Bool
    /// How long a group is waited for that did not answer the last time.
    private let patience: Duration
    private let hedging: (statistics: Hedging, search: Hedging)

    private let kept = KnownStatistics(most: 16 << 20)

    /// How often a search begins again because a set was exchanged.
    private static let attempts = 4

    init(
        _ groups: [ReplicaGroup], newest: @escaping @Sendable () throws -> SetPlan,
        hedging choice: HedgeChoice, isStrict: Bool, patience: Duration = .milliseconds(100),
        _ options: ServerOptions
    ) throws {
        plan = try SpreadPlan(groups, newest: newest)
        self.options = options
        self.isStrict = isStrict
        self.patience = patience
        hedging = (Hedging(choice), Hedging(choice))
        gate = SearchGate(options.limits)
    }

    var routes: [Route] {
        let own = [
            Route(path: "/health", methods: [.get], isOpen: true) { try await self.health($0) },
            Route(path: "/v1/search", methods: [.get, .post]) { try await self.search($0) },
            Route(path: "/v1/facets", methods: [.get, .post]) { try await self.facets($0) },
            Route(path: "/v1/status", methods: [.get]) { try await self.status($0) },
        ]
        return own + [.openAPI(of: own)] + Self.others
    }

    /// What one index answers, and many nodes do not.
    static var others: [Route] {
        let paths: [(String, Set<HTTPRequest.Method>)] = [
            ("/v1/federated", [.get, .post]), ("/v1/type", [.post]),
            ("/v1/suggest", [.get, .post]), ("/v1/similar", [.get, .post]),
            ("/v1/percolate", [.post]), ("/v1/explain", [.get, .post]),
            ("/v1/watch", [.get, .post]), ("/v1/engagements", [.post, .delete]),
        ]
        return paths.map { path, methods in
            Route(path: path, methods: methods) { _ in throw Problem.notOverShards }
        }
    }

    func begin() async { _ = await look(patience: limits.time / 2) }

    func tick() async -> [String] {
        await look(patience: .zero)
            + plan.reasons(of: plan.current).map { "\($0.node): \($0.reason)" }
    }

    /// Looks for a newer set, and asks all nodes what they serve.
    private func look(patience: Duration) async -> [String] {
        var failures: [String] = []
        do {
            try await gate.onThread { [plan] in try plan.refresh() }
        } catch {
            failures.append("no newer set: \(error)")
        }
        await plan.poll(until: .now + limits.time, patience: patience)
        return failures
    }

    func close() async throws {}

    // MARK: Searching

    /// Searches all shards as one index.
    func search(_ exchange: Exchange) async throws -> Answer {
        try await search(exchange, onlyCounts: false)
    }

    /// Facets alone, of all shards.
    func facets(_ exchange: Exchange) async throws -> Answer {
        try await search(exchange, onlyCounts: true)
    }

    private func search(_ exchange: Exchange, onlyCounts: Bool) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let times = try deadline(&arguments, exchange)
        let request = try SpreadRequest(&arguments, limits, onlyCounts: onlyCounts)
        try await gate.enter(exchange.client, until: times.last)
        defer { gate.leave(exchange.client) }
        for attempt in 1...Self.attempts {
            do {
                return try await search(
                    request, times, isFirst: attempt == 1, isLast: attempt == Self.attempts)
            } catch is SpreadSearch.Rolled {
                // What nodes serve is known again before the next attempt.
                _ = await look(patience: min(limits.time / 2, max(times.wanted - .now, .zero)))
            }
        }
        throw Problem.busy("The set is exchanged at the moment.")
    }

    private func search(
        _ request: SpreadRequest, _ times: SearchTimes, isFirst: Bool, isLast: Bool
    ) async throws -> Answer {
        guard times.last > .now else { throw Problem.outOfTime }
        let (set, turn) = (plan.current, plan.nextTurn())
        let groups = plan.parts(of: set).compactMap { part -> SpreadSearch.Group? in
            let replicas = part.group.serving(part.shards, of: set.generation, turn: turn)
            return replicas.isEmpty ? nil : .init(shards: part.shards, replicas: replicas)
        }
        guard !groups.isEmpty else {
            // Perhaps there is another set.
            if isFirst { throw SpreadSearch.Rolled() }
            throw Problem.missingShards(set.names, because: reasons(of: set))
        }
        if isStrict, groups.reduce(0, { $0 + $1.shards.count }) < set.names.count {
            throw Problem.missingShards(
                plan.missing(of: set).map { set.names[$0] }, because: reasons(of: set))
        }
        let found = try await SpreadSearch(
            request: request, plan: set, times: times, hedging: hedging, groups: groups,
            isLastAttempt: isLast, patience: patience, gate: gate, kept: kept
        ).found()
        if isStrict, !found.missing.isEmpty {
            throw Problem.missingShards(found.missing.sorted().map { set.names[$0] })
        }
        guard request.page.limit > SpreadSearch.mostAtOnce || !request.facets.isEmpty else {
            return Answer(json: try found.json(set.names, set.generation))
        }
        let bytes = try await gate.onThread { try found.json(set.names, set.generation).bytes }
        return Answer(type: "application/json", bytes: bytes)
    }

    // MARK: What there is

    /// Whether all shards can be searched.
    func health(_ exchange: Exchange) async throws -> Answer {
        let set = plan.current
        let missing = plan.lacking(of: set)
        let isDown = !missing.isEmpty && (isStrict || missing.count == set.names.count)
        return .health(
            missing: missing.map { set.names[$0] }, because: reasons(of: set), isDown: isDown)
    }

    /// Why nodes do not serve what they should. Where they are is told in the status, which needs
    /// the token.
    private func reasons(of set: SetPlan) -> [String] {
        Set(plan.reasons(of: set).map(\.reason)).sorted()
    }

    /// What the nodes serve, and what the server does.
    func status(_ exchange: Exchange) async throws -> Answer {
        try await arguments(of: exchange).finish()
        let set = plan.current
        return Answer(
            json: activity().adding([
                "set": .members([
                    "generation": .string(set.generation), "count": .int(set.names.count),
                    "shards": .int(set.names.count - plan.lacking(of: set).count),
                ]),
                "hedged": .int(hedging.statistics.count + hedging.search.count),
                "replicas": .array(plan.groups.flatMap(\.replicas).map { Self.json($0) }),
            ]))
    }

    private static func json(_ replica: Replica) -> JSON {
        let state = replica.current
        return .members([
            "node": .string(replica.node.name), "shards": .string("\(replica.numbers)"),
            "isReachable": .bool(state.isReachable),
            "sets": .array(state.offers.keys.sorted().map { .string($0) }),
            "requests": .int(state.requests), "failures": .int(state.failures),
            "lastFailure": .optional(state.failure?.description),
        ])
    }
}

extension Problem {
    static let notOverShards = Problem(
        .notImplemented, "not-over-shards", "This is not there over shards",
        "Shards are searched as one index by /v1/search and /v1/facets; ask a server of one index.")
}
