import Foundation
import Testing

@testable import TextSearch

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What a merge has committed when it ends early can be found, and its number is not given again.
@Suite("Unfinished merges")
struct UnfinishedMergeTests {
    @Test("Postings are never in the store before the terms that lead to them")
    func termsComeFirst() throws {
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
            store: index.store, number: number, segments: snapshot.flushed, dead: snapshot.dead)
        var asked = 0
        #expect(throws: CancellationError.self) {
            _ = try merger.write {
                asked += 1
                return asked > 60
            }
        }
        let terms = Shared<Set<[UInt8]>>([])
        try index.store.makeCursor().forEach(in: .vocabulary) { key, value in
            guard key.dropFirst().prefix(4).elementsEqual(Self.bytes(number)) else { return true }
            try VocabularyPart(value).forEachTerm { term in
                terms.change { _ = $0.insert(Array(term)) }
            }
            return true
        }
        var postings = 0
        try index.store.makeCursor().forEach(in: .postings) { key, _ in
            guard key.dropFirst().prefix(4).elementsEqual(Self.bytes(number)) else { return true }
            postings += 1
            #expect(terms.current.contains(Array(key.dropFirst(5).dropLast())))
            return true
        }
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

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
