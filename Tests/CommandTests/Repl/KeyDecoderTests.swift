import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct KeyDecoderTests {
    /// Keys of some bytes, with what waits at the end taken for what it is.
    private static func keys(_ pieces: [[UInt8]]) -> [Key] {
        var decoder = KeyDecoder()
        return pieces.flatMap { decoder.decode($0) } + decoder.flush()
    }

    /// Characters one by one, however they came.
    private static func single(_ keys: [Key]) -> [Key] {
        keys.flatMap { key -> [Key] in
            if case .text(let text) = key {
                return text.unicodeScalars.map { .text(String($0)) }
            }
            return [key]
        }
    }

    @Test(arguments: [
        ("a", [Key.text("a")]), ("duck\r", [.text("duck"), .enter]), ("\n", [.enter]),
        ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5A", [.earlier]),
        ("\u{1B}[1;5C", [.wordRight]), ("\u{1B}b", [.wordLeft]), ("\u{1B}[H", [.home]),
        ("\u{1B}[4~", [.end]), ("\u{1B}[3~", [.delete]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{1}\u{5}\u{15}", [.home, .end, .deleteToStart]),
        ("\u{3}\u{1A}\u{C}", [.interrupt, .suspend, .redraw]), ("\t", [.tab]),
        ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]),
        ("\u{1B}[200~a\r\u{1B}[Ab\u{1B}[201~c", [.text("a\r\u{1B}[Abc")]),
        ("\u{1B}[99;7xq", [.text("q")]), ("北é👩‍👧", [.text("北é👩‍👧")]), ("\u{1B}[<0;1;1Mx", [.text("x")]),
    ]) func sequences(_ text: String, _ expected: [Key]) {
        #expect(Self.keys([Array(text.utf8)]) == expected)
    }

    @Test func bytesThatAreNoText() {
        #expect(Self.keys([[0x61, 0xFF, 0x62]]) == [.text("a\u{FFFD}b")])
        #expect(Self.keys([[0xE5, 0x8C]]) == [.text("\u{FFFD}"), .text("\u{FFFD}")])
        #expect(Self.keys([[0xE5, 0x41]]) == [.text("\u{FFFD}A")])
    }

    @Test func anEndlessSequenceIsGivenUp() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 100)) == [])
        #expect(!decoder.isWaiting)
        #expect(decoder.decode([0x61]) == [.text("a")])
    }

    @Test func anEndlessPasteIsCut() throws {
        var decoder = KeyDecoder()
        _ = decoder.decode(Array("\u{1B}[200~".utf8))
        for _ in 0..<100 { _ = decoder.decode([UInt8](repeating: 0x61, count: 4096)) }
        let keys = decoder.decode(Array("\u{1B}[201~b".utf8))
        guard case .text(let text)? = keys.first else { throw CommandError("no text") }
        #expect(text == String(repeating: "a", count: 1 << 16) + "b" && keys.count == 1)
    }

    /// However the bytes are cut, the keys are the same.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func pieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "é", "北", "👩‍👧", "\r", "\u{1B}[A", "\u{1B}[1;5D", "\u{1B}OB", "\u{7F}", "\u{1}",
            "\u{1B}[200~x 北\u{1B}[2 y\u{1B}[201~", "\u{1B}[3~", "\u{1B}f", "\t", "\u{1B}[?1x",
        ]
        let text = (0..<30).map { _ in parts[random.below(parts.count)] }.joined() + "z"
        let bytes = Array(text.utf8)
        var cut: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + 1 + random.below(5), bytes.count)
            cut.append(Array(bytes[start..<end]))
            start = end
        }
        #expect(
            Self.single(Self.keys(cut)) == Self.single(Self.keys([bytes])), "seed \(seed): \(text)")
    }

    /// Any bytes at all end somewhere.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var decoder = KeyDecoder()
        let common: [UInt8] = [0x1B, 0x5B, 0x4F, 0x32, 0x30, 0x7E, 0xE5, 0x8C]
        for _ in 0..<3000 {
            let byte =
                random.below(2) == 0 ? common[random.below(8)] : UInt8(random.below(256))
            _ = decoder.decode([byte])
        }
        _ = decoder.decode(Array("\u{1B}[201~".utf8))
        for _ in 0..<100 where decoder.isWaiting { _ = decoder.flush() }
        #expect(decoder.decode([0x61]) == [.text("a")], "seed \(seed)")
    }
}
