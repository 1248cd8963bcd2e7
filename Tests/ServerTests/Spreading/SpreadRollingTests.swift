import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Nodes go over to a new set one after the other, and one of them ends, while many ask.
@Suite(.timeLimit(.minutes(30))) struct SpreadRollingTests {
    /// What one index has for each text, by the generation of its set.
    private struct Expected: Sendable {
        static let texts = ["duck", "white whale", "pekng duck", "goose OR sea", "straße -duck"]
        private var hits: [String: [String: [String]]] = [:]

        init(_ sets: [ShardedNotes]) async throws {
            for set in sets {
                for text in Self.texts {
                    let found = try await set.whole.search(text, limit: 200)
                    hits[set.plan.generation, default: [:]][text] = found.items.map(Self.line)
                }
            }
        }

        private static func line(_ item: SearchResultItem<Note>) -> String {
            "\(item.name) \(item.score)"
        }

        /// Whether an answer is that of one set, or says what it lacks.
        func check(_ json: JSON, _ text: String) -> String? {
            guard json["isComplete"]?.isTrue == true else {
                return json["missing"]?.elements.isEmpty == false ? nil : "nothing is said to miss"
            }
            let found = (json["hits"]?.elements ?? []).map {
                "\($0["id"]?.text ?? "") \($0["score"]?.double ?? -1)"
            }
            let wanted = hits[json["set"]?.text ?? ""]?[text]
            return found == wanted ? nil : "\(text): \(found) and not \(wanted ?? [])"
        }
    }

    /// How many answers were had.
    private final class Answers: Sendable {
        private let state = Mutex(0)
        var count: Int { state.withLock { $0 } }
        func note() { state.withLock { $0 += 1 } }
    }

    @Test func everyAnswerIsOfOneSetWhileSetsAreExchanged() async throws {
        try await ShardedNotes.use(Note.random(count: 50, seed: 21), shards: 2) { old in
            try await ShardedNotes.use(
                Note.random(count: 60, seed: 22), shards: 2, generation: "g2"
            ) { new in
                try await roll(old, new)
            }
        }
    }

    private func roll(_ old: ShardedNotes, _ new: ShardedNotes) async throws {
        let expected = try await Expected([old, new])
        // Of each node, and of the server that asks them, whether it has the new set.
        let hasNew = Mutex([Bool](repeating: false, count: 5))
        @Sendable func set(_ place: Int) -> ShardedNotes {
            hasNew.withLock { $0[place] } ? new : old
        }
        var nodes: [RunningServer] = []
        for place in 0..<4 {
            let numbers = ShardNumbers([place % 2])
            let source = SetSource<Note>(
                newest: { set(place).plan }, open: { set(place).set(numbers) })
            nodes.append(
                try await RunningServer.start { try SearchServer(set: source, options: $0) })
        }
        let groups = (0..<2).map { number in
            SpreadSource.Group(
                shards: ShardNumbers([number]),
                nodes: [nodes[number], nodes[number + 2]].compactMap { NodeAddress($0.address) })
        }
        let source = try SpreadSource(groups) { set(4).plan }
        let spread = try await RunningServer.start { try SearchServer(over: source, options: $0) }
        let answers = Answers()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for client in 0..<3 {
                tasks.addTask {
                    var round = client
                    // Each asks until it sees the new set, and a few times more.
                    var left = 5
                    while left > 0 {
                        let text = Expected.texts[round % Expected.texts.count]
                        let reply = try await spread.get(
                            "/v1/search", ["q": text, "limit": "200", "snippets": "0"])
                        round += 1
                        guard reply.status == 200 else {
                            #expect(reply.status == 503, "\(reply.text)")
                            continue
                        }
                        answers.note()
                        let json = try reply.json()
                        #expect(expected.check(json, text) == nil)
                        if json["set"]?.text == "g2", json["isComplete"]?.isTrue == true {
                            left -= 1
                        }
                    }
                }
            }
            // One replica ends, and the others go over to the new set, and then who asks them.
            try await Self.wait { answers.count > 5 }
            try await nodes[2].stop()
            for place in [4, 0, 1, 3] {
                let before = answers.count
                hasNew.withLock { $0[place] = true }
                try await Self.wait { answers.count > before + 3 }
            }
            try await tasks.waitForAll()
        }
        try await spread.stop()
        for place in [0, 1, 3] { try await nodes[place].stop() }
    }

    private static func wait(until isDone: () -> Bool) async throws {
        while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
    }
}
