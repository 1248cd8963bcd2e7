import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Scores of stored postings")
struct TermScoringTests {
    /// A block's documents with the frequencies that it says of each: the strings and how often the
    /// term stands in them.
    private static func frequencies(_ chunk: borrowing PostingsChunk) -> [[[UInt32]]] {
        (0..<chunk.documentCount).map { place in
            if chunk.frequencies[place] > 0 {
                return [[chunk.usualString, chunk.frequencies[place]]]
            }
            let number = chunk.others.withElements { $0.firstPlace(of: UInt32(place), from: 0) }
            return chunk.runRange(at: number).map {
                [chunk.runs[$0].string, chunk.runs[$0].frequency]
            }
        }
    }

    @Test(
        "All and some documents of a block have the scores of the formula, to the last bit",
        arguments: testSeeds(30))
    func blocks(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let count = generator.element([1, 2, 3, 7, 8, 9, 127, 128, 129, 300])
        let postings = PlainPostings.random(count, &generator)
        var lengths = LengthColumn()
        // Some documents are beyond the column, or have fewer strings than the postings say.
        let last = min(postings.documents.last?.number ?? 0, 20_000)
        for _ in 0...last {
            lengths.append((0..<generator.int(0...20)).map { _ in generator.number(upTo: 10) })
        }
        var parameters = BM25Parameters()
        parameters.k1 = generator.element([0, 1.2, 7])
        parameters.b = generator.element([0, 0.75, 1])
        let similarity = BM25(parameters)
        let averages = (0..<generator.int(0...18)).map { _ in Double(generator.int(0...300)) / 4 }
        let factors = (0..<generator.int(0...2)).map { _ in Double(generator.int(0...9)) / 4 }
        let scoring = TermScoring(
            saturation: similarity.saturation, idf: 1.7, factors: factors,
            strings: SegmentNorms(lengths, similarity, averages: averages))

        let stored = try postings.encoded().chunk.withUnsafeBytes { try StoredPostings($0) }
        var block = PostingsChunk()
        var all = Buffer<Double>()
        var some = Buffer<Double>()
        var weighted = Buffer<Double>()
        var first = 0
        for number in 0..<stored.blockCount {
            try block.decodeBlock(number, of: stored, with: .frequencies)
            let documents = postings.documents[first..<(first + block.documentCount)]
            #expect(
                (0..<block.documentCount).map { block.documents[$0] } == documents.map(\.number))
            let plain = documents.map { $0.runs.map { [$0.string, UInt32($0.positions.count)] } }
            #expect(Self.frequencies(block) == plain, "seed \(seed)")
            let expected = documents.map { document in
                var frequency = NormalizedFrequency()
                for run in document.runs {
                    let string = Int(run.string)
                    let length = lengths.length(of: Int(document.number), string: string)
                    let norm = StringNorm(
                        similarity.field(string),
                        averageLength: string < averages.count ? averages[string] : 0)
                    frequency.add(
                        norm.normalized(
                            frequency: Double(run.positions.count), length: Double(length)))
                }
                let score = similarity.saturation.score(idf: 1.7, frequency: frequency)
                return factors.reduce(score, *)
            }
            scoring.score(block, into: &all, &weighted)
            #expect(all.withElements { Array($0) } == expected, "seed \(seed)")
            let places = (0..<UInt32(block.documentCount)).filter { _ in generator.once(in: 3) }
            places.withUnsafeBufferPointer {
                scoring.score(at: $0, of: block, into: &some, &weighted)
            }
            #expect(
                some.withElements { Array($0) } == places.map { expected[Int($0)] }, "seed \(seed)")
            try block.decodeBlock(number, of: stored, with: .documents)
            #expect(
                (0..<block.documentCount).map { block.documents[$0] } == documents.map(\.number))
            first += block.documentCount
        }
        #expect(first == count)
    }
}
