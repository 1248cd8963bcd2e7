import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Samples of a vocabulary")
struct VocabularySamplesTests {
    private static func term(_ generator: inout SeededGenerator, _ bytes: [UInt8]) -> [UInt8] {
        (0..<generator.int(1...12)).map { _ in generator.element(bytes) }
    }

    @Test(
        "Terms with a beginning are where a look at all of them finds them",
        arguments: testSeeds(20))
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for size in [0, 1, 2, 63, 64, 65, 129, 700] {
            let alphabets: [[UInt8]] = [[0x61, 0x62], [0x01, 0x61, 0x7a, 0xc3, 0xff]]
            let bytes = generator.element(alphabets)
            let terms = Set((0..<size).map { _ in Self.term(&generator, bytes) }).sorted {
                $0.lexicographicallyPrecedes($1)
            }
            let ends = (0..<generator.int(0...4)).map { _ in generator.int(0...terms.count) }
            let bounds = ([0] + ends + [terms.count]).sorted()
            let pieces = zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map {
                Array(terms[$0..<$1])
            }
            let parts = try pieces.map { try VocabularyPart.of($0) }
            let samples = VocabularySamples(parts)
            for _ in 0..<60 {
                let other = terms.isEmpty || generator.once(in: 3)
                let word = other ? Self.term(&generator, bytes) : generator.element(terms)
                let prefix = Array(word.prefix(generator.int(1...VocabularySamples.longestPrefix)))
                var found: [[UInt8]] = []
                prefix.withUnsafeBufferPointer {
                    samples.forEachRange(beginningWith: $0, in: parts) { part, number, places in
                        #expect(part === parts[number])
                        #expect(!places.isEmpty)
                        found += pieces[number][places]
                    }
                }
                let expected = terms.filter { $0.starts(with: prefix) }
                #expect(found == expected, "seed \(seed), \(size) terms: \(prefix)")
            }
        }
    }
}
