import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Pieces of compactions")
struct CompactionBoundsTests {
    @Test(
        "The pieces cover the range, in order, and are small where keys can be parted",
        arguments: testSeeds(20))
    func parting(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let start: [UInt8] = generator.once(in: 2) ? [] : [0x73, 0, 0, 0, 1]
        let end: [UInt8] = start.isEmpty ? [.max] : [0x73, 0, 0, 0, 9, .max]
        let letters = generator.int(2...255)
        let keys = (0..<generator.int(0...2000)).map { _ in
            (start.isEmpty ? [] : [0x73, 0, 0, 0, UInt8(generator.int(1...9))])
                + (0..<generator.int(1...12)).map { _ in UInt8(generator.int(0...(letters - 1))) }
        }.sorted { $0.lexicographicallyPrecedes($1) }
        /// Every key takes a byte.
        func size(_ a: [UInt8], _ b: [UInt8]) -> Int {
            keys.count { !$0.lexicographicallyPrecedes(a) && $0.lexicographicallyPrecedes(b) }
        }
        let bounds = CompactionBounds.parting(start, end, largest: 50, size: size)
        #expect(bounds.first == start && bounds.last == end, "seed \(seed)")
        for (a, b) in zip(bounds, bounds.dropFirst()) {
            #expect(a.lexicographicallyPrecedes(b), "seed \(seed): \(a) \(b)")
            let distinct = Set(
                keys.filter {
                    !$0.lexicographicallyPrecedes(a) && $0.lexicographicallyPrecedes(b)
                })
            #expect(size(a, b) <= 50 || distinct.count < size(a, b), "seed \(seed): \(a) \(b)")
        }
        #expect(
            zip(bounds, bounds.dropFirst()).reduce(0) { $0 + size($1.0, $1.1) }
                == size(start, end), "seed \(seed)")
    }

    @Test("A small range is one piece")
    func small() {
        #expect(CompactionBounds.parting([1], [2], largest: 10) { _, _ in 10 } == [[1], [2]])
        #expect(CompactionBounds.parting([1], [1], largest: 10) { _, _ in 11 } == [[1], [1]])
    }
}
