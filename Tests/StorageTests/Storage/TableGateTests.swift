import Dispatch
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What waits for a table file")
struct TableGateTests {
    @Test("A gate holds little back, lets much wait, and holds nothing once it is open")
    func held() async {
        let gate = TableGate(mostHeld: 100)
        #expect(!gate.lets(pass: 0))
        #expect(!gate.lets(pass: 99))
        let isOpen = Shared(false)
        let much = Task.detached {
            let passes = gate.lets(pass: 100)
            return passes && isOpen.current
        }
        isOpen.change { $0 = true }
        gate.open()
        gate.open()
        #expect(await much.value)
        #expect(gate.lets(pass: 0))
        gate.wait()
    }

    @Test("A gate that nobody opens can go")
    func dropped() {
        weak var dropped: TableGate?
        do {
            let gate = TableGate()
            dropped = gate
            #expect(!gate.lets(pass: 0))
        }
        #expect(dropped == nil)
    }

    /// The entries of a segment, and what was said of them.
    private struct Entries: Equatable {
        var stored: [[[UInt8]]] = []
        var termCount = 0
        var partCount = 0
        var digest: UInt64 = 0
    }

    private static func stored(_ store: IndexStore) throws -> [[[UInt8]]] {
        var entries: [[[UInt8]]] = []
        let cursor = try store.makeCursor()
        var key = Buffer<UInt8>(capacity: 8)
        Key.segment(77, into: &key)
        try cursor.seek(to: key)
        while try cursor.isOn(prefix: key) {
            try cursor.withEntry { entries.append([Array($0), Array($1)]) }
            try cursor.next()
        }
        try cursor.check()
        return entries
    }

    @Test("Entries of terms are the same behind a gate, which none passes before it is open")
    func entries() async throws {
        var generator = SeededGenerator(seed: 1)
        // Some batches of a megabyte; most positions are entries of their own.
        let objects = (0..<600).map { number in
            let words = (0..<2000).map { _ in String(generator.number(upTo: 14), radix: 36) }
            return (
                identifier: Array("\(number)".utf8),
                object: IndexedObject(strings: [words.joined(separator: " ")])
            )
        }
        let segment = MemorySegment.analysing(objects, Analyzer(.init()), textByteCount: 1 << 23)
        var found: [Entries] = []
        for mostHeld in [0, 1 << 20, 3 << 20, .max] {
            let notes = try PlainNoteIndex { _ in }
            let store = notes.index.store
            let part = PlacedSegment(
                segment: segment, firstDocument: 0, isJournaled: true)
            var lengths = LengthColumn()
            lengths.append(segment)
            let writer = MemoryTermsWriter(
                store: store, number: 77, parts: [part], first: 0, lengths: lengths)
            let turns = TermTurns([segment], leastPostings: 1 << 15)
            let gate = TableGate(mostHeld: mostHeld)
            let writing = Task.detached { try writer.write(turns, behind: gate) }
            if mostHeld > 0 {
                // However far it has come meanwhile, nothing is there.
                for _ in 0..<40 {
                    #expect(try Self.stored(store).isEmpty)
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            gate.open()
            let written = try await writing.value
            found.append(
                Entries(
                    stored: try Self.stored(store), termCount: written.termCount,
                    partCount: written.partCount, digest: written.digest))
            try await notes.index.shutdown()
        }
        #expect(found[0].stored.count > 1000)
        #expect(found[0].termCount == segment.terms.count)
        #expect(found.allSatisfy { $0 == found[0] })
    }

    @Test("A failing thread leaves no further slice to the other")
    func failure() {
        let objects = [
            (identifier: [UInt8(1)], object: IndexedObject(strings: ["one two three four"]))
        ]
        let segment = MemorySegment.analysing(objects, Analyzer(.init()), textByteCount: 0)
        let turns = TermTurns([segment], leastPostings: 1)
        #expect(turns.stoppingOnFailure { turns.next() } != nil)
        #expect(throws: CancellationError.self) {
            try turns.stoppingOnFailure { throw CancellationError() }
        }
        #expect(turns.next() == nil)
    }
}
