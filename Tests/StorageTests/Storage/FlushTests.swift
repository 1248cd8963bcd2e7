import Dispatch
import Foundation
import LevelDB
import Synchronization
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What a flush writes")
struct FlushTests {
    /// The terms of the only segment in their order, by the parts of its vocabulary.
    private static func parts(_ notes: PlainNoteIndex) throws -> [[[UInt8]]] {
        try notes.index.flush()
        let flushed = notes.index.writer.snapshot.flushed
        try #require(flushed.count == 1)
        return try flushed[0].vocabulary().map { part in
            var terms: [[UInt8]] = []
            part.forEachTerm { terms.append(Array($0)) }
            return terms
        }
    }

    /// The parts that are not full.
    private static func short(_ parts: [[[UInt8]]]) -> [Int] {
        parts.indices.filter { number in
            parts[number].reduce(1) { $0 + $1.count + 1 } < VocabularyPart.targetSize
        }
    }

    @Test("What comes in bulk beside a flush is settled before the next object is committed")
    func bulkBesideAFlush() throws {
        let notes = try PlainNoteIndex { _ in }
        defer { try? notes.index.close() }
        let writer = notes.index.writer
        for round in 0..<UInt32(20) {
            try notes.add([PlainNote("a", "word")])
            // The flush has its turn once the next object is on its way.
            let gate = DispatchSemaphore(value: 0)
            // Where something throws before its turn, closing would wait for ever.
            defer { gate.signal() }
            writer.background.async(for: .flush) { gate.wait() }
            writer.state.withLock { writer.flusher.startFlush(&$0) }
            let bulk = AnalysedDocuments(under: writer.snapshot) {
                .analysing(
                    [(Array("b".utf8), IndexedObject(strings: ["word"]))], $0, textByteCount: 0)
            }
            for outcome in writer.commit([.largeDocuments(bulk, isBulk: true)]) {
                try outcome.get()
            }
            let addition = notes.index.indexObject(PlainNote("c", "word"))
            gate.signal()
            addition.waitUntilFinished()
            #expect(addition.error == nil)
            try notes.index.flush()
            let ends = writer.snapshot.flushed.map(\.manifest.documents.upperBound)
            #expect(ends.last == 3 * (round + 1) && ends == ends.sorted())
            #expect(try notes.index.verify().findings.isEmpty)
        }
    }

    @Test("Two threads write what one does", arguments: testSeeds(3))
    func threads(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Long words for several parts of the vocabulary in each slice, and short ones that many
        // notes have.
        let notes = (0..<60).map { number in
            let words = (0..<400).map { _ in
                String(
                    generator.once(in: 3)
                        ? generator.number(upTo: 12) : .random(in: 0...(.max), using: &generator),
                    radix: 36)
            }
            return PlainNote("\(number)", words.joined(separator: " "))
        }
        let indexes = try [1, Int.max].map { least in
            try PlainNoteIndex {
                $0.leastSplitPostings = least
                $0.inlinePostingsLimit = 8
            }
        }
        defer { for each in indexes { try? each.index.close() } }
        for each in indexes { try each.add(notes) }
        let parts = try indexes.map { try Self.parts($0) }
        // Only the last part of a slice is not full: with several of them some amid the others.
        let (split, whole) = (parts[0], parts[1])
        let middle = try #require(Self.short(split).first, "seed \(seed)")
        #expect(middle < split.count - 1, "seed \(seed)")
        #expect(Self.short(split).count > 2 && Self.short(split).count <= 8, "seed \(seed)")
        #expect(Self.short(whole).allSatisfy { $0 == whole.count - 1 }, "seed \(seed)")
        let terms = parts.map { $0.flatMap(\.self) }
        #expect(terms[0] == terms[1], "seed \(seed)")
        for each in indexes {
            #expect(try each.index.verify().findings.isEmpty, "seed \(seed)")
        }
        for term in terms[0].shuffled(using: &generator).prefix(300) {
            let found = try indexes.map { each in
                let segment = each.index.writer.snapshot.flushed[0]
                let postings = try #require(try segment.postings(of: term))
                return postings.bytes.toArray()
            }
            #expect(found[0] == found[1], "seed \(seed)")
        }
    }

    @Test(
        "Objects in bulk come to be in one segment, the last few as well; few objects are journaled"
    )
    func bulk() async throws {
        for (count, flushedCount) in [(20, 0), (8_192, 1), (8_200, 1)] {
            let notes = try PlainNoteIndex { _ in }
            try await notes.index.indexObjects((0..<count).map { PlainNote("\($0)", "word") })
            let snapshot = notes.index.writer.snapshot
            #expect(snapshot.flushed.count == flushedCount)
            #expect(snapshot.memory.isEmpty == (flushedCount == 1))
            #expect(notes.index.count == count)
            #expect(try await notes.index.search(.term("word"), limit: .max).count == count)
            try await notes.index.shutdown()
        }
    }

    @Test("A bulk load fills the buffer twice before it is flushed")
    func bulkFillsTwice() async throws {
        let objects = (0..<12_000).map { PlainNote("\($0)", "word \($0)") }
        let segment = MemorySegment.analysing(
            objects.map { (Array($0.id.utf8), IndexedObject(strings: $0.strings)) },
            Analyzer(TextIndexConfiguration()), textByteCount: 0)
        // Chunks end after 2,048 and 10,240 of them.
        for (bufferSize, segmentCount) in [
            (segment.byteCount * 2 / 3, 1), (segment.byteCount / 3, 2),
        ] {
            let notes = try PlainNoteIndex { $0.bufferSize = bufferSize }
            try await notes.index.indexObjects(objects)
            #expect(notes.index.writer.snapshot.flushed.count == segmentCount)
            #expect(notes.index.count == objects.count)
            try await notes.index.shutdown()
        }
        var configuration = TextIndexConfiguration()
        configuration.bufferSize = .max
        #expect(configuration.bulkFlushThreshold == .max - 1)
    }

    @Test("Lengths of few documents are read while the index is opened")
    func lengthsAreReadAhead() async throws {
        let notes = try PlainNoteIndex { _ in }
        try await notes.index.indexObjects((0..<500).map { PlainNote("\($0)", "word") })
        try await notes.index.flush()
        try await notes.index.shutdown()
        // Nothing else is kept of what was read.
        let again = try PlainNoteIndex(at: notes.directory) { $0.cacheSize = 0 }
        defer { withExtendedLifetime(notes) {} }
        let writer = again.index.writer
        writer.background.sync {}
        try Fault(.read, at: notes.directory.path, .fail(errno: EIO)).whileArmed { seen in
            let lengths = try writer.snapshot.flushed[0].lengths()
            #expect(lengths.count == 500)
            #expect(lengths.averages() == [1])
            #expect(seen() == 0)
            #expect(throws: TextIndexError.self) {
                try writer.snapshot.flushed[0].weights()
            }
        }
        try await again.index.shutdown()
    }
}
