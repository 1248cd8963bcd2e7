import Testing

@testable import TestSupport
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

    /// Varints of 32 bits, read one after the other.
    private static func values(_ bytes: UnsafeRawBufferPointer, _ count: Int) throws -> (
        [UInt32], Int
    ) {
        var reader = ByteReader(bytes)
        var values: [UInt32] = []
        for _ in 0..<count {
            let value = try reader.varint()
            guard value <= UInt32.max else { throw MalformedData() }
            values.append(UInt32(value))
        }
        return (values, reader.offset)
    }

    @Test(
        "Numbers that are read together are those read one by one, or malformed as they are",
        arguments: testSeeds(200))
    func together(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = Buffer<UInt8>()
        let bits = generator.element([6, 8, 13, 16, 28, 32])
        // Larger than 32 bits.
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
                let expected = try? Self.values(bytes, count)
                let found: Void? = try? room.withUnsafeMutableBufferPointer {
                    try reader.readVarints(into: $0)
                }
                #expect((found != nil) == (expected != nil), "seed \(seed), \(count)")
                guard let expected, found != nil else { continue }
                #expect(room == expected.0 && reader.offset == expected.1, "seed \(seed), \(count)")
            }
        }
    }
}
