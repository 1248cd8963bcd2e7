import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// A word with more positions in a segment than one batch of a merge holds.
@Suite("Long positions", .timeLimit(.minutes(30)))
struct LongPositionsTests {
    /// Even objects end with "last", odd ones have a word in the middle; all others are the same.
    private func openIndex(
        at directory: URL, words count: Int, _ configuration: TextIndexConfiguration = .init()
    ) throws -> TextIndex<Int> {
        let index = try TextIndex<Int>(at: directory, configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            var words = [String](repeating: "same", count: count)
            words[number % 2 == 0 ? count - 1 : count / 2] = number % 2 == 0 ? "last" : "middle"
            return IndexedObject(strings: [words.joined(separator: " "), "object\(number)"])
        }
        return index
    }

    @Test("Segments with many positions of one word are merged, and every one is found")
    func areMerged() async throws {
        let folder = try TemporaryFolder("positions")
        let index = try openIndex(at: folder("index"), words: 13_000)
        // The first flush has more than a batch of them, too.
        for range in [0..<380, 380..<400] {
            try await index.indexObjects(Array(range))
            try await index.flush()
        }
        for number in stride(from: 3, to: 400, by: 40) {
            #expect(failure(of: index.removeIndex(forIdentifier: Data("\(number)".utf8))) == nil)
        }
        try await index.optimize()
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
        await #expect(try index.resultCount(forKeyword: "same") == 390)
        let last = try await index.search(.phrase("same last"), limit: 500)
        #expect(last.totalCount.value == 200)
        let middle = try await index.search(.phrase("same same middle same"), limit: 500)
        #expect(middle.totalCount.value == 190)
        try index.closeVerified()
    }

    @Test("A merge to more positions than the store takes is an error that leaves the segments")
    func areTooMany() async throws {
        let folder = try TemporaryFolder("positions")
        var configuration = TextIndexConfiguration()
        configuration.largestPostings = 5_000
        let index = try openIndex(at: folder("index"), words: 200, configuration)
        // 3,000 bytes of positions each, which are one page of a block when they are together.
        for range in [0..<60, 60..<120] {
            try await index.indexObjects(Array(range))
            try await index.flush()
        }
        let error = #expect(throws: TextIndexError.self) { try index.optimize() }
        #expect(error?.code == .limitExceeded)
        #expect(index.writer.snapshot.flushed.count == 2)
        await #expect(try index.resultCount(forKeyword: "same") == 120)
        await #expect(try index.verify().unnamedByTable.isEmpty)
        try await index.shutdown()
        let again = try openIndex(at: folder("index"), words: 200)
        try await again.optimize()
        #expect(again.writer.snapshot.flushed.count == 1)
        #expect(try await again.search(.phrase("same last"), limit: 500).totalCount.value == 60)
        try again.closeVerified()
    }
}
