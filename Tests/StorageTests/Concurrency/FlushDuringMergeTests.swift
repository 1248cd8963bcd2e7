import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Who indexes does not wait for the end of a merge.
@Suite("Flushes during merges")
struct FlushDuringMergeTests {
    @Test("A merge that is under way lets a flush go first, once, and gives memory back")
    func flushGoesFirst() throws {
        let folder = try TemporaryFolder("flush-in-merge")
        let index = try TextIndex<Int>(at: folder("index"))
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            let words = (0..<1000).map { "word\(number)x\($0)" }
            return IndexedObject(strings: [words.joined(separator: " ") + " all"])
        }
        func add(_ numbers: Range<Int>) {
            for number in numbers { index.indexObject(number) }
            index.indexingQueue.waitUntilAllOperationsAreFinished()
        }
        for round in 0..<2 {
            add(round * 5..<round * 5 + 5)
            try index.flush()
        }
        add(10..<15)
        let writer = index.writer
        try writer.background.sync {
            let flushed = writer.snapshot.flushed
            #expect(flushed.count == 2)
            // What it puts into the queue comes behind this.
            writer.state.withLock { writer.flusher.startFlush(&$0) }
            #expect(writer.state.withLock { $0.flush != nil })
            writer.state.withLock { $0.bulk.givesBackMemory = true }
            try writer.merger.merge(flushed)
            #expect(writer.state.withLock { $0.flush == nil })
            #expect(writer.state.withLock { !$0.bulk.givesBackMemory })
            let documents = writer.snapshot.flushed.map(\.manifest.documents)
            #expect(documents == [0..<10, 10..<15])
        }
        writer.background.sync {}
        #expect(writer.snapshot.flushed.count == 2)
        #expect(try index.search("all", limit: 100).count == 15)
        #expect(try index.search("word12x7", limit: 10).count == 1)
        try index.closeVerified()
    }
}
