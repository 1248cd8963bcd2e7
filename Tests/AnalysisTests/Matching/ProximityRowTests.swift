import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Words that stand in a row")
struct ProximityRowTests {
    private struct Place: Hashable {
        var document: UInt32
        var string: UInt32
        var position: Int
    }

    private static func phrases(
        _ words: [[Hit]], offsets: [Int], slop: Int
    ) throws -> [Proximity.Group] {
        var found: [Proximity.Group] = []
        let clock = SearchClock(.unlimited, longest: nil)
        try Proximity(words, clock).phrases(offsets: offsets, slop: slop) { found.append($0) }
        return found
    }

    private static func hits(_ generator: inout SeededGenerator, term: Int) -> [Hit] {
        var places: [Hit] = []
        for _ in 0..<generator.int(0...40) {
            places.append(
                Hit(
                    document: UInt32(generator.int(0...3)) * 1000,
                    string: UInt32(generator.int(0...1)), position: UInt32(generator.int(0...9)),
                    term: UInt32(term * 10 + generator.int(0...1))))
        }
        return places.sorted {
            ($0.document, $0.string, $0.position, $0.term)
                < ($1.document, $1.string, $1.position, $1.term)
        }
    }

    @Test(
        "All rows are found, each once, and a row with room finds them too",
        arguments: testSeeds(30))
    func rows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var total = 0
        for _ in 0..<40 {
            let count = generator.int(1...4)
            let words = (0..<count).map { Self.hits(&generator, term: $0) }
            // Words that were left out of the index leave gaps.
            var offsets = [generator.int(0...2)]
            while offsets.count < count {
                offsets.append(offsets[offsets.count - 1] + generator.int(1...2))
            }
            var expected: Set<Place> = []
            for hit in words[0] {
                let start = Int(hit.position) - offsets[0]
                let isRow = words.indices.allSatisfy { word in
                    words[word].contains {
                        $0.document == hit.document && $0.string == hit.string
                            && Int($0.position) == start + offsets[word]
                    }
                }
                if isRow {
                    expected.insert(
                        Place(document: hit.document, string: hit.string, position: start))
                }
            }
            let note: Comment = "seed \(seed): \(offsets)"
            let groups = try Self.phrases(words, offsets: offsets, slop: 0)
            let found = groups.map { group in
                Place(
                    document: group[0].document, string: group[0].string,
                    position: Int(group[0].position) - offsets[0])
            }
            #expect(Set(found) == expected && found.count == expected.count, note)
            for group in groups {
                #expect(group.count == count, note)
                for (word, hit) in group.enumerated() {
                    #expect(
                        hit.document == group[0].document && hit.string == group[0].string
                            && Int(hit.position) - offsets[word]
                                == Int(group[0].position) - offsets[0],
                        note)
                    #expect(Int(hit.term) / 10 == word, note)
                }
            }
            // With room between the words there are these rows and more.
            let loose = try Self.phrases(words, offsets: offsets, slop: 1)
            let strings = Set(loose.map { [$0[0].document, $0[0].string] })
            #expect(expected.allSatisfy { strings.contains([$0.document, $0.string]) }, note)
            total += expected.count
        }
        #expect(total > 0, "seed \(seed)")
    }

    @Test("No words and no hits make no rows, nor do positions before the beginning")
    func ends() throws {
        #expect(try Self.phrases([], offsets: [], slop: 0).isEmpty)
        let hit = Hit(document: 1, string: 0, position: 0, term: 0)
        #expect(try Self.phrases([[hit], []], offsets: [0, 1], slop: 0).isEmpty)
        #expect(try Self.phrases([[hit]], offsets: [5], slop: 0).count == 1)
        // The other word would have to stand before the first one.
        #expect(try Self.phrases([[hit], [hit, hit]], offsets: [1, 0], slop: 0).isEmpty)
    }
}
