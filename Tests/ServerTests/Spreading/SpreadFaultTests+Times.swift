import HTTPTypes
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Nodes that do not answer for as long as somebody waits.
extension SpreadFaultTests {
    /// A node that hangs or fails if it is told to; what it was given time for is kept. Nobody has
    /// to wait for it: when it hangs, its time is over at once.
    private struct Timed: NodeTransport {
        let inner: LocalNode<Note>
        let state = State()
        var name: String { "timed" }

        final class State: Sendable {
            let failure = Mutex<NodeFailure?>(nil)
            /// Nil for all.
            let failingPath = Mutex<String?>(nil)
            let given = Mutex<[Duration]>([])
        }

        func send(
            _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
        ) async throws -> NodeReply {
            if path != "/v1/shards" {
                state.given.withLock { $0.append(deadline - .now) }
                let isFailing = state.failingPath.withLock { $0 ?? path } == path
                if isFailing, let failure = state.failure.withLock({ $0 }) { throw failure }
            }
            return try await inner.send(path, body, until: deadline)
        }
    }

    private func patient(_ query: String) -> Exchange {
        Exchange(
            method: .get, path: "/v1/search", query: Substring(query), headers: [:],
            client: "test", deadline: .now + .seconds(10_000))
    }

    /// A group that hangs takes half of the time at the most: the others are searched in the rest.
    @Test(arguments: [false, true], [false, true])
    func aHangingGroup(wasSearched: Bool, isFarDown: Bool) async throws {
        try await ShardedNotes.use(Note.random(count: 300, seed: 20), shards: 2) { shards in
            let hanging = Timed(inner: try local(shards, ShardNumbers([1])))
            let plan = shards.plan
            let first = try local(shards, ShardNumbers([0]))
            let service = try await spread(
                [(ShardNumbers([0]), [first]), (ShardNumbers([1]), [hanging])], { plan })
            let query = "q=duck&snippets=0&limit=\(isFarDown ? 120 : 20)"
            if wasSearched { _ = try await service.search(patient(query)) }
            hanging.state.failure.withLock { $0 = .outOfTime }
            hanging.state.given.withLock { $0 = [] }
            let found = try json(await service.search(patient(query)))
            #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
            #expect(found["isComplete"]?.isTrue == false)
            let given = hanging.state.given.withLock { $0 }
            #expect(given.count == 1)
            #expect(given.allSatisfy { $0 > .seconds(1_000) && $0 < .seconds(6_000) })
            // It is what the others say alone, whatever was known before.
            let missing = try await spread([(ShardNumbers([0]), [first])]) { plan }
            let alone = try json(await missing.search(patient(query)))
            #expect(ids(found) == ids(alone))
            #expect(
                found["hits"]?.elements.map { $0["score"]?.double }
                    == alone["hits"]?.elements.map { $0["score"]?.double })
            #expect(found["hits"]?.elements.isEmpty == false)
        }
    }

    /// Where one hangs in a second phase that is the last, the others have shown all their hits:
    /// there is no time left to ask for any.
    @Test func aGroupThatHangsInTheSecondPhase() async throws {
        // All are in one shard but for a few.
        let notes = Note.random(count: 120, seed: 23)
        try await ShardedNotes.use(notes, shards: 4, shard: { $0 < 100 ? 0 : nil }) { shards in
            let nodes = try (0..<4).map { Timed(inner: try local(shards, ShardNumbers([$0]))) }
            let plan = shards.plan
            let service = try await spread(
                nodes.enumerated().map { (ShardNumbers([$0]), [$1]) }
            ) { plan }
            nodes[3].state.failure.withLock { $0 = .outOfTime }
            nodes[3].state.failingPath.withLock { $0 = "/v1/shard/search" }
            for node in nodes { node.state.given.withLock { $0 = [] } }
            let found = try json(await service.search(patient("q=duck&steps=exact&limit=10")))
            #expect(found["missing"]?.elements.map(\.text) == ["shard-3"])
            #expect(found["hits"]?.elements.count == 10)
            #expect(nodes[0].state.given.withLock { $0.count } == 2)
        }
    }

    /// Where all hang, the answer says so, and not that nodes are missing.
    @Test func allHang() async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 21), shards: 2) { shards in
            let nodes = try [0, 1].map { Timed(inner: try local(shards, ShardNumbers([$0]))) }
            let plan = shards.plan
            let service = try await spread(
                nodes.enumerated().map { (ShardNumbers([$0]), [$1]) }
            ) { plan }
            for node in nodes { node.state.failure.withLock { $0 = .outOfTime } }
            let late = await problem { try await service.search(exchange("q=duck")) }
            #expect(late?.code == "out-of-time")
            for node in nodes { node.state.failure.withLock { $0 = .closed } }
            let gone = await problem { try await service.search(exchange("q=duck")) }
            #expect(gone?.code == "shards-missing")
        }
    }

    /// A group none of whose nodes answered the last time is hardly waited for.
    @Test func unreachableGroups() async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 22), shards: 2) { shards in
            let node = Timed(inner: try local(shards, ShardNumbers([1])))
            let plan = shards.plan
            // A patience that no machine uses up, and that is far from what others are given.
            let patience = Duration.seconds(1_000)
            let service = try await spread(
                [
                    (ShardNumbers([0]), [try local(shards, ShardNumbers([0]))]),
                    (ShardNumbers([1]), [node]),
                ], { plan }, patience: patience)
            node.state.failure.withLock { $0 = .closed }
            for isFirst in [true, false] {
                node.state.given.withLock { $0 = [] }
                let found = try json(await service.search(patient("q=duck")))
                #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
                #expect(node.state.given.withLock { $0.map { $0 > patience } } == [isFirst])
            }
            // Once it answers, it is waited for again in the very same search.
            node.state.failure.withLock { $0 = nil }
            node.state.given.withLock { $0 = [] }
            _ = try await service.search(patient("q=goose"))
            #expect(node.state.given.withLock { $0.map { $0 > patience } } == [false, true])
        }
    }

    /// Where no other group could be searched instead, one that did not answer is waited for.
    @Test func theOnlyGroupIsWaitedFor() async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 24), shards: 1) { shards in
            let node = Timed(inner: try local(shards, .all))
            let plan = shards.plan
            let service = try await spread([(.all, [node])]) { plan }
            node.state.failure.withLock { $0 = .closed }
            #expect(await problem { try await service.search(patient("q=duck")) } != nil)
            node.state.failure.withLock { $0 = nil }
            node.state.given.withLock { $0 = [] }
            let found = try json(await service.search(patient("q=duck")))
            #expect(found["isComplete"]?.isTrue == true)
            #expect(node.state.given.withLock { $0 }.allSatisfy { $0 > .seconds(1_000) })
        }
    }

    /// Answers of one group that cannot be read do not cost those of the others.
    @Test func oneGroupCannotBeRead() async throws {
        try await ShardedNotes.use(Note.random(count: 30, seed: 23), shards: 2) { shards in
            let damaged = Faulty(
                inner: try local(shards, ShardNumbers([1])), before: { _ in },
                after: { _, _ in NodeReply(status: 200, body: Array("{".utf8)) })
            let plan = shards.plan
            let service = try await spread([
                (ShardNumbers([0]), [try local(shards, ShardNumbers([0]))]),
                (ShardNumbers([1]), [damaged]),
            ]) { plan }
            let found = try json(await service.search(exchange("q=duck")))
            #expect(found["missing"]?.elements.map(\.text) == ["shard-1"])
        }
    }

    /// A second replica is asked as long as nobody knows how long one takes.
    @Test func hedgingFromTheStart() {
        #expect(Hedging(.usual).delay == .milliseconds(50))
        #expect(Hedging(.never).delay == nil)
        let known = Hedging(.usual)
        for _ in 0..<200 { known.note(.microseconds(100)) }
        #expect(known.delay == .milliseconds(1))
    }
}
