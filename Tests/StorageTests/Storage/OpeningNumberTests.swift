import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Numbers that a crash left under keys that nothing names.
@Suite("Numbers given after opening")
struct OpeningNumberTests {
    @Test(
        "No number of a document or a segment that the store has is given again",
        arguments: [[], [0], [4], [6], [6, 5000]] as [[UInt32]],
        [[], [0], [1], [2], [2, 77]] as [[UInt32]])
    func numbers(documents: [UInt32], segments: [UInt32]) throws {
        let folder = try TemporaryFolder("numbers")
        for objectCount in [0, 5] {
            let directory = folder("index\(objectCount)")
            let configuration = TextIndexConfiguration()
            let index = try TextIndex<Int>(at: directory, configuration: configuration)
            index.identifier = { Data("\($0)".utf8) }
            index.indexer = { number, _ in IndexedObject(strings: ["word\(number)"]) }
            for number in 0..<objectCount { index.indexObject(number).waitUntilFinished() }
            try index.flush()
            try index.close()
            let store = try IndexStore(at: directory, configuration: configuration)
            let analyzer = Analyzer(configuration)
            let caches = SearchCaches(configuration)
            let before = try IndexOpening.load(store, analyzer, configuration, caches)
            #expect(before.nextDocument == UInt32(objectCount))
            let batch = StoreBatch()
            for document in documents where document >= before.nextDocument {
                [UInt8(1)].withUnsafeBytes { batch.putSealed(.objects, document, $0) }
            }
            var key = Buffer<UInt8>()
            for segment in segments where segment >= before.manifest.nextSegment {
                Key.part(.vocabulary, segment: segment, part: 0, into: &key)
                [UInt8(1)].withUnsafeBytes { batch.put(key, $0) }
            }
            try store.commit(batch, sync: false)
            let after = try IndexOpening.load(store, analyzer, configuration, caches)
            let nextDocument = max(before.nextDocument, documents.last.map { $0 + 1 } ?? 0)
            let nextSegment = max(before.manifest.nextSegment, segments.last.map { $0 + 1 } ?? 0)
            #expect(after.nextDocument == nextDocument, "\(objectCount) objects")
            #expect(after.manifest.nextSegment == nextSegment, "\(objectCount) objects")
            try store.close()
        }
    }
}
