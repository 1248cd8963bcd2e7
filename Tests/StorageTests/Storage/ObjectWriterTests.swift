import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Records and identifiers that are written ahead")
struct ObjectWriterTests {
    /// A part of so many objects, each with a record of about so many bytes.
    private static func part(_ count: Int, recordBytes: Int) -> PlacedSegment {
        let objects = (0..<count).map { number in
            (
                identifier: Array("\(number)".utf8),
                object: IndexedObject(
                    strings: ["word"],
                    context: ["text": .string(String(repeating: "x", count: recordBytes))])
            )
        }
        return PlacedSegment(
            segment: .analysing(objects, Analyzer(.init()), textByteCount: 0), firstDocument: 70,
            isJournaled: false)
    }

    private static func records(_ store: IndexStore) throws -> [UInt32] {
        try (0..<200).filter { try store.value(Key.document(.objects, $0)) != nil }
    }

    private static func identifierCount(_ store: IndexStore) throws -> Int {
        var count = 0
        try store.makeCursor().forEach(in: .identifiers) { key, _ in
            count += Key.identifier(key) == nil ? 0 : 1
            return true
        }
        return count
    }

    @Test("Records written ahead are all there after an end at any batch, and none before its turn")
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
            let expected = (0..<min(stored, 100)).map { 70 + UInt32($0) }
            #expect(try Self.records(store) == expected)
            #expect(try Self.identifierCount(store) == max(stored - 100, 0))
            turns += 1
        }
        #expect(turns > 5)
        #expect(try writer.write(part, from: count) == count)
        #expect(try writer.write(part) == count)
        #expect(try Self.identifierCount(store) == 100)
        try notes.index.close()
    }
}
