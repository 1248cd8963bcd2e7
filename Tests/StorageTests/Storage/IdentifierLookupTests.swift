import Foundation
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Documents of identifiers")
struct IdentifierLookupTests {
    private static func accept(_ ids: [Int], _ index: TextIndex<PlainNote>) throws {
        let documents = AnalysedDocuments(under: index.writer.snapshot) {
            .analysing(
                ids.map { (Array("\($0)".utf8), IndexedObject(strings: ["word"])) }, $0,
                textByteCount: 0)
        }
        for outcome in index.writer.commit([.largeDocuments(documents, isBulk: true)]) {
            try outcome.get()
        }
    }

    @Test(
        "A look-up of many identifiers equals one look-up after the other", arguments: testSeeds(12)
    )
    func segments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = try PlainNoteIndex { _ in }
        let index = notes.index
        defer { try? index.close() }
        for _ in 0..<generator.int(0...25) {
            let ids = (0..<generator.int(1...12)).map { _ in generator.int(0...60) }
            switch generator.int(0...5) {
            case 0, 1: try notes.add(Set(ids).map { PlainNote("\($0)", "word") })
            case 2: index.removeIndex(forIdentifier: .init("\(ids[0])".utf8)).waitUntilFinished()
            case 3: try index.flush()
            // The last of them stay pending.
            default: try Self.accept(ids, index)
            }
            let wanted = (0..<40).map { _ in generator.int(0...70) }
            let segment = MemorySegment.analysing(
                wanted.map { (Array("\($0)".utf8), IndexedObject(strings: [])) },
                Analyzer(.init()), textByteCount: 0)
            let isFlushing = generator.once(in: 3)
            let (found, expected) = try index.writer.state.withLock { state in
                // It waits for the lock: its parts are neither pending nor flushed.
                if isFlushing { index.writer.flusher.startFlush(&state) }
                var lookup = IdentifierLookup(store: index.store)
                let found = try lookup.documents(
                    of: segment, segment.documents.identifierHashes(), in: .init(state))
                let expected = try wanted.compactMap { id in
                    try Array("\(id)".utf8).withUnsafeBufferPointer {
                        try lookup.document(for: $0, in: state)
                    }
                }
                return (found, expected)
            }
            #expect(found.sorted() == expected.sorted(), "seed \(seed)")
        }
    }
}
