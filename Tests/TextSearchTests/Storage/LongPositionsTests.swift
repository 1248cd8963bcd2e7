import Foundation
import Testing

@testable import TextSearch

/// A word with more positions in a segment than one batch of a merge holds.
@Suite("Long positions", .timeLimit(.minutes(30)))
struct LongPositionsTests {
    @Test("Segments with many positions of one word are merged, and every one is found")
    func areMerged() async throws {
        let folder = try TemporaryFolder("positions")
        let index = try TextIndex<Int>(at: folder("index"))
        index.identifier = { Data("\($0)".utf8) }
        // Even objects end with "last", odd ones have a word in the middle.
        index.indexer = { number, _ in
            var words = [String](repeating: "same", count: 3_000)
            words[number % 2 == 0 ? 2_999 : 1_500] = number % 2 == 0 ? "last" : "middle"
            return IndexedObject(strings: [words.joined(separator: " "), "object\(number)"])
        }
        for first in [0, 200] {
            try await index.indexObjects(Array(first..<first + 200))
            try index.flush()
        }
        for number in stride(from: 3, to: 400, by: 40) {
            #expect(failure(of: index.removeIndex(forIdentifier: Data("\(number)".utf8))) == nil)
        }
        try index.optimize()
        let segments = index.writer.snapshot.flushed
        #expect(segments.count == 1)
        var bytes = 0
        var pages = 0
        try index.store.makeCursor().forEach(in: .positions) { key, value in
            if Key.segment(of: key) == segments.first?.number {
                bytes += value.count
                pages += 1
            }
            return true
        }
        #expect(bytes > SegmentWriter.batchSize && pages > 2)
        #expect(try index.resultCount(forKeyword: "same") == 390)
        let last = try index.search(.phrase("same last"), limit: 500)
        #expect(last.totalCount.value == 200)
        let middle = try index.search(.phrase("same same middle same"), limit: 500)
        #expect(middle.totalCount.value == 190)
        try index.closeVerified()
    }
}
