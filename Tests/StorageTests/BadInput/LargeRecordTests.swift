import Dispatch
import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Objects with much beside their text: an object is a number, and has so many bytes of context.
@Suite("Large records", .timeLimit(.minutes(30)))
struct LargeRecordTests {
    private func openIndex(at directory: URL, _ sizes: [Int]) throws -> TextIndex<Int> {
        var configuration = TextIndexConfiguration()
        configuration.maximumContextLength = 64 << 20
        let index = try TextIndex<Int>(at: directory, configuration: configuration)
        index.identifier = { Data("\($0)".utf8) }
        index.indexer = { number, _ in
            IndexedObject(
                strings: ["common word\(number)"],
                context: ["c": .data(Data(repeating: 7, count: sizes[number]))])
        }
        return index
    }

    @Test("A record too large for the store is an error of its object alone")
    func tooLarge() async throws {
        let folder = try TemporaryFolder("records")
        let sizes = [1, 2, 56 << 20, 3, 4]
        let index = try openIndex(at: folder("index"), sizes)
        #expect(failure(of: index.indexObject(2))?.code == .limitExceeded)
        let report = try await index.indexObjects(Array(0..<5))
        #expect(report.indexedCount == 4 && report.failureCount == 1)
        #expect(report.failures.map(\.offset) == [2])
        #expect((report.failures.first?.error as? TextIndexError)?.code == .limitExceeded)
        try await index.flush()
        for number in 0..<5 {
            let found = try await index.resultCount(forKeyword: "word\(number)")
            #expect(found == (number == 2 ? 0 : 1))
        }
        try await index.shutdown()
        let again = try openIndex(at: folder("index"), sizes)
        #expect(again.count == 4)
        try again.closeVerified()
    }

    @Test(
        "Large records beyond one batch are committed all the same",
        arguments: [false, true])
    func manyAtOnce(isBulk: Bool) async throws {
        let folder = try TemporaryFolder("records")
        let sizes = [Int](repeating: 1 << 20, count: 70)
        let index = try openIndex(at: folder("index"), sizes)
        if isBulk {
            #expect(try await index.indexObjects(Array(0..<70)).indexedCount == 70)
        } else {
            index.indexingQueue.isSuspended = true
            let operations = (0..<70).map { index.indexObject($0) }
            index.indexingQueue.isSuspended = false
            for operation in operations { #expect(failure(of: operation) == nil) }
        }
        await #expect(try index.resultCount(forKeyword: "common") == 70)
        try await index.shutdown()
        let again = try openIndex(at: folder("index"), sizes)
        #expect(again.count == 70)
        try again.closeVerified()
    }

    @Test("A value that a batch does not take is no batch that is empty")
    func leftOut() throws {
        let folder = try TemporaryFolder("records")
        let index = try openIndex(at: folder("index"), [])
        let batch = StoreBatch()
        batch.put([1], [UInt8](repeating: 0, count: 65 << 20))
        #expect(throws: TextIndexError.self) {
            try index.writer.store.commit(batch, sync: false)
        }
        try index.closeVerified()
    }
}
