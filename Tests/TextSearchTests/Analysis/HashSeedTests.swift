import Testing

@testable import TextSearch

@Suite("Seeds of hashes")
struct HashSeedTests {
    @Test("What meets under one seed does not under another", arguments: testSeeds(10))
    func chosen(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let known = HashSeed(first: generator.next(), second: generator.next())
        var chosen: Set<UInt64> = []
        while chosen.count < 64 {
            // Words of letters, as somebody would choose them.
            let word = (0..<8).reduce(UInt64(0)) { word, _ in
                word << 8 | UInt64(generator.int(0x61...0x7a))
            }
            if known.hash(word) >> 56 == 0 { chosen.insert(word) }
        }
        let other = HashSeed(first: generator.next(), second: generator.next())
        let places = Set(chosen.map { other.hash($0) >> 54 })
        #expect(places.count > 48, "seed \(seed): \(places.count) places")
    }

    @Test("Numbers that differ little are spread over a table", arguments: testSeeds(10))
    func neighbours(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let hashes = HashSeed(first: generator.next(), second: generator.next())
        for shift in [0, 7, 8, 16, 32, 56] {
            let places = Set((0..<64).map { hashes.hash($0 << UInt64(shift)) >> 54 })
            #expect(places.count > 32, "seed \(seed): \(places.count) places, from bit \(shift)")
        }
    }
}
