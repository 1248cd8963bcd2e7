import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Hashes of identifiers")
struct IdentifierHashesTests {
    @Test("A set of hashes tells what the highest 32 bits tell", arguments: testSeeds(8))
    func marks(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var hashes = IdentifierHashes()
        var model: Set<UInt64> = []
        // Few enough that many come again, and some that differ in the last bits alone.
        let most = UInt64(generator.int(1...3000))
        let step: UInt64 = 1 << UInt64(generator.int(32...52))
        func random() -> UInt64 {
            UInt64(generator.int(0...Int(most))) &* step | UInt64(generator.int(0...9))
        }
        for _ in 0..<generator.int(1...12) {
            var batch = Buffer<UInt64>()
            for _ in 0..<generator.int(0...400) {
                let hash = random()
                model.insert(max(hash >> 32, 1))
                batch.append(hash)
            }
            hashes.insert(batch)
            for _ in 0..<200 {
                let hash = random()
                #expect(
                    hashes.mayContain(hash) == model.contains(max(hash >> 32, 1)), "seed \(seed)")
            }
        }
    }

    @Test("An empty set of hashes has no identifier") func empty() {
        var hashes = IdentifierHashes()
        #expect(!hashes.mayContain(0) && !hashes.mayContain(.max))
        hashes.insert(Buffer())
        #expect(!hashes.mayContain(0) && !hashes.mayContain(.max))
    }
}
