import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Which of 64 documents may be among the best")
struct SlotWeightsTests {
    private static let names = ["first", "second"]

    private var generator: SeededGenerator
    private let lengths: LengthColumn
    private let width: Int

    init(seed: UInt64 = 1) {
        var generator = SeededGenerator(seed: seed)
        let width = generator.int(1...2)
        var lengths = LengthColumn()
        let longest = [5, 300, 65_535]
        let most = (0..<width).map { _ in generator.element(longest) }
        for _ in 0..<generator.int(1...400) {
            // Objects without strings and strings without words, too.
            if generator.once(in: 9) {
                lengths.append(EmptyCollection())
            } else {
                lengths.append(
                    most.map { generator.once(in: 9) ? 0 : UInt32(generator.int(1...$0)) })
            }
        }
        self.generator = generator
        self.lengths = lengths
        self.width = width
    }

    private mutating func similarity() -> BM25 {
        let weights = [0, 1e-300, 1e-30, 1e-9, 0.3, 1, 1, 2, 1e6]
        let shares = [0, 0.3, 0.75, 0.75, 1]
        return BM25(
            BM25Parameters(
                fieldWeights: [
                    "first": generator.element(weights), "second": generator.element(weights),
                ],
                fieldB: ["first": generator.element(shares), "second": generator.element(shares)]),
            fields: Self.names)
    }

    /// Occurrences by slot, in a third of the cases of two strings in one of these alone.
    private mutating func counts() -> [UInt32] {
        let most = generator.element([1, 20, 60_000])
        let share = generator.int(1...20)
        let only = generator.once(in: 3) ? generator.int(0...1) : nil
        return (0..<lengths.slotCount).map { slot in
            let (document, string) = slot.quotientAndRemainder(dividingBy: width)
            guard lengths.length(of: document, string: string) > 0, string == only ?? string else {
                return 0
            }
            return generator.once(in: share) ? UInt32(generator.int(1...most)) : 0
        }
    }

    /// What the occurrences in each document add up to.
    private func frequencies(_ counts: [UInt32], _ norms: [StringNorm]) -> [NormalizedFrequency] {
        (0..<lengths.count).map { document in
            var sum = NormalizedFrequency()
            for string in 0..<width where counts[document * width + string] > 0 {
                sum.add(
                    norms[string].normalized(
                        frequency: Double(counts[document * width + string]),
                        length: Double(lengths.length(of: document, string: string))))
            }
            return sum
        }
    }

    /// The same counts as a search has them: something may have been added where there is no
    /// occurrence.
    private mutating func memory(_ counts: [UInt32]) -> SlotMemory {
        var memory = SlotMemory(documentCount: lengths.count, width: width)
        for (slot, count) in counts.enumerated() where count > 0 || generator.once(in: 90) {
            memory.add(UInt32(slot / width), string: slot % width, count)
        }
        return memory
    }

    @Test("A search never passes over a document with enough weight", arguments: testSeeds(200))
    func bounds(seed: UInt64) {
        var model = Self(seed: seed)
        let weights = SlotWeights(model.lengths, width: model.width)
        for _ in 0..<4 {
            let similarity = model.similarity()
            let norms = model.lengths.averages().enumerated().map {
                StringNorm(
                    similarity.field($0),
                    averageLength: $1 * model.generator.element([0, 0.01, 0.9, 1, 1, 1.1, 40]))
            }
            let counts = model.counts()
            let frequencies = model.frequencies(counts, norms)
            var goal = SlotWeights.Goal(
                ImpactScale(model.lengths) { norms[$0] }, width: model.width)
            let all = frequencies.map(\.value).filter { $0 > 0 }
            for _ in 0..<(all.isEmpty ? 0 : 6) {
                let least = model.generator.element(all)
                goal.raise(to: least)
                var candidates: [UInt64] = []
                model.memory(counts).withSums { sums in
                    candidates = (0..<sums.wordCount).map {
                        weights.candidates(goal, inWord: $0, of: sums)
                    }
                }
                // What each test costs would be most of the time otherwise.
                let missed = frequencies.indices.filter { document in
                    frequencies[document].weighted >= least * frequencies[document].divisor
                        && candidates[document / 64] >> UInt64(document % 64) & 1 == 0
                }
                #expect(missed.isEmpty, "seed \(seed): \(least)")
            }
        }
    }

    @Test("Searches by the usual parameters pass over all that has less", arguments: testSeeds(50))
    func closeness(seed: UInt64) {
        var model = Self(seed: seed)
        let weights = SlotWeights(model.lengths, width: model.width)
        let norms = model.lengths.averages().enumerated().map {
            StringNorm(BM25().field($0), averageLength: $1)
        }
        let counts = model.counts()
        let frequencies = model.frequencies(counts, norms)
        var goal = SlotWeights.Goal(ImpactScale(model.lengths) { norms[$0] }, width: model.width)
        model.memory(counts).withSums { sums in
            for first in stride(from: 0, to: frequencies.count, by: 16) {
                let most = frequencies[first...].prefix(16).map(\.value).max() ?? 0
                goal.raise(to: most * 1.01 + 1e-9)
                let candidates = weights.candidates(goal, inWord: first / 64, of: sums)
                #expect(
                    candidates >> UInt64(first % 64) & 0xffff == 0, "seed \(seed): from \(first)")
            }
        }
    }
}
