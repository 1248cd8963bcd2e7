import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("How often a word stands in an object, as a fraction")
struct NormalizedFrequencyTests {
    @Test(
        "Fractions add up to the sum of their values, of however many strings",
        arguments: testSeeds(30))
    func sum(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Long strings, or short ones, without end: a product of their divisors alone would be no
        // number, or nothing.
        let scale = generator.element([1e-9, 0.1, 1, 30, 1e9])
        var fraction = NormalizedFrequency()
        var sum = 0.0
        for _ in 0..<generator.int(1...2000) {
            let weighted = generator.once(in: 5) ? 0 : Double(generator.int(1...100))
            let divisor = Double(generator.int(1...100)) * scale
            fraction.add(NormalizedFrequency(weighted: weighted, divisor: divisor))
            sum += weighted / divisor
            #expect(abs(fraction.value - sum) <= sum * 1e-11, "seed \(seed)")
        }
    }

    @Test("One string is the fraction itself, to the last bit")
    func one() {
        var fraction = NormalizedFrequency()
        fraction.add(NormalizedFrequency(weighted: 3, divisor: 0.7))
        #expect(fraction.weighted == 3)
        #expect(fraction.divisor == 0.7)
        // So it stays where nothing is added.
        fraction.add(NormalizedFrequency())
        #expect(fraction.weighted == 3)
        #expect(fraction.divisor == 0.7)
    }

    @Test("A score is that of the sum, with one division")
    func score() {
        let similarity = BM25(BM25Parameters(k1: 1.5, b: 0.5))
        let (first, second) = (
            StringNorm(similarity.field(0), averageLength: 20),
            StringNorm(similarity.field(1), averageLength: 10)
        )
        var fraction = first.normalized(frequency: 2, length: 30)
        fraction.add(second.normalized(frequency: 1, length: 5))
        let tf = 2 / (0.5 + 0.5 * 1.5) + 1 / (0.5 + 0.5 * 0.5)
        let score = similarity.saturation.score(idf: 0.3, frequency: fraction)
        #expect(abs(score - 0.3 * tf * 2.5 / (tf + 1.5)) < 1e-15)
        #expect(similarity.saturation.score(idf: 0.3, frequency: NormalizedFrequency()) == 0)
    }
}
