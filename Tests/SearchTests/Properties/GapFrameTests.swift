import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Frames of gaps between positions")
struct GapFrameTests {
    /// Gaps as words at random have them, all alike, with a few large ones, and any.
    private static func gaps(_ count: Int, _ generator: inout SeededGenerator) -> [UInt32] {
        let bits = generator.int(0...20)
        let kind = generator.int(0...3)
        let same = generator.number(upTo: bits)
        return (0..<count).map { _ in
            switch kind {
            case 0: generator.number(upTo: bits)
            case 1: same
            case 2: generator.once(in: 40) ? generator.number(upTo: 32) : generator.number(upTo: 4)
            default: generator.number(upTo: generator.int(0...32))
            }
        }
    }

    private static func encoded(_ gaps: [UInt32]) -> [UInt8] {
        var output = Buffer<UInt8>()
        for start in stride(from: 0, to: gaps.count, by: GapFrame.size) {
            Array(gaps[start..<min(start + GapFrame.size, gaps.count)]).withUnsafeBufferPointer {
                GapFrame.append($0, to: &output)
            }
        }
        return output.toArray()
    }

    @Test("Gaps are read, and passed over, as they were written", arguments: testSeeds(40))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for count in [1, 2, 7, 100, 511, 512, 513, 2000] {
            let gaps = Self.gaps(count, &generator)
            let bytes = Self.encoded(gaps)
            let tail = generator.int(0...9)
            try (bytes + [UInt8](repeating: 0xff, count: tail)).withExactBytes { raw in
                var reader = try GapReader(raw, count: count, isPacked: true)
                var place = 0
                while place < count, !generator.once(in: 30) {
                    let some = min(generator.int(0...generator.int(1...700)), count - place)
                    if generator.once(in: 2) {
                        try reader.skip(some)
                    } else {
                        var read = [UInt32](repeating: 7, count: some)
                        try read.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
                        let isSame = read[...] == gaps[place..<place + some]
                        #expect(isSame, "seed \(seed), \(count) gaps from \(place) on")
                    }
                    place += some
                }
                let end = try reader.finish()
                #expect(end == bytes.count, "seed \(seed), \(count) gaps")
            }
        }
    }

    @Test("A frame is never longer than varints and its first byte", arguments: testSeeds(10))
    func size(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let gaps = Self.gaps(generator.int(1...512), &generator)
            let plain = gaps.withUnsafeBufferPointer { GapFrame.varintByteCount(of: $0) }
            var varints = Buffer<UInt8>()
            for gap in gaps { varints.appendVarint(UInt64(gap)) }
            #expect(plain == varints.count)
            #expect(Self.encoded(gaps).count <= plain + 1, "seed \(seed)")
        }
    }

    @Test("A frame that is cut short, or of impossible widths, is malformed")
    func malformed() throws {
        var generator = SeededGenerator(seed: 5)
        for count in [1, 30, 600] {
            let bytes = Self.encoded(Self.gaps(count, &generator))
            for end in bytes.indices {
                #expect(throws: MalformedData.self) {
                    try Array(bytes[..<end]).withExactBytes {
                        var reader = try GapReader($0, count: count, isPacked: true)
                        _ = try reader.finish()
                    }
                }
            }
        }
        // 32 low bits, and a quotient that makes a gap larger than 32 bits.
        for bytes: [UInt8] in [[32, 0, 0, 0, 0, 1], [31, 0, 0, 0, 0, 0b100]] {
            #expect(throws: MalformedData.self) {
                try bytes.withExactBytes {
                    var reader = try GapReader($0, count: 1, isPacked: true)
                    _ = try reader.next()
                }
            }
        }
    }

    @Test("Random bytes are read as something or refused", arguments: testSeeds(10))
    func anything(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let bytes = [UInt8].random(generator.int(0...200), &generator)
            let count = generator.int(0...1500)
            bytes.withExactBytes { raw in
                guard
                    var reader = try? GapReader(raw, count: count, isPacked: generator.once(in: 2))
                else { return }
                var gaps = [UInt32](repeating: 0, count: count / 2)
                let isRead: Void? = try? gaps.withUnsafeMutableBufferPointer {
                    try reader.read(into: $0)
                }
                if isRead != nil { _ = try? reader.finish() }
            }
        }
    }
}
