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

    /// The sums of varints, read one after the other.
    private static func sums(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> (
        [UInt32], Int
    ) {
        var reader = ByteReader(bytes)
        var sum: UInt64 = 0
        var sums: [UInt32] = []
        for _ in 0..<count {
            let (larger, overflow) = sum.addingReportingOverflow(try reader.varint())
            guard !overflow, larger <= UInt32.max else { throw MalformedData() }
            sum = larger
            sums.append(UInt32(sum))
        }
        return (sums, reader.offset)
    }

    @Test(
        "Sums of numbers are those of numbers read one by one, or malformed as they are",
        arguments: testSeeds(200))
    func summed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Buffer<UInt8>()
        let bits = generator.element([6, 8, 13, 16, 28, 32])
        // Whose sums with small ones, which follow, would begin anew at 0.
        let isLarge = generator.once(in: 4)
        if isLarge { bytes.appendVarint(UInt64.max - UInt64(generator.number(upTo: 8))) }
        let numbers = generator.int(0...40)
        for _ in 0..<numbers {
            bytes.appendVarint(UInt64(generator.number(upTo: isLarge ? 8 : bits)))
        }
        // Numbers that are too large, of more bytes than they need, or without an end.
        if generator.once(in: 3) {
            for _ in 0..<generator.int(1...12) { bytes.append(UInt8(generator.int(0...255))) }
        }
        bytes.toArray().withExactBytes { bytes in
            for count in 0...(numbers + 2) {
                var room = [UInt32](repeating: 0, count: count)
                var reader = ByteReader(bytes)
                let expected = try? Self.sums(bytes, count)
                let found: Void? = try? room.withUnsafeMutableBufferPointer {
                    try reader.addUpVarints(into: $0)
                }
                #expect((found != nil) == (expected != nil), "seed \(seed), \(count)")
                guard let expected, found != nil else { continue }
                #expect(room == expected.0 && reader.offset == expected.1, "seed \(seed), \(count)")
            }
        }
    }
}
