import Foundation
import HTTPTypes
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Facets over many nodes beside those of one index of all objects.
@Suite(.timeLimit(.minutes(30))) struct SpreadFacetTests {
    @Test(arguments: [1, 2, 3, 4]) func countsAreThoseOfOneIndex(seed: UInt64) async throws {
        let shape = [(1, 1, 60), (3, 2, 150), (7, 3, 100), (24, 4, 12)][Int(seed) - 1]
        try await ShardedNotes.use(Note.random(count: shape.2, seed: seed), shards: shape.0) {
            place in
            seed == 3 && place % 5 > 0 ? 2 : nil
        } _: { shards in
            let cluster = try await Cluster.start(shards, groups: shape.1)
            let node = try await RunningServer.start {
                try SearchServer(set: shards.source(), options: $0)
            }
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var asking = RandomAsking(seed: 100 + seed)
            for _ in 0..<Scale.sample(of: 30) {
                let searched = asking.next().members
                let counting = asking.counting()
                let counted = searched.filter { $0.name != "snippets" }
                let servers = [cluster.spread, node]
                try await Self.compare(
                    servers, whole, "/v1/search", .object(searched + counting), seed)
                try await Self.compare(
                    servers, whole, "/v1/facets", .object(counted + counting), seed)
            }
            try await whole.stop()
            try await node.stop()
            try await cluster.stop()
        }
    }

    private static func compare(
        _ servers: [RunningServer], _ whole: RunningServer, _ path: String, _ body: JSON,
        _ seed: UInt64
    ) async throws {
        let what = "seed \(seed): \(path) \(String(decoding: body.bytes, as: UTF8.self))"
        let expected = try await whole.post(path, body)
        for server in servers {
            let found = try await server.post(path, body)
            #expect(found.status == expected.status, "\(what): \(found.text)")
            guard found.status == 200, expected.status == 200 else { continue }
            let (one, other) = (try found.json(), try expected.json())
            #expect(one["facets"]?.elements.isEmpty == false, "\(what)")
            #expect(one["facets"]?.inOrder.bytes == other["facets"]?.inOrder.bytes, "\(what)")
            #expect(one["hits"]?.inOrder.bytes == other["hits"]?.inOrder.bytes, "\(what)")
            #expect(one["steps"]?.bytes == other["steps"]?.bytes, "\(what)")
            // What is counted is known whole.
            #expect(one["total"]?.integer == other["total"]?.integer, "\(what)")
            #expect(one["isTotalExact"]?.isTrue == true, "\(what)")
            #expect(one["isComplete"]?.isTrue == true, "\(what)")
            #expect((one["hits"] == nil) == (path == "/v1/facets"))
        }
    }

    /// By GET, and on pages far down, of which a second request does not count again.
    @Test func pagesFarDownAreCountedOnce() async throws {
        try await ShardedNotes.use(Note.random(count: 400, seed: 10), shards: 3) { shards in
            let cluster = try await Cluster.start(shards, groups: 3)
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            for (offset, limit) in [(0, 10), (120, 25), (390, 20), (0, 400)] {
                let path =
                    "/v1/search?q=duck+OR+goose+OR+whale+OR+sea&offset=\(offset)&limit=\(limit)"
                    + "&facet=cuisine&facet=minutes:20&facetLimit=3&snippets=1"
                let (found, expected) = (
                    try await cluster.spread.get(path).json(), try await whole.get(path).json()
                )
                #expect(found["hits"]?.inOrder.bytes == expected["hits"]?.inOrder.bytes)
                #expect(found["facets"]?.inOrder.bytes == expected["facets"]?.inOrder.bytes)
            }
            try await whole.stop()
            try await cluster.stop()
        }
    }

    /// The text compares an attribute that only the facet names.
    @Test func textsCompareAttributesOfFacets() async throws {
        try await ShardedNotes.use(Note.random(count: 60, seed: 12), shards: 2) { shards in
            let cluster = try await Cluster.start(shards, groups: 2)
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            let body = JSON.members([
                "q": "nobody:>3 OR minutes:<40", "facet": .array(["nobody", "minutes:10"]),
            ])
            try await Self.compare([cluster.spread], whole, "/v1/search", body, 12)
            try await whole.stop()
            try await cluster.stop()
        }
    }

    /// A node sends no more of counts than an answer may have.
    @Test func tooManyBucketsAreNotTold() async throws {
        try await ShardedNotes.use(Note.random(count: 80, seed: 14), shards: 1) { shards in
            try await RunningServer.run(
                { $0.limits.answerLength = 800 },
                { try SearchServer(set: shards.source(), options: $0) }
            ) { node in
                for (facet, status) in [("minutes", 422), ("minutes:1000", 200)] {
                    let asked: [(name: String, value: JSON)] = [
                        ("q", "duck OR goose"), ("limit", 1),
                        ("facet", .array([.string(facet)])), ("generation", "g1"),
                        ("shards", "0"),
                    ]
                    let told = try await node.post("/v1/shard/statistics", .object(asked)).json()
                    let sum = try #require(told["statistics"])
                    let found = try await node.post(
                        "/v1/shard/search",
                        .object(asked + [("statistics", sum), ("count", 0)]))
                    #expect(found.status == status, "\(facet): \(found.text)")
                    #expect(
                        status == 200 || found.text.contains("answer-too-large"), "\(found.text)")
                }
            }
        }
    }

    /// What a node says in JSON, which others than our own servers add up.
    @Test func aNodeTellsAllBuckets() async throws {
        try await ShardedNotes.use(Note.random(count: 80, seed: 13), shards: 2) { shards in
            try await RunningServer.run(
                { _ in }, { try SearchServer(set: shards.source(), options: $0) }
            ) { node in
                let asked: [(name: String, value: JSON)] = [
                    ("q", "duck OR goose"), ("limit", 5),
                    ("facet", .array(["minutes", "shelf:/"])), ("generation", "g1"),
                    ("shards", "0-1"),
                ]
                let told = try await node.post("/v1/shard/statistics", .object(asked)).json()
                let sum = try #require(told["statistics"])
                let found = try await node.post(
                    "/v1/shard/search", .object(asked + [("statistics", sum)])
                ).json()
                let expected = try await shards.whole.search(
                    "duck OR goose", limit: 5,
                    facets: [
                        .values(of: "minutes", limit: .max), .levels(of: "shelf", limit: .max),
                    ])
                let facets = found["facets"]?.elements ?? []
                #expect(facets.count == 2)
                for (facet, counts) in zip(facets, expected.facets) {
                    #expect(facet["bucketCount"]?.integer == counts.bucketCount)
                    #expect(
                        Set((facet["buckets"]?.elements ?? []).map { $0.inOrder.bytes })
                            .count == counts.bucketCount)
                    #expect(
                        (facet["buckets"]?.elements ?? []).reduce(0) {
                            $0 + ($1["count"]?.integer ?? 0)
                        } == counts.buckets.reduce(0) { $0 + $1.count })
                }
                let page = try await node.post(
                    "/v1/shard/search",
                    .object(asked + [("statistics", sum), ("counted", true)])
                ).json()
                #expect(page["facets"] == nil)
                #expect(page["hits"]?.inOrder.bytes == found["hits"]?.inOrder.bytes)
            }
        }
    }

    /// Counts without some shards are those of the others, and say so.
    @Test func missingShardsAreNotCounted() async throws {
        try await ShardedNotes.use(Note.random(count: 90, seed: 14), shards: 3) { shards in
            let cluster = try await Cluster.start(shards, groups: 3)
            try await cluster.nodes[1].stop()
            let others = try FederatedSearch([shards.shards[0], shards.shards[2]])
            let expected = try others.search("duck", facets: [.values(of: "cuisine", limit: 3)])
            for path in ["/v1/search", "/v1/facets"] {
                let found = try await cluster.spread.get(
                    path, ["q": "duck", "facet": "cuisine", "facetLimit": "3"]
                ).json()
                #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
                #expect(found["isComplete"]?.isTrue == false)
                #expect(found["isTotalExact"]?.isTrue == false)
                #expect(found["total"]?.integer == expected.totalCount.value)
                let facet = try #require(found["facets"]?.elements.first)
                #expect(facet["isComplete"]?.isTrue == false)
                #expect(
                    facet["buckets"]?.elements.map { $0["count"]?.integer }
                        == expected.facets[0].buckets.map(\.count))
                #expect(facet["bucketCount"]?.integer == expected.facets[0].bucketCount)
            }
            try await cluster.stop()
        }
    }
}
