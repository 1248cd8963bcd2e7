import Testing

@testable import TextSearch

@Suite("Numbers of variable length")
struct ByteCodingTests {
    @Test(
        "Numbers that are passed over end where they end when they are read",
        arguments: testSeeds(50))
    func skipped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bits = generator.int(0...63)
        let numbers = (0..<generator.int(1...60)).map { _ in
            UInt64.random(in: 0...(1 << UInt64(generator.int(0...bits))), using: &generator)
        }
        var bytes = Buffer<UInt8>()
        for number in numbers { bytes.appendVarint(number) }
        try bytes.withBytes { bytes in
            for count in 0...numbers.count {
                var reader = ByteReader(bytes)
                for _ in 0..<count { _ = try reader.varint() }
                var skipping = ByteReader(bytes)
                try skipping.skipVarints(count)
                #expect(skipping.offset == reader.offset, "seed \(seed), \(count) of \(numbers)")
            }
            #expect(throws: MalformedData.self, "seed \(seed)") {
                var reader = ByteReader(bytes)
                try reader.skipVarints(numbers.count + 1)
            }
        }
    }
}
