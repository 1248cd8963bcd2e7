import Foundation
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// What the server answers of an index that is damaged somewhere.
@Suite(.timeLimit(.minutes(30))) struct DamagedIndexTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "textindex-server-\(UUID().uuidString)")

    /// Words often enough for their places to have blocks of their own.
    private static let notes = (0..<60).map { number in
        Note(
            identifier: "note \(number)", title: "common \(number)",
            body: (0..<200).map { "w\($0 * number % 97) common x\(number)" }.joined(separator: " "),
            cuisine: "c\(number % 5)", minutes: number, shelf: "a/b")
    }

    private static let targets = [
        "/v1/search?q=common&limit=100&highlights=5",
        "/v1/search?q=common&snippets=0&sort=minutes",
        "/v1/search?q=common+x7&explain=true",
        "/v1/search?q=omm&mode=keyword&limit=100&highlights=5",
        "/v1/facets?q=common&facet=cuisine&facetHits=3",
        "/v1/federated?q=common&limit=100&highlights=5",
        "/v1/similar?text=common+x7&limit=100&highlights=5",
        "/v1/explain?q=common&id=note+7",
        "/v1/watch?q=common&limit=100&highlights=5",
    ]

    /// What is answered: nil for an error.
    private func answers(_ index: TextIndex<Note>) async throws -> [String?] {
        let book = TestServer.NoteBook(Self.notes)
        TestServer.setHooks(index, book)
        let source = IndexSource(name: "notes") { TestServer.served(index, book) }
        let answers = Shared<[String?]>([])
        try await TestServer.run([source], index, book) { server in
            for target in Self.targets {
                let answer =
                    target.hasPrefix("/v1/watch")
                    ? try await event(target, server) : try await reply(target, server)
                answers.change { $0.append(answer) }
            }
        }
        return answers.current
    }

    private func reply(_ target: String, _ server: TestServer) async throws -> String? {
        let reply = try await server.send("GET", target)
        if reply.status == 200 { return reply.text }
        #expect(reply.status == 500, "\(target): \(reply.text)")
        #expect(try reply.json()["code"]?.text == "index-failure", "\(target): \(reply.text)")
        return nil
    }

    /// The first event of a stream; nil where the stream breaks off before.
    private func event(_ target: String, _ server: TestServer) async throws -> String? {
        try await TestConnection.open(port: server.port) { connection in
            try await connection.send("GET", target)
            let head = try await connection.head()
            guard head.status == 200 else {
                #expect(head.status == 500)
                return nil
            }
            do {
                return try await connection.eventText()
            } catch is TestConnection.Ended {
                return nil
            }
        }
    }

    /// Matches are read when they are shown, after the search itself.
    @Test func anAnswerIsRightOrAnError() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        TestServer.setHooks(made, TestServer.NoteBook(Self.notes))
        try await made.indexObjects(Self.notes)
        try await made.optimize()
        try await made.shutdown()
        // The answers tell no generation and no time.
        let index = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        let right = try await answers(index)
        try await index.shutdown()
        #expect(right.allSatisfy { $0 != nil })
        let tables = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".ldb") }
        #expect(!tables.isEmpty)
        var errors = Set<String>()
        for table in tables {
            let place = folder.appending(path: table)
            let whole = try Data(contentsOf: place)
            for offset in stride(
                from: 0, to: whole.count, by: max(whole.count / Scale.sample(of: 60), 1))
            {
                var damaged = whole
                damaged[offset] ^= 0x04
                try damaged.write(to: place)
                let index: TextIndex<Note>
                do {
                    index = try TextIndex(at: folder, configuration: TestServer.configuration())
                } catch {
                    #expect((error as? TextIndexError)?.code == .corrupted, "\(error)")
                    continue
                }
                for (number, answer) in try await answers(index).enumerated() {
                    let target = Self.targets[number]
                    if answer == nil { errors.insert(target) }
                    let isRight = answer == nil || answer == right[number]
                    #expect(isRight, "\(table), byte \(offset): \(target)")
                }
                try? await index.shutdown()
            }
            try whole.write(to: place)
        }
        #expect(errors.contains(Self.targets[0]) && errors.count > 4, "\(errors)")
    }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    var current: Value { lock.withLock { value } }

    func change(_ body: (inout Value) -> Void) { lock.withLock { body(&value) } }
}
