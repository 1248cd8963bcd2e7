import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Live queries while the index changes", .timeLimit(.minutes(30)))
struct LiveResultsTests {
    private func makeIndex() throws -> TextIndex<String> {
        let index = try TextIndex<String>(at: temporaryDirectory("live"))
        index.identifier = { Data($0.prefix(3).utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [text]) }
        return index
    }

    private func remove(_ index: TextIndex<String>) {
        try? index.closeVerified()
        try? FileManager.default.removeItem(at: index.directory)
    }

    private func texts(_ items: [SearchResultItem<String>]) -> [String] {
        items.map { String(decoding: $0.identifier, as: UTF8.self) }
    }

    @Test("A sequence begins with the answer, goes on with each change, and ends with the index")
    func sequence() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        _ = try await index.indexObject("001 duck").value()
        var changes = index.liveResults(for: "duck").makeAsyncIterator()
        let first = try #require(try await changes.next())
        #expect(texts(first.items) == ["001"] && texts(first.inserted) == ["001"])

        _ = try await index.indexObject("002 goose").value()
        _ = try await index.indexObject("003 duck duck duck").value()
        let second = try #require(try await changes.next())
        #expect(texts(second.inserted) == ["003"] && second.removed.isEmpty)
        #expect(texts(second.applied(to: first.items)) == texts(second.items))

