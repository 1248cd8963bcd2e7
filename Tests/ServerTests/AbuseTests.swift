import Foundation
import NIOCore
import PowerCuts
import Testing
import TextSearch

@testable import TextIndexServer

/// Requests that nobody sends who means well: they are refused, and cost little.
@Suite(.timeLimit(.minutes(30))) struct AbuseTests {
    private static let notes: [Note] = {
        return Note.random(count: 20, seed: 71)
    }()

    // MARK: Sizes

    @Test func largeAndDeepBodies() async throws {
        try await TestServer.run(Self.notes) { server in
            func nested(_ depth: Int) -> JSON {
                .encoded(
                    Array(
                        (String(repeating: "[", count: depth)
                            + String(repeating: "]", count: depth)).utf8))
            }
            func clauses(_ count: Int) -> JSON {
                .members(["any": .array((0..<count).map { _ in .members(["term": "a"]) })])
            }
            for (body, status, code) in [
                (JSON.members(["q": "duck", "x": nested(500)]), 400, "invalid-parameter"),
                (.members(["q": "duck", "x": nested(100_000)]), 400, "malformed-request"),
                (
                    .members(["q": "a", "x": .array([JSON](repeating: "", count: 300_000))]), 400,
                    "invalid-parameter"
                ),
                (.members(["query": nested(500)]), 400, "invalid-parameter"),
                (.members(["query": clauses(1000)]), 200, ""),
                (.members(["query": clauses(9000)]), 422, "limit-exceeded"),
                (.members(["query": clauses(20_000)]), 422, "limit-exceeded"),
                (.string("text"), 400, "malformed-request"),
                (.encoded(Array("{\"q\":\"a\"} x".utf8)), 400, "malformed-request"),
                (.encoded([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, "malformed-request"),
            ] as [(JSON, Int, String)] {
                let reply = try await server.post("/v1/search", body)
                let start = String(decoding: body.bytes.prefix(40), as: UTF8.self)
                #expect(reply.status == status, "\(start): \(reply.text.prefix(200))")
                if status != 200 { #expect(try reply.json()["code"]?.text == code, "\(start)") }
            }
            // What is kept for a session or a cursor is short.
            let long = String(repeating: "a", count: Longest.query + 1)
            for (path, members) in [
                ("/v1/search", [("q", long)]), ("/v1/search", [("q", "a"), ("filter", long)]),
                ("/v1/type", [("session", "a"), ("q", long)]),
                ("/v1/type", [("session", "a"), ("q", "a"), ("filter", long)]),
                ("/v1/suggest", [("q", long)]), ("/v1/similar", [("text", "a"), ("filter", long)]),
            ] {
                let reply = try await server.post(
                    path, .object(members.map { ($0.0, .string($0.1)) }))
                #expect(reply.status == 400, "\(path) \(members.map(\.0))")
            }
        }
    }

    @Test func largeAnswers() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.answerLength = 2000
        } _: { server in
            let large: [(String, KeyValuePairs<String, String>, [(String, JSON)])] = [
                ("/v1/search", ["q": "", "limit": "20", "texts": "true"], []),
                ("/v1/federated", ["q": "", "limit": "20", "texts": "true"], []),
                ("/v1/similar", ["text": "duck whale", "limit": "20", "texts": "true"], []),
                ("/v1/type", [:], [("session", "a"), ("q", ""), ("limit", 20), ("texts", true)]),
            ]
            for (path, parameters, members) in large {
                let reply =
                    members.isEmpty
                    ? try await server.get(path, parameters)
                    : try await server.post(path, .object(members.map { ($0.0, $0.1) }))
                #expect(reply.status == 422, "\(path): \(reply.text.prefix(200))")
                #expect(try reply.json()["code"]?.text == "answer-too-large", "\(path)")
            }
            let small = try await server.get("/v1/search", ["q": "duck", "limit": "1"])
            #expect(small.status == 200)
        }
    }

    /// A list that took too long is not made to its end.
    @Test func listsEndInTime() throws {
        let limits = ServerLimits()
        var made = 0
        #expect(throws: Problem.self) {
            _ = try HitList.json(0..<5, within: limits, until: .now) { number in
                made += 1
                return .int(number)
            }
        }
        #expect(made == 0)
        let later = ContinuousClock.now + .seconds(600)
        #expect(
            try HitList.json(0..<3, within: limits, until: later) { .int($0) }.bytes
                == Array("[0,1,2]".utf8))
        #expect(
            try HitList.json(0..<0, within: limits, until: later) { .int($0) }.bytes
                == Array("[]".utf8))
    }

    // MARK: Numbers and facets

    @Test func numbers() async throws {
        try await TestServer.run(Self.notes) { server in
            for text in [
                "-1", "1001", "99999999999999999999", "1e3", "1.0", "NaN", "inf", "0x10", " 5",
                "5 ", "٣", "",
                "1\u{0}", "--1",
            ] {
                let reply = try await server.get("/v1/search", ["q": "duck", "limit": text])
                #expect(reply.status == 400, "limit=\(text)")
            }
            for text in ["nan", "inf", "-inf", "1e999", "1,5", "", "one"] {
                let reply = try await server.get("/v1/search", ["q": "duck", "minimumScore": text])
                #expect(reply.status == 400, "minimumScore=\(text)")
            }
            for text in ["1e308", "-1e308", "5e-324", "-0"] {
                let reply = try await server.get("/v1/search", ["q": "duck", "minimumScore": text])
                #expect(reply.status == 200, "minimumScore=\(text)")
            }
            for value in [.int(.max), .int(.min), .number(1e300), .number(0.5), .null] as [JSON] {
                let reply = try await server.post(
                    "/v1/search", .object([("q", "duck"), ("limit", value)]))
                #expect(reply.status == (value.bytes == JSON.null.bytes ? 200 : 400))
            }
        }
    }

    @Test func facets() async throws {
        try await TestServer.run(Self.notes) { server in
            for facet in [
                "minutes:1e-320", "minutes:5e-324", "minutes:1e308", "minutes:0", "minutes:-1",
                "minutes:inf", "minutes:nan", "minutes:1e308..-1e308", "minutes:..", "minutes:,,,",
                "cuisine:/", "cuisine://", ":", "minutes:year",
                "shelf:" + String(repeating: "/", count: 500),
                "minutes:" + (0..<300).map { "\($0)..\($0 + 1)" }.joined(separator: ","),
            ] {
                let reply = try await server.get("/v1/facets", ["q": "", "facet": facet])
                #expect([200, 400].contains(reply.status), "\(facet): \(reply.text)")
            }
            // Hits of each bucket of each facet would be more than anybody asks for.
            let many = try await server.get(
                "/v1/facets",
                ["q": "", "facet": "minutes", "facetLimit": "1000", "facetHits": "1000"])
            #expect(many.status == 400)
            #expect(try many.json()["parameter"]?.text == "facetHits")
            let some = try await server.get(
                "/v1/facets",
                ["q": "", "facet": "minutes", "facetLimit": "100", "facetHits": "1000"])
            #expect(some.status == 200)
        }
    }

    // MARK: Who asks

    @Test func hostNames() {
        let names = HostNames(ServerOptions())
        for (host, isOurs) in [
            ("localhost", true), ("LOCALHOST:80", true), ("[::1]", true), ("[::1]:80", true),
            ("127.0.0.1:", true), ("[::1]evil.example", false), ("[::1].evil.example:80", false),
            ("[::1", false), ("localhost:evil", false), ("localhost:80:80", false), ("::1", false),
            ("localhost.evil.example", false), ("user@localhost", false), ("localhost/", false),
            ("localhost\u{301}", false), ("", false), (" localhost", false),
        ] {
            #expect(names.contains(host) == isOurs, "\(host)")
        }
        #expect(!names.contains(nil))
    }

    @Test func pagesOfTheSameSite() async throws {
        try await TestServer.run(Self.notes) { server in
            for (site, target, status) in [
                ("same-site", "/v1/status", 403), ("same-site", "/", 200),
                ("none", "/v1/status", 200),
            ] {
                let reply = try await server.send("GET", target, headers: ["Sec-Fetch-Site": site])
                #expect(reply.status == status, "\(site) \(target)")
            }
        }
    }

    /// Guesses at the token count as requests do.
    @Test func guesses() async throws {
        try await TestServer.run(Self.notes) {
            $0.token = BearerToken("0123456789abcdef")
            // Two requests at once, and next to none in the time of a test.
            $0.limits.rate = 0.001
        } _: { server in
            var statuses: [Int] = []
            for number in 0..<4 {
                let reply = try await server.send(
                    "GET", "/v1/status",
                    headers: ["Authorization": "Bearer 000000000000000\(number)"])
                statuses.append(reply.status)
            }
            #expect(statuses == [401, 429, 429, 429])
        }
    }

    // MARK: Bytes

    @Test func targets() async throws {
        try await TestServer.run(Self.notes) { server in
            for (target, statuses) in [
                ("/v1/search?q=%", [400]), ("/v1/search?q=%zz", [400]),
                ("/v1/search?q=%ff%fe", [400]),
                ("/v1/search?q=%c0%80", [400]), ("/v1/search?q=%ed%a0%80", [400]),
                ("/v1/search?q=%00", [200]), ("/v1/search?q=a&q=b", [400]),
                ("/v1/search?&&q=a&", [200]),
                ("/v1/search?q=a&%6cimit=1", [200]), ("/v1/search?q=a=b=c", [200]),
                // The mark belongs to the name behind the sign, which there is none of.
                ("/v1/search?q=a&\u{301}limit=1", [400]), ("/v1/search?\u{301}q=a", [400]),
                ("/v1/search?q=é", [200, 400]), ("/v1/search#q=a", [404]), ("*", [400, 404]),
                ("http://localhost/v1/status", [200]),
            ] {
                // What is no request at all is refused before the server knows of it, in no form
                // that its document has.
                let status = try await TestConnection.open(port: server.port) { connection in
                    try await connection.send("GET", target)
                    return try await connection.head().status
                }
                #expect(statuses.contains(status), "\(target): \(status)")
            }
        }
    }

    /// Whatever bytes come, the server goes on.
    @Test(arguments: [1, 2, 3] as [UInt64]) func anyBytes(seed: UInt64) async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.time = .milliseconds(300)
            $0.limits.idleTime = .milliseconds(300)
            $0.interval = .milliseconds(20)
        } _: { server in
            var generator = SeededGenerator(seed: seed)
            let body = "{\"session\":\"a\",\"q\":\"duck\"}"
            let requests = [
                "GET /v1/search?q=duck&facet=cuisine HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /v1/type HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
                "POST /v1/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\na\r\n{\"q\":\"du\"}\r\n0\r\n\r\n",
            ]
            var replyCount = 0
            for _ in 0..<40 {
                var bytes = Array((requests.randomElement(using: &generator) ?? "").utf8)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = .random(in: 0...255, using: &generator)
                    case 1: bytes.insert(.random(in: 0...255, using: &generator), at: place)
                    default: bytes.remove(at: place)
                    }
                }
                let sent = bytes
                try await TestConnection.open(port: server.port) { connection in
                    try? await connection.send(sent)
                    // An answer, or none: what is not whole is waited for, and then given up.
                    let reply = try? await connection.head()
                    if let reply {
                        #expect(
                            (200..<600).contains(reply.status) && reply.status != 500,
                            "seed \(seed): \(String(decoding: sent, as: UTF8.self))")
                        replyCount += 1
                    }
                }
            }
            #expect(replyCount > 0, "seed \(seed)")
            // On a busy machine a connection may be idle for too long before this side has written
            // to it.
            var reply: Reply?
            for _ in 0..<1000 where reply == nil { reply = try? await server.get("/health") }
            #expect(reply?.status == 200)
        }
    }

    /// What is no body is the client's mistake.
    @Test(arguments: ["x\r\n", "5\r\n{\"q\":\r\n-1\r\n", "ffffffffffffffffff\r\n"])
    func brokenBodies(chunks: String) async throws {
        try await TestServer.run(Self.notes) { server in
            let status = try await TestConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST", "/v1/search",
                    headers: [
                        "Content-Type": "application/json", "Transfer-Encoding": "chunked",
                    ])
                try await connection.send(Array(chunks.utf8))
                return try await connection.head().status
            }
            #expect(status == 400)
        }
    }

    /// A head that comes byte by byte does not keep a connection for ever.
    @Test func slowHeadsEnd() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.idleTime = .milliseconds(200)
            $0.interval = .milliseconds(20)
        } _: { server in
            // On a slow machine it ends even before it is written to, which whoever writes is told.
            let reason = await #expect(throws: (any Error).self) {
                try await TestConnection.open(port: server.port) { connection in
                    try await connection.send(Array("GET /".utf8))
                    let channel = connection.channel
                    let drip = Task {
                        while !Task.isCancelled {
                            try await channel.writeAndFlush(ByteBuffer(string: "a")).get()
                            try await Task.sleep(for: .milliseconds(20))
                        }
                    }
                    defer { drip.cancel() }
                    // What the server says of the broken request may come before the end.
                    while try await !connection.isEnded() {}
                    throw TestConnection.Ended()
                }
            }
            #expect(!(reason is CancellationError))
        }
    }
}
