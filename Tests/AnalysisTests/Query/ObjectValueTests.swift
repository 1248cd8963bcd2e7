import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite struct AttributeValueTests {
    @Test func literals() {
        let values: [AttributeValue] = ["a", 3, 4.5, true, ["x", "y"]]
        #expect(
            values == [
                .string("a"), .number(3), .number(4.5), .bool(true),
                .array([.string("x"), .string("y")]),
            ])
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func orderIsTotal(seed: UInt64) {
        var random = QueryRandom(seed: seed)
        for _ in 0..<200 {
            let (a, b, c) = (random.value(), random.value(), random.value())
            // Outside the macro, which reflects operands: Foundation traps when it describes a date
            // that is not finite.
            let relations = [a < b, a == b, b < a].filter { $0 }.count
            let isTransitive = !(a < b && b < c) || a < c
            let hashesAlike = a != b || a.hashValue == b.hashValue
            #expect(relations == 1, "seed \(seed): \(a) \(b)")
            #expect(isTransitive, "seed \(seed): \(a) \(b) \(c)")
            #expect(hashesAlike, "seed \(seed): \(a) \(b)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func codedValuesDecode(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        for _ in 0..<100 {
            let value = random.value(depth: 3)
            let json = try JSONEncoder().encode(value)
            let isSame = try JSONDecoder().decode(AttributeValue.self, from: json) == value
            #expect(isSame, "seed \(seed): \(value)")
        }
    }

    @Test func comparisons() {
        func holds(_ comparison: AttributeComparison, _ value: AttributeValue?) -> Bool {
            comparison.operation.holds(for: value)
        }
        #expect(holds(.equal(3), 3))
        #expect(!holds(.equal(3), "3"))
        #expect(!holds(.equal(3), nil))
        #expect(holds(.equal("a"), ["b", "a"]))
        #expect(holds(.equal(["a", "c"]), ["b", "a"]))
        #expect(holds(.notEqual("c"), ["b", "a"]))
        #expect(!holds(.notEqual("a"), ["b", "a"]))
        #expect(!holds(.notEqual("a"), nil))
        #expect(holds(.less(3), 2.5))
        #expect(!holds(.less(3), 3))
        #expect(holds(.lessOrEqual(3), 3))
        #expect(!holds(.less(3), "2"))
        #expect(!holds(.greater(3), "4"))
        #expect(holds(.greater("b"), "c"))
        #expect(holds(.range(1...5), 5))
        #expect(!holds(.range(1..<5), 5))
        #expect(!holds(.range(1...5), .number(.nan)))
        #expect(holds(.exists, []))
        #expect(!holds(.exists, nil))
        #expect(holds(.in([1, 2]), 2))
        #expect(!holds(.in([]), 2))
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0.0), ("2000-02-29T12:00:00Z", -26_481_600),
        ("1969-12-31T23:59:59.500Z", -978_307_200.5), ("9999-12-31T23:59:59Z", 252_423_993_599),
        ("0001-01-01T00:00:00Z", -63_113_904_000),
    ]) func dates(_ text: String, _ seconds: Double) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(AttributeText.text(date) == text)
        #expect(AttributeText.meaning(of: text) == .value(.date(date)))
    }

    @Test(arguments: [
        "2024-13-01", "2024-00-01", "2024-02-30", "2023-02-29", "2024-05-01T", "2024-05-01T25:00",
        "2024-05-01T12:60", "2024-5-1", "0000-01-01", "2024-05-01T12:00+1", "2024-05-01x",
        "2024-05-01T12:00:00.", "2024-05-01T12:00:00.1234567890", "1e999", "0x10", "inf", "nan",
        "+1",
        "--1", "1e", "@", "@x",
    ]) func otherWordsAreStrings(_ word: String) {
        #expect(AttributeText.meaning(of: word) == .value(.string(word)))
    }
}

