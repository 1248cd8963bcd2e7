import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// The other endpoints, beside what the library gives.
@Suite(.timeLimit(.minutes(30))) struct OtherEndpointTests {
    private static let notes: [Note] = {
        return Note.random(count: 60, seed: 11)
    }()

    private func identifiers(_ json: JSON) -> [String?] {
        (json["hits"]?.elements ?? []).map { $0["id"]?.text }
    }

    @Test func typing() async throws {
        try await TestServer.run(Self.notes) { server in
            let options = TypingOptions()
            var generator = SeededGenerator(seed: 12)
            for session in 0..<4 {
                let direct = server.index.makeTypingSession(options)
                var text = ""
                for _ in 0..<15 {
                    let letter = "dugokwhite 鸭بطne ".randomElement(using: &generator) ?? "d"
                    if Int.random(in: 0..<4, using: &generator) == 0, !text.isEmpty {
                        text.removeLast()
                    } else {
                        text.append(letter)
                    }
                    let reply = try await server.post(
                        "/v1/type",
                        .members([
                            "session": .string("s\(session)"), "q": .string(text), "limit": 20,
                        ]))
                    let expected = try direct.update(text)
                    #expect(identifiers(try reply.json()) == expected.items.map(\.name), "\(text)")
                }
            }
            let composed = try await server.post(
                "/v1/type",
                .members([
                    "session": "ime", "q": "duck wh", "composingFrom": 5, "composingTo": 7,
                    "filter": "minutes:>50",
                ]))
            var filtered = TypingOptions()
            filtered.limit = 10
            filtered.filter = .attribute("minutes", .greater(50))
            let text = "duck wh"
            let marked = text.utf16.index(text.startIndex, offsetBy: 5)..<text.endIndex
            let expected = try server.index.makeTypingSession(filtered).update(
                text, composing: marked)
            #expect(identifiers(try composed.json()) == expected.items.map(\.name))
            let status = try await server.get("/v1/status").json()
            #expect(status["typingSessions"]?.integer == 5)
        }
    }

    @Test func typingSessionsAreBounded() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.typingSessions = 3
        } _: { server in
            for number in 0..<10 {
                let reply = try await server.post(
                    "/v1/type", .members(["session": .string("s\(number)"), "q": "du"]))
                #expect(reply.status == 200)
            }
            #expect(try await server.get("/v1/status").json()["typingSessions"]?.integer == 3)
            let wrong = try await server.post(
                "/v1/type", .members(["session": "a b", "q": "du"]))
            #expect(wrong.status == 400)
        }
    }

    @Test func suggestions() async throws {
        try await TestServer.run(Self.notes) { server in
            for text in ["du", "white wh", "dukc", "pekng duc", "", "鸭"] {
                let reply = try await server.get(
                    "/v1/suggest", ["q": text, "filter": "minutes:>20", "limit": "4"])
                var options = SuggestionOptions()
                options.limit = 4
                options.filter = .attribute("minutes", .greater(20))
                let expected = try server.index.suggestions(for: text, options: options) {
                    server.notes[$0.identifier]?.strings ?? []
                }
                let json = try reply.json()
                for (name, some) in [
                    ("completions", expected.completions), ("phrases", expected.phrases),
                    ("corrections", expected.corrections),
                ] {
                    let found = json[name]?.elements ?? []
                    #expect(found.map { $0["text"]?.text } == some.map(\.text), "\(text)")
                    #expect(found.map { $0["objects"]?.integer } == some.map(\.objectCount))
                    for (suggestion, wanted) in zip(found, some) {
                        // The edits make the suggestion of the text.
                        var result = text as NSString
                        for edit in (suggestion["edits"]?.elements ?? []).reversed() {
                            let range = NSRange(
                                location: edit["location"]?.integer ?? 0,
                                length: edit["length"]?.integer ?? 0)
                            let replacement = edit["replacement"]?.text ?? ""
                            result =
                                result.replacingCharacters(in: range, with: replacement)
                                as NSString
                        }
                        #expect(result as String == wanted.text)
                    }
                }
            }
        }
    }

    @Test func similarObjects() async throws {
        try await TestServer.run(Self.notes) { server in
            for note in Self.notes.prefix(8) {
                let reply = try await server.get("/v1/similar", ["id": note.identifier])
                var options = SimilarityOptions()
                options.limit = 10
                let identifier = Data(note.identifier.utf8)
                let expected = try server.index.similarObjects(to: identifier, options: options) {
                    server.notes[$0.identifier]?.strings ?? []
                }
                #expect(identifiers(try reply.json()) == expected.items.map(\.name))
            }
            let byText = try await server.post("/v1/similar", .members(["text": "white whale sea"]))
            let like = try await server.index.similarObjects(toText: "white whale sea").items
                .prefix(10)
            #expect(identifiers(try byText.json()) == like.map(\.name))
            #expect(try await server.get("/v1/similar", ["id": "nobody"]).status == 404)
            #expect(try await server.get("/v1/similar").status == 400)
        }
    }

    @Test func explanations() async throws {
        try await TestServer.run(Self.notes) { server in
            for note in Self.notes.prefix(10) {
                for text in ["duck", "duck whale", "minutes:>50 duck"] {
                    let reply = try await server.get(
                        "/v1/explain", ["q": text, "id": note.identifier])
                    let parser = TestServer.served(server.index, server.notes).parser
                    let found = try await server.index.search(text, limit: 1000, parser: parser)
                    let item = found.items.first { $0.name == note.identifier }
                    let json = try reply.json()
                    #expect(json["reason"]?.text == (item == nil ? "notMatched" : "found"))
                    #expect(json["score"]?["value"]?.double == item?.score)
                }
            }
            let unknown = try await server.get("/v1/explain", ["q": "duck", "id": "nobody"])
            #expect(try unknown.json()["reason"]?.text == "notIndexed")
        }
    }

    @Test func percolation() async throws {
        let stored = [(name: "ducks", query: "duck*"), (name: "cheap", query: "minutes:<30")]
        try await TestServer.run(Self.notes, queries: stored) { server in
            let reply = try await server.post(
                "/v1/percolate",
                .members([
                    "strings": .members(["title": "White ducks", "body": "and a whale"]),
                    "attributes": .members(["minutes": 20]),
                    "queries": .members(["title": "title:whale", "body": "body:whale"]),
                ]))
            let json = try reply.json()
            #expect(
                json["matches"]?.elements.compactMap(\.text).sorted() == ["body", "cheap", "ducks"])
            #expect(json["queries"]?.integer == 4)
            let text = try await server.post("/v1/percolate", .members(["text": "a duck"]))
            #expect(try text.json()["matches"]?.elements.map(\.text) == ["ducks"])
            let wrong = try await server.post(
                "/v1/percolate", .members(["strings": .members(["nowhere": "a"])]))
            #expect(wrong.status == 400)
        }
    }

    /// A query of the request stands in the place of a stored one of its name, and in its own place
    /// in the order.
    @Test(arguments: [1, 2, 3] as [UInt64]) func percolationIsThatOfOneTable(
        seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ count: Int) -> [(name: String, query: String)] {
            let words = ["duck", "whale", "white*", "minutes:<30", "-roast", "title:duck", "a*"]
            let names = (0..<12).map { "q\($0)" }.shuffled(using: &generator).prefix(count)
            return names.map { ($0, words[Int.random(in: 0..<words.count, using: &generator)]) }
        }
        let stored = random(8)
        try await TestServer.run(Self.notes, queries: stored) { server in
            let parser = TestServer.served(server.index, server.notes).parser
            for note in Self.notes.prefix(12) {
                let own = random(Int.random(in: 0..<5, using: &generator))
                    .sorted { $0.name < $1.name }
                let table = server.index.makeStoredQueries(named: String.self)
                for (name, query) in stored + own {
                    try table.add(parser.parse(query).query, as: name)
                }
                let expected = try table.matches(note.indexed, identifier: Data("object".utf8))
                let reply = try await server.post(
                    "/v1/percolate",
                    .members([
                        "strings": .members([
                            "title": .string(note.title), "body": .string(note.body),
                        ]),
                        "attributes": .members(["minutes": .int(note.minutes)]),
                        "queries": .object(own.map { ($0.name, .string($0.query)) }),
                    ]))
                let json = try reply.json()
                #expect(
                    json["matches"]?.elements.map(\.text) == expected, "seed \(seed)")
                #expect(json["queries"]?.integer == table.count, "seed \(seed)")
            }
        }
    }

    @Test func storedQueriesAreReadOncePerGeneration() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = TestServer.NoteBook(Self.notes)
        var opened = 0
        let source = IndexSource(name: "notes", newest: { 7 }) {
            let index = try TextIndex<Note>(
                at: folder.appending(path: UUID().uuidString),
                configuration: TestServer.configuration())
            TestServer.setHooks(index, book)
            return TestServer.served(index, book)
        }
        let current = try CurrentIndex(source)
        func table(_ served: ServedIndex<Note>) -> StoredQueries<Note, String> {
            current.storedQueries(of: served) {
                opened += 1
                return served.index.makeStoredQueries(named: String.self)
            }
        }
        let old = current.served
        let first = table(old)
        #expect(table(old) === first)
        #expect(opened == 1)
        // An index that is not published has no number, so that it counts as an older one.
        #expect(try current.refresh())
        let second = table(current.served)
        #expect(second !== first)
        // A request that began before has its own, which nobody keeps.
        let late = table(old)
        #expect(late !== first && late !== second)
        #expect(table(current.served) === second)
        #expect(opened == 3)
        try old.index.close()
        try current.served.index.close()
    }

    /// Thousands of patterns over thousands of words take much longer than a millisecond.
    @Test func percolationEndsInTime() async throws {
        try await TestServer.run(Self.notes) { server in
            let words = (0..<5000).map { "word\($0)" }.joined(separator: " ")
            let queries = (0..<2000).map { ("q\($0)", JSON.string("*rd\($0)* OR wodr\($0)~2")) }
            let body = [("text", JSON.string(words)), ("queries", .object(queries))]
            let late = try await server.post(
                "/v1/percolate", .object(body + [("deadline", 1)]))
            #expect(late.status == 503)
            #expect(try late.json()["code"]?.text == "out-of-time")
        }
    }

    /// So do a thousand patterns, clause for clause.
    @Test func explanationsEndInTime() async throws {
        try await TestServer.run(Self.notes) { server in
            let parts = (0..<1000).map { JSON.members(["infix": .string("a\($0)")]) }
            let body = [
                ("id", JSON.string(Self.notes[0].identifier)),
                ("query", .members(["any": .array(parts)])),
            ]
            #expect(try await server.post("/v1/explain", .object(body)).status == 200)
            let late = try await server.post("/v1/explain", .object(body + [("deadline", 1)]))
            #expect(late.status == 503)
            #expect(try late.json()["code"]?.text == "out-of-time")
        }
    }

    @Test func federatedSearch() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var sources: [IndexSource<Note>] = []
        var indexes: [TextIndex<Note>] = []
        let book = TestServer.NoteBook(Self.notes)
        for number in 0..<3 {
            let index = try TextIndex<Note>(
                at: folder.appending(path: "\(number)"), configuration: TestServer.configuration())
            TestServer.setHooks(index, book)
            let some = Self.notes.enumerated().filter { $0.offset % 3 == number }.map(\.element)
            _ = try await index.indexObjects(some)
            indexes.append(index)
            sources.append(
                IndexSource(name: "part\(number)") { TestServer.served(index, book) })
        }
        try await TestServer.run(sources, indexes[0], book) { server in
            let reply = try await server.get("/v1/federated", ["q": "duck whale", "limit": "30"])
            let expected = try FederatedSearch(indexes).search("duck whale", limit: 30)
            let json = try reply.json()
            #expect(identifiers(json) == expected.hits.map { $0.item.name })
            #expect(
                json["hits"]?.elements.map { $0["index"]?.text }
                    == expected.hits.map { "part\($0.source)" })
            let second = try await server.get("/v1/search", ["q": "duck", "index": "part1"])
            let alone = try await indexes[1].search("duck", limit: 10).items.map(\.name)
            #expect(identifiers(try second.json()) == alone)
            #expect(
                try await server.get("/v1/search", ["q": "a", "index": "../etc"]).status == 404)
            let names = try await server.get("/v1/status").json()["indexes"]?.elements
            #expect(names?.map { $0["name"]?.text } == ["part0", "part1", "part2"])
        }
        for index in indexes { try await index.shutdown() }
    }

    @Test func statusAndHealth() async throws {
        try await TestServer.run(Self.notes) { server in
            #expect(try await server.get("/health").text == "{\"status\":\"ok\"}")
            _ = try await server.get("/v1/search", ["q": "duck"])
            let json = try await server.get("/v1/status").json()
            let index = try #require(json["indexes"]?.elements.first)
            let statistics = try await server.index.statistics()
            #expect(index["objects"]?.integer == Self.notes.count)
            #expect(index["terms"]?.integer == statistics.termCount)
            #expect(index["bytes"]?.integer == statistics.fileBytes)
            #expect(index["fields"]?.elements.map(\.text) == ["title", "body"])
            #expect(index["following"] == nil)
            #expect(json["requests"]?["requests"]?.integer == 2)
            #expect(json["requests"]?["responses"]?["2xx"]?.integer == 2)
        }
    }
}
