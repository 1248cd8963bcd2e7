import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Identifiers of memory segments")
struct IdentifierTableTests {
    private static func segment(_ identifiers: [[UInt8]]) -> MemorySegment {
        .analysing(
            identifiers.map { ($0, IndexedObject(strings: ["a"])) }, Analyzer(.init()),
            textByteCount: 0)
    }

    /// Few bytes, so that many come again, and their hashes fall close together.
    private static func identifier(_ generator: inout SeededGenerator) -> [UInt8] {
        let length = generator.element([1, 1, 2, 3, 8, 9, 17])
        return (0..<length).map { _ in UInt8(generator.int(0...3)) }
    }

    @Test("A table finds the identifiers that a dictionary has", arguments: testSeeds(30))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = generator.element([0, 1, 3, 4, 5, 40, 900])
        let identifiers = (0..<count).map { _ in Self.identifier(&generator) }
        let segment = Self.segment(identifiers)
        var last: [[UInt8]: UInt32] = [:]
        var superseded: [UInt32] = []
        for (number, identifier) in identifiers.enumerated() {
            if let old = last.updateValue(UInt32(number), forKey: identifier) {
                superseded.append(old)
            }
        }
        #expect(
            segment.identifierTable.superseded.withElements { Array($0) } == superseded.sorted(),
            "seed \(seed)")
        for wanted in identifiers + (0..<300).map({ _ in Self.identifier(&generator) }) {
            let found = wanted.withUnsafeBufferPointer {
                segment.identifierTable.document(
                    for: IdentifierProbe($0), in: segment.documents)
            }
            #expect(found == last[wanted], "seed \(seed): \(wanted)")
        }
    }
}