@Suite struct ContextValueTests {
    private static func value(_ random: inout QueryRandom, depth: Int) -> ContextValue {
        switch random.int(0...(depth > 0 ? 8 : 6)) {
        case 0: return .null
        case 1: return .bool(random.bool())
        case 2: return .int(Int64(bitPattern: random.next() >> UInt64(random.int(0...63))))
        case 3: return .double(random.element([0, -1.5, 1e300, .infinity]))
        case 4: return .string(random.text())
        case 5: return .data(Data(random.text().utf8))
        case 6: return .date(Date(timeIntervalSinceReferenceDate: Double(random.int(-9...9)) / 4))
        case 7:
            return .array((0..<random.int(0...4)).map { _ in value(&random, depth: depth - 1) })
        default:
            var values: [String: ContextValue] = [:]
            for _ in 0..<random.int(0...4) {
                values[random.text()] = value(&random, depth: depth - 1)
            }
            return .dictionary(values)
        }
    }

    @Test func literals() {
        let value: ContextValue = ["a": 1, "b": [1.5, "x", true, nil]]
        #expect(
            value
                == .dictionary([
                    "a": .int(1), "b": .array([.double(1.5), .string("x"), .bool(true), .null]),
                ]))
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func roundTrips(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        for _ in 0..<100 {
            let value = Self.value(&random, depth: 4)
            var bytes: [UInt8] = [42]
            value.encode(into: &bytes)
            bytes.append(43)
            var reader = ByteSliceReader(bytes[1...])
            #expect(try ContextValue(decoding: &reader) == value, "seed \(seed)")
            #expect(try reader.readByte() == 43)
            #expect(reader.remaining == 0)
            let json = try JSONEncoder().encode(value)
            #expect(try JSONDecoder().decode(ContextValue.self, from: json) == value)
            var again: [UInt8] = [42]
            try ContextValue(decodingAll: bytes[1..<bytes.count - 1]).encode(into: &again)
            #expect(again == bytes.dropLast(), "seed \(seed): equal values have equal bytes")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func malformedBytesThrowOrDecode(seed: UInt64) throws
    {
        var random = QueryRandom(seed: seed)
        for _ in 0..<200 {
            var bytes: [UInt8] = []
            Self.value(&random, depth: 4).encode(into: &bytes)
            for _ in 0..<random.int(1...4) where !bytes.isEmpty {
                switch random.int(0...2) {
                case 0: bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255))
                case 1: bytes.removeLast(random.int(0...bytes.count))
                default: bytes.insert(UInt8(random.int(0...255)), at: random.int(0...bytes.count))
                }
            }
            var reader = ByteSliceReader(bytes)
            do {
                _ = try ContextValue(decoding: &reader)
                #expect(reader.offset <= bytes.count)
            } catch {
                #expect(error.offset <= bytes.count, "seed \(seed)")
            }
        }
    }

    @Test func everyTruncationThrows() {
        let value: ContextValue = ["a": [1, "two", 3.5], "b": .data(Data([1, 2]))]
        var bytes: [UInt8] = []
        value.encode(into: &bytes)
        for count in bytes.indices {
            var reader = ByteSliceReader(bytes[..<count])
            #expect(throws: ByteSliceReader.Malformed.self) { try ContextValue(decoding: &reader) }
        }
    }

    @Test func depthIsLimited() throws {
        var value = ContextValue.int(1)
        for _ in 1..<ContextValue.maximumDepth { value = .array([value]) }
        #expect(value.depth == 64)
        var bytes: [UInt8] = []
        value.encode(into: &bytes)
        #expect(try ContextValue(decodingAll: bytes[...]) == value)
        let deep =
            [UInt8](repeating: 0, count: 0) + Array(repeating: [8, 1], count: 10_000).joined()
        var reader = ByteSliceReader(deep)
        #expect(throws: ByteSliceReader.Malformed(reason: .tooDeep, offset: 128)) {
            try ContextValue(decoding: &reader)
        }
        #expect(ContextValue.array([value]).depth == 65)
        var cut: [UInt8] = []
        ContextValue.array([value]).encode(into: &cut)
        #expect(throws: Never.self) { try ContextValue(decodingAll: cut[...]) }
    }
}

extension ContextValue {
    fileprivate init(decodingAll bytes: ArraySlice<UInt8>) throws {
        var reader = ByteSliceReader(bytes)
        try self.init(decoding: &reader)
    }
}
