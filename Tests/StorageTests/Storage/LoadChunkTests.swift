import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Chunks of a load")
struct LoadChunkTests {
    @Test(
        "A chunk holds what was appended and not left out since, in order", arguments: testSeeds(12)
    )
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var chunk = LoadChunk(capacity: 4)
        var model: [(identifier: [UInt8], text: String)] = []
        var removals: [[UInt8]] = []
        var (byteCount, appendedCount) = (0, 0)
        for _ in 0..<generator.int(0...60) {
            // Some come again, and some are the beginning of others.
            let identifier = (0..<generator.int(1...3)).map { _ in UInt8(generator.int(97...98)) }
            if generator.once(in: 5) {
                chunk.remove(Data(identifier))
                model.removeAll { $0.identifier == identifier }
                removals.append(identifier)
            } else {
                let text = "word\(generator.int(0...99))"
                chunk.append(
                    IndexedObject(strings: [text]), Data(identifier),
                    size: ObjectSize(text: text.utf8.count, values: 3))
                model.append((identifier, text))
                byteCount += text.utf8.count
                appendedCount += 1
            }
            let segment = chunk.analysed(Analyzer(.init()))
            let identifiers = (0..<segment.documentCount).map { document in
                segment.documents.withIdentifier(of: document) { Array($0) }
            }
            #expect(identifiers == model.map(\.identifier), "seed \(seed)")
            #expect(chunk.objects.map(\.strings) == model.map { [$0.text] }, "seed \(seed)")
            #expect(chunk.removals == removals, "seed \(seed)")
            #expect(chunk.isEmpty == (model.isEmpty && removals.isEmpty), "seed \(seed)")
            // What was left out counts: it is only to say when a chunk is full.
            #expect(chunk.textByteCount == byteCount, "seed \(seed)")
            #expect(chunk.byteCount == byteCount + 3 * appendedCount, "seed \(seed)")
        }
    }
}
