import Foundation
import PowerCuts
import Testing

@testable import TextIndexServer

/// What bodies are read by, beside Foundation's decoder.
@Suite struct JSONReaderTests {
    private static func random(_ depth: Int, _ generator: inout SeededGenerator) -> JSON {
        let texts = [
            "", "a", "\"\\/", "\u{0}\u{1f}\n\t\r\u{8}\u{c}", "é\u{301}", "北京", "👩‍👩‍👧", "\u{ffff}",
            "\u{7f}",
        ]
        switch Int.random(in: 0..<(depth > 4 ? 6 : 9), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(.random(in: .min ... .max, using: &generator))
        case 3: return .int(.random(in: -9...9, using: &generator))
        case 4: return .number(.random(in: -1e300...1e300, using: &generator))
        case 5: return .string(texts.randomElement(using: &generator) ?? "")
        case 6, 7:
            return .object(
                (0..<Int.random(in: 0...4, using: &generator)).map { number in
                    (
                        "\(number)\(texts.randomElement(using: &generator) ?? "")",
                        random(depth + 1, &generator)
                    )
                })
        default:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    random(depth + 1, &generator)
                })
        }
    }

    /// Whether two texts say the same. Foundation reads numbers that are whole in the end as such,
    /// and takes a comma before a brace.
    private static func agree(_ bytes: [UInt8]) -> Bool {
        func plain(_ value: JSON) -> JSON {
            switch value {
            case .int(let number): .number(Double(number))
            case .array(let values): .array(values.map(plain))
            case .object(let members): .object(members.map { ($0.name, plain($0.value)) })
            default: value
            }
        }
        let read = (try? JSONReader.value(of: bytes)).map { plain($0).inOrder.bytes }
        let decoded = (try? JSONDecoder().decode(JSON.self, from: Data(bytes))).map {
            plain($0).inOrder.bytes
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return read == decoded || read == nil && text.contains(/,[ \n\t]*\}/)
    }

    private static func read(_ bytes: [UInt8]) -> [UInt8]? {
        (try? JSONReader.value(of: bytes))?.inOrder.bytes
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func whatIsWrittenIsRead(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<200 {
            let value = Self.random(0, &generator)
            #expect(Self.read(value.bytes) == value.inOrder.bytes, "seed \(seed), round \(round)")
        }
    }

    /// Texts that are nearly JSON are taken or refused as Foundation does.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func changedTexts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &+ 100)
        let signs = Array("{}[]\",:\\/ue+-.0129 \n\tdDfFnrlsa8cCEé".utf8)
        var taken = 0
        for round in 0..<2000 {
            var bytes = Self.random(2, &generator).bytes
            for _ in 0..<Int.random(in: 1...2, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let sign = signs.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = sign
                case 1: bytes.insert(sign, at: place)
                default: bytes.remove(at: place)
                }
            }
            taken += Self.read(bytes) == nil ? 0 : 1
            #expect(
                Self.agree(bytes),
                "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(taken > 100)
    }

    @Test func singleTexts() {
        for (text, expected) in [
            ("", nil), (" ", nil), ("1 2", nil), ("01", nil), ("-", nil), ("1.", nil), (".5", nil),
            ("1e", nil), ("1e400", nil), ("+1", nil), ("NaN", nil), ("tru", nil),
            ("\"\\u12\"", nil),
            ("\"\\ud800\"", nil), ("\"\\udc00\\ud800\"", nil), ("\"\\ud800\\u0041\"", nil),
            ("\"a\nb\"", nil), ("[1,]", nil), ("{\"a\":1,}", nil), ("{a:1}", nil), ("[", nil),
            ("{\"a\"", nil), ("\u{feff}1", nil), ("\"\\x\"", nil), ("\"", nil),
            ("-0", "0"), ("\"\\ud83d\\ude00\"", "\"😀\""),
            ("9223372036854775808", "9.223372036854776e+18"),
            (" [ ] ", "[]"), ("{\"a\":1,\"a\":2}", "{\"a\":2}"), ("1E-2", "0.01"),
        ] as [(String, String?)] {
            let read = Self.read(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
            #expect(read == expected, "\(text)")
        }
        #expect(Self.read([0x22, 0xff, 0x22]) == nil)
        #expect(Self.read([0x22, 0xed, 0xa0, 0x80, 0x22]) == nil)
    }

    @Test func depth() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(Self.read(nested(512)) != nil)
        #expect(Self.read(nested(513)) == nil)
        #expect(Self.read(Array(String(repeating: "{\"a\":[", count: 100_000).utf8)) == nil)
    }
}
