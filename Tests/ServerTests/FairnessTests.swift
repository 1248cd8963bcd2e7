import Foundation
import NIOCore
import PowerCuts
import Testing
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What one client asks for does not keep others from their answers.
@Suite(.timeLimit(.minutes(30))) struct FairnessTests {
    // MARK: Turns

    /// Requests of any clients in any order: places are never more than there are, one stays free
    /// of each client, and turns go round.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func turnsGoRound(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let places = Int.random(in: 1...5, using: &generator)
        let most = Int.random(in: 0...12, using: &generator)
        let mostOfClient = Int.random(in: 0...6, using: &generator)
        var queue = FairQueue<Int>(places: places, waiting: most, waitingOfClient: mostOfClient)
        // The model: requests by number, and when each client had its last turn.
        var running: [Int: String] = [:]
        var waiting: [(number: Int, client: String, isPatient: Bool)] = []
        var turn: [String: Int] = [:]
        func runs(_ client: String) -> Int { running.values.count { $0 == client } }
        func waits(_ client: String) -> Int {
            waiting.count { $0.client == client && !$0.isPatient }
        }
        let share = max(places - 1, 1)
        for number in 0..<400 {
            let client = ["a", "b", "c", "d"].randomElement(using: &generator) ?? ""
            switch Int.random(in: 0..<5, using: &generator) {
            case 0..<3:
                let hasPlace = running.count < places && runs(client) < share
                let isPatient = Int.random(in: 0..<10, using: &generator) == 0
                let isFull = waiting.count >= most
                let longest = Set(waiting.map(\.client)).map(waits).max() ?? 0
                switch queue.arrive(client, number, isPatient: isPatient, number) {
                case .entered:
                    #expect(hasPlace, "seed \(seed)")
                    running[number] = client
                case .waits(let other):
                    #expect(!hasPlace, "seed \(seed)")
                    #expect(isPatient || waits(client) < mostOfClient, "seed \(seed)")
                    #expect((other != nil) == (isFull && !isPatient), "seed \(seed)")
                    if let other {
                        let loser = waiting.first { $0.number == other }?.client ?? ""
                        #expect(waits(loser) == longest && longest > waits(client) + 1)
                        #expect(
                            other == waiting.last { $0.client == loser && !$0.isPatient }?.number)
                        waiting.removeAll { $0.number == other }
                    }
                    if !waiting.contains(where: { $0.client == client }) { turn[client] = number }
                    waiting.append((number, client, isPatient))
                case .refused(.client):
                    #expect(!hasPlace && !isPatient && waits(client) >= mostOfClient)
                case .refused(.all):
                    #expect(!hasPlace && !isPatient && isFull && longest <= waits(client) + 1)
                }
            case 3:
                guard let (done, owner) = running.randomElement(using: &generator) else { continue }
                running[done] = nil
                let next = queue.leave(owner)
                let ready = waiting.filter { runs($0.client) < share }
                let best = ready.min {
                    (turn[$0.client] ?? 0, $0.number) < (turn[$1.client] ?? 0, $1.number)
                }
                #expect(next == best?.number, "seed \(seed)")
                guard let next, let best else { continue }
                running[next] = best.client
                waiting.removeAll { $0.number == next }
                turn[best.client] = number
            default:
                guard let gone = waiting.randomElement(using: &generator) else { continue }
                #expect(queue.remove(gone.number, of: gone.client) == gone.number)
                #expect(queue.remove(gone.number, of: gone.client) == nil)
                waiting.removeAll { $0.number == gone.number }
            }
            #expect(queue.running == running.count && queue.waiting == waiting.count)
            #expect(queue.running <= places, "seed \(seed)")
            #expect(queue.clientCount <= 4)
        }
        while let (done, owner) = running.first {
            running[done] = nil
            guard let next = queue.leave(owner) else { continue }
            running[next] = waiting.first { $0.number == next }?.client
            waiting.removeAll { $0.number == next }
        }
        #expect(queue.running == 0 && queue.waiting == 0 && queue.clientCount == 0)
    }

    // MARK: Searches

    /// An index whose search for one object takes until it is let on.
    final class HeavyIndex: TextIndex<Note>, @unchecked Sendable {
        let begun = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)

        override func score(of match: Match) -> Double {
            if match.identifier == Data("heavy".utf8) {
                begun.signal()
                mayGoOn.wait()
            }
            return match.defaultScore
        }
    }

    private static let notes = ["heavy", "light"].map {
        Note(identifier: $0, title: "", body: $0, cuisine: "", minutes: 0, shelf: "")
    }

    /// A request on a connection of its own, from another address of this machine.
    private static func get(
        _ target: String, from address: String, _ server: TestServer
    ) async throws -> Reply {
        let reply = try await TestConnection.open(port: server.port, from: address) { connection in
            try await connection.send("GET", target)
            return try await connection.reply()
        }
        try server.contract.check(reply, to: "GET", target)
        return reply
    }

    @Test func oneClientLeavesAPlaceForOthers() async throws {
        let kind = TestServer.IndexKind { try HeavyIndex(at: $0, configuration: $1) }
        try await TestServer.run(Self.notes, index: kind) {
            $0.limits.searches = 3
            $0.limits.clientWaiting = 4
        } _: { server in
            let index = try #require(server.index as? HeavyIndex)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await Self.get("/v1/search?q=heavy", from: "127.0.0.1", server).status
                    }
                }
                for _ in 0..<2 { await Self.wait(for: index.begun) }
                // The third place is free for this one, however many of the other wait.
                let light = try await Self.get("/v1/search?q=light", from: "127.0.0.2", server)
                #expect(light.status == 200)
                let state = try await Self.get("/v1/status", from: "127.0.0.3", server).json()
                // That of the question runs too.
                #expect(state["searches"]?["running"]?.integer == 3)
                while try await Self.get("/v1/status", from: "127.0.0.3", server)
                    .json()["searches"]?["waiting"]?.integer != 4
                {
                    await Task.yield()
                }
                let refused = try await Self.get("/v1/search?q=light", from: "127.0.0.1", server)
                #expect(refused.status == 429)
                #expect(refused.headers["retry-after"] == "1")
                #expect(try refused.json()["code"]?.text == "too-many-waiting")
                for _ in 0..<6 { index.mayGoOn.signal() }
                for try await status in group { #expect(status == 200) }
            }
        }
    }

    /// A request is answered when its time is over, and not when it would have had its turn.
    @Test func whoWaitsIsAnsweredInTime() async throws {
        var limits = ServerLimits()
        limits.searches = 1
        let gate = SearchGate(limits)
        try await gate.enter("a")
        let error = await #expect(throws: Problem.self) {
            try await gate.run(
                for: "b", until: SearchTimes(.now + .milliseconds(1))
            ) { _ in 1 }
        }
        #expect(error?.code == "out-of-time")
        #expect(gate.counts == (1, 0))
        gate.leave("a")
        #expect(gate.counts == (0, 0))
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    // MARK: Connections and streams

    @Test func connectionsOfOneClient() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.clientConnections = 2
        } _: { server in
            try await TestConnection.open(port: server.port) { first in
                try await first.send("GET", "/health")
                #expect(try await first.reply().status == 200)
                try await TestConnection.open(port: server.port) { second in
                    try await second.send("GET", "/health")
                    #expect(try await second.reply().status == 200)
                    try await TestConnection.open(port: server.port) { third in
                        let reply = try await third.reply()
                        #expect(reply.status == 429)
                        #expect(reply.headers["retry-after"] == "1")
                        #expect(try reply.json()["code"]?.text == "too-many-connections")
                        #expect(try await third.isEnded())
                    }
                    let other = try await Self.get("/health", from: "127.0.0.2", server)
                    #expect(other.status == 200)
                    // Those that are open stay so.
                    try await first.send("GET", "/health")
                    #expect(try await first.reply().status == 200)
                }
            }
            // Closed ones count no more, as soon as the server knows of it.
            while await (try? Self.get("/health", from: "127.0.0.1", server))?.status != 200 {
                await Task.yield()
            }
        }
    }

    @Test func streamsOfOneClient() async throws {
        try await TestServer.run(Self.notes) {
            $0.limits.streams = 3
            $0.limits.clientStreams = 1
        } _: { server in
            try await TestConnection.open(port: server.port) { stream in
                try await stream.send("GET", "/v1/watch?q=light")
                #expect(try await stream.head().status == 200)
                let refused = try await Self.get("/v1/watch?q=light", from: "127.0.0.1", server)
                #expect(refused.status == 429)
                #expect(try refused.json()["code"]?.text == "too-many-streams")
                try await TestConnection.open(port: server.port, from: "127.0.0.2") { other in
                    try await other.send("GET", "/v1/watch?q=light")
                    #expect(try await other.head().status == 200)
                }
            }
        }
    }

    @Test func slotsAreCounted() throws {
        let slots = ClientSlots()
        for _ in 0..<2 { try slots.open("a", upTo: 3, ofClient: 2) }
        #expect(throws: ClientSlots.Refusal.client) {
            try slots.open("a", upTo: 3, ofClient: 2)
        }
        try slots.open("b", upTo: 3, ofClient: 2)
        #expect(throws: ClientSlots.Refusal.all) { try slots.open("c", upTo: 3, ofClient: 2) }
        for client in ["a", "a", "b"] { slots.close(client) }
        #expect(slots.total == 0 && slots.clientCount == 0)
    }
}
