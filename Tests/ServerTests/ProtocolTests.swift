import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Requests that are wrong, foreign or too many, and how they are answered.
@Suite(.timeLimit(.minutes(30))) struct ProtocolTests {
    private static let notes: [Note] = {
        return Note.random(count: 20, seed: 21)
    }()

    @Test func routesAreThoseOfTheDocument() async throws {
        try await ShardedNotes.use(Self.notes, shards: 2) { shards in
            let services: [any AnsweringService] = [
                try SearchService([shards.wholeSource], storedQueries: [], ServerOptions()),
                try ShardService(shards.source(), ServerOptions()),
                try SpreadService(
                    [], newest: { shards.plan }, hedging: .never, isStrict: false, ServerOptions()),
            ]
            let routes = services.flatMap(\.routes)
            let contract = try Contract()
            let described = Set(contract.operations.map { "\($0.method) \($0.path)" })
            let answered = Set(
                routes.flatMap { route in
                    route.methods.map { "\("\($0)".lowercased()) \(route.path)" }
                })
            #expect(described == answered)
            for (path, _, operation) in contract.operations {
                let isOpen = operation["security"]?.elements.isEmpty ?? false
                #expect(
                    routes.filter { $0.path == path }.allSatisfy { $0.isOpen == isOpen }, "\(path)")
            }
        }
    }

    @Test func wrongParameters() async throws {
        try await TestServer.run(Self.notes) { server in
            let cases: [(String, String)] = [
                ("/v1/search", "q"), ("/v1/search?q=a&limit=-1", "limit"),
                ("/v1/search?q=a&limit=1001", "limit"), ("/v1/search?q=a&limit=x", "limit"),
                ("/v1/search?q=a&lmit=3", "lmit"), ("/v1/search?q=a&mode=fast", "mode"),
                ("/v1/search?q=a&steps=exact,fast", "steps"), ("/v1/facets?q=a&steps=", "steps"),
                ("/v1/search?q=a&q=b", "q"), ("/v1/search?q=a&offset=100001", "offset"),
                ("/v1/search?q=a&sort=:asc", "sort"), ("/v1/search?q=a&sort=b&rank=weight", "sort"),
                ("/v1/search?q=a&facet=", "facet"), ("/v1/search?q=a&explain=1", "explain"),
                ("/v1/search?q=a&field=nowhere", "field"),
                ("/v1/search?q=a&idBytes=%25", "idBytes"),
                ("/v1/search?q=a&deadline=0", "deadline"), ("/v1/suggest", "q"),
                ("/v1/watch?q=a&mode=keyword", "q"), ("/v1/facets?q=a", "facet"),
                ("/v1/suggest?q=a&field=nowhere", "field"),
                ("/v1/similar?text=a&field=nowhere", "field"), ("/v1/explain?q=a", "id"),
                ("/v1/search?q=a&minimumScore=nan", "minimumScore"),
            ]
            for (target, parameter) in cases {
                let reply = try await server.send("GET", target)
                #expect(reply.status == 400, "\(target)")
                #expect(reply.headers["content-type"] == "application/problem+json")
                #expect(try reply.json()["parameter"]?.text == parameter, "\(target)")
            }
            #expect(try await server.send("GET", "/v1/search?q=%ff").status == 400)
            #expect(try await server.send("GET", "/v1/search?q=%zz").status == 400)
            #expect(try await server.send("GET", "/v1/search?q=a%20b+c").status == 200)
        }
    }

    @Test func wrongBodies() async throws {
        try await TestServer.run(Self.notes) { server in
            let json = ["Content-Type": "application/json"]
            let bodies: [(String, Int)] = [
                ("", 400), ("[]", 400), ("{\"q\":", 400), ("{\"q\":3}", 400), ("\u{1}", 400),
                ("{\"query\":{\"nonsense\":1}}", 400), ("{\"query\":{},\"q\":\"a\"}", 400),
                ("{\"q\":\"a\",\"limit\":1.5}", 400), ("{\"q\":\"a\",\"limit\":2.0}", 200),
                ("{\"q\":\"a\",\"limit\":null}", 200),
            ]
            for (body, status) in bodies {
                let reply = try await server.send(
                    "POST", "/v1/search", headers: json, body: Array(body.utf8))
                #expect(reply.status == status, "\(body): \(reply.text)")
            }
            // How a text is read says nothing of a typed query.
            for (body, parameter) in [
                ("{\"query\":{\"term\":\"a\"},\"mode\":\"lenient\"}", "mode"),
                ("{\"query\":{\"term\":\"a\"},\"mode\":\"query\"}", "mode"),
                ("{\"query\":{\"term\":\"a\"},\"lastWordIsPrefix\":true}", "lastWordIsPrefix"),
            ] {
                for path in ["/v1/search", "/v1/facets", "/v1/federated", "/v1/explain"] {
                    let reply = try await server.send(
                        "POST", path, headers: json, body: Array(body.utf8))
                    #expect(reply.status == 400, "\(path) \(body)")
                    #expect(try reply.json()["parameter"]?.text == parameter, "\(path) \(body)")
                }
            }
            let deep =
                String(repeating: "{\"filter\":", count: 5000) + "1"
                + String(repeating: "}", count: 5000)
            let nested = try await server.send(
                "POST", "/v1/search", headers: json, body: Array("{\"query\":\(deep)}".utf8))
            #expect(nested.status == 400)
            let wide = JSON.members([
                "query": .members([
                    "any": .array((0..<3000).map { .members(["term": .string("a\($0)")]) })
                ])
            ])
            #expect(try await server.post("/v1/search", wide).status == 422)
            let plain = try await server.send("POST", "/v1/search", body: Array("{}".utf8))
            #expect(plain.status == 415)
            let withQuery = try await server.send(
                "POST", "/v1/search?q=a", headers: json, body: Array("{}".utf8))
            #expect(withQuery.status == 400)
        }
    }

    @Test func nestedQueriesUpToTheLimit() async throws {
        try await TestServer.run(Self.notes) { server in
            for depth in [10, 100, 200, 250, 300, 600] {
                var query = JSON.members(["term": "duck"])
                for _ in 0..<depth { query = .members(["filter": query]) }
                let reply = try await server.post("/v1/search", .members(["query": query]))
                #expect([200, 400, 422].contains(reply.status), "\(depth)")
            }
        }
    }

    @Test func sizes() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.bodyLength = 800
            $0.limits.headerLength = 1000
        } _: { server in
            let large = JSON.members(["q": .string(String(repeating: "a", count: 1000))])
            #expect(try await server.post("/v1/search", large).status == 413)
            // Without a length, in chunks that never end.
            try await TestConnection.open(port: server.port) { connection in
                let head = [
                    "POST /v1/search HTTP/1.1", "Host: localhost", "Content-Type: application/json",
                    "Transfer-Encoding: chunked", "", "",
                ].joined(separator: "\r\n")
                let chunk = "200\r\n" + String(repeating: " ", count: 512) + "\r\n"
                try await connection.send(Array((head + chunk + chunk).utf8))
                let reply = try await connection.reply()
                #expect(reply.status == 413)
                #expect(try await connection.isEnded())
            }
            // These the reader of headers refuses, before there is a request.
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send(
                    "GET", "/v1/search?q=" + String(repeating: "a", count: 1500))
                #expect([400, 431].contains(try await connection.reply().status))
            }
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send(
                    "GET", "/health", headers: ["X-A": String(repeating: "a", count: 1500)])
                #expect(try await connection.reply().status == 400)
                #expect(try await connection.isEnded())
            }
            // A body where none belongs would have to be read to its end.
            let body = try await server.send("GET", "/v1/status", body: [1, 2, 3])
            #expect(body.status == 400)
            #expect(body.headers["connection"] == "close")
        }
    }

    @Test func methodsAndPaths() async throws {
        try await TestServer.run(Self.notes) { server in
            let put = try await server.send("PUT", "/v1/search")
            #expect(put.status == 405)
            #expect(put.headers["allow"] == "GET, HEAD, POST")
            #expect(try await server.get("/v1/type").status == 405)
            #expect(try await server.send("OPTIONS", "/v1/search").status == 405)
            for path in [
                "/v1/nothing", "/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd",
                "/v1/search/",
                "/openapi.json/..", "/index.html",
            ] {
                #expect(try await server.get(path).status == 404, "\(path)")
            }
            let head = try await server.send("HEAD", "/v1/search?q=duck")
            let get = try await server.send("GET", "/v1/search?q=duck")
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "\(get.body.count)")
        }
    }

    @Test func oneConnectionForManyRequests() async throws {
        try await TestServer.run(Self.notes) { server in
            try await TestConnection.open(port: server.port) { connection in
                for number in 0..<50 {
                    try await connection.send("GET", "/v1/search?q=duck&limit=\(number % 7)")
                    #expect(try await connection.reply().status == 200)
                }
                // Several at once are answered in order.
                for number in 0..<5 {
                    try await connection.send("GET", "/v1/search?q=a&limit=\(number)x")
                }
                for _ in 0..<5 { #expect(try await connection.reply().status == 400) }
            }
        }
    }

    @Test func everyAnswerIsSafe() async throws {
        try await TestServer.run(Self.notes) { server in
            let path = server.index.directory.path
            for target in [
                "/", "/status", "/openapi.json", "/search.js", "/style.css", "/health", "/nothing",
                "/v1/status", "/v1/search?q=duck", "/v1/search?bad=1",
            ] {
                let reply = try await server.send("GET", target)
                #expect(reply.headers["x-content-type-options"] == "nosniff", "\(target)")
                #expect(reply.headers["referrer-policy"] == "no-referrer")
                #expect(reply.headers["cross-origin-resource-policy"] == "same-origin")
                #expect(reply.headers["access-control-allow-origin"] == nil)
                let policy = try #require(reply.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(!reply.text.contains(path))
            }
        }
    }

    // MARK: Who asks

    @Test func hosts() async throws {
        try await TestServer.run(Self.notes) {
            $0.hostNames = ["Search.Example"]
        } _: { server in
            for (host, status) in [
                ("localhost", 200), ("127.0.0.1:99", 200), ("[::1]:8080", 200),
                ("LOCALHOST:1", 200),
                ("search.example", 200), ("evil.example", 421), ("localhost.evil.example", 421),
                ("127.0.0.1.evil.example", 421), ("", 400),
            ] {
                let reply = try await server.send("GET", "/v1/status", headers: ["Host": host])
                #expect(reply.status == status, "\(host)")
            }
        }
    }

    /// Programs before the server may go by another of two names, or by that of the target.
    @Test(arguments: [false, true]) func exactlyOneHost(hasToken: Bool) async throws {
        let token = "0123456789abcdefABCDEF"
        try await TestServer.run(Self.notes) {
            // With a token, a server elsewhere answers to every name.
            if hasToken { ($0.token, $0.host) = (BearerToken(token), "0.0.0.0") }
        } _: { server in
            let port = server.port
            for (target, hosts, status) in [
                ("/v1/status", ["localhost"], 200), ("/v1/status", [], 400),
                ("/v1/status", ["localhost", "localhost"], 400),
                ("/v1/status", ["localhost", "evil.example"], 400),
                ("/v1/status", ["evil.example", "localhost"], 400),
                ("http://localhost/v1/status", ["localhost"], 200),
                ("HTTP://LocalHost:80/v1/status?", ["localhost"], 200),
                ("http://localhost:\(port)/v1/status", ["LOCALHOST:\(port)"], 200),
                ("http://localhost/v1/status", ["localhost:80"], 200),
                ("http://localhost:1/v1/status", ["localhost:2"], 400),
                ("http://evil.example/v1/status", ["localhost"], 400),
                ("http://localhost/v1/status", ["127.0.0.1"], 400),
                ("http://localhost@evil.example/v1/status", ["localhost"], 400),
                ("http://localhost/v1/status", ["localhost", "localhost"], 400),
                ("http:///v1/status", ["localhost"], 400),
                ("https://localhost/v1/status", ["localhost"], 400),
                ("ftp://localhost/v1/status", ["localhost"], 400),
                ("http://localhost?/v1/status", ["localhost"], 200),
            ] as [(String, [String], Int)] {
                let lines =
                    ["GET \(target) HTTP/1.1"] + hosts.map { "Host: \($0)" }
                    + ["Authorization: bEARER \(token)", "", ""]
                let head = try await TestConnection.open(port: port) { connection in
                    try await connection.send(Array(lines.joined(separator: "\r\n").utf8))
                    return try await connection.head()
                }
                #expect(head.status == status, "\(target) \(hosts)")
            }
        }
    }

    @Test func origins() async throws {
        try await TestServer.run(Self.notes) { server in
            for (headers, target, status) in [
                (["Origin": "http://localhost"], "/v1/status", 200),
                (["Origin": "http://evil.example"], "/v1/status", 403),
                (["Origin": "null"], "/v1/status", 403),
                (["Sec-Fetch-Site": "same-origin"], "/v1/status", 200),
                (["Sec-Fetch-Site": "cross-site"], "/v1/status", 403),
                (["Sec-Fetch-Site": "cross-site"], "/", 200),
            ] {
                let reply = try await server.send("GET", target, headers: headers)
                #expect(reply.status == status, "\(headers) \(target)")
            }
        }
    }

    @Test func tokens() async throws {
        let token = "0123456789abcdefABCDEF"
        try await TestServer.run(Self.notes) {
            $0.token = BearerToken(token)
        } _: { server in
            for (header, status) in [
                ("Bearer \(token)", 200), ("bearer \(token)", 200), ("", 401), (token, 401),
                ("BEARER \(token)", 200), ("bEaReR  \(token)", 200), ("Bearer\(token)", 401),
                ("Bearer", 401), ("Bearer \(token)x", 401), ("Bearer \(token.dropLast())", 401),
                ("Basic \(token)", 401), ("Bearer \(token.lowercased())", 401),
            ] {
                let reply = try await server.send(
                    "GET", "/v1/status", headers: ["Authorization": header])
                #expect(reply.status == status, "\(header)")
                if status == 401 { #expect(reply.headers["www-authenticate"] == "Bearer") }
            }
            // What the token protects is kept by nobody, errors too.
            let authorization = ["Authorization": "Bearer \(token)"]
            for (target, status) in [
                ("/v1/status", 200), ("/v1/search?q=duck", 200), ("/v1/search?x=1", 400),
                ("/v1/facets?q=duck&facet=cuisine", 200), ("/v1/nothing", 404),
            ] {
                let reply = try await server.send("GET", target, headers: authorization)
                #expect(reply.status == status, "\(target)")
                #expect(reply.headers["cache-control"] == "no-store", "\(target)")
            }
            // What tells nothing of an index is open.
            for path in ["/", "/health", "/openapi.json", "/search.js"] {
                #expect(try await server.get(path).status == 200)
            }
        }
        #expect(BearerToken("short") == nil)
        #expect(BearerToken("with spaces in it, long") == nil)
    }

    @Test func othersNeedAToken() throws {
        var options = ServerOptions()
        options.host = "0.0.0.0"
        #expect(throws: TextIndexError.self) {
            _ = try SearchServer([IndexSource<Note>](), options: options)
        }
        for (host, isLoopback) in [
            ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("::1", true),
            ("0.0.0.0", false), ("::", false), ("127.0.0.1.evil.example", false),
            ("127.0.0", false),
            ("192.168.0.1", false),
        ] {
            options.host = host
            #expect(options.isLoopback == isLoopback, "\(host)")
        }
    }
}
