import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

/// A server of all shards, which searches them as one index.
@Suite(.timeLimit(.minutes(10))) struct WholeSearchTests {
    private static let notes: [Note] = {
        return Note.random(count: 3_000, seed: 51)
    }()

    private static let text = "duck OR sea"

    /// Whether a search over some indexes comes to its end.
    private func isWhole(_ indexes: [TextIndex<Note>], memory: Int) throws -> Bool {
        var search = try FederatedSearch(indexes)
        search.memory = memory
        do {
            return try search.search(Self.text, ranking: .weight).isComplete
        } catch let error as TextIndexError where error.code == .limitExceeded {
            return false
        }
    }

    /// What is too little for a search over all notes, while twice as much is enough.
    private func tooLittle() async throws -> Int {
        var memory = 1_024
        try await ShardedNotes.use(Self.notes, shards: 1) { shards in
            while try !isWhole(shards.shards, memory: 2 * memory) { memory *= 2 }
            #expect(try !isWhole(shards.shards, memory: memory))
        }
        return memory
    }

    /// What a server of four shards answers, of which each gives a search so much memory, and the
    /// first has all notes.
    private func replies(memory: Int) async throws -> [Reply] {
        var replies: [Reply] = []
        try await ShardedNotes.use(Self.notes, shards: 4) { _ in
            0
        } change: {
            $0.queryLimits.memory = memory
        } _: { shards in
            try await RunningServer.run(
                { _ in }, { try SearchServer(set: shards.source(), options: $0) }
            ) { node in
                for path in ["/v1/search", "/v1/facets"] {
                    replies.append(
                        try await node.get(
                            path, ["q": Self.text, "rank": "weight", "facet": "cuisine"]))
                }
            }
        }
        return replies
    }

    /// The parts of the shards that have nothing to hold are there for the one that has.
    @Test func aSearchHasTheMemoryOfAllShards() async throws {
        let part = try await tooLittle()
        for reply in try await replies(memory: part) {
            #expect(reply.status == 200)
            #expect(try reply.json()["isComplete"]?.isTrue == true)
            #expect(try reply.json()["isTotalExact"]?.isTrue == true)
        }
    }

    /// Where all of it is too little, an answer says that it is not whole, or there is none.
    @Test func aSearchHasNoMoreThanTheMemoryOfAllShards() async throws {
        let all = try await tooLittle()
        for reply in try await replies(memory: all / 4) + replies(memory: 16) {
            guard reply.status == 200 else {
                #expect(reply.status == 422)
                #expect(try reply.json()["code"]?.text == "limit-exceeded")
                continue
            }
            #expect(try reply.json()["isComplete"]?.isTrue == false)
            #expect(try reply.json()["isTotalExact"]?.isTrue == false)
        }
    }
}
