import Foundation
import HTTPTypes
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What a server of many nodes says: why they fail, which files are gone, which words nobody has,
/// and what is answered at all.
@Suite(.timeLimit(.minutes(30))) struct SpreadReasonTests {
    private static let faults = SpreadFaultTests()

    private static func notes(_ count: Int) -> [Note] { Note.random(count: count, seed: 71) }

    /// A node that does not answer at all, until it does.
    private struct Sleeping: NodeTransport {
        let inner: LocalNode<Note>
        let isDead: @Sendable () -> Bool
        var name: String { "http://a:9001" }

        func send(
            _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
        ) async throws -> NodeReply {
            if isDead() { throw NodeFailure.unreachable }
            return try await inner.send(path, body, until: deadline)
        }
    }

    @Test func aFailureIsSaidUntilItIsOver() async throws {
        try await ShardedNotes.use(Self.notes(20), shards: 1) { shards in
            let isDead = Mutex(true)
            let node = Sleeping(inner: try Self.faults.local(shards, .all)) {
                isDead.withLock { $0 }
            }
            let plan = shards.plan
            let service = try await Self.faults.spread([(.all, [node])]) { plan }
            #expect(await service.tick() == ["http://a:9001: no connection"])
            let health = try Self.faults.json(
                await service.health(Self.faults.exchange("")))
            #expect(health["reasons"]?.elements.map(\.text) == ["no connection"])
            #expect(!String(decoding: health.bytes, as: UTF8.self).contains("9001"))
            let refusal = await Self.faults.problem {
                try await service.search(Self.faults.exchange("q=duck"))
            }
            #expect(refusal?.detail.contains("no connection") == true)
            isDead.withLock { $0 = false }
            await service.begin()
            #expect(await service.tick().isEmpty)
            let status = try Self.faults.json(
                await service.status(Self.faults.exchange("")))
            #expect(status["replicas"]?.elements.first?["lastFailure"] == nil)
            let later = try Self.faults.json(
                await service.health(Self.faults.exchange("")))
            #expect(later["reasons"] == nil && later["status"]?.text == "ok")
        }
    }

    @Test func aWrongTokenIsNamed() async throws {
        try await ShardedNotes.use(Self.notes(20), shards: 1) { shards in
            let node = try await RunningServer.start {
                $0.token = BearerToken("0123456789abcdef")
            } _: {
                try SearchServer(set: shards.source(), options: $0)
            }
            let nobody = try #require(NodeAddress("http://nobody.invalid:9001"))
            let address = try #require(NodeAddress(node.address))
            let source = try SpreadSource(
                [.init(shards: .all, nodes: [address, nobody])]
            ) { shards.plan }
            let spread = try await RunningServer.start {
                $0.token = BearerToken("another 0123456789".replacing(" ", with: "-"))
            } _: {
                try SearchServer(over: source, options: $0)
            }
            let health = try await spread.get("/health")
            #expect(health.status == 503)
            let reasons = try health.json()["reasons"]?.elements.compactMap(\.text) ?? []
            #expect(reasons.contains("status 401: it wants another token"), "\(reasons)")
            #expect(reasons.contains { $0.hasPrefix("no connection") || $0 == "no answer yet" })
            let reply = try await spread.send(
                "GET", "/v1/search?q=duck",
                headers: ["Authorization": "Bearer another-0123456789"])
            #expect(reply.status == 503 && reply.text.contains("another token"), "\(reply.text)")
            try await spread.stop()
            try await node.stop()
        }
    }

    /// Shards whose files are gone are still asked, and said to be missing.
    @Test func filesThatAreGoneAreSeenByThoseWhoAsk() async throws {
        try await ShardedNotes.use(Self.notes(40), shards: 2) { shards in
            let plan = shards.plan
            let service = try await Self.faults.spread([
                (.all, [try Self.faults.local(shards, .all)])
            ]) { plan }
            let first = try Self.faults.json(
                await service.health(Self.faults.exchange("")))
            #expect(first["status"]?.text == "ok")
            shards.gone.insert(1)
            await service.begin()
            let health = try Self.faults.json(
                await service.health(Self.faults.exchange("")))
            #expect(health["status"]?.text == "partial")
            #expect(health["missing"]?.elements.map(\.text) == ["shard-1"])
            #expect(health["reasons"]?.elements.map(\.text) == ["files of its shards are gone"])
            let found = try Self.faults.json(
                await service.search(Self.faults.exchange("q=duck&snippets=0")))
            #expect(found["isComplete"]?.isTrue == true)
        }
    }

    /// The members of each element in their order, which differs from answer to answer.
    private static func lines(_ json: JSON) -> [[String]] {
        json.elements.map { element in
            guard case .object(let members) = element else { return [] }
            return members.map { "\($0.name): \(String(decoding: $0.value.bytes, as: UTF8.self))" }
                .sorted()
        }
    }

    /// Words that no object has are told as one index tells them.
    @Test func wordsThatNobodyHas() async throws {
        try await ShardedNotes.use(Self.notes(60), shards: 3) { shards in
            let cluster = try await Cluster.start(shards, groups: 2)
            let node = try await RunningServer.start {
                try SearchServer(set: shards.source(), options: $0)
            }
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var kinds: Set<String> = []
            for text in [
                "duck", "duk", "xyzzy", "duck xyzzy", "gose whle", "duck OR sae", "duck -duck",
                "title:pekin", "zzz yyy", "duck \"goose",
            ] {
                let expected = try await whole.get("/v1/search", ["q": text]).json()
                let said = try #require(expected["diagnostics"])
                kinds.formUnion(said.elements.compactMap { $0["kind"]?.text })
                for server in [cluster.spread, node] {
                    // The second time the statistics are known.
                    for _ in 0..<2 {
                        let found = try await server.get("/v1/search", ["q": text]).json()
                        #expect(found["diagnostics"].map(Self.lines) == Self.lines(said), "\(text)")
                    }
                }
            }
            #expect(kinds.contains("unknownWord"), "\(kinds)")
            try await whole.stop()
            try await node.stop()
            try await cluster.stop()
        }
    }

    /// What the document names is answered, and no path that is not.
    @Test func theDocumentIsThatOfTheServer() async throws {
        try await ShardedNotes.use(Self.notes(20), shards: 2) { shards in
            let cluster = try await Cluster.start(shards, groups: 2)
            let node = try await RunningServer.start {
                try SearchServer(set: shards.source(), options: $0)
            }
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            for (server, some, others) in [
                (cluster.spread, ["/v1/search", "/v1/facets"], ["/v1/type", "/", "/v1/shards"]),
                (cluster.nodes[0], ["/v1/shards"], ["/v1/search", "/status", "/v1/suggest"]),
                (node, ["/v1/search", "/v1/shards"], ["/v1/type", "/"]),
                (whole, ["/v1/type", "/v1/search", "/"], ["/v1/shards", "/v1/shard/search"]),
            ] {
                let document = try await server.get("/openapi.json").json()
                let paths = document["paths"]?.members ?? []
                let names = Set(paths.map(\.name))
                #expect(names.isSuperset(of: some + ["/health", "/v1/status"]), "\(names)")
                #expect(names.isDisjoint(with: others), "\(names)")
                #expect(document["components"]?["schemas"] != nil)
                // A stream has no end.
                for (path, operations) in paths where path != "/v1/watch" {
                    for (method, _) in operations.members where ["get", "post"].contains(method) {
                        let reply =
                            method == "get"
                            ? try await server.get(path) : try await server.post(path, .object([]))
                        #expect(![404, 405, 501].contains(reply.status), "\(method) \(path)")
                    }
                }
            }
            try await whole.stop()
            try await node.stop()
            try await cluster.stop()
        }
    }

    @Test func numbersBeyondTheSetAreRefused() throws {
        let plan = SetPlan(generation: "g", names: ["a", "b", "c", "d"])
        let node = try #require(NodeAddress("http://a:9001"))
        for (numbers, isRight) in [
            ("0-3", true), ("0-", true), ("0-9", false), ("0-3,7", false), ("0-3,9-", false),
        ] {
            let shards = try #require(ShardNumbers(argument: numbers))
            let source = try? SpreadSource([.init(shards: shards, nodes: [node])]) { plan }
            #expect((source != nil) == isRight, "\(numbers)")
        }
    }
}
