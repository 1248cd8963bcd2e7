import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Sums of a segment's postings")
struct SegmentSumsTests {
    private struct Place: Hashable {
        var document: UInt32
        var string: UInt32
    }

    /// The lengths of documents that have so many strings.
    private static func lengths(_ counts: [Int]) -> LengthColumn {
        var lengths = LengthColumn()
        for count in counts { lengths.append([UInt32](repeating: 50, count: count)) }
        return lengths
    }

    private static func postings(
        _ places: [Place: Int]
    ) -> (chunk: [UInt8], positions: [UInt8]) {
        let documents = Dictionary(grouping: places.keys, by: \.document)
        return PlainPostings(
            documents: documents.keys.sorted().map { document in
                let strings = (documents[document] ?? []).map(\.string).sorted()
                return .init(
                    number: document,
                    runs: strings.map { string in
                        let count = places[Place(document: document, string: string)] ?? 0
                        return .init(string: string, positions: (0..<count).map { UInt32($0) })
                    })
            }
        ).encoded()
    }

    @Test(
        "The sums of a segment equal those of a dictionary, with even and uneven strings",
        arguments: testSeeds(30))
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let width = generator.element([1, 2, 3, nil])
        let counts = (0..<generator.int(1...900)).map { _ in width ?? generator.int(0...4) }
        let lengths = Self.lengths(counts)
        // Each leaves its memory to the next one.
        let spare = SpareSlots()
        for _ in 0..<4 { try check(lengths, counts, spare, &generator, seed) }
    }

    private func check(
        _ lengths: LengthColumn, _ counts: [Int], _ spare: SpareSlots,
        _ generator: inout SeededGenerator, _ seed: UInt64
    ) throws {
        let strings = generator.element([StringSelection.all, .all, .only(0), .only(1)])
        let sums = SegmentSums(
            lengths, strings, firstDocument: 1000, dead: nil, spare,
            clock: SearchClock(.unlimited, longest: nil))
        if generator.once(in: 3) { sums.expect(termCount: generator.int(0...40)) }
        var expected: [Place: UInt32] = [:]
        var reader = TermPostingsReader()
        for _ in 0..<generator.int(0...12) {
            var term: [Place: Int] = [:]
            // Those with one document have an encoding of their own.
            for _ in 0..<(generator.once(in: 3) ? 1 : generator.int(1...400)) {
                let document = generator.int(0...(counts.count - 1))
                guard counts[document] > 0 else { continue }
                let string = generator.once(in: 4) ? generator.int(0...(counts[document] - 1)) : 0
                term[Place(document: UInt32(document), string: UInt32(string))] = generator.int(
                    1...3)
            }
            guard !term.isEmpty else { continue }
            let wanted = term.filter { strings.contains($0.key.string) }
            let documents = try Self.postings(term).chunk.withExactBytes {
                try sums.add($0, &reader)
            }
            #expect(
                documents == UInt32(Set(wanted.keys.map(\.document)).count), "seed \(seed)")
            for (place, count) in wanted { expected[place, default: 0] += UInt32(count) }
        }
        var found = Buffer<WordCount>()
        sums.append(to: &found)
        let all = found.withElements { Array($0) }
        let order = all.map { ($0.document, $0.string) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
        let byPlace = Dictionary(
            uniqueKeysWithValues: all.map {
                (Place(document: $0.document - 1000, string: $0.string), $0.count)
            })
        #expect(byPlace == expected, "seed \(seed)")
    }

    @Test("A document or a string that the segment does not have is found, in place or not")
    func impossible() throws {
        for isInPlace in [false, true] {
            for place in [
                Place(document: 300, string: 0), Place(document: 300, string: 1),
                Place(document: .max, string: 0), Place(document: .max, string: 1),
                Place(document: 5, string: 2), Place(document: 5, string: .max),
            ] {
                let sums = SegmentSums(
                    Self.lengths([Int](repeating: 2, count: 300)), .all, firstDocument: 0,
                    dead: nil, SpareSlots(), clock: SearchClock(.unlimited, longest: nil))
                var reader = TermPostingsReader()
                let sound = Dictionary(
                    uniqueKeysWithValues: (0..<200).map {
                        (Place(document: $0, string: 1), 1)
                    })
                for _ in 0..<(isInPlace ? 3 : 0) {
                    let added = try Self.postings(sound).chunk.withExactBytes {
                        try sums.add($0, &reader)
                    }
                    #expect(added == 200)
                }
                let wasInPlace = sums.counter.isInPlace
                #expect(wasInPlace == isInPlace)
                // A string that most documents of a term have, and none of the segment.
                let elsewhere = Dictionary(
                    uniqueKeysWithValues: (0..<200).map {
                        (Place(document: $0, string: 2), 1)
                    })
                for term in [[place: 1], sound.merging([place: 1]) { $1 }, elsewhere] {
                    let added = try Self.postings(term).chunk.withExactBytes {
                        try sums.add($0, &reader)
                    }
                    #expect(added == nil, "\(place)")
                }
            }
        }
    }
}
