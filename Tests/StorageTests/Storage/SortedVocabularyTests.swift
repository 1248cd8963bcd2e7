import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Terms of a segment in byte order")
struct SortedVocabularyTests {
    /// A word of a few letters, which begins with one of so many.
    private static func word(_ generator: inout SeededGenerator, firstBytes: Int) -> [UInt8] {
        let length = generator.int(1...12)
        return (0..<length).map {
            0x61 + UInt8(generator.int(0...($0 == 0 ? firstBytes - 1 : 3)))
        }
    }

    @Test(
        "A vocabulary equals a sorted array, with few and many terms",
        arguments: testSeeds(20))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for size in [0, 1, 2, 33, 99, 101, 300, 2000] {
            let firstBytes = generator.element([1, 2, 26])
            var terms = TermTable(slotBits: 4)
            var numbers: [[UInt8]: Int] = [:]
            for _ in 0..<size {
                let word = Self.word(&generator, firstBytes: firstBytes)
                let room = terms.scratch()
                for (place, byte) in word.enumerated() { room[place] = byte }
                numbers[word] = Int(terms.intern(length: word.count) { _ in false })
            }
            // Terms without postings are left out.
            var counts = Buffer<UInt32>(repeating: 0, count: terms.count)
            for number in 0..<terms.count where !generator.once(in: 5) {
                counts[number] = UInt32(generator.int(1...3))
            }
            let expected = numbers.filter { counts[$0.value] > 0 }.keys.sorted {
                $0.lexicographicallyPrecedes($1)
            }
            let vocabulary = SortedVocabulary(terms, counts: counts)
            var start: UInt32 = 0
            for word in expected {
                let number = numbers[word] ?? 0
                #expect(vocabulary.occurrenceStarts[number] == start, "seed \(seed), \(size)")
                start += counts[number]
            }
            #expect(vocabulary.occurrenceCount == Int(start), "seed \(seed), \(size)")
            let parts = vocabulary.terms(with: Buffer())
            let found = (0..<(parts.starts.count - 1)).map { place in
                // Each is followed by a zero byte.
                (parts.starts[place]..<(parts.starts[place + 1] - 1)).map {
                    parts.bytes[Int($0)]
                }
            }
            let isSame = found == expected
            #expect(isSame, "seed \(seed), \(size) words of \(firstBytes) first bytes")
        }
    }
}
