import Testing

@testable import TestSupport
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

    /// All combinations of `count` blocks, each one of two, whose hashes are the same where a seed
    /// is but the start of a hash that multiplies by what is known.
    private func combinations(of a: [UInt8], _ b: [UInt8], _ count: Int) -> [[UInt8]] {
        (0..<count).reduce([[]]) { texts, _ in texts.flatMap { [$0 + a, $0 + b] } }
    }

    @Test("Texts whose differences cancel each other under other hashes")
    func differences() {
        let plain = [UInt8]("abcdefghabcdefgh".utf8)
        var other = plain
        other[7] ^= 0x80
        other[15] ^= 0x80
        other[11] ^= 0x80
        let letters = (
            [UInt8]("abcdefg1abc1efg1".utf8), [UInt8]("abcdefgqabcqefgq".utf8)
        )
        for texts in [combinations(of: plain, other, 8), combinations(of: letters.0, letters.1, 8)]
        {
            let identifiers = texts.map { text in
                text.withUnsafeBufferPointer { IdentifierProbe($0).hash }
            }
            #expect(Set(identifiers).count == texts.count)
            let words = texts.map { text in
                text.withUnsafeBufferPointer { FoldCache.hash($0, analysis: 0) }
            }
            #expect(Set(words).count > texts.count - 4)
            var terms = TermTable()
            let keys = texts.map { text in
                let scratch = terms.scratch()
                for (place, byte) in text.enumerated() { scratch[place] = byte }
                return terms.probe(scratch, text.count).key
            }
            #expect(Set(keys).count == texts.count)
        }
    }

    @Test("Each table has the seed of its process")
    func tables() {
        var a = TermTable(seed: HashSeed(first: 1, second: 2))
        var b = TermTable(seed: HashSeed(first: 3, second: 4))
        for text in ["duck", "ducks and drakes"] {
            func probe(_ table: inout TermTable) -> TermTable.Probe {
                let scratch = table.scratch()
                for (place, byte) in text.utf8.enumerated() { scratch[place] = byte }
                return table.probe(scratch, text.utf8.count)
            }
            let (first, second) = (probe(&a), probe(&b))
            #expect(first.hash != second.hash, "\(text)")
            #expect((first.key == second.key) == (text.utf8.count <= 8), "\(text)")
        }
        let bytes = [UInt8]("duck".utf8)
        bytes.withUnsafeBufferPointer {
            #expect(IdentifierProbe($0).hash == HashSeed.process.hash($0))
        }
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
