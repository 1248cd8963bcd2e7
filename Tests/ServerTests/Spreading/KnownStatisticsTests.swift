import Foundation
import HTTPTypes
import PowerCuts
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What a server keeps of the statistics of searches, and the form in which it talks to nodes.
@Suite(.timeLimit(.minutes(10))) struct KnownStatisticsTests {
    private func key(_ number: Int, _ length: Int = 10) -> KnownStatistics.Key {
        .init(
            generation: "g", shards: [[0], [1]],
            asked: [UInt8](repeating: 1, count: length)
                + withUnsafeBytes(of: number) { Array($0) })
    }

    private func sum(_ number: Int, _ length: Int = 100) -> KnownStatistics.Sum {
        .init(
            bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length), marks: [])
    }

    @Test func neverMoreThanItMayHold() {
        let known = KnownStatistics(most: 10_000)
        var generator = SeededGenerator(seed: 1)
        var latest: [Int: Int] = [:]
        for _ in 0..<5_000 {
            let number = Int.random(in: 0..<80, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                known.remove(key(number))
                latest[number] = nil
                #expect(known[key(number)] == nil)
            case 1...4:
                let value = Int.random(in: 0..<200, using: &generator)
                known.insert(sum(value, 1 + value), for: key(number))
                latest[number] = value
                #expect(known[key(number)] == sum(value, 1 + value))
            default:
                // What is found is what was put there last.
                if let found = known[key(number)] {
                    #expect(latest[number].map { sum($0, 1 + $0) } == found)
                }
            }
            #expect((0...10_000).contains(known.size))
        }
        known.insert(sum(0, 6_000), for: key(1_000))
        #expect(known[key(1_000)] == nil)
    }

    @Test func whatIsUsedStays() {
        let known = KnownStatistics(most: 10_000)
        for number in 0..<1_000 {
            known.insert(sum(number), for: key(number))
            #expect(known[key(0)] != nil)
        }
        #expect(known[key(1)] == nil)
        for number in 0..<1_000 { known.remove(key(number)) }
        #expect(known.size == 0)
    }

    // MARK: In a search

    private struct Counted: NodeTransport {
        let inner: LocalNode<Note>
        let paths: Paths
        var name: String { "counted" }

        final class Paths: Sendable {
            private let all = Mutex<[String]>([])
            func note(_ path: String) { all.withLock { $0.append(path) } }
            func take() -> [String] {
                all.withLock { all in
                    defer { all = [] }
                    return all
                }
            }
        }

        func send(
            _ path: String, _ body: [UInt8]?, until deadline: ContinuousClock.Instant
        ) async throws -> NodeReply {
            paths.note(path)
            return try await inner.send(path, body, until: deadline)
        }
    }

    private func exchange(_ query: String) -> Exchange {
        Exchange(
            method: .get, path: "/v1/search", query: Substring(query), headers: [:],
            client: "test", deadline: .now + .seconds(60))
    }

    private func bytes(_ answer: Answer) -> [UInt8] {
        if case .bytes(let bytes) = answer.body { bytes } else { [] }
    }

    /// The same search again needs one phase, until the content is another one.
    @Test func theSameSearchIsOnePhase() async throws {
        var generator = SeededGenerator(seed: 3)
        let notes = (0..<60).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            let paths = Counted.Paths()
            let service = try ShardService(shards.source(), ServerOptions())
            let node = Counted(inner: LocalNode(service: service, client: "test"), paths: paths)
            let plan = shards.plan
            let spread = try SpreadService(
                [ReplicaGroup(numbers: .all, replicas: [Replica(node, .all)])],
                newest: { plan }, hedging: .never, isStrict: false, ServerOptions())
            await spread.begin()
            _ = paths.take()
            let both = ["/v1/shard/statistics", "/v1/shard/search"]
            let first = try await spread.search(exchange("q=duck&steps=exact&limit=60&snippets=0"))
            #expect(paths.take() == both)
            let second = try await spread.search(exchange("q=duck&steps=exact&limit=60&snippets=0"))
            #expect(paths.take() == ["/v1/shard/search"])
            #expect(bytes(first) == bytes(second))
            // What is shown makes no difference, what is found does.
            _ = try await spread.search(exchange("q=duck&steps=exact&limit=60&snippets=1"))
            #expect(paths.take() == ["/v1/shard/search"])
            // Of words whose sums the node was told it finds the best at once.
            for (other, expected) in [
                ("q=duck&limit=59", ["/v1/shard/statistics"]),
                ("q=Duck&limit=60", ["/v1/shard/statistics"]),
                ("q=duck&limit=60&field=title", both),
            ] {
                _ = try await spread.search(exchange(other + "&steps=exact&snippets=0"))
                #expect(paths.take() == expected)
            }
            let note = Note(
                identifier: "late", title: "duck duck duck", body: "duck", cuisine: "", minutes: 1,
                shelf: "")
            _ = try await shards.shards[0].indexObjects([note])
            let third = try await spread.search(exchange("q=duck&steps=exact&limit=60&snippets=0"))
            // One phase that finds the content changed; what is served is asked, and both again.
            #expect(paths.take() == ["/v1/shard/search", "/v1/shards"] + both)
            let expected = try FederatedSearch(shards.shards).search(
                "duck", limit: 60, steps: .exact)
            let hits = try JSONReader.value(of: bytes(third))["hits"]?.elements ?? []
            #expect(hits.map { $0["score"]?.double } == expected.hits.map(\.item.score))
        }
    }

    /// Words that were searched for before are found together in one phase, with the scores of one
    /// index: in all orders, at the ends of pages, and where some word is in no object.
    @Test func wordsThatAreKnownAreOnePhase() async throws {
        var generator = SeededGenerator(seed: 5)
        let notes = (0..<80).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 5) { shards in
            let paths = Counted.Paths()
            let plan = shards.plan
            let groups = try [0...1, 2...2, 3...4].map { numbers in
                let service = try ShardService(
                    shards.source(ShardNumbers(Array(numbers))), ServerOptions())
                let node = Counted(inner: LocalNode(service: service, client: "test"), paths: paths)
                let numbers = ShardNumbers(Array(numbers))
                return ReplicaGroup(numbers: numbers, replicas: [Replica(node, numbers)])
            }
            let spread = try SpreadService(
                groups, newest: { plan }, hedging: .never, isStrict: false, ServerOptions())
            await spread.begin()
            _ = paths.take()
            let words = ["duck", "goose", "whale", "nowhere"]
            let statistics = [String](repeating: "/v1/shard/statistics", count: 3)
            for word in words {
                _ = try await spread.search(exchange("q=\(word)&steps=exact&snippets=0"))
                #expect(Set(paths.take()) == ["/v1/shard/statistics", "/v1/shard/search"])
            }
            for number in 0..<60 {
                let some = words.shuffled(using: &generator).prefix(2 + number % 2)
                let text = some.joined(separator: number % 3 == 0 ? " OR " : " ")
                let limit = Int.random(in: 1...20, using: &generator)
                let answer = try await spread.search(
                    exchange(
                        "q=\(text.replacing(" ", with: "+"))&limit=\(limit)&steps=exact&snippets=0")
                )
                let asked = paths.take()
                let expected = try FederatedSearch(shards.shards).search(
                    text, limit: limit, steps: .exact)
                // Also where no object has all words, and any are enough.
                #expect(asked.count == 3)
                #expect(asked == statistics || !asked.contains("/v1/shard/statistics"))
                let hits = try JSONReader.value(of: bytes(answer))["hits"]?.elements ?? []
                #expect(hits.map { $0["score"]?.double } == expected.hits.map(\.item.score))
                #expect(
                    hits.map { $0["id"]?.text }
                        == expected.hits.map { String(decoding: $0.item.identifier, as: UTF8.self) }
                )
            }
        }
    }

    /// Each group shows as many hits as are hardly ever exceeded, where shards have objects by
    /// chance.
    @Test(arguments: [(10, 4, 0.25, 7), (10, 1, 1, 10), (10, 64, 1.0 / 64, 3), (1, 4, 0.25, 1)])
    func hitsShownAtOnce(limit: Int, groups: Int, share: Double, shown: Int) throws {
        var arguments = try Arguments(query: "q=duck&limit=\(limit)")
        let request = try SpreadRequest(&arguments, ServerLimits())
        #expect(request.shownAtOnce(groups: groups, share: share) == shown)
        var generator = SeededGenerator(seed: 9)
        var exceeded = 0
        for _ in 0..<2_000 {
            var counts = [Int](repeating: 0, count: groups)
            for _ in 0..<limit { counts[Int.random(in: 0..<groups, using: &generator)] += 1 }
            if counts.contains(where: { $0 > shown }) { exceeded += 1 }
        }
        #expect(exceeded <= 40)
        // Whatever the shares are.
        for limit in [1, 2, 10, 57, 100] {
            var arguments = try Arguments(query: "q=duck&limit=\(limit)")
            let request = try SpreadRequest(&arguments, ServerLimits())
            for groups in [1, 2, 3, 100, 5_000] {
                for share in [0, 1e-9, 0.001, 0.5, 0.999, 1] {
                    let count = request.shownAtOnce(groups: groups, share: share)
                    #expect((1...limit).contains(count))
                    #expect(count == limit || groups > 1 && share < 1)
                }
            }
        }
    }

    /// A page of which one group has more hits than it shows at once is whole.
    @Test func hitsOfOneGroup() async throws {
        let notes = (0..<40).map { number in
            Note(
                identifier: "note \(number)", title: "",
                body: "duck" + String(repeating: " duck", count: number < 10 ? number : 0),
                cuisine: "", minutes: 1, shelf: "")
        }
        // Shard 0 has the best ones.
        try await ShardedNotes.use(notes, shards: 4, shard: { $0 < 10 ? 0 : nil }) { shards in
            let paths = Counted.Paths()
            let plan = shards.plan
            let groups = try (0..<4).map { number in
                let numbers = ShardNumbers([number])
                let service = try ShardService(shards.source(numbers), ServerOptions())
                let node = Counted(inner: LocalNode(service: service, client: "test"), paths: paths)
                return ReplicaGroup(numbers: numbers, replicas: [Replica(node, numbers)])
            }
            let spread = try SpreadService(
                groups, newest: { plan }, hedging: .never, isStrict: false, ServerOptions())
            await spread.begin()
            // Nodes learn in how many objects the word is: from then on they answer at once.
            _ = try await spread.search(exchange("q=duck&steps=exact&limit=5"))
            _ = paths.take()
            let answer = try await spread.search(exchange("q=duck&steps=exact&limit=10"))
            #expect(paths.take().count == 5)
            let expected = try await shards.whole.search("duck", limit: 10, steps: .exact)
            let hits = try JSONReader.value(of: bytes(answer))["hits"]?.elements ?? []
            #expect(hits.map { $0["score"]?.double } == expected.map(\.score))
            #expect(
                hits.map { $0["id"]?.text }
                    == expected.map { String(decoding: $0.identifier, as: UTF8.self) })
        }
    }

    /// What a node expects wrongly is not used.
    @Test func otherSumsThanExpected() async throws {
        var generator = SeededGenerator(seed: 6)
        let notes = (0..<60).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            let service = try ShardService(shards.source(), ServerOptions())
            let paths = Counted.Paths()
            let node = Counted(inner: LocalNode(service: service, client: "test"), paths: paths)
            let plan = shards.plan
            let spread = try SpreadService(
                [ReplicaGroup(numbers: .all, replicas: [Replica(node, .all)])],
                newest: { plan }, hedging: .never, isStrict: false, ServerOptions())
            await spread.begin()
            let text = "duck goose"
            for word in ["duck", "goose"] {
                _ = try await spread.search(exchange("q=\(word)&steps=exact&snippets=0"))
            }
            // Somebody told that all words are in one object more.
            var sum = try QueryStatistics.sum(
                of: shards.shards.map { try $0.statistics(of: text, steps: .exact) })
            let frequencies = try #require(sum.frequencies)
            sum = try #require(sum.expected(of: sum, frequencies.map { $0 + 1 }).first)
            service.expected.note([Array("duck".utf8), Array("goos".utf8)], sum)
            service.expected.note([Array("duck".utf8), Array("goose".utf8)], sum)
            _ = paths.take()
            let answer = try await spread.search(
                exchange("q=duck+goose&steps=exact&snippets=0&limit=20"))
            #expect(paths.take() == ["/v1/shard/statistics", "/v1/shard/search"])
            let expected = try FederatedSearch(shards.shards).search(
                text, limit: 20, steps: .exact)
            let hits = try JSONReader.value(of: bytes(answer))["hits"]?.elements ?? []
            #expect(hits.map { $0["score"]?.double } == expected.hits.map(\.item.score))
        }
    }

    // MARK: Messages

    @Test func messagesThatAreCutShort() throws {
        let request = ShardMessage.Request(
            deadline: 1_000, generation: "g1", shards: "0-3",
            asked: Array("{\"q\":\"a\"}".utf8)[...],
            shown: Array("{}".utf8)[...], statistics: [1, 2, 3])
        let bytes = request.bytes
        let read = try ShardMessage.Request(bytes)
        #expect(read.deadline == 1_000 && read.generation == "g1" && read.shards == "0-3")
        #expect(read.asked == request.asked && read.shown == request.shown)
        #expect(read.statistics == request.statistics)
        for count in 0..<(bytes.count - 3) {
            #expect(throws: MalformedMessage.self) {
                _ = try ShardMessage.Request(Array(bytes[..<count]))
            }
        }
    }

    /// Nodes answer what cannot be read as a request by a problem.
    @Test func messagesThatAreDamaged() async throws {
        var generator = SeededGenerator(seed: 4)
        let notes = (0..<20).map { Note.random($0, &generator) }
        try await ShardedNotes.use(notes, shards: 2) { shards in
            let service = try ShardService(shards.source(), ServerOptions())
            let node = LocalNode(service: service, client: "test")
            let asked = Array("{\"q\":\"duck\",\"limit\":3}".utf8)
            var request = ShardMessage.Request(
                deadline: 10_000, generation: "g1", shards: "0-1", asked: asked[...])
            let told = try await node.send(
                "/v1/shard/statistics", request.bytes, until: .now + .seconds(60))
            let statistics = try #require(StatisticsReply(told.body)).statistics.bytes
            request.statistics = statistics[...]
            request.shown = Array("{\"from\":0,\"count\":3}".utf8)[...]
            let whole = request.bytes
            let found = try await node.send(
                "/v1/shard/search", whole, until: .now + .seconds(60))
            #expect(found.status == 200)
            #expect(ShardReply(found.body)?.ranks.isEmpty == false)
            for _ in 0..<400 {
                var bytes = whole
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
                }
                for _ in 0..<2 {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                        UInt8.random(in: 0...255, using: &generator)
                }
                let reply = try await node.send(
                    "/v1/shard/search", bytes, until: .now + .seconds(60))
                #expect(reply.status < 500)
            }
        }
    }
}
