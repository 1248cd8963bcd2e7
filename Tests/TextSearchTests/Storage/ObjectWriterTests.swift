import Testing

@testable import TextSearch

@Suite("Records and identifiers that are written ahead")
struct ObjectWriterTests {
    /// A part of so many objects, each with a record of about so many bytes.
    private static func part(_ count: Int, recordBytes: Int) -> SegmentWriter.Part {
        let objects = (0..<count).map { number in
            (
                identifier: Array("\(number)".utf8),
                object: IndexedObject(
                    strings: ["word"],
                    context: ["text": .string(String(repeating: "x", count: recordBytes))])
            )
        }
        return SegmentWriter.Part(
            segment: .analysing(objects, Analyzer(.init()), textByteCount: 0), firstDocument: 70,
            isJournaled: false)
    }

    private static func entries(_ store: IndexStore) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for document in UInt32(0)..<200 {
            let key = Key.document(.objects, document)
            if try store.value(key) != nil { keys.append(key) }
        }
        return keys
    }

    @Test("Ended behind any batch and gone on with, they are all there, and none before its turn")
    func progress() throws {
        // Batches of a megabyte: nine and a bit.
        let part = Self.part(100, recordBytes: 100_000)
        let count = ObjectWriter.entryCount(of: part)
        #expect(count == 200)
        let notes = try PlainNoteIndex { _ in }
        let store = notes.index.store
        let writer = ObjectWriter(store: store)
        var stored = 0
        var turns = 0
        while stored < count {
            let before = stored
            stored = try writer.write(part, from: stored) { true }
            #expect(stored > before)
            let expected = (0..<min(stored, 100)).map {
                Key.document(.objects, 70 + UInt32($0))
            }
            #expect(try Self.entries(store) == expected)
            turns += 1
        }
        #expect(turns > 5)
        #expect(try writer.write(part, from: count) == count)
        #expect(try writer.write(part) == count)
        // Nobody names them: they are swept when the index is opened again.
        try notes.index.close()
    }
}
