import Testing

@testable import TestSupport
@testable import TextSearch

/// The terms of a frozen segment are numbered in byte order, whatever order they came in.
@Suite("The order of terms in memory segments")
struct MemorySegmentOrderTests {
    @Test(
        "A memory segment has the terms, postings and positions of a dictionary",
        arguments: testSeeds(12))
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Many words that begin alike, also in more than eight letters.
        let stems = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "zyxwvutsrqponmlk"]
        let strings = (0..<generator.int(1...20)).map { _ in
            (0..<generator.int(0...60)).map { _ in
                stems[generator.int(0...(stems.count - 1))]
                    + String(generator.number(upTo: generator.int(1...24)), radix: 36)
            }
        }
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let objects = strings.enumerated().map { number, words in
            (
                identifier: [UInt8(number)],
                object: IndexedObject(strings: [words.joined(separator: " ")])
            )
        }
        let segment = MemorySegment.analysing(
            objects, Analyzer(configuration), textByteCount: 0)
        var expected: [[UInt8]: [MemoryTerms.Occurrence]] = [:]
        for (number, words) in strings.enumerated() {
            for (position, word) in words.enumerated() {
                expected[Array(word.utf8), default: []].append(
                    .init(string: UInt32(number), position: UInt32(position)))
            }
        }
        let terms = (0..<segment.terms.count).map { segment.terms.withTerm($0) { Array($0) } }
        #expect(
            terms == expected.keys.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        for (number, term) in terms.enumerated() {
            let same = segment.terms.withOccurrences(of: number) { found in
                found.map { [$0.string, $0.position] }
                    == expected[term]?.map { [$0.string, $0.position] }
            }
            #expect(same, "seed \(seed)")
            let place = term.withUnsafeBufferPointer { segment.terms.place(of: $0) }
            #expect(place.term == number && place.isFound, "seed \(seed)")
            let behind = (term + [0x21]).withUnsafeBufferPointer { segment.terms.place(of: $0) }
            #expect(behind.term == number + 1 && !behind.isFound, "seed \(seed)")
        }
    }
}
