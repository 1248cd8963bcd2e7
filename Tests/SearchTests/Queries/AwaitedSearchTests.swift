import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Awaited work ends with its task")
struct AwaitedSearchTests {
    private func make() throws -> PlainNoteIndex {
        let notes = (0..<30).map { PlainNote("\($0)", "white whale number\($0) of the sea") }
        let index = try PlainNoteIndex(notes)
        index.index.objectGetter = { identifier in notes.first { $0.identifier == identifier } }
        try index.index.flush()
        return index
    }

    /// Runs `body` in a task that was cancelled before.
    private func expectCancelled<R: Sendable>(
        _ body: @escaping @Sendable () async throws -> R
    ) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await body()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancelledTasks() async throws {
        let index = try make()
        await expectCancelled { try await index.index.suggestions(for: "white wh") }
        await expectCancelled { try await index.index.similarObjects(toText: "whale").count }
        await expectCancelled { try await index.index.similarObjects(to: Data("1".utf8)).count }
        await expectCancelled { try await index.index.resultCount(forKeyword: "whale") }
        await expectCancelled { try await index.index.search("whale").count }
        await expectCancelled { try await index.index.searchResults(forKeyword: "whale").count }
        await expectCancelled {
            try await index.index.explain(missing: Data("1".utf8), for: "whale").reason
        }
        await expectCancelled {
            try await index.index.explain(missing: Data("1".utf8), for: .term("whale")).reason
        }
        #expect(try await index.index.resultCount(forKeyword: "whale") == 30)
        #expect(try await index.index.similarObjects(toText: "whale").count == 20)
        #expect(try await index.index.searchResults(forKeyword: "whale").count == 30)
        let found = try await index.index.explain(missing: Data("1".utf8), for: "whale")
        #expect(found.reason == .found)
    }

    @Test("Phrases read the text of no further objects once the work is cancelled")
    func phrases() async throws {
        let index = try make()
        let cancellation = SearchCancellation()
        var options = SuggestionOptions()
        options.budget = .cancelled(by: cancellation)
        var asked = 0
        let suggestions = try index.index.suggestions(for: "white wh", options: options) { _ in
            asked += 1
            cancellation.cancel()
            return ["white whale sings"]
        }
        #expect(asked == 1 && !suggestions.isComplete)
        #expect(suggestions.phrases.map(\.text) == ["white whale sings"])

        let reads = Mutex(0)
        let task = Mutex<Task<Suggestions, any Error>?>(nil)
        index.index.objectGetter = { _ in
            reads.withLock { $0 += 1 }
            task.withLock { $0?.cancel() }
            return PlainNote("1", "white whale sings")
        }
        let gate = AsyncStream<Void>.makeStream()
        let running = Task {
            for await _ in gate.stream {}
            return try await index.index.suggestions(for: "white wh")
        }
        task.withLock { $0 = running }
        gate.continuation.finish()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(reads.withLock { $0 } == 1)
    }

    @Test("What is similar takes no longer than the budget says, and says that it was cut short")
    func similar() throws {
        let index = try make()
        var options = SimilarityOptions()
        options.budget = .time(.zero)
        #expect(try !index.index.similarObjects(toText: "white whale", options: options).isComplete)
        #expect(try index.index.significantTerms(ofText: "white whale", options: options).isEmpty)
        options.budget = .unlimited
        let terms = try index.index.significantTerms(of: Data("1".utf8), options: options)
        let having = try index.index.similarObjects(
            having: terms, except: Data("1".utf8), options: options)
        let similar = try index.index.similarObjects(to: Data("1".utf8), options: options)
        #expect(having.map(\.identifier) == similar.map(\.identifier))
        #expect(having.map(\.score) == similar.map(\.score) && having.query == similar.query)
        #expect(try index.index.similarObjects(having: []).isEmpty)
    }
}
