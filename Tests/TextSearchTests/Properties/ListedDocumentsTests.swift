import Testing

@testable import TextSearch

@Suite("Which documents of a segment have a keyword")
struct ListedDocumentsTests {
    @Test("How many of them are dead, as sets say", arguments: testSeeds(30))
    func deadCount(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for share in [0, 1, 3, 20, 50, 80, 97, 99, 100] {
            let count = generator.element([1, 7, 8, 64, 65, 200, 5000])
            let first = UInt32(generator.element([0, 3, 4096, 10_007]))
            let having = (0..<UInt32(count)).filter { _ in generator.int(1...100) <= share }
            var buffer = Buffer<UInt32>()
            for document in having { buffer.append(document) }
            let made = ListedDocuments(buffer, of: count)
            #expect(made.bytes.count <= 2 + count / 8)
            let listed = try made.bytes.withExactBytes {
                try ListedDocuments($0, of: count, documentCount: having.count)
            }
            #expect(listed == made)
            var found: [UInt32] = []
            #expect(try listed.forEach(of: count) { found.append($0) })
            #expect(found == having, "seed \(seed): \(share) of 100, \(count)")
            if count == 5000 {
                #expect(made.bytes[0] == (share < 10 ? 2 : share > 90 ? 3 : 1), "seed \(seed)")
            }
            var dead = Tombstones()
            let rarity = generator.int(1...30)
            // Some before the segment and behind it, too.
            let died = Set((0..<UInt32(count + 20_000)).filter { _ in generator.once(in: rarity) })
            dead.insert(died.sorted())
            #expect(
                try listed.deadCount(dead, in: first..<(first + UInt32(count)))
                    == having.count { died.contains(first + $0) },
                "seed \(seed): \(share) of 100, \(count) from \(first)")
        }
        #expect(try ListedDocuments().deadCount(Tombstones(), in: 0..<9) == nil)
        #expect(try !ListedDocuments().forEach(of: 9) { _ in })
    }

    @Test(
        "Stored forms that are none",
        arguments: [
            [], [4], [0, 1],
            // Too short, too long, one behind the last, too few.
            [1, 0x0f], [1, 0x0f, 0, 0], [1, 0x07, 0x08], [1, 0x07, 0],
            // The same twice, too many, one behind the last, a number that goes on.
            [2, 1, 0, 2, 3], [2, 1, 1, 1, 1, 1], [2, 1, 1, 1, 8], [2, 1, 1, 1, 0x81],
            [3, 1, 1, 1, 1, 1, 1, 1, 1], [3, 1],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: MalformedData.self) {
            try bytes.withExactBytes { try ListedDocuments($0, of: 11, documentCount: 4) }
        }
    }
}
