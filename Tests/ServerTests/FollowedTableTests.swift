import Dispatch
import Foundation
import Synchronization
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// What the status says of tables that indexes follow.
@Suite(.timeLimit(.minutes(30))) struct FollowedTableTests {
    @Test func howFarBehindATable() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = TestServer.NoteBook([])
        let index = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        TestServer.setHooks(index, book)
        let tables = [
            FollowedTable(table: "note", phase: .following, behind: 3),
            FollowedTable(table: "a <b>", phase: .reading, behind: nil, problem: "cannot be read"),
        ]
        let sources = tables.enumerated().map { number, table in
            IndexSource(name: "part\(number)") {
                var served = TestServer.served(index, book)
                served.following = { table }
                return served
            }
        }
        try await TestServer.run(sources, index, book) { server in
            let indexes = try await server.get("/v1/status").json()["indexes"]?.elements ?? []
            let first = indexes.first?["following"]
            #expect(first?["table"]?.text == "note")
            #expect(first?["phase"]?.text == "following")
            #expect(first?["behind"]?.integer == 3)
            #expect(first?["problem"] == nil)
            let second = indexes.last?["following"]
            #expect(second?["phase"]?.text == "reading")
            #expect(second?["behind"] == nil)
            #expect(second?["problem"]?.text == "cannot be read")
        }
        try await index.shutdown()
    }

    @Test func aDatabaseThatKeepsWaitingHoldsUpNoSearch() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = TestServer.NoteBook([])
        let index = try TextIndex<Note>(at: folder, configuration: TestServer.configuration())
        TestServer.setHooks(index, book)
        let (asked, isFree) = (Counter(), DispatchSemaphore(value: 0))
        let source = IndexSource(name: "notes") {
            var served = TestServer.served(index, book)
            served.following = {
                asked.increment()
                isFree.wait()
                return FollowedTable(table: "note", phase: .following, behind: 3)
            }
            return served
        }
        try await TestServer.run([source], index, book) {
            $0.limits.searches = 1
        } _: { server in
            async let first = server.get("/v1/status").json()
            async let second = server.get("/v1/status").json()
            while asked.count == 0 { await Task.yield() }
            for _ in 0..<3 {
                #expect(try await server.get("/v1/search", ["q": "duck"]).status == 200)
            }
            isFree.signal()
            for status in try await [first, second] {
                let following = status["indexes"]?.elements.first?["following"]
                #expect(following?["behind"]?.integer == 3)
            }
            // Both had one answer.
            #expect(asked.count == 1)
        }
        try await index.shutdown()
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func increment() { value.withLock { $0 += 1 } }
    }
}
