import Foundation
import PowerCuts
import Testing
import TextSearch

@testable import TextIndexServer

/// The worst requests over the worst objects, in small; `Scripts/hostile` does it at length, with
/// little memory.
@Suite(.timeLimit(.minutes(30))) struct HostileTests {
    private static let notes: [Note] = {
        let bodies = [
            String(repeating: "ab ", count: 20_000), String(repeating: "! ? ", count: 10_000),
            String(repeating: "ß ", count: 5_000), String(repeating: "a", count: 50_000),
            (0..<3_000).map { "w\($0)ab" }.joined(separator: " "),
            String(repeating: "北京烤鸭", count: 1_000), "duck and goose", "",
        ]
        return bodies.enumerated().map { number, body in
            Note(
                identifier: "note \(number)", title: "duck", body: body, cuisine: "c\(number)",
                minutes: number, shelf: "a/b\(number)")
        }
    }()

    private static func request(_ generator: inout SeededGenerator) -> (path: String, body: JSON) {
        func pick<T>(_ values: [T]) -> T {
            values[Int.random(in: 0..<values.count, using: &generator)]
        }
        let letter = pick(["a", "b", "w", "s"])
        let long = (0..<300).map { _ in
            pick(["*\(letter)*", "\(letter)*", "ab", "ab~2", "w1*", "\(letter)??*"])
        }.joined(separator: " ")
        let text = pick([
            long, "*", "*a*", "ab", "ss", "w*", "\"ab ab ab\"", "\"ab ab\"~50", "北京", "ab -ss",
            String(repeating: "(", count: 2_000), String(repeating: "a", count: 6_000),
        ])
        var members: [(String, JSON)] = [
            ("q", .string(text)), ("limit", .int(pick([0, 1, 1000]))),
            ("snippets", .int(pick([0, 2, 100]))), ("highlights", .int(pick([0, 100_000]))),
        ]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            members += [("sort", "cuisine"), ("facet", "minutes"), ("explain", .bool(true))]
            return ("/v1/search", .object(members))
        case 1:
            members += [("mode", .string(pick(["keyword", "lenient"]))), ("texts", .bool(true))]
            return ("/v1/search", .object(members))
        case 2: return ("/v1/suggest", .object([("q", .string(pick(["ab a", "w", "duc goos"])))]))
        case 3:
            return ("/v1/similar", .object([("text", .string(long + text)), ("words", 1000)]))
        case 4:
            let queries = (0..<50).map { ("q\($0)", JSON.string(pick([text, long]))) }
            return (
                "/v1/percolate",
                .object([("text", .string(pick([text, long]))), ("queries", .object(queries))])
            )
        default: return ("/v1/type", .object(members + [("session", "a")]))
        }
    }

    @Test("Every hostile request has an answer", arguments: [1, 2] as [UInt64])
    func answers(seed: UInt64) async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.time = .seconds(2)
        } _: { server in
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<25 {
                let (path, body) = Self.request(&generator)
                let reply = try await server.post(path, body)
                #expect(
                    [200, 400, 409, 422, 429, 503].contains(reply.status),
                    "seed \(seed): \(path) \(String(decoding: body.bytes.prefix(300), as: UTF8.self))"
                )
            }
        }
    }

    @Test("A hit says that it has more matches than were found")
    func moreMatches() async throws {
        try await TestServer.run(Self.notes) { server in
            let many = try await server.get(
                "/v1/search", ["q": "ab", "id": "note 0", "highlights": "100000"])
            let hit = try #require(try many.json()["hits"]?.elements.first)
            #expect(hit["hasMoreMatches"]?.isTrue == true)
            #expect(hit["highlights"]?.elements.first?["count"]?.integer == 1000)
            let few = try await server.get("/v1/search", ["q": "goose"])
            #expect(try few.json()["hits"]?.elements.first?["hasMoreMatches"] == nil)
        }
    }

    /// A request that waited or searched for all of its time has none left to show hits in.
    @Test("What is shown of hits is a part of a request's time")
    func oneTime() {
        let now = ContinuousClock.now
        let late = SearchTimes(now - .seconds(1))
        #expect(late.details == late.last)
        let short = SearchTimes(now + .seconds(600), wanted: now)
        #expect(short.details >= now && short.details < now + .seconds(60))
        let whole = SearchTimes(now + .seconds(600))
        #expect(whole.details == whole.last)
    }
}
