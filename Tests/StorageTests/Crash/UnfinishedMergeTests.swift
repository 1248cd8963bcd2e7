import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What a merge has committed when it ends early can be found, and its number is not given again.
@Suite("Unfinished merges")
struct UnfinishedMergeTests {
    @Test(
        "Postings that were committed, though no term that leads to them was, are found and deleted"
    )
    func isFound() throws {
        let folder = try TemporaryFolder("unfinished")
        var configuration = TextIndexConfiguration()
        configuration.inlinePostingsLimit = 0
        let index = try TextIndex<Int>(at: folder("index"), configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            let words = (0..<5000).map { "word\(number)x\($0)" }
            return IndexedObject(strings: [words.joined(separator: " ")])
        }
        for round in 0..<2 {
            for number in 0..<15 { index.indexObject(round * 15 + number) }
            index.indexingQueue.waitUntilAllOperationsAreFinished()
            try index.flush()
        }
        let snapshot = index.writer.snapshot
        let number = index.writer.state.withLock { state in
            defer { state.manifest.nextSegment += 1 }
            return state.manifest.nextSegment
        }
        let merger = SegmentMerger(
            store: index.store, try #require(snapshot.caches), number: number,
            segments: snapshot.flushed,
            documents: MergedDocuments(of: snapshot.flushed, dead: snapshot.dead))
        var asked = 0
        #expect(throws: CancellationError.self) {
            _ = try merger.write {
                asked += 1
                return asked > 60
            }
        }
        var postings = 0
        try index.store.makeCursor().forEach(in: .postings) { key, _ in
            if Key.segment(of: key) == number { postings += 1 }
            return true
        }
        // No more than its postings are left of it.
        let batch = StoreBatch()
        for table in [Table.columns, .vocabulary] {
            try index.store.makeCursor().forEach(in: table) { key, _ in
                if Key.segment(of: key) == number { batch.delete(key) }
                return true
            }
        }
        try index.store.commit(batch, sync: false)
        #expect(postings > 1000)
        try index.close()
        // The next opening finds it, deletes it, and gives other numbers.
        let again = try TextIndex<Int>(at: folder("index"))
        #expect(again.writer.state.withLock { $0.manifest.nextSegment } > number)
        again.writer.background.sync {}
        let report = try again.verify()
        #expect(report.isClean, "\(report)")
        #expect(report.unnamedByTable.isEmpty, "\(report)")
        try again.closeVerified()
    }
}
