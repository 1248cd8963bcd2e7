import Foundation
import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct SnippetTests {
    private func ranges(_ words: [String], in text: String) -> [Range<String.Index>] {
        words.flatMap { text.ranges(of: $0) }.sorted { $0.lowerBound < $1.lowerBound }
    }

    private func marked(_ snippet: Snippet) -> String {
        snippet.pieces.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
    }

    @Test func shortTextsAreShownWhole() {
        let text = "  The duck\n\t and the ducklings. "
        let snippets = SnippetMaker(width: 80, count: 2)
            .snippets(of: text, ranges: ranges(["duck"], in: text))
        #expect(snippets.map(marked) == ["The [duck] and the [duck]lings."])
    }

    @Test func theFullestPartsAreChosen() {
        let far = String(repeating: "word ", count: 100)
        let text = "one duck " + far + "duck duck duck " + far + "duck duck"
        let maker = SnippetMaker(width: 40, count: 2)
        let snippets = maker.snippets(of: text, ranges: ranges(["duck"], in: text))
        #expect(
            snippets.map(marked) == [
                "… word word [duck] [duck] [duck] word word …",
                "… word word word word word word [duck] [duck]",
            ])
    }

    @Test func differentWordsBeatOneWordRepeated() {
        let far = String(repeating: "word ", count: 100)
        let text = "white white white " + far + "a white whale " + far + "whale whale"
        let snippets = SnippetMaker(width: 30, count: 1)
            .snippets(of: text, ranges: ranges(["white", "whale"], in: text))
        #expect(snippets.map(marked).first?.contains("a [white] [whale]") == true)
    }

    @Test func endlessCharactersAreCut() {
        let marks = String(repeating: "\u{301}", count: 100_000)
        let text = "a\(marks) duck e\(marks)"
        let snippets = SnippetMaker(width: 20, count: 1)
            .snippets(of: text, ranges: ranges(["duck"], in: text))
        #expect(snippets.first?.text.unicodeScalars.count ?? 0 < 1000)
        #expect(snippets.map(marked).first?.contains("[duck]") == true)
    }

    @Test func overlapsAreJoined() {
        let text = "ducking"
        let all =
            [text.startIndex..<text.index(text.startIndex, offsetBy: 4)]
            + ranges(["king"], in: text)
        #expect(
            SnippetMaker(width: 10, count: 1).snippets(of: text, ranges: all).map(marked) == [
                "[ducking]"
            ])
    }

    @Test func withoutMatchesTheBeginningIsShown() {
        let maker = SnippetMaker(width: 8, count: 3)
        #expect(maker.snippets(of: "\n The duck swims", ranges: []).map(marked) == ["… The duck …"])
        #expect(maker.snippets(of: " \n ", ranges: []).isEmpty)
        #expect(maker.snippets(of: "", ranges: []).isEmpty)
    }

    /// Whatever the text, a snippet is one safe line whose marked pieces come from the matches.
    @Test(arguments: [UInt64(1), 2, 3]) func anyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = [
            "a", "b", " ", "\n", "é", "e\u{301}", "👩‍👧", "\u{1B}", "\u{9B}", "ß", "\r\n", "\u{0}",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0..<200, using: &random))
                .map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
            let matches = ranges(["a", "é", "👩‍👧"], in: text)
            let width = Int.random(in: 1..<60, using: &random)
            for snippet in SnippetMaker(width: width, count: 3).snippets(of: text, ranges: matches)
            {
                #expect(
                    !snippet.text.unicodeScalars.contains(where: Printable.isUnsafe), "seed \(seed)"
                )
                #expect(snippet.text.count <= width + 4, "seed \(seed)")
                for piece in snippet.pieces where piece.isMatch {
                    #expect(piece.text.allSatisfy { "aé👩‍👧".contains($0) }, "seed \(seed)")
                }
            }
        }
    }
}

@Suite struct FormatTests {
    @Test func numbers() {
        #expect(
            [0, 999, 1000, 1_234_567, -1000].map { Format.count($0) } == [
                "0", "999", "1,000", "1,234,567", "-1,000",
            ])
        #expect(
            [0, 1, 999, 1000, 3_284_321, 999_999].map { Format.bytes($0) } == [
                "0 bytes", "1 byte", "999 bytes", "1.00 kB", "3.28 MB", "1.00 MB",
            ])
        #expect(
            [0.0000004, 0.00084, 0.0034, 0.25, 2.11, 65, 3723].map { Format.duration($0) } == [
                "0 µs", "840 µs", "3.4 ms", "250 ms", "2.1 s", "1:05", "1:02:03",
            ])
        #expect([0, 4.5, -0.0001, 1e300].map { Format.weight($0) } == ["0", "4.5", "0", "1e+300"])
    }

    @Test func progress() {
        let bar = ProgressMeter.bar(
            bytes: 25_000_000, of: 100_000_000, objects: 12, seconds: 1, width: 100)
        #expect(
            bar
                == "  ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  25%  25.0 MB of 100.0 MB  25.0 MB/s  0:03 left"
        )
        for width in 40..<120 {
            let bar = ProgressMeter.bar(bytes: 5, of: 7, objects: 1, seconds: 0, width: width)
            #expect(bar.count <= max(width, 60))
        }
        #expect(
            ProgressMeter.bar(bytes: 5_000, of: nil, objects: 2, seconds: 2, width: 80)
                == "  2 objects  5.00 kB  2.50 kB/s")
        #expect(
            ProgressMeter.line(bytes: 5_000, of: 10_000, objects: 2, seconds: 2)
                == "read 5.00 kB of 10.0 kB, indexed 2 objects, 2.50 kB/s")
        #expect(
            ProgressMeter.line(rows: 1_500, of: 30_000, bytes: 5_000, seconds: 2)
                == "  5%  1,500 of 30,000 rows  5.00 kB  2.0 s")
        for total in [nil, 0, 1_499] {
            #expect(
                ProgressMeter.line(rows: 1_500, of: total, bytes: 5_000, seconds: 2)
                    == "  1,500 rows  5.00 kB  2.0 s")
        }
    }
}
