import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// Streams of differences: applied one after the other they give the answer of now.
@Suite(.timeLimit(.minutes(30))) struct WatchTests {
    /// Applies a difference to identifiers, as the document says it.
    private func applied(_ json: JSON, to old: [String]) -> [String] {
        func ranks(_ name: String, _ rank: String) -> [(Int, String)] {
            (json[name]?.elements ?? []).map { ($0[rank]?.integer ?? -1, $0["id"]?.text ?? "") }
        }
        let gone = Set((ranks("removed", "oldRank") + ranks("moved", "oldRank")).map(\.0))
        var list = old.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        for (rank, identifier) in (ranks("inserted", "rank") + ranks("moved", "rank"))
            .sorted(by: { $0.0 < $1.0 })
        {
            list.insert(identifier, at: rank)
        }
        return list
    }

    @Test(arguments: [1, 2] as [UInt64], [false, true]) func ofAnOpenIndex(
        seed: UInt64, isTyped: Bool
    ) async throws {
        var generator = SeededGenerator(seed: seed &+ 40)
        let notes = (0..<30).map { Note.random($0, &generator) }
        try await TestServer.run(notes) { server in
            try await TestConnection.open(port: server.port) { connection in
                let query = Query.boost(.term("duck"), 2)
                if isTyped {
                    try await connection.send(
                        "POST", "/v1/watch", headers: ["Content-Type": "application/json"],
                        body: Array(#"{"query":\#(try json(query)),"limit":8,"snippets":1}"#.utf8))
                } else {
                    try await connection.send("GET", "/v1/watch?q=duck&limit=8&snippets=1")
                }
                let head = try await connection.head()
                #expect(head.status == 200)
                #expect(head.headers["content-type"] == "text/event-stream")
                var list: [String] = []
                func wanted() throws -> [String] {
                    let index = server.index
                    return isTyped
                        ? try index.search(query, limit: 8).items.map(\.name)
                        : try index.search("duck", limit: 8).items.map(\.name)
                }
                list = applied(try await connection.event(), to: list)
                let first = try wanted()
                #expect(list == first)
                for round in 0..<12 {
                    for _ in 0..<3 {
                        var note = Note.random(
                            Int.random(in: 0..<40, using: &generator), &generator)
                        note.body += " duck"
                        server.notes[Data(note.identifier.utf8)] = note
                        _ = try await server.index.indexObject(note).value()
                    }
                    // One note comes to the top, so that the answer is another one for sure.
                    let top = Note(
                        identifier: "top \(round)", title: "duck",
                        body: String(repeating: "duck ", count: round + 1), cuisine: "", minutes: 0,
                        shelf: "")
                    server.notes[Data(top.identifier.utf8)] = top
                    _ = try await server.index.indexObject(top).value()
                    let now = try wanted()
                    while list != now {
                        let event = try await connection.event()
                        let problems = server.contract.problems(
                            event,
                            try #require(
                                server.contract.document["components"]?["schemas"]?["Difference"]),
                            "$")
                        #expect(problems.isEmpty, "\(problems)")
                        list = applied(event, to: list)
                    }
                }
            }
            // The stream ends with its client.
            while try await server.get("/v1/status").json()["requests"]?["openStreams"]?.integer
                != 0
            {
                await Task.yield()
            }
        }
    }

    private func json(_ query: Query) throws -> String {
        String(decoding: try JSONEncoder().encode(query), as: UTF8.self)
    }

    @Test(arguments: [false, true]) func ofGenerations(isTyped: Bool) async throws {
        var generator = SeededGenerator(seed: 50)
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (home, shared) = (folder.appending(path: "index"), folder.appending(path: "shared"))
        let book = TestServer.NoteBook([])
        let index = try TextIndex<Note>(at: home, configuration: TestServer.configuration())
        TestServer.setHooks(index, book)
        func change() async throws {
            for _ in 0..<5 {
                let note = Note.random(Int.random(in: 0..<30, using: &generator), &generator)
                book[Data(note.identifier.utf8)] = note
                _ = try await index.indexObject(note).value()
            }
            _ = try await index.publish(to: shared)
        }
        try await change()
        let source = IndexSource(
            name: "notes", newest: { try TextIndex<Note>.newestGeneration(published: shared) }
        ) {
            let reader = try TextIndex<Note>(
                published: shared, configuration: TestServer.configuration())
            return TestServer.served(reader, book)
        }
        try await TestServer.run([source], index, book) {
            $0.interval = .milliseconds(5)
        } _: { server in
            try await TestConnection.open(port: server.port) { connection in
                if isTyped {
                    let query = try json(.any(of: [.term("duck"), .term("whale")]))
                    try await connection.send(
                        "POST", "/v1/watch", headers: ["Content-Type": "application/json"],
                        body: Array(#"{"query":\#(query),"limit":6}"#.utf8))
                } else {
                    try await connection.send("GET", "/v1/watch?q=duck+OR+whale&limit=6")
                }
                _ = try await connection.head()
                var list = applied(try await connection.event(), to: [])
                for _ in 0..<6 {
                    try await change()
                    let now = try await index.search("duck OR whale", limit: 6).items.map(\.name)
                    while list != now { list = applied(try await connection.event(), to: list) }
                }
            }
            try await entityTags(server)
        }
        try await index.shutdown()
    }

    /// An answer of a generation has a tag, and is not given twice.
    private func entityTags(_ server: TestServer) async throws {
        let first = try await server.get("/v1/search", ["q": "duck"])
        let tag = try #require(first.headers["etag"])
        let again = try await server.send(
            "GET", "/v1/search?q=duck", headers: ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        let other = try await server.send(
            "GET", "/v1/search?q=duck&limit=1", headers: ["If-None-Match": tag])
        #expect(other.status == 200)
    }

    /// A search that runs out of time gives what it found, and says so; other streams go on.
    @Test func searchesOfStreamsAreBounded() async throws {
        var generator = SeededGenerator(seed: 61)
        let notes = (0..<200).map { number in
            var note = Note.random(number, &generator)
            note.body += " duck"
            return note
        }
        try await TestServer.run(notes) {
            $0.limits.time = .zero
        } _: { server in
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send("GET", "/v1/watch?q=duck")
                _ = try await connection.head()
                let event = try await connection.event()
                #expect(event["isComplete"]?.isTrue == false)
                #expect(event["inserted"]?.elements.isEmpty == true)
            }
        }
        try await TestServer.run(notes) { server in
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send("GET", "/v1/watch?q=duck")
                _ = try await connection.head()
                let event = try await connection.event()
                #expect(event["isComplete"]?.isTrue == true)
                #expect(event["inserted"]?.elements.count == 10)
            }
        }
    }

    /// A stream waits for its turn, however many wait already: a request would be told to come
    /// again.
    @Test func streamsTakeTheirTurns() async throws {
        var limits = ServerLimits()
        (limits.searches, limits.waiting) = (1, 0)
        let gate = SearchGate(limits)
        try await gate.enter("a")
        let stream = Task { try await gate.runOfStream(of: "b") { _ in 1 } }
        let gone = Task { try await gate.runOfStream(of: "b") { _ in 2 } }
        while gate.counts.waiting < 2 { await Task.yield() }
        await #expect(throws: Problem.self) {
            try await gate.enter("c", until: .now + .seconds(86_400))
        }
        gone.cancel()
        await #expect(throws: CancellationError.self) { try await gone.value }
        gate.leave("a")
        #expect(try await stream.value == 1)
        #expect(gate.counts == (0, 0))
    }

    /// What is searched for a stream in an open index takes a place as every search does.
    @Test func streamsOfAnOpenIndexTakeTheirTurns() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var generator = SeededGenerator(seed: 62)
        let book = TestServer.NoteBook((0..<5).map { Note.random($0, &generator) })
        let index = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        TestServer.setHooks(index, book)
        var limits = ServerLimits()
        (limits.searches, limits.waiting) = (1, 0)
        let gate = SearchGate(limits)
        let source = IndexSource(name: "notes") { TestServer.served(index, book) }
        var arguments = try Arguments(query: "q=duck")
        let changes = SearchService<Note>.Changes(
            index: try CurrentIndex(source), asked: try SearchParameters(&arguments), limit: 10,
            time: .seconds(60), gate: gate, client: "b")
        let (totals, report) = AsyncStream.makeStream(of: Int.self)
        try await gate.enter("a")
        let stream = Task {
            try await SearchService.follow(changes) { difference, _ in
                report.yield(difference.totalCount.value)
            }
        }
        while gate.counts.waiting == 0 { await Task.yield() }
        _ = try await index.indexObjects(book.all)
        gate.leave("a")
        // All that was indexed before it had its turn is in its first answer.
        let total = try await index.search("duck", limit: 10).totalCount.value
        #expect(await totals.first { _ in true } == total)
        stream.cancel()
        _ = await stream.result
        try await index.shutdown()
    }

    /// A stream that could only end at once does not begin.
    @Test func refusals() async throws {
        var generator = SeededGenerator(seed: 63)
        let notes = (0..<5).map { Note.random($0, &generator) }
        try await TestServer.run(notes) { server in
            let wide = JSON.members([
                "any": .array((0..<3000).map { .members(["term": .string("a\($0)")]) })
            ])
            for (body, status) in [
                (.members(["query": wide]), 422), (.members(["q": "duck", "limit": 1001]), 400),
                (.members(["q": "duck", "mode": "keyword"]), 400), (.members([:]), 400),
                (.members(["q": "duck", "field": "nowhere"]), 400),
            ] as [(JSON, Int)] {
                let reply = try await server.post("/v1/watch", body)
                #expect(reply.status == status, "\(reply.text)")
            }
        }
    }

    @Test func streamsAreBounded() async throws {
        var generator = SeededGenerator(seed: 60)
        let notes = (0..<5).map { Note.random($0, &generator) }
        try await TestServer.run(notes) {
            $0.limits.streams = 1
        } _: { server in
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send("GET", "/v1/watch?q=duck")
                _ = try await connection.head()
                _ = try await connection.event()
                let second = try await server.get("/v1/watch", ["q": "duck"])
                #expect(second.status == 503)
                #expect(second.headers["retry-after"] != nil)
            }
        }
    }
}
