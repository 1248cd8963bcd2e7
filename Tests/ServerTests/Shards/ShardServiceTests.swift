import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Nodes: servers of shards, which other servers search together.
@Suite(.timeLimit(.minutes(30))) struct ShardServiceTests {
    private static let notes: [Note] = {
        return Note.random(count: 80, seed: 41)
    }()

    private func run(
        _ shards: ShardedNotes, _ numbers: ShardNumbers = .all,
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(
            change, { try SearchServer(set: shards.source(numbers), options: $0) }, body)
    }

    private func asking(
        _ search: [(name: String, value: JSON)], _ shards: String, generation: String = "g1"
    ) -> JSON {
        .object(search + [("generation", .string(generation)), ("shards", .string(shards))])
    }

    /// Both phases over two nodes, by hand.
    private func search(
        _ asked: [(name: String, value: JSON)], _ nodes: [(RunningServer, String)]
    ) async throws -> [(score: Double, relevance: Double, id: String)] {
        var known: [(name: String, value: JSON)] = []
        while true {
            var told: [QueryStatistics] = []
            for (node, numbers) in nodes {
                let reply = try await node.post(
                    "/v1/shard/statistics", asking(asked + known, numbers))
                let bytes = try #require(reply.json()["statistics"]).bytes
                told.append(try JSONDecoder().decode(QueryStatistics.self, from: Data(bytes)))
            }
            let sum = try QueryStatistics.sum(of: told)
            known = [("statistics", .encoded(Array(try JSONEncoder().encode(sum))))]
            if sum.isComplete { break }
        }
        var all: [(score: Double, relevance: Double, id: String)] = []
        for (node, numbers) in nodes {
            let json = try await node.post("/v1/shard/search", asking(asked + known, numbers))
                .json()
            let hits = json["hits"]?.elements ?? []
            for (hit, rank) in zip(hits, json["ranks"]?.elements ?? []) {
                let values = rank.elements.map { $0.double ?? 0 }
                all.append((values[1], values[2], hit["id"]?.text ?? ""))
                #expect(hit["score"]?.double == values[1])
            }
        }
        return all.enumerated().sorted { a, b in
            if a.element.score != b.element.score { return a.element.score > b.element.score }
            if a.element.relevance != b.element.relevance {
                return a.element.relevance > b.element.relevance
            }
            return a.offset < b.offset
        }.map(\.element)
    }

    @Test func twoPhasesGiveTheResultsOfOneIndex() async throws {
        try await ShardedNotes.use(Self.notes, shards: 3) { shards in
            try await run(shards, ShardNumbers([0, 1])) { first in
                try await run(shards, ShardNumbers([2])) { second in
                    for text in [
                        "duck", "white whale", "pekng duck", "straße OR goose", "\"roast duck\"",
                        "nothing",
                    ] {
                        let found = try await search(
                            [("q", .string(text)), ("limit", 15)], [(first, "0-1"), (second, "2")])
                        let expected = try await shards.whole.search(text, limit: 15)
                        #expect(
                            found.prefix(15).map(\.id) == expected.items.map(\.name), "\(text)")
                        #expect(
                            found.prefix(15).map(\.score) == expected.items.map(\.score), "\(text)")
                    }
                }
            }
        }
    }

    @Test func onlyTheHitsThatAreAskedForAreShown() async throws {
        try await ShardedNotes.use(Self.notes, shards: 2) { shards in
            try await run(shards) { node in
                let asked: [(name: String, value: JSON)] = [("q", "duck"), ("limit", 20)]
                let told = try await node.post("/v1/shard/statistics", asking(asked, "0-1")).json()
                let sum = try #require(told["statistics"])
                let page = try await node.post(
                    "/v1/shard/search",
                    asking(asked + [("statistics", sum), ("from", 5), ("count", 3)], "0-1")
                ).json()
                #expect(page["ranks"]?.elements.count == 20)
                let expected = try await shards.whole.search("duck", limit: 20).items
                #expect(
                    page["hits"]?.elements.map { $0["id"]?.text }
                        == expected[5..<8].map(\.name))
                #expect(
                    page["lengths"]?.elements.map(\.integer)
                        == page["hits"]?.elements.map { $0.bytes.count })
            }
        }
    }

    @Test func whatIsRefused() async throws {
        try await ShardedNotes.use(Self.notes, shards: 3) { shards in
            try await run(shards, ShardNumbers([0, 1])) { node in
                let q: [(name: String, value: JSON)] = [("q", "duck")]
                let cases: [(String, JSON, Int, String)] = [
                    ("statistics", asking(q, "0", generation: "g2"), 409, "other-generation"),
                    ("search", asking(q, "0", generation: "g2"), 409, "other-generation"),
                    ("statistics", asking(q, "2"), 404, "unknown-shard"),
                    ("statistics", asking(q, "0-2"), 404, "unknown-shard"),
                    ("statistics", asking(q, "7"), 404, "unknown-shard"),
                    ("statistics", asking(q, "x"), 400, "invalid-parameter"),
                    ("statistics", .object(q + [("shards", "0")]), 400, "invalid-parameter"),
                    ("statistics", asking(q + [("learned", true)], "0"), 400, "not-over-shards"),
                    ("search", asking(q + [("explain", true)], "0"), 400, "not-over-shards"),
                    ("search", asking(q, "0"), 400, "invalid-parameter"),
                    ("search", asking(q + [("statistics", "x")], "0"), 400, "invalid-parameter"),
                    ("statistics", asking(q + [("facet", "a")], "0"), 400, "invalid-parameter"),
                    ("statistics", asking(q + [("counted", true)], "0"), 400, "invalid-parameter"),
                    ("search", asking(q + [("facetLimit", 3)], "0"), 400, "invalid-parameter"),
                    ("statistics", asking(q + [("field", "no")], "0"), 400, "invalid-parameter"),
                ]
                for (path, body, status, code) in cases {
                    let reply = try await node.post("/v1/shard/\(path)", body)
                    #expect(reply.status == status, "\(body)")
                    #expect(try reply.json()["code"]?.text == code, "\(reply.text)")
                }
                // Statistics of another query, and such as are not complete.
                let told = try await node.post("/v1/shard/statistics", asking(q, "0")).json()
                let sum = try #require(told["statistics"])
                let other = try await node.post(
                    "/v1/shard/search",
                    asking([("q", "a b c d"), ("sort", "minutes"), ("statistics", sum)], "0"))
                #expect(other.status == 400)
            }
        }
    }

    @Test func nodesAskForTheToken() async throws {
        try await ShardedNotes.use(Self.notes, shards: 1) { shards in
            let token = "0123456789abcdef"
            try await run(shards, .all) {
                $0.token = BearerToken(token)
            } _: { node in
                #expect(try await node.get("/v1/shards").status == 401)
                #expect(try await node.get("/health").status == 200)
                let body = asking([("q", "duck")], "0")
                #expect(try await node.post("/v1/shard/statistics", body).status == 401)
                let reply = try await node.post(
                    "/v1/shard/statistics", body, headers: ["Authorization": "Bearer \(token)"])
                #expect(reply.status == 200)
                #expect(reply.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test func healthNamesShardsThatAreGone() async throws {
        try await ShardedNotes.use(Self.notes, shards: 3) { shards in
            try await run(shards, ShardNumbers([0, 2])) { node in
                let sets = try await node.get("/v1/shards").json()["sets"]?.elements ?? []
                #expect(sets.map { $0["generation"]?.text } == ["g1"])
                #expect(sets[0]["count"]?.integer == 3)
                #expect(
                    sets[0]["shards"]?.elements.map { $0["number"]?.integer } == [0, 2])
                #expect(try await node.get("/health").status == 200)
                shards.gone.insert(2)
                let health = try await node.get("/health")
                #expect(health.status == 503)
                #expect(try health.json()["missing"]?.elements.map(\.text) == ["shard-2"])
                let status = try await node.get("/v1/status").json()
                #expect(status["set"]?["shards"]?.integer == 2)
            }
        }
    }

    /// A node serves the set before for a while: who began with that ends with it.
    @Test func anEarlierSetIsServedForAWhile() async throws {
        try await ShardedNotes.use(Self.notes, shards: 2) { old in
            try await ShardedNotes.use(Self.notes, shards: 3, generation: "g2") { new in
                let isNew = Mutex(false)
                let source = SetSource<Note>(
                    newest: { isNew.withLock { $0 } ? new.plan : old.plan },
                    open: { isNew.withLock { $0 } ? new.set() : old.set() })
                let sets = try CurrentSets(source, overlap: .seconds(100))
                let start = ContinuousClock.now
                try sets.refresh(at: start)
                #expect(sets.all.map(\.plan.generation) == ["g1"])
                isNew.withLock { $0 = true }
                try sets.refresh(at: start)
                #expect(sets.all.map(\.plan.generation) == ["g2", "g1"])
                #expect(try sets.set(of: "g1").shards.count == 2)
                try sets.refresh(at: start + .seconds(99))
                #expect(sets.all.count == 2)
                try sets.refresh(at: start + .seconds(101))
                #expect(sets.all.map(\.plan.generation) == ["g2"])
                #expect(throws: Problem.self) { try sets.set(of: "g1") }
            }
        }
    }
}

/// Numbers of shards as texts name them.
@Suite struct ShardNumbersTests {
    @Test(arguments: [
        ("0-19", "0-19", Array(0...9)), ("3", "3", [3]), ("20-", "20-", []), ("8-", "8-", [8, 9]),
        ("7,0-2,3", "0-3,7", [0, 1, 2, 3, 7]),
    ]) func numbersAreRead(text: String, description: String, ofTen: [Int]) throws {
        let numbers = try #require(ShardNumbers(argument: text))
        #expect(numbers.description == description)
        #expect(numbers.numbers(of: 10) == ofTen)
    }

    @Test(arguments: ["", "-", "a", "1-0", "1,1", "0-3,2-4", "1-2-3", "-1", "9999999", "0-,5"])
    func whatIsNoNumber(text: String) {
        #expect(ShardNumbers(argument: text) == nil)
    }

    @Test func numbersOfAList() {
        #expect(ShardNumbers([5, 1, 2, 3, 2]).description == "1-3,5")
        #expect(ShardNumbers([1]).overlaps(.all))
        #expect(!ShardNumbers([1, 4]).overlaps(ShardNumbers([2, 3])))
    }
}
