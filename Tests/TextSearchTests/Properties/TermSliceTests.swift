import Testing

@testable import TextSearch

@Suite("Halves of the terms of memory segments")
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

    @Test("One behind the other they are all terms, and none is in both", arguments: testSeeds(40))
    func halves(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = Self.segments(&generator)
        let total = segments.reduce(0) { $0 + $1.occurrences.count }
        #expect(TermSlice.halves(of: segments, least: total + 1) == nil, "seed \(seed)")
        guard total > 0 else {
            #expect(TermSlice.halves(of: segments, least: 0) == nil, "seed \(seed)")
            return
        }
        let halves = try #require(TermSlice.halves(of: segments, least: total), "seed \(seed)")
        let all = TermMerge(segments)
        let (first, second) = (
            TermMerge(segments, halves.first), TermMerge(segments, halves.second)
        )
        let places = { (merge: TermMerge) in
            merge.entries.withElements { $0.map { [$0.segment, $0.term] } }
        }
        #expect(places(first) + places(second) == places(all), "seed \(seed)")
        #expect(Self.terms(first) + Self.terms(second) == Self.terms(all), "seed \(seed)")
    }

    @Test("Each half of one segment has about half of its postings", arguments: testSeeds(20))
    func balance(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        guard let segment = Self.segments(&generator).first(where: { $0.termCount > 0 }) else {
            return
        }
        let halves = try #require(TermSlice.halves(of: [segment], least: 0))
        let counts = [halves.first, halves.second].map { half in
            half.terms[0].reduce(0) { $0 + segment.withOccurrences(of: $1) { $0.count } }
        }
        let most = (0..<segment.termCount).map { segment.withOccurrences(of: $0) { $0.count } }
            .max()
        #expect(abs(counts[0] - counts[1]) <= 2 * (most ?? 0) + 1, "seed \(seed)")
    }
}
