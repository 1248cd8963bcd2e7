import Testing

@testable import TestSupport
@testable import TextSearch

/// Snippets are cut out of stretches around the matches: they are those of the whole text.
@Suite("Stretches of snippets")
struct SnippetStretchTests {
    /// Words, signs and what joins them, of many scripts, with what makes words and characters hard
    /// to part.
    private static let pieces: [[String]] = [
        [
            "duck", "goose", "Duck's", "straße", "e\u{301}te\u{301}", "3.14", "a_b", "x", "I'm",
            "C++",
        ],
        ["утка", "гусь", "ελληνικά", "հայերեն", "გამარჯობა"],
        ["שלום", "ג\"ז", "بطة", "كتاب\u{64b}", "\u{601}12", "\u{200f}"],
        ["鴨", "東京都庁", "ㇰ", "カタカナ", "ひらがな", "㍿", "漢\u{fe00}字", "한국어", "\u{1112}\u{1161}\u{11ab}"],
        ["เป็ด", "น\u{e4d}\u{e32}", "ำ", "ກາ", "ဘဲ", "ទា", "क्षत्रिय", "தமிழ்", "നി"],
        ["👩‍👩‍👧", "🇩🇪", "🇩", "b👩‍👩‍👧", "1\u{fe0f}\u{20e3}", "½", "①", "☃\u{fe0f}", "\u{1f3fd}"],
    ]
    private static let signs = [
        " ", " ", " ", " ", " ", ", ", ". ", "\n", "\r\n", "\r", "\t", " (", ") ", "-", "—", "'",
        "\"", "/", ".", ":", "。",
        "、", "！", "「", "」", "　", "，", "\u{200b}", "\u{200d}", "\u{301}", " \u{301}", "\u{a0}",
        "\u{2028}", "\u{ad}",
        "…", "' ", "”", " 。", "。” ", "", "", "_", "\u{0}", "\u{e33}", "\u{600}", "\u{fe0f}", "·",
    ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        // Some texts are of one script, some have few spaces.
        let script = generator.int(0...pieces.count)
        let sign = generator.int(0...3)
        return (0..<generator.int(0...250)).map { _ in
            let words = script < pieces.count ? pieces[script] : generator.element(pieces)
            let separator = sign == 0 || generator.int(0...9) < 3 ? generator.element(signs) : " "
            return generator.element(words) + (sign == 1 ? "" : separator)
        }.joined()
    }

    /// Ranges of whole characters, in order, with something between any two: some at words, some
    /// anywhere.
    private static func matches(
        in string: String, _ generator: inout SeededGenerator
    ) -> [LocatedMatch] {
        let places = Array(string.indices) + [string.endIndex]
        guard places.count > 1 else { return [] }
        let ranges = (0..<generator.element([0, 1, 1, 2, 3, 8, 30])).map { _ in
            let first = generator.int(0...(places.count - 2))
            let last = min(first + generator.element([1, 1, 2, 4, 9, 40]), places.count - 1)
            return (range: places[first]..<places[last], clauses: UInt64(1) << generator.int(0...4))
        }
        return LocatedMatch.merged(ranges, in: string)
    }

    @Test("What is chosen is what is chosen of texts cut as a whole", arguments: testSeeds(60))
    func sameAsWhole(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let strings = (0..<generator.int(1...3)).map { _ in Self.text(&generator) }
            let matches = strings.map { Self.matches(in: $0, &generator) }
            for length in [
                SnippetLength.words(1), .words(3), .words(8), .words(24), .words(.max),
                .characters(1), .characters(5), .characters(30), .characters(150),
                .characters(.max),
            ] {
                let count = generator.int(1...5)
                var whole = SnippetChooser(strings, matches, length, cutsWhole: true)
                var near = SnippetChooser(strings, matches, length)
                let (expected, found) = (whole.choose(count), near.choose(count))
                #expect(
                    found == expected,
                    "seed \(seed), \(length): \(found.map(\.text)), not \(expected.map(\.text))")
            }
        }
    }

    @Test(
        "A snippet of a long text cuts only the text around the matches", arguments: [100, 100_000])
    func onlyAround(words: Int) throws {
        let text = (0..<words).map { $0 == words / 2 ? "duck" : "word\($0 % 7)" }.joined(
            separator: " ")
        let place = try #require(text.firstRange(of: "duck"))
        let stretches = SnippetStretches.find(
            in: text, around: [Highlight(place, in: text)], .words(12))
        #expect(stretches.count == 1)
        #expect(stretches[0].count < 2 * (12 + 3) * 6)
        let beginning = SnippetStretches.find(in: text, around: [], .words(12))
        #expect(beginning.count == 1 && beginning[0].lowerBound == 0 && beginning[0].count < 100)
        #expect(SnippetStretches.find(in: "", around: [], .words(12)).isEmpty)
        // Text without spaces too, where it has signs.
        let other =
            String(repeating: "東京都庁。", count: words) + "鴨" + String(repeating: "天地、", count: words)
        let match = try #require(other.firstRange(of: "鴨"))
        let near = SnippetStretches.find(
            in: other, around: [Highlight(match, in: other)], .characters(30))
        #expect(near.count == 1 && near[0].count < 2 * 60 * 3)
    }
}
