import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Many threads at once")
struct ConcurrencyTests {
    private struct Item: Sendable {
        var id: Int
        var version: Int
    }

    private func open(_ directory: URL, bufferSize: Int = 1 << 16) throws -> TextIndex<Item> {
        var configuration = TextIndexConfiguration()
        configuration.bufferSize = bufferSize
        let index = try TextIndex<Item>(at: directory, configuration: configuration)
        index.identifier = { Data("\($0.id)".utf8) }
        index.indexer = { item, _ in
            IndexedObject(
                strings: ["common item\(item.id)x version\(item.version)y"],
                weight: Double(item.version))
        }
        return index
    }

    @Test("Operations on one identifier take effect in the order of submission")
    func submissionOrder() throws {
        let directory = temporaryDirectory("order")
        let index = try open(directory)
        index.indexingQueue.maxConcurrentOperationCount = 8
        // Later objects are ready sooner.
        index.indexer = { item, _ in
            usleep(UInt32.random(in: 0..<300))
            return IndexedObject(strings: ["v\(item.version)"], weight: Double(item.version))
        }
        for version in 0..<400 {
            if version % 7 == 3 {
                index.removeIndex(for: Item(id: version % 5, version: version))
            } else {
                let operation = index.indexObject(Item(id: version % 5, version: version))
                operation.queuePriority = version % 2 == 0 ? .veryLow : .veryHigh
            }
        }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        for id in 0..<5 {
            let last = (0..<400).last { $0 % 5 == id } ?? 0
            let item = try index.item(for: Data("\(id)".utf8))
            #expect(item.map(\.weight) == (last % 7 == 3 ? nil : Double(last)))
        }
        try index.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test("Ties come in the order of submission, whatever finished first")
    func tiesInSubmissionOrder() throws {
        let directory = temporaryDirectory("ties")
        let index = try open(directory)
        index.indexingQueue.maxConcurrentOperationCount = 8
        index.indexer = { item, _ in
            usleep(UInt32.random(in: 0..<500))
            return IndexedObject(strings: ["duck"])
        }
        for id in 0..<200 { index.indexObject(Item(id: id, version: 0)) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        let found = try index.searchResults(forKeyword: "duck").map {
            String(decoding: $0.identifier, as: UTF8.self)
        }
        let ascending = (0..<200).map { (id: Int) in String(id) }
        #expect(found == ascending)
        try index.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test(
        "An index takes submitting, searching, enumerating, optimizing and closing from many threads"
    )
    func everythingAtOnce() async throws {
        for round in 0..<4 {
            let directory = temporaryDirectory("threads")
            let index = try open(directory)
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        for step in 0..<120 {
                            let item = Item(id: (thread * 31 + step) % 60, version: step)
                            let operation =
                                step % 9 == 0
                                ? index.removeIndex(for: item) : index.indexObject(item)
                            if step % 11 == 0 { operation.cancel() }
                            if step % 5 == 0 { _ = try? await operation.value() }
                        }
                    }
                }
                group.addTask {
                    let items = (0..<300).map { Item(id: 1000 + $0, version: 1) }
                    for _ in 0..<5 { _ = try? await index.indexObjects(items) }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for step in 0..<60 {
                            do {
                                let items = try await index.searchResults(forKeyword: "ommo")
                                // One state: an identifier comes once.
                                #expect(Set(items.map(\.identifier)).count == items.count)
                                try await index.enumerateResults(
                                    forKeyword: "item", options: .concurrent
                                ) { item, _, _, stop in
                                    if item.rank > 20 { stop() }
                                }
                                if step % 20 == 7 { try await index.optimize() }
                                _ = try await index.search("common version1y", limit: 5)
                            } catch let error as TextIndexError {
                                #expect(error.code == .closed)
                            } catch {
                                Issue.record("\(error)")
                            }
                        }
                    }
                }
                if round % 2 == 1 {
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(30))
                        do { try await index.shutdown() } catch { Issue.record("\(error)") }
                    }
                }
            }
            try await index.shutdown()
            #expect(throws: TextIndexError.self) { try index.searchResults(forKeyword: "a") }
            let again = try open(directory)
            await #expect(try again.searchResults(forKeyword: "common").count == again.count)
            try again.closeVerified()
            try TextIndex<Item>.destroy(at: directory)
        }
    }

    @Test(
        "An enumeration goes on over its state while all of it is removed and swept",
        arguments: [false, true])
    func enumerationKeepsItsState(flushesFirst: Bool) throws {
        let directory = temporaryDirectory("state")
        let index = try open(directory, bufferSize: 1 << 24)
        for id in 0..<200 { index.indexObject(Item(id: id, version: id)) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        if flushesFirst { try index.flush() }
        nonisolated(unsafe) var seen: [Double] = []
        try index.enumerateResults(forKeyword: "common") { item, _, _, _ in
            if seen.isEmpty {
                // First into a segment that this enumeration has not seen, then out of that.
                try? index.flush()
                for id in 0..<150 { index.removeIndex(for: Item(id: id, version: 0)) }
                index.indexingQueue.waitUntilAllOperationsAreFinished()
                try? index.optimize()
                try? index.optimize()
            }
            seen.append(item.weight)
        }
        let descending = (0..<200).reversed().map { (id: Int) in Double(id) }
        #expect(seen == descending)
        #expect(index.count == 50)
        try index.optimize()
        // What nothing sees any more is gone.
        #expect(try index.statistics().bytesByTable["tombstones"] == 0)
        try index.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test("A finished operation is visible to every later search")
    func finishedIsVisible() async throws {
        let directory = temporaryDirectory("visible")
        let index = try open(directory)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for step in 0..<80 {
                        let item = Item(id: thread * 1000 + step, version: step)
                        do {
                            _ = try await index.indexObject(item).value()
                            let found = try await index.searchResults(forKeyword: "item\(item.id)x")
                            #expect(found.count == 1)
                        } catch { Issue.record("\(error)") }
                    }
                }
            }
        }
        try index.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test("A suspended queue, dependencies and cancelled operations hold nothing up for ever")
    func queueFeatures() async throws {
        let directory = temporaryDirectory("queue")
        let index = try open(directory)
        index.indexingQueue.isSuspended = true
        let first = index.indexObject(Item(id: 1, version: 1))
        let second = index.indexObject(Item(id: 2, version: 1))
        let third = index.indexObject(Item(id: 3, version: 1))
        second.cancel()
        first.addDependency(third)
        index.indexingQueue.isSuspended = false
        await index.waitUntilAllOperationsAreFinished()
        #expect(index.count == 2)
        #expect((second.error as? TextIndexError)?.code == .cancelled)
        #expect(first.error == nil && third.error == nil)
        await #expect(throws: TextIndexError.self) { try await second.value() }
        try index.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test("A cancelled bulk load keeps what was committed")
    func cancelledBulkLoad() async throws {
        let directory = temporaryDirectory("cancel")
        let index = try open(directory)
        _ = try await index.indexObjects((0..<10).map { Item(id: $0, version: 0) })
        let task = Task {
            let endless = sequence(first: 100) { $0 + 1 }.lazy.map { Item(id: $0, version: 1) }
            return try await index.indexObjects(endless)
        }
        while try await index.statistics().segmentCount == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(index.count > 10)
        // Counted, as there is no telling how many were committed before it was cancelled.
        await #expect(try index.resultCount(forKeyword: "common") == index.count)
        try index.closeVerified()
        let again = try open(directory)
        #expect(again.count > 10)
        try again.closeVerified()
        try TextIndex<Item>.destroy(at: directory)
    }

    @Test("An index that nobody closes gives its directory free")
    func neverClosed() throws {
        let directory = temporaryDirectory("unclosed")
        for round in 0..<3 {
            let index = try open(directory)
            let operation = index.indexObject(Item(id: round, version: 0))
            operation.waitUntilFinished()
            #expect(index.count == round + 1)
        }
        try TextIndex<Item>.destroy(at: directory)
    }
}
