import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Slices of the terms of memory segments")
struct TermSliceTests {
    private static func segments(_ generator: inout SeededGenerator) -> [MemorySegment] {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let stems = ["", "a", "abcdefgh", "abcdefghi", "zyxwvutsrqponmlk"]
        return (0..<generator.int(1...6)).map { _ in
            let objects = (0..<generator.int(0...8)).map { number in
                let words = (0..<generator.int(0...40)).map { _ in
                    generator.element(stems)
                        + String(generator.number(upTo: generator.int(1...12)), radix: 36)
                }
                return (
                    identifier: [UInt8(number)],
                    object: IndexedObject(strings: [words.joined(separator: " ")])
                )
            }
            return .analysing(objects, Analyzer(configuration), textByteCount: 0)
        }
    }

    private static func terms(_ merge: TermMerge) -> [[UInt8]] {
        var terms: [[UInt8]] = []
        merge.forEachTerm { term, _ in terms.append(Array(term)) }
        return terms
    }

    @Test("Slices one after the other are all terms, and none is in two", arguments: testSeeds(40))
    func slices(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let segments = Self.segments(&generator)
        let total = segments.reduce(0) { $0 + $1.terms.occurrences.count }
        let all = TermMerge(segments)
        let places = { (merge: TermMerge) in
            merge.entries.withElements { $0.map { [$0.segment, $0.term] } }
        }
        for least in [0, 1, 7, max(total / 2, 1), total + 1] {
            let slices = TermSlice.slices(of: segments, leastPostings: least)
            #expect(slices.isEmpty == (total == 0), "seed \(seed)")
            #expect(slices.count <= max(total / max(least, 1), 1), "seed \(seed)")
            #expect(slices.count <= 8, "seed \(seed)")
            let merges = slices.map { TermMerge(segments, $0) }
            #expect(merges.allSatisfy { !$0.entries.isEmpty }, "seed \(seed)")
            #expect(merges.flatMap(places) == places(all), "seed \(seed)")
            #expect(merges.flatMap(Self.terms) == Self.terms(all), "seed \(seed)")

            let turns = TermTurns(segments, leastPostings: least)
            var part = 0
            for merge in merges {
                let turn = turns.next()
                #expect(turn.map { places($0.terms) } == places(merge), "seed \(seed)")
                #expect(turn?.firstPart == part, "seed \(seed)")
                part += TermWriter.partCount(of: merge)
            }
            #expect(turns.next() == nil, "seed \(seed)")
        }
    }

    @Test("Each slice of one segment has about as many postings", arguments: testSeeds(20))
    func balance(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        guard let segment = Self.segments(&generator).first(where: { $0.terms.count > 0 }) else {
            return
        }
        let sizes = (0..<segment.terms.count).map {
            segment.terms.withOccurrences(of: $0) { $0.count }
        }
        let total = sizes.reduce(0, +)
        let most = try #require(sizes.max())
        let slices = TermSlice.slices(of: [segment], leastPostings: max(total / 4, 1))
        for slice in slices {
            let count = slice.terms[0].reduce(0) { $0 + sizes[$1] }
            #expect(count <= total / min(4, total) + 2 * most + 1, "seed \(seed)")
        }
    }
}
