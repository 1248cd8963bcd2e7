import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Many nodes beside one index of all objects: the same hits, in the same order, with the same
/// scores, to the last bit.
@Suite(.timeLimit(.minutes(30))) struct SpreadOracleTests {
    /// How shards are made: so many, in so many groups, of so many notes; most in one shard?
    struct Shape: Sendable, CustomStringConvertible {
        var shards: Int
        var groups: Int
        var notes: Int
        var isSkewed = false
        var queries = 60

        var description: String {
            "\(shards) shards, \(groups) groups, \(notes) notes\(isSkewed ? ", skewed" : "")"
        }
    }

    @Test(arguments: [
        Shape(shards: 1, groups: 1, notes: 90), Shape(shards: 2, groups: 2, notes: 120),
        Shape(shards: 5, groups: 3, notes: 120, isSkewed: true),
        Shape(shards: 6, groups: 6, notes: 4, queries: 20),
        Shape(shards: 64, groups: 4, notes: 150, queries: 30),
    ]) func answersAreThoseOfOneIndex(shape: Shape) async throws {
        let notes = Note.random(count: shape.notes, seed: UInt64(shape.shards))
        try await ShardedNotes.use(notes, shards: shape.shards) { place in
            shape.isSkewed && place % 7 > 0 ? 1 : nil
        } _: { shards in
            let cluster = try await Cluster.start(shards, groups: shape.groups)
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var asking = RandomAsking(seed: UInt64(shape.notes))
            for _ in 0..<Scale.sample(of: shape.queries) {
                let body = asking.next()
                try await Self.compare(cluster.spread, whole, body)
            }
            try await whole.stop()
            try await cluster.stop()
        }
    }

    static func compare(
        _ spread: RunningServer, _ whole: RunningServer, _ body: JSON
    ) async throws {
        let text = String(decoding: body.bytes, as: UTF8.self)
        let (found, expected) = (
            try await spread.post("/v1/search", body), try await whole.post("/v1/search", body)
        )
        guard found.status == expected.status else {
            let status = try await spread.get("/v1/status").text
            Issue.record(
                "\(text): \(found.status) \(found.text) and not \(expected.status); \(status)")
            return
        }
        let (one, other) = (try found.json(), try expected.json())
        guard found.status == 200 else {
            #expect(one["code"]?.text == other["code"]?.text, "\(text)")
            return
        }
        #expect(one["isComplete"]?.isTrue == true, "\(text)")
        #expect(one["missing"] == nil)
        #expect(one["hits"]?.inOrder.bytes == other["hits"]?.inOrder.bytes, "\(text)")
        if one["isTotalExact"]?.isTrue == true, other["isTotalExact"]?.isTrue == true {
            #expect(one["total"]?.integer == other["total"]?.integer, "\(text)")
        }
        #expect(one["steps"]?.bytes == other["steps"]?.bytes, "\(text)")
    }

    /// Words of what was removed are in no index, and count for nobody's scores.
    @Test(arguments: [3, 64]) func nineKindsOfQueriesAfterRemovals(shards count: Int) async throws {
        let notes = Note.random(count: 150, seed: 12)
        let removed = Note.random(count: 20, seed: 13).map { note in
            var note = note
            note.identifier = "removed \(note.identifier)"
            return note
        }
        try await ShardedNotes.use(notes, shards: count, removed: removed) { shards in
            let cluster = try await Cluster.start(shards, groups: 3)
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var asking = RandomAsking(seed: UInt64(count))
            for number in 0..<Scale.sample(of: 200) {
                let text = asking.text(ofKind: number)
                try await Self.compare(
                    cluster.spread, whole,
                    .members(["q": .string(text), "limit": 20, "snippets": 0]))
            }
            try await whole.stop()
            try await cluster.stop()
        }
    }

    /// Also where the set is searched by the server that has all of it, and by GET.
    @Test func aNodeOfAllShardsSearchesThem() async throws {
        try await ShardedNotes.use(Note.random(count: 100, seed: 9), shards: 4) { shards in
            let node = try await RunningServer.start {
                try SearchServer(set: shards.source(), options: $0)
            }
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            var asking = RandomAsking(seed: 77)
            for _ in 0..<30 { try await Self.compare(node, whole, asking.next()) }
            for parameters: KeyValuePairs in [
                ["q": "duck", "limit": "7", "offset": "2", "highlights": "5", "texts": "true"],
                ["q": "white wha", "lastWordIsPrefix": "true", "minimumScore": "0.25"],
                ["q": "goose", "sort": "minutes:desc", "snippets": "1", "snippetWords": "5"],
                ["q": "goose", "id": "note 3"], ["q": "duck", "units": "utf8"],
            ] {
                let one = try await node.get("/v1/search", parameters).json()
                let other = try await whole.get("/v1/search", parameters).json()
                #expect(one["hits"]?.inOrder.bytes == other["hits"]?.inOrder.bytes)
                #expect(one["total"]?.integer == other["total"]?.integer)
            }
            try await whole.stop()
            try await node.stop()
        }
    }

    /// Pages far down are asked for in two steps, of those nodes alone whose hits are on them.
    @Test func pagesFarDown() async throws {
        try await ShardedNotes.use(Note.random(count: 400, seed: 10), shards: 3) { shards in
            let cluster = try await Cluster.start(shards, groups: 3)
            let whole = try await RunningServer.start {
                try SearchServer([shards.wholeSource], options: $0)
            }
            for (offset, limit) in [(95, 10), (120, 25), (200, 3), (390, 20), (0, 400)] {
                for order in ["relevance", "minutes"] {
                    try await Self.compare(
                        cluster.spread, whole,
                        .members([
                            "q": "duck OR goose OR whale OR sea", "sort": .string(order),
                            "offset": .int(offset), "limit": .int(limit), "snippets": 1,
                        ]))
                }
            }
            try await whole.stop()
            try await cluster.stop()
        }
    }

    @Test func whatCannotBeSpreadIsRefused() async throws {
        try await ShardedNotes.use(Note.random(count: 20, seed: 11), shards: 2) { shards in
            let cluster = try await Cluster.start(shards, groups: 2)
            for (name, value) in [
                ("learned", "true"), ("explain", "true"), ("keep", "true"),
                ("cursor", "x"), ("index", "x"),
            ] {
                let reply = try await cluster.spread.send(
                    "GET", "/v1/search?q=duck&\(name)=\(value)")
                #expect(reply.status == 400)
                #expect(try reply.json()["parameter"]?.text == name)
                #expect(try reply.json()["code"]?.text == "not-over-shards")
            }
            for path in ["search", "facets"] {
                let reply = try await cluster.spread.get(
                    "/v1/\(path)", ["q": "duck", "facet": "cuisine", "facetHits": "1"])
                #expect(reply.status == 400)
                #expect(try reply.json()["parameter"]?.text == "facetHits")
                #expect(try reply.json()["code"]?.text == "not-over-shards")
            }
            let uncounted = try await cluster.spread.get("/v1/facets", ["q": "a"])
            #expect(uncounted.status == 400)
            #expect(try uncounted.json()["parameter"]?.text == "facet")
            for path in ["federated", "suggest", "similar", "explain", "watch"] {
                #expect(try await cluster.spread.get("/v1/\(path)?q=a").status == 501)
            }
            let unknown = try await cluster.spread.get("/v1/search", ["q": "a", "lmit": "3"])
            #expect(try unknown.json()["parameter"]?.text == "lmit")
            // What every node refuses is refused with its words.
            let field = try await cluster.spread.get("/v1/search", ["q": "a", "field": "no"])
            #expect(field.status == 400)
            #expect(try field.json()["parameter"]?.text == "field")
            let part = try await cluster.nodes[0].get("/v1/search", ["q": "a"])
            #expect(part.status == 501)
            try await cluster.stop()
        }
    }
}
