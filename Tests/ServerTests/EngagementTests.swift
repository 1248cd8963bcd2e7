import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// What clients have the server remember is what the library remembers, and who may have it do so.
@Suite(.timeLimit(.minutes(30))) struct EngagementTests {
    private static func notes(_ count: Int, seed: UInt64) -> [Note] {
        return Note.random(count: count, seed: seed)
    }

    /// What an index remembers, without the times.
    private static func listed(_ index: TextIndex<Note>) throws -> [String: Double] {
        var all: [String: Double] = [:]
        try index.forEachEngagement {
            let name = String(decoding: $0.identifier, as: UTF8.self)
            all["\($0.query) | \(name)"] = ($0.strength * 1000).rounded() / 1000
            return true
        }
        return all
    }

    private static func allow(_ options: inout ServerOptions) { options.allowsEngagement = true }

    /// The server's index and one beside it, which the library is asked to change in the same way,
    /// remember the same.
    @Test(arguments: [1, 2, 3] as [UInt64]) func randomChoices(seed: UInt64) async throws {
        let notes = Self.notes(12, seed: seed &+ 900)
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        TestServer.setHooks(model, TestServer.NoteBook(notes))
        _ = try await model.indexObjects(notes)
        try await TestServer.run(notes, Self.allow) { server in
            var generator = SeededGenerator(seed: seed)
            for round in 0..<60 {
                let text = (0..<2).map { _ in
                    Note.words[..<8].randomElement(using: &generator) ?? ""
                }.joined(separator: " ")
                let note = notes[Int.random(in: 0..<notes.count, using: &generator)].identifier
                let identifier = Data(note.utf8)
                let reply: Reply
                switch Int.random(in: 0..<12, using: &generator) {
                case 0:
                    reply = try await server.send(
                        "DELETE", TestServer.target("/v1/engagements", ["q": text]))
                    _ = try await model.forgetEngagements(for: text).value()
                case 1:
                    reply = try await server.send(
                        "DELETE", TestServer.target("/v1/engagements", ["id": note]))
                    _ = try await model.forgetEngagements(withIdentifier: identifier).value()
                case 2:
                    reply = try await server.post(
                        "/v1/engagements",
                        .members(["q": .string(text), "mode": "keyword", "id": .string(note)]))
                    let item = try await #require(try model.item(for: identifier))
                    _ = try await model.recordEngagement(item, for: .keyword(text)).value()
                default:
                    let strength = Double.random(in: 0.1...5, using: &generator)
                    reply = try await server.post(
                        "/v1/engagements",
                        .members([
                            "q": .string(text), "id": .string(note), "strength": .number(strength),
                            // What of a search says nothing of which query it is may be sent along.
                            "lastWordIsPrefix": true, "field": "body",
                            "mode": Bool.random(using: &generator) ? "lenient" : "query",
                        ]))
                    _ = try await model.recordEngagement(
                        withIdentifier: identifier, for: text, strength: strength
                    ).value()
                }
                #expect(reply.status == 204, "seed \(seed), round \(round): \(reply.text)")
                #expect(reply.body.isEmpty && reply.headers["content-length"] == nil)
                let (found, expected) = (try Self.listed(server.index), try Self.listed(model))
                #expect(found == expected, "seed \(seed), round \(round)")
            }
            #expect(try await server.send("DELETE", "/v1/engagements?all=true").status == 204)
            #expect(try Self.listed(server.index).isEmpty)
        }
        try await model.shutdown()
    }

    @Test(arguments: [4, 5] as [UInt64]) func whatWasChosenComesHigher(seed: UInt64) async throws {
        let notes = Self.notes(40, seed: seed)
        try await TestServer.run(notes, Self.allow) { server in
            let plain = try await server.index.search("duck", limit: 40).items.map(\.name)
            let last = try #require(plain.last)
            // A time that is over has faded; one to come counts as now.
            for (date, strength) in [("2001-01-01", 1000), ("2999-01-01T00:00:00Z", 3)] {
                let reply = try await server.post(
                    "/v1/engagements",
                    .members([
                        "q": "Duck", "id": .string(last), "strength": .int(strength),
                        "date": .string(date),
                    ]))
                #expect(reply.status == 204)
            }
            let engagement = try #require(try server.index.engagements(for: "duck").first)
            #expect(engagement.date <= Date())
            #expect((3...3.1).contains(engagement.strength))
            func names(_ reply: Reply) throws -> [String] {
                try reply.json()["hits"]?.elements.compactMap { $0["id"]?.text } ?? []
            }
            let ranking = Ranking.relevance.learning()
            let expected = try await server.index.search(
                "duck", limit: 40, ranking: ranking, parser: server.index.queryParser
            ).items.map(\.name)
            #expect(expected != plain, "seed \(seed)")
            let learned = try await server.get(
                "/v1/search", ["q": "duck", "limit": "40", "learned": "true"])
            #expect(try names(learned) == expected)
            #expect(
                try names(try await server.get("/v1/search", ["q": "duck", "limit": "40"])) == plain
            )
            let federated = try await server.get(
                "/v1/federated", ["q": "duck", "limit": "40", "learned": "true"])
            #expect(try names(federated) == expected)
            // A session that learns is another one than one that does not.
            for isLearned in [false, true, false] {
                let typed = try await server.post(
                    "/v1/type",
                    .members([
                        "session": "a", "q": "duck", "limit": 40, "learned": .bool(isLearned),
                    ]))
                var options = TypingOptions()
                options.limit = 40
                if isLearned { options.ranking = ranking }
                let session = server.index.makeTypingSession(options)
                let own = try #require(
                    try await session.answers(to: "duck").first { _ in true })
                #expect(try names(typed) == own.items.map(\.name), "seed \(seed), \(isLearned)")
            }
            let explained = try await server.get(
                "/v1/explain", ["q": "duck", "id": last, "learned": "true"])
            #expect(explained.status == 200)
        }
    }

    @Test func typedQueriesAndKeywords() async throws {
        try await TestServer.run(Self.notes(30, seed: 9), Self.allow) { server in
            let query = try JSON(of: Query.any(of: [.term("duck"), .prefix("whal")]))
            let search: [(name: String, value: JSON)] = [
                ("query", query), ("field", "body"), ("filter", "minutes:>=0"), ("learned", true),
                ("limit", 30),
            ]
            func scores() async throws -> [String: Double] {
                let hits = try await server.post("/v1/search", .object(search)).json()["hits"]
                let pairs = (hits?.elements ?? []).map {
                    ($0["id"]?.text ?? "", $0["score"]?.double ?? 0)
                }
                return Dictionary(pairs) { $1 }
            }
            let before = try await scores()
            let chosen = try #require(before.keys.min())
            let sent = search.filter { $0.name != "limit" } + [("id", .string(chosen))]
            let reply = try await server.post("/v1/engagements", .object(sent))
            #expect(reply.status == 204, "\(reply.text)")
            let after = try await scores()
            for (name, score) in before where name != chosen { #expect(after[name] == score) }
            let ratio = (after[chosen] ?? 0) / (before[chosen] ?? 1)
            #expect((1.19...1.2).contains(ratio), "\(ratio)")
        }
    }

    @Test func whatIsRefused() async throws {
        try await TestServer.run(Self.notes(5, seed: 6), Self.allow) { server in
            for (body, status, code) in [
                (["q": "duck"], 400, "invalid-parameter"),
                (["id": "note 1"], 400, "invalid-parameter"),
                (["q": "duck", "id": "nothing"], 404, "unknown-object"),
                (["q": "duck", "id": "note 1", "strength": 0], 400, "invalid-parameter"),
                (["q": "duck", "id": "note 1", "strength": 1001], 400, "invalid-parameter"),
                (["q": "duck", "id": "note 1", "date": "soon"], 400, "invalid-parameter"),
                (["q": "duck", "id": "note 1", "field": "none"], 400, "invalid-parameter"),
                (["q": "duck", "id": "note 1", "limit": 3], 400, "invalid-parameter"),
                (["q": "duck", "id": "note 1", "index": "none"], 404, "unknown-index"),
                (["q": "", "id": "note 1"], 400, "invalid-argument"),
                (
                    [
                        "q": .string((0..<400).map { "w\($0)" }.joined(separator: " ")),
                        "id": "note 1",
                    ],
                    422,
                    "limit-exceeded"
                ),
            ] as [(KeyValuePairs<String, JSON?>, Int, String)] {
                let reply = try await server.post("/v1/engagements", .members(body))
                #expect(reply.status == status, "\(body): \(reply.text)")
                #expect(try reply.json()["code"]?.text == code, "\(body)")
            }
            for target in [
                "", "?all=false", "?q=a&id=b", "?q=a&all=true", "?query=a", "?all=yes",
            ] {
                let reply = try await server.send("DELETE", "/v1/engagements\(target)")
                #expect(reply.status == 400, "\(target)")
            }
            #expect(try await server.get("/v1/engagements").status == 405)
            #expect(try Self.listed(server.index).isEmpty)
            // Forgetting what is not remembered is no error.
            #expect(try await server.send("DELETE", "/v1/engagements?id=nothing").status == 204)
            // What a form of another page could send is refused.
            let form = try await server.send(
                "POST", "/v1/engagements", headers: ["Content-Type": "text/plain"],
                body: JSON.members(["q": "duck", "id": "note 1"]).bytes)
            #expect(form.status == 415)
            let foreign = try await server.send(
                "DELETE", "/v1/engagements?all=true", headers: ["Origin": "http://evil.example"])
            #expect(foreign.status == 403)
        }
    }

    @Test func onlyWhereItIsAllowed() async throws {
        let body = JSON.members(["q": "duck", "id": "note 1"])
        func allowed(_ server: TestServer) async throws -> Bool? {
            let status = try await server.get("/v1/status").json()
            return status["indexes"]?.elements.first?["allowsEngagement"]?.isTrue
        }
        let notes = Self.notes(5, seed: 7)
        try await TestServer.run(notes) { server in
            for reply in [
                try await server.post("/v1/engagements", body),
                try await server.send("DELETE", "/v1/engagements?all=true"),
            ] {
                #expect(reply.status == 403)
                #expect(try reply.json()["code"]?.text == "engagement-not-allowed")
            }
            #expect(try Self.listed(server.index).isEmpty)
            #expect(try await allowed(server) == false)
        }
        try await TestServer.run(notes, Self.allow) { server in
            let isAllowed = try await allowed(server)
            #expect(isAllowed == true)
        }
        // What is published is never changed.
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (home, shared) = (folder.appending(path: "index"), folder.appending(path: "shared"))
        let book = TestServer.NoteBook(notes)
        let index = try TextIndex<Note>(at: home, configuration: TestServer.configuration())
        TestServer.setHooks(index, book)
        _ = try await index.indexObjects(notes)
        _ = try await index.publish(to: shared)
        let source = IndexSource(
            name: "notes", newest: { try TextIndex<Note>.newestGeneration(published: shared) }
        ) {
            TestServer.served(
                try TextIndex<Note>(published: shared, configuration: TestServer.configuration()),
                book)
        }
        try await TestServer.run([source], index, book, [], Self.allow) { server in
            let reply = try await server.post("/v1/engagements", body)
            #expect(reply.status == 409)
            #expect(try reply.json()["code"]?.text == "read-only")
            #expect(try await allowed(server) == false)
            // No answer that fades has a tag.
            let learned = try await server.get("/v1/search", ["q": "duck", "learned": "true"])
            #expect(learned.headers["etag"] == nil)
        }
        // An index itself may be opened to be read only.
        try await index.shutdown()
        var reading = TestServer.configuration()
        reading.isReadOnly = true
        let reader = try TextIndex<Note>(at: home, configuration: reading)
        let plain = IndexSource(name: "notes") { TestServer.served(reader, book) }
        try await TestServer.run([plain], reader, book, [], Self.allow) { server in
            let reply = try await server.post("/v1/engagements", body)
            #expect(reply.status == 409)
            #expect(try await allowed(server) == false)
        }
        try await reader.shutdown()
    }
}

extension JSON {
    /// A value of the library as it encodes itself.
    fileprivate init(of value: some Encodable) throws {
        self = try JSON(reading: Array(JSONEncoder().encode(value)))
    }
}
