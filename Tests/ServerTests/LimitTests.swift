import Foundation
import NIOCore
import NIOPosix
import Testing
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Limits, clients that go away, and what ends with them.
@Suite(.timeLimit(.minutes(30))) struct LimitTests {
    private static let notes: [Note] = {
        return Note.random(count: 20, seed: 31)
    }()

    // MARK: Rates

    @Test func rates() {
        let limiter = RateLimiter(rate: 10)
        let start = ContinuousClock.now
        for _ in 0..<20 { #expect(limiter.wait(for: "a", at: start) == nil) }
        let wait = limiter.wait(for: "a", at: start)
        #expect(wait == 0.1)
        #expect(limiter.wait(for: "b", at: start) == nil)
        #expect(limiter.wait(for: "a", at: start + .milliseconds(150)) == nil)
        #expect(limiter.wait(for: "a", at: start + .milliseconds(150)) != nil)
        // In the long run as many as the rate says.
        var passed = 0
        for millisecond in 0..<10_000
        where limiter.wait(for: "a", at: start + .milliseconds(1000 + millisecond)) == nil {
            passed += 1
        }
        #expect((100...120).contains(passed))
        let free = RateLimiter(rate: 0)
        for _ in 0..<1000 { #expect(free.wait(for: "a", at: start) == nil) }
    }

    @Test func clientsAreForgotten() {
        let limiter = RateLimiter(rate: 10, mostClients: 50)
        let start = ContinuousClock.now
        for number in 0..<1000 { _ = limiter.wait(for: "\(number)", at: start) }
        #expect(limiter.clientCount <= 50)
    }

    @Test func tooManyRequests() async throws {
        try await TestServer.run(Self.notes) {
            // Next to nothing comes back in the time of a test.
            $0.limits.rate = 0.001
        } _: { server in
            #expect(try await server.get("/v1/status").status == 200)
            let reply = try await server.get("/v1/status")
            #expect(reply.status == 429)
            #expect(Int(reply.headers["retry-after"] ?? "") ?? 0 > 100)
        }
    }

    // MARK: Places

    @Test func someRunSomeWaitTheRestIsRefused() async throws {
        var limits = ServerLimits()
        (limits.searches, limits.waiting) = (2, 3)
        let gate = SearchGate(limits)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        var arrivals = starts.makeAsyncIterator()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<2 {
                group.addTask {
                    try await gate.run(
                        for: "\(number)", until: SearchTimes(.now + .seconds(86_400))
                    ) { _ in
                        started.yield()
                        release.wait()
                        return number
                    }
                }
            }
            for _ in 0..<2 { await arrivals.next() }
            for number in 2..<5 {
                group.addTask {
                    try await gate.run(
                        for: "\(number)", until: SearchTimes(.now + .seconds(86_400))
                    ) { _ in number }
                }
            }
            while gate.counts.waiting < 3 { await Task.yield() }
            #expect(gate.counts == (2, 3))
            let refused = await Result {
                try await gate.enter("5", until: .now + .seconds(86_400))
            }
            #expect((refused.failure as? Problem)?.code == "busy")
            release.signal()
            release.signal()
            var finished: Set<Int> = []
            for try await number in group { finished.insert(number) }
            #expect(finished == [0, 1, 2, 3, 4])
        }
        #expect(gate.counts == (0, 0))
    }

    @Test func whoWaitsCanGo() async throws {
        var limits = ServerLimits()
        (limits.searches, limits.waiting) = (1, 10)
        let gate = SearchGate(limits)
        try await gate.enter("a")
        let waiting = (0..<5).map { _ in Task { try await gate.enter("a") } }
        while gate.counts.waiting < 5 { await Task.yield() }
        for task in waiting[..<4] { task.cancel() }
        for task in waiting[..<4] {
            #expect(await task.result.failure is CancellationError)
        }
        #expect(gate.counts == (1, 1))
        gate.leave("a")
        try await waiting[4].value
        gate.leave("a")
        #expect(gate.counts == (0, 0))
        let late = await Result {
            try await gate.run(for: "a", until: SearchTimes(.now - .seconds(1))) { _ in 1 }
        }
        #expect((late.failure as? Problem)?.code == "out-of-time")
    }

    // MARK: Clients that go

    /// An index whose ranking waits until it is let on, and counts.
    final class SlowIndex: TextIndex<Note>, @unchecked Sendable {
        let begun = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let scored = Mutex(0)

        override func score(of match: Match) -> Double {
            let count = scored.withLock { count in
                count += 1
                return count
            }
            if count == 1 {
                begun.signal()
                mayGoOn.wait()
            }
            return match.defaultScore
        }
    }

    @Test func aSearchEndsWithItsClient() async throws {
        let many = (0..<20_000).map {
            Note(
                identifier: "\($0)", title: "", body: "duck", cuisine: "", minutes: 0, shelf: "")
        }
        try await TestServer.run(many, index: .slow) { server in
            let index = try #require(server.index as? SlowIndex)
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send("GET", "/v1/search?q=duck")
                await Self.wait(for: index.begun)
                // The connection closes at the end of this block.
            }
            while try await server.get("/v1/status").json()["requests"]?["abandoned"]?.integer == 0
            {
                await Task.yield()
            }
            index.mayGoOn.signal()
            while try await server.get("/v1/status").json()["searches"]?["running"]?.integer != 1 {
                await Task.yield()
            }
            #expect(index.scored.withLock { $0 } < many.count)
        }
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test func aTextEndsTheOneBefore() async throws {
        let many = (0..<2000).map {
            Note(
                identifier: "\($0)", title: "", body: "duck", cuisine: "", minutes: 0, shelf: "")
        }
        try await TestServer.run(many, index: .slow) { server in
            let index = try #require(server.index as? SlowIndex)
            async let first = server.post("/v1/type", .members(["session": "a", "q": "du"]))
            await Self.wait(for: index.begun)
            let second = try await server.post("/v1/type", .members(["session": "a", "q": "duc"]))
            #expect(second.status == 200)
            index.mayGoOn.signal()
            let superseded = try await first
            #expect(superseded.status == 409)
            #expect(try superseded.json()["code"]?.text == "superseded")
        }
    }

    @Test func timeThatEndsGivesWhatWasFound() async throws {
        let many = (0..<20_000).map {
            Note(
                identifier: "\($0)", title: "", body: "duck", cuisine: "", minutes: 0, shelf: "")
        }
        try await TestServer.run(many, index: .slow) { server in
            let index = try #require(server.index as? SlowIndex)
            async let reply = server.get("/v1/search", ["q": "duck", "deadline": "1"])
            // However late it goes on, its time is over then.
            if index.begun.wait(timeout: .now() + 0.2) == .success {
                try await Task.sleep(for: .milliseconds(5))
            }
            index.mayGoOn.signal()
            let answer = try await reply
            #expect(answer.status == 200)
            #expect(try answer.json()["isComplete"]?.isTrue == false)
        }
    }

    @Test func idleConnectionsEnd() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.idleTime = .milliseconds(50)
        } _: { server in
            try await TestConnection.open(port: server.port) { connection in
                let isEnded = try await connection.isEnded()
                #expect(isEnded)
            }
        }
    }

    @Test func slowBodiesEnd() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.time = .seconds(1)
        } _: { server in
            try await TestConnection.open(port: server.port) { connection in
                try await connection.send(
                    "POST", "/v1/search",
                    headers: ["Content-Type": "application/json", "Content-Length": "100"])
                #expect(try await connection.reply().status == 408)
                #expect(try await connection.isEnded())
            }
        }
    }

    @Test func clientsThatDoNotReadAreLetGoOf() async throws {
        let text = String(repeating: "duck and more ", count: 20_000)
        let many = (0..<40).map {
            Note(identifier: "\($0)", title: "", body: text, cuisine: "", minutes: 0, shelf: "")
        }
        try await TestServer.run(many) {
            $0.limits.time = .seconds(1)
            $0.limits.connections = 1
            $0.interval = .milliseconds(20)
        } _: { server in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: server.port).get()
            let request =
                "GET /v1/search?q=duck&texts=true&limit=40&snippets=0 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            // More is answered than the sockets take between them.
            for _ in 0..<4 { try await channel.writeAndFlush(ByteBuffer(string: request)) }
            // The only connection has to be free again for this one.
            let reply = try await server.get("/health")
            #expect(reply.status == 200)
            try? await channel.close()
        }
    }

    // MARK: What is kept

    @Test func keptValues() {
        let kept = KeptValues<Int, String>(most: 3, age: .seconds(10))
        let start = ContinuousClock.now
        for number in 0..<3 {
            #expect(kept.keep("\(number)", for: number, at: start + .seconds(number)).isEmpty)
        }
        #expect(kept.value(for: 0, at: start + .seconds(4)) == "0")
        // 1 was not used for longest.
        #expect(kept.keep("3", for: 3, at: start + .seconds(5)) == ["1"])
        #expect(kept.keep("3b", for: 3, at: start + .seconds(5)) == ["3"])
        #expect(kept.value(for: 2, at: start + .seconds(13)) == nil)
        #expect(Set(kept.expire(at: start + .seconds(15))) == ["0", "2"])
        #expect(kept.count == 1)
    }

    @Test func durationsAreCounted() {
        var last = -1
        for microseconds in [1, 2, 3, 4, 7, 8, 9, 15, 16, 100, 1000, 123_456, 1 << 40] {
            let bucket = ServerMetrics.bucket(microseconds)
            #expect(bucket >= last)
            last = bucket
        }
        let metrics = ServerMetrics()
        for _ in 0..<99 { metrics.note(200, took: .milliseconds(1)) }
        metrics.note(500, took: .seconds(1))
        let times = metrics.json["milliseconds"]
        #expect((1...1.2).contains(times?["p50"]?.double ?? 0))
        #expect((1...1.2).contains(times?["p99"]?.double ?? 0))
        #expect(metrics.json["responses"]?["5xx"]?.integer == 1)
    }

    @Test("What searches, answers and texts may hold follows from the memory that there is")
    func memory() {
        let usual = ServerLimits()
        for memory in [2 << 30, 64 << 30, Int.max] {
            let limits = ServerLimits(memory: memory)
            #expect(limits.searchMemory == usual.searchMemory)
            #expect(limits.answerLength == usual.answerLength)
            #expect(limits.textLength == usual.textLength)
        }
        for memory in [0, 256 << 20, 512 << 20, 1 << 30] {
            let limits = ServerLimits(memory: memory)
            // Twice for what is found and shown; an answer grows by copies; a text has words.
            let held = 2 * limits.searchMemory + 3 * limits.answerLength + 4 * limits.textLength
            let room = max(memory - 320 << 20, 32 << 20)
            #expect(limits.searches * held <= room, "\(memory)")
            #expect(limits.searchMemory >= 1 << 20 && limits.textLength >= 1 << 19)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    fileprivate var failure: (any Error)? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension TestServer.IndexKind {
    fileprivate static var slow: TestServer.IndexKind {
        TestServer.IndexKind { try LimitTests.SlowIndex(at: $0, configuration: $1) }
    }
}