        _ = try await index.indexObject("001 a duck").value()
        _ = try await index.removeIndex(forIdentifier: Data("003".utf8)).value()
        let third = try #require(try await changes.next())
        #expect(third.removed == [.init(identifier: Data("003".utf8), rank: 0)])
        #expect(texts(third.updated) == ["001"])
        try index.closeVerified()
        #expect(try await changes.next() == nil)
    }

    @Test("What a text finds is followed where its operators are text")
    func signs() throws {
        let index = try makeIndex()
        defer { remove(index) }
        var options = LiveOptions()
        options.parser = index.queryParser
        options.parser?.options.steps = .exact
        for (number, text) in ["rm -rf", "page?id=42", "cat NOT dog"].enumerated() {
            let live = try index.liveQuery(text, options)
            _ = try live.poll()
            index.indexObject("00\(number) \(text)").waitUntilFinished()
            let difference = try live.poll().difference
            #expect(difference.map { texts($0.inserted) } == ["00\(number)"], "\(text)")
        }
    }

    @Test("The first difference comes also when nothing matches")
    func empty() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        var changes = index.liveResults(for: .term("duck")).makeAsyncIterator()
        let first = try #require(try await changes.next())
        #expect(first.isEmpty && first.totalCount == 0)
    }

    @Test("What is chosen for the query of an answer that learns renews it, and forgetting it does")
    func choices() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        for text in ["001 duck", "002 duck", "003 goose"] {
            _ = try await index.indexObject(text).value()
        }
        var options = LiveOptions()
        options.ranking = .relevance.learning()
        var changes = index.liveResults(for: "duck", options: options).makeAsyncIterator()
        #expect(texts(try #require(try await changes.next()).items) == ["001", "002"])

        let chosen = Data("002".utf8)
        _ = try await index.recordEngagement(withIdentifier: chosen, for: "goose").value()
        _ = try await index.recordEngagement(withIdentifier: chosen, for: "DUCK").value()
        let raised = try #require(try await changes.next())
        #expect(texts(raised.items) == ["002", "001"])
        #expect(raised.moved.count == 1 && raised.updated.isEmpty)

        _ = try await index.forgetAllEngagements().value()
        #expect(texts(try #require(try await changes.next()).items) == ["001", "002"])
    }

    @Test("An answer that was cut short says so, and is searched for again at the next commit")
    func cutShort() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        for number in 100..<150 { _ = try await index.indexObject("\(number) duck").value() }
        let query = try index.liveQuery("duck", LiveOptions())
        let cancelled = SearchCancellation()
        cancelled.cancel()
        let part = try #require(try query.poll(cancelled).difference)
        #expect(!part.isComplete && part.items.count < 20)
        // Nothing happened to the index meanwhile.
        let whole = try #require(try query.poll().difference)
        #expect(whole.isComplete && whole.items.count == 20)
        #expect(texts(whole.applied(to: part.items)) == texts(whole.items))
        #expect(try query.poll().difference == nil)

        var options = LiveOptions()
        options.time = .zero
        let hasty = try index.liveQuery("duck", options)
        #expect(try hasty.poll().difference?.isComplete == false)
        for number in 1...3 {
            _ = try await index.indexObject("20\(number) goose").value()
            _ = try hasty.poll()
            #expect(hasty.searchCount == 1 + number)
        }
        options.time = .seconds(3600)
        var changes = index.liveResults(for: "duck", options: options).makeAsyncIterator()
        #expect(try await changes.next()?.isComplete == true)
    }

    @Test("That an answer is whole is told also when nothing else changes")
    func whole() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        let query = try index.liveQuery(.term("duck"), LiveOptions())
        let cancelled = SearchCancellation()
        cancelled.cancel()
        _ = try await index.indexObject("001 goose").value()
        let part = try #require(try query.poll(cancelled).difference)
        #expect(part.isEmpty && !part.isComplete)
        let whole = try #require(try query.poll().difference)
        #expect(whole.isEmpty && whole.isComplete)
    }

    @Test("Whoever waits is let go when the task is cancelled, or the index closes")
    func waiting() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        let (started, start) = AsyncStream<Void>.makeStream()
        let cancelled = Task {
            var changes = index.liveResults(for: "duck").makeAsyncIterator()
            _ = try await changes.next()
            start.yield()
            return try await changes.next() == nil
        }
        let closed = Task {
            var changes = index.liveResults(for: "goose").makeAsyncIterator()
            _ = try await changes.next()
            start.yield()
            return try await changes.next() == nil
        }
        var beginnings = started.makeAsyncIterator()
        _ = await beginnings.next()
        _ = await beginnings.next()
        cancelled.cancel()
        #expect(try await cancelled.value)
        try await index.shutdown()
        #expect(try await closed.value)
    }

    @Test("What is refused is thrown when it is asked for")
    func refused() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        var deep = Query.term("duck")
        for _ in 0..<500 { deep = .filter(deep) }
        var changes = index.liveResults(for: deep).makeAsyncIterator()
        await #expect(throws: TextIndexError.self) { _ = try await changes.next() }
        #expect(throws: TextIndexError.self) { _ = try index.observe(deep) { _ in } }
    }

    @Test("While several threads index, a slow reader ends with the answer of the end")
    func slowReader() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        let (lists, report) = AsyncStream<[String]>.makeStream()
        let reader = Task {
            var list: [SearchResultItem<String>] = []
            var options = LiveOptions()
            options.rescoresAlways = true
            options.limit = 1000
            for try await difference in index.liveResults(for: "duck", options: options) {
                list = difference.applied(to: list)
                #expect(texts(list) == texts(difference.items))
                report.yield(texts(list))
                await Task.yield()
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<60 {
                        let id = 100 + worker * 100 + number % 40
                        if number % 7 == 6 {
                            index.removeIndex(forIdentifier: Data("\(id)".utf8))
                        } else {
                            let text = String(repeating: "duck ", count: number % 5)
                            index.indexObject("\(id) \(text) goose")
                        }
                    }
                }
            }
        }
        await index.waitUntilAllOperationsAreFinished()
        let expected = texts(try await index.search("duck", limit: 1000).items)
        for await list in lists where list == expected { break }
        try await index.shutdown()
        try await reader.value
    }

    @Test("A function is called with each difference until it is cancelled")
    func observation() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        let (differences, report) = AsyncStream<[String]>.makeStream()
        let queue = DispatchQueue(label: "observation")
        let observation = try index.observe(.term("duck"), on: queue) { change in
            if let difference = try? change.get() { report.yield(texts(difference.items)) }
        }
        var received = differences.makeAsyncIterator()
        #expect(await received.next() == [])
        _ = try await index.indexObject("001 duck").value()
        #expect(await received.next() == ["001"])
        _ = try await index.removeIndex(forIdentifier: Data("001".utf8)).value()
        #expect(await received.next() == [])
        observation.cancel()
        _ = try await index.indexObject("002 duck").value()
        queue.sync {}
        report.finish()
        #expect(await received.next() == nil)
    }

    @Test(
        "What is cancelled is not called again, not even by a search under way, and leaves nothing")
    func cancelledWhileSearching() async throws {
        let index = try makeIndex()
        defer { remove(index) }
        _ = try await index.indexObject("001 duck").value()
        let queue = DispatchQueue(label: "cancelled")
        let observation = Mutex<LiveObservation?>(nil)
        let calls = Mutex(0)
        var options = LiveOptions()
        options.ranking = .custom { match in
            observation.withLock { $0 }?.cancel()
            return match.relevance
        }
        queue.suspend()
        let made = try index.observe(.term("duck"), options: options, on: queue) { _ in
            calls.withLock { $0 += 1 }
        }
        observation.withLock { $0 = made }
        queue.resume()
        queue.sync {}
        #expect(calls.withLock { $0 } == 0)
        for _ in 0..<10 {
            let observation = try index.observe(.term("duck"), on: queue) { _ in
                calls.withLock { $0 += 1 }
            }
            queue.sync {}
            observation.cancel()
        }
        #expect(calls.withLock { $0 } == 10)
        #expect(index.writer.commits.waiterCount == 0)
    }

    @Test("An observation that nobody holds ends, and lets the index go")
    func released() async throws {
        var index: TextIndex<String>? = try makeIndex()
        let directory = try #require(index?.directory)
        defer { try? FileManager.default.removeItem(at: directory) }
        let (calls, report) = AsyncStream<Void>.makeStream()
        let queue = DispatchQueue(label: "released")
        var observation = try index?.observe("duck", on: queue) { _ in report.yield() }
        var received = calls.makeAsyncIterator()
        _ = await received.next()
        _ = observation
        observation = nil
        queue.sync {}
        weak let released = index
        index = nil
        #expect(released == nil)
    }
}
