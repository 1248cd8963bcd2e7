import Foundation
import HTTPTypes
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Nodes that fail, hang, lie or have another set: every answer is that of one index, or says what
/// it lacks.
@Suite(.timeLimit(.minutes(30))) struct SpreadFaultTests {
    /// A node whose answers a test changes.
    struct Faulty: NodeTransport {
        let inner: LocalNode<Note>
        var name = "faulty"
        /// What it does before it answers; throws instead of an answer.
        let before: @Sendable (String) async throws -> Void
        var after: @Sendable (String, NodeReply) -> NodeReply = { $1 }
        /// What it says of its shards.
        var offers: @Sendable (NodeReply) -> NodeReply = { $0 }

        func send(
            _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
        ) async throws -> NodeReply {
            if path != "/v1/shards" { try await before(path) }
            let reply = try await inner.send(path, body, until: deadline)
            return path == "/v1/shards" ? offers(reply) : after(path, reply)
        }
    }

    func local(
        _ shards: ShardedNotes, _ numbers: ShardNumbers, source: SetSource<Note>? = nil
    ) throws -> LocalNode<Note> {
        let service = try ShardService(source ?? shards.source(numbers), ServerOptions())
        return LocalNode(service: service, client: "test")
    }

    /// Searches nodes of this process.
    func spread(
        _ groups: [(ShardNumbers, [any NodeTransport])], _ plan: @escaping @Sendable () -> SetPlan,
        hedging: HedgeChoice = .never, isStrict: Bool = false,
        patience: Duration = .milliseconds(100), _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> SpreadService {
        var options = ServerOptions()
        change(&options)
        let service = try SpreadService(
            groups.map { numbers, nodes in
                ReplicaGroup(numbers: numbers, replicas: nodes.map { Replica($0, numbers) })
            }, newest: plan, hedging: hedging, isStrict: isStrict, patience: patience, options)
        await service.begin()
        return service
    }

    func exchange(_ query: String, client: String = "test") -> Exchange {
        Exchange(
            method: .get, path: "/v1/search", query: Substring(query), headers: [:],
            client: client, deadline: .now + .seconds(60))
    }

    func json(_ answer: Answer) throws -> JSON {
        guard case .bytes(let bytes) = answer.body else { return .null }
        return try JSONReader.value(of: bytes)
    }

    func ids(_ json: JSON) -> [String?] {
        (json["hits"]?.elements ?? []).map { $0["id"]?.text }
    }

    func problem(_ body: () async throws -> Answer) async -> Problem? {
        do {
            _ = try await body()
            return nil
        } catch {
            return Problem(error)
        }
    }

    // MARK: Replicas

    @Test func anotherReplicaAnswersAtOnceForOneThatIsDead() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 1), shards: 2) { shards in
            let cluster = try await Cluster.start(shards, groups: 2, replicas: 2)
            // The first of each group ends; the other is asked.
            try await cluster.nodes[0].stop()
            try await cluster.nodes[2].stop()
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var asking = RandomAsking(seed: 5)
            for _ in 0..<12 {
                try await SpreadOracleTests.compare(cluster.spread, whole, asking.next())
            }
            let health = try await cluster.spread.get("/health")
            #expect(health.status == 200)
            try await whole.stop()
            try await cluster.spread.stop()
            for node in [cluster.nodes[1], cluster.nodes[3]] { try await node.stop() }
        }
    }

    /// A node that is dead at the start is missed, and found when it is there.
    @Test func whatIsMissingIsSaid() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 2), shards: 3) { shards in
            let isDead = Mutex(true)
            let dead = Faulty(inner: try local(shards, ShardNumbers([1]))) { _ in
                if isDead.withLock({ $0 }) { throw NodeFailure.unreachable }
            }
            let groups: [(ShardNumbers, [any NodeTransport])] = [
                (ShardNumbers([0, 2]), [try local(shards, ShardNumbers([0, 2]))]),
                (ShardNumbers([1]), [dead]),
            ]
            let plan = shards.plan
            let service = try await spread(groups) { plan }
            let others = try FederatedSearch([shards.shards[0], shards.shards[2]])
            let found = try json(await service.search(exchange("q=duck&limit=50")))
            #expect(found["isComplete"]?.isTrue == false)
            #expect(found["isTotalExact"]?.isTrue == false)
            #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
            let expected = try others.search("duck", limit: 50)
            #expect(ids(found) == expected.hits.map(\.item.name))
            #expect(
                found["hits"]?.elements.map { $0["score"]?.double }
                    == expected.hits.map(\.item.score))
            let health = try json(await service.health(exchange("")))
            #expect(health["status"]?.text == "partial")
            #expect(health["missing"]?.elements.map(\.text) == ["shard-1"])

            let strict = try await spread(groups, { plan }, isStrict: true)
            let refusal = await problem { try await strict.search(exchange("q=duck")) }
            #expect(refusal?.code == "shards-missing" && refusal?.status == .serviceUnavailable)
            #expect(refusal?.headers[.retryAfter] == "1")
            #expect(try await strict.health(exchange("")).status == .serviceUnavailable)

            isDead.withLock { $0 = false }
            await service.begin()
            let whole = try json(await service.search(exchange("q=duck&limit=50")))
            #expect(whole["isComplete"]?.isTrue == true)
            let best = try await shards.whole.search("duck", limit: 50).items
            #expect(ids(whole) == best.map(\.name))
            // What is known of all of them says nothing where one is gone again.
            isDead.withLock { $0 = true }
            let rest = try json(await service.search(exchange("q=duck&limit=50")))
            #expect(rest["missing"]?.elements.map(\.text) == ["shard-1"])
            #expect(ids(rest) == ids(found))
            #expect(
                rest["hits"]?.elements.map { $0["score"]?.double }
                    == expected.hits.map(\.item.score))
            let none = try await spread([(.all, [Faulty(inner: dead.inner) { _ in }])]) {
                SetPlan(generation: "other", names: plan.names)
            }
            #expect(
                await problem { try await none.search(exchange("q=duck")) }?.code
                    == "shards-missing")
        }
    }

    /// A node that fails between the phases is left out, and said to be missing.
    @Test(arguments: ["/v1/shard/statistics", "/v1/shard/search"])
    func aNodeFailsInAPhase(path: String) async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 3), shards: 2) { shards in
            let failing = Faulty(inner: try local(shards, ShardNumbers([1]))) {
                if $0 == path { throw NodeFailure.closed }
            }
            let plan = shards.plan
            let service = try await spread([
                (ShardNumbers([0]), [try local(shards, ShardNumbers([0]))]),
                (ShardNumbers([1]), [failing]),
            ]) { plan }
            for text in ["duck", "pekng", "white+whale+sea"] {
                let found = try json(await service.search(exchange("q=\(text)&limit=50")))
                #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
                #expect(found["isComplete"]?.isTrue == false)
                #expect(found["hits"]?.elements.isEmpty == false)
                // The node may be reached again.
                await service.begin()
            }
        }
    }

    @Test func aSlowReplicaIsHedged() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 4), shards: 1) { shards in
            let inner = try local(shards, .all)
            // Never answers, until nobody waits any more.
            let hanging = Faulty(inner: inner) { _ in try await Task.sleep(for: .seconds(3600)) }
            let plan = shards.plan
            let service = try await spread(
                [(.all, [hanging, inner])], { plan }, hedging: .after(.milliseconds(1)))
            for _ in 0..<4 {
                let found = try json(await service.search(exchange("q=duck&limit=50")))
                #expect(found["isComplete"]?.isTrue == true)
                let best = try await shards.whole.search("duck", limit: 50).items
                #expect(ids(found) == best.map(\.name))
            }
            let status = try json(await service.status(exchange("")))
            #expect((status["hedged"]?.integer ?? 0) > 0)
        }
    }

    @Test func whoIsNotInTimeIsLeftOut() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 5), shards: 2) { shards in
            let slow = Faulty(inner: try local(shards, ShardNumbers([1]))) { _ in
                throw NodeFailure.outOfTime
            }
            let plan = shards.plan
            let service = try await spread([
                (ShardNumbers([0]), [try local(shards, ShardNumbers([0]))]),
                (ShardNumbers([1]), [slow]),
            ]) { plan }
            let found = try json(await service.search(exchange("q=duck&limit=50")))
            #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
            // It may be in time for the next one.
            #expect(try json(await service.health(exchange("")))["status"]?.text == "ok")
        }
    }

    @Test func tooManyRequestsAreRefused() async throws {
        try await ShardedNotes.use(Note.random(count: 20, seed: 6), shards: 1) { shards in
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let hanging = Faulty(inner: try local(shards, .all)) { _ in
                start.yield()
                try await Task.sleep(for: .seconds(3600))
            }
            let plan = shards.plan
            let service = try await spread([(.all, [hanging])], { plan }) {
                $0.limits.searches = 1
                $0.limits.waiting = 0
            }
            let first = Task { try await service.search(exchange("q=duck", client: "a")) }
            _ = await started.first { _ in true }
            let refusal = await problem {
                try await service.search(exchange("q=duck", client: "b"))
            }
            #expect(refusal?.status == .serviceUnavailable)
            #expect(refusal?.headers[.retryAfter] == "1")
            first.cancel()
            _ = await first.result
        }
    }

    // MARK: Sets

    /// A set is exchanged between the phases: the answer is one of one set.
    @Test func aSetIsExchangedAmidASearch() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 7), shards: 2) { old in
            try await ShardedNotes.use(Note.random(count: 70, seed: 8), shards: 3, generation: "g2")
            { new in
                let isNew = Mutex(false)
                @Sendable func plan() -> SetPlan {
                    isNew.withLock { $0 } ? new.plan : old.plan
                }
                let source = SetSource<Note>(
                    newest: plan, open: { isNew.withLock { $0 } ? new.set() : old.set() })
                // It forgets the set before at once.
                var options = ServerOptions()
                options.limits.time = .zero
                options.interval = .zero
                let service = try ShardService(source, options)
                let node = Faulty(
                    inner: LocalNode(service: service, client: "test"),
                    before: { path in
                        guard path == "/v1/shard/search", !isNew.withLock({ $0 }) else { return }
                        isNew.withLock { $0 = true }
                        _ = await service.tick()
                        _ = await service.tick()
                    })
                let spread = try await spread([(.all, [node])], plan)
                for expected in [new, new] {
                    let found = try json(await spread.search(exchange("q=duck&limit=60")))
                    // The server looks for the newest set at its next tick only.
                    if found["set"] == nil { await spread.begin() }
                    #expect(found["set"]?.text == "g2")
                    #expect(found["isComplete"]?.isTrue == true)
                    let best = try await expected.whole.search("duck", limit: 60).items
                    #expect(ids(found) == best.map(\.name))
                }
            }
        }
    }

    /// Content that changes under one generation is found out by its mark.
    @Test func contentThatChangesBetweenThePhases() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 9), shards: 2) { shards in
            let isChanged = Mutex(false)
            let index = shards.shards[0]
            let note = Note(
                identifier: "late", title: "duck duck duck", body: "duck", cuisine: "", minutes: 1,
                shelf: "")
            let node = Faulty(
                inner: try local(shards, .all),
                before: { path in
                    let isFirst = isChanged.withLock { changed in
                        defer { if path == "/v1/shard/search" { changed = true } }
                        return path == "/v1/shard/search" && !changed
                    }
                    if isFirst { _ = try await index.indexObjects([note]) }
                })
            let plan = shards.plan
            let service = try await spread([(.all, [node])]) { plan }
            let found = try json(await service.search(exchange("q=duck&limit=80&snippets=0")))
            let expected = try FederatedSearch(shards.shards).search("duck", limit: 80)
            #expect(ids(found) == expected.hits.map(\.item.name))
            #expect(
                found["hits"]?.elements.map { $0["score"]?.double }
                    == expected.hits.map(\.item.score))
        }
    }
}
