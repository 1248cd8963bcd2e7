import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Sums of what parts of a query match")
struct MatchUnionTests {
    /// Documents with scores that are not the same in another order of adding.
    private func part(
        _ generator: inout SeededGenerator, _ documents: Range<Int>, oneIn: Int
    ) -> QueryMatches {
        var part = QueryMatches()
        for document in documents where generator.once(in: oneIn) {
            part.documents.append(UInt32(document))
            part.scores.append(Double(generator.int(1...1_000)) / 7)
        }
        return part
    }

    @Test(
        "The sums of random parts, of many documents and of few, are those of a table",
        arguments: testSeeds(6))
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Nearly all documents of a row; some of a long one; hardly any.
        for (documents, oneIn) in [(1_000_000..<1_009_000, 2), (0..<40_000, 12), (0..<60_000, 900)]
        {
            let parts = (0..<generator.int(2...6)).map { _ in
                part(&generator, documents, oneIn: generator.int(1...oneIn))
            }
            let clock = SearchClock(.unlimited, longest: nil)
            let work = MatchWork(clock: clock)
            for least in 1...parts.count {
                var scores: [UInt32: Double] = [:]
                var counts: [UInt32: Int] = [:]
                for part in parts {
                    for (document, score) in zip(part.documents, part.scores) {
                        scores[document, default: 0] += score
                        counts[document, default: 0] += 1
                    }
                }
                let expected = counts.filter { $0.value >= least }.keys.sorted()
                let found = try QueryMatches.union(parts, atLeast: least, work)
                #expect(found.documents == expected, "seed \(seed), \(documents), \(least)")
                // To the last bit: they add up in the order of the parts.
                #expect(found.scores == expected.map { scores[$0] }, "seed \(seed), \(documents)")
            }
        }
    }

    @Test("A place for each document is used where there are many, and only then")
    func choice() {
        let clock = SearchClock(.unlimited, longest: nil)
        func matches(_ documents: [UInt32]) -> QueryMatches { QueryMatches(unscored: documents) }
        let many = matches(Array(0..<3_000))
        #expect(DenseUnion([many, many], clock) != nil)
        #expect(DenseUnion([matches([5]), matches([6])], clock) == nil)
        #expect(DenseUnion([many, matches([1_000_000])], clock) == nil)
        let small = SearchClock(checks: .max, memory: 1 << 10)
        #expect(DenseUnion([many, many], small) == nil)
    }
}
