import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Keyword searches that are cut short")
struct KeywordBudgetTests {
    private func index(_ generator: inout SeededGenerator) throws -> PlainNoteIndex {
        let notes = try PlainNoteIndex()
        for round in 0..<3 {
            try notes.add(
                (0..<60).map { id in
                    let words = (0..<generator.int(1...6)).map { _ in
                        generator.element(["duck", "swan", "teal", "北京烤鸭", "the"])
                            + generator.element(["", "s", "ling", "ing", "ed"])
                    }
                    return PlainNote(
                        "\(round * 40 + id)", words.joined(separator: " "), weight: Double(id % 3))
                })
            if round < 2 { try notes.index.flush() }
        }
        return notes
    }

    private func found(
        _ notes: PlainNoteIndex, _ keyword: String, _ clock: SearchClock
    ) throws -> [String] {
        let found = Mutex<[String]>([])
        try notes.index.enumerateResults(forKeyword: keyword, [], clock) { item, rank, _, _ in
            found.withLock {
                #expect(rank == $0.count)
                $0.append(item.id)
            }
        }
        return found.withLock { $0 }
    }

    @Test(
        "What is found before the end is right, and whole when nothing was cut",
        arguments: testSeeds(6))
    func subset(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try index(&generator)
        var cut = 0
        for keyword in ["duck", "d", "in", "uck swan", "s e a", "京烤", "烤 ling", "the", ""] {
            let all = try notes.ids(keyword)
            for checks in [0, 1, 2, 3, 5, 8, 13, 21, 100_000] {
                let note: Comment = "seed \(seed): \(keyword), \(checks) checks"
                let clock = SearchClock(checks: checks)
                let some = try found(notes, keyword, clock)
                #expect(Set(some).isSubset(of: Set(all)), note)
                #expect(Set(some).count == some.count, note)
                if clock.isComplete { #expect(some == all, note) } else { cut += 1 }
                let counting = SearchClock(checks: checks)
                let count = try notes.index.resultCount(forKeyword: keyword, counting)
                #expect(counting.isComplete ? count == all.count : count <= all.count, note)
            }
        }
        #expect(cut > 20)
    }

    @Test("What was found by the end is shown", arguments: ["duck", "烤", "京烤"])
    func part(keyword: String) throws {
        var generator = SeededGenerator(seed: 5)
        let notes = try index(&generator)
        var parts = 0
        for checks in 0..<200 {
            let clock = SearchClock(checks: checks)
            let some = try found(notes, keyword, clock)
            if !clock.isComplete, !some.isEmpty { parts += 1 }
        }
        #expect(parts > 0)
    }

    @Test("A search cancelled before it begins finds nothing")
    func cancelled() async throws {
        var generator = SeededGenerator(seed: 1)
        let notes = try index(&generator)
        let cancellation = SearchCancellation()
        let budget = SearchBudget.cancelled(by: cancellation)
        let count = try await notes.index.resultCount(forKeyword: "duck")
        #expect(count > 0)
        #expect(
            try notes.index.resultCount(forKeyword: "duck", budget: budget)
                == .init(count, isExact: true))
        #expect(
            try notes.index.enumerateResults(forKeyword: "duck", budget: budget) { _, _, _, _ in })
        cancellation.cancel()
        #expect(
            try notes.index.resultCount(forKeyword: "duck", budget: budget)
                == .init(0, isExact: false))
        let isComplete = try notes.index.enumerateResults(forKeyword: "duck", budget: budget) {
            _, _, _, _ in
            Issue.record("nothing was looked for")
        }
        #expect(!isComplete)
        let task = Task {
            // It begins when it is cancelled already.
            while !Task.isCancelled { await Task.yield() }
            try await notes.index.enumerateResults(forKeyword: "duck") { _, _, _, _ in
                Issue.record("nothing is shown to a task that is cancelled")
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
