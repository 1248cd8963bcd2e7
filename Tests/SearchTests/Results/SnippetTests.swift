import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Snippets")
struct SnippetTests {
    private static let words = [
        "red", "duck", "goose", "x", "straße", "鴨", "b👩‍👩‍👧", "fillfillfill", "of",
    ]

    @Test(
        "The first window covers the most there is; none overlaps another", arguments: testSeeds(20)
    )
    func bestWindows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let strings = (0..<2).map { _ in
            (0..<generator.int(1...14)).map { _ in
                generator.element(Self.words) + generator.element([" ", ", ", " (", "\n"])
            }.joined()
        }
        let notes = try PlainNoteIndex([PlainNote("1", strings[0], strings[1])])
        let query: Query = .any(of: [.term("duck"), .prefix("re"), .infix("oos"), .term("strasse")])
        let item = try notes.index.search(query).first { _ in true }
        let isFound = ["red", "duck", "goose", "straße"].contains { word in
            strings.contains { $0.contains(word) }
        }
        #expect((item != nil) == isFound, "seed \(seed)")
        guard let item else { return }
        let matches = item.locatedMatches(in: strings)
        for length in [
            SnippetLength.words(3), .words(1), .characters(12), .characters(7), .characters(3),
            .words(50),
        ] {
            let snippets = item.snippets(from: strings, count: 3, length: length)
            #expect(!snippets.isEmpty && snippets.count <= 3)
            for snippet in snippets {
                #expect(!snippet.highlights.isEmpty)
                #expect(strings[snippet.string].wholeCharacters(snippet.range) == snippet.range)
                check(snippet, length, seed)
            }
            for (a, b) in zip(snippets, snippets.dropFirst()) {
                #expect(
                    a.string < b.string
                        || (a.string == b.string && a.range.upperBound <= b.range.lowerBound))
            }
            // What is cut counts as shown there.
            if length == .characters(3) { continue }
            let one = item.snippets(from: strings, count: 1, length: length)
            let best = coverage(one[0].string, one[0].range, matches)
            let possible = windows(strings, matches, length).map { coverage($0, $1, matches) }
            #expect(
                possible.allSatisfy { !(best < $0) }, "seed \(seed): \(length): \(one[0].text)")
        }
    }

    private func check(_ snippet: Snippet, _ length: SnippetLength, _ seed: UInt64) {
        if case .characters(let count) = length { #expect(snippet.text.count <= count) }
        let marked = snippet.attributed.runs.filter { $0[SearchMatchAttribute.self] == true }
        #expect(String(snippet.attributed.characters) == String(snippet.text))
        // Neighbouring runs of one attribute are one; highlights are apart.
        #expect(marked.count == snippet.highlights.count, "seed \(seed)")
    }

    /// Different clauses, and matches, that lie in a window as a whole.
    private func coverage(
        _ string: Int, _ range: Range<String.Index>, _ matches: [[LocatedMatch]]
    ) -> (Int, Int) {
        let inside = matches[string].filter { range.contains($0.highlight.range) }
        return (inside.reduce(0) { $0 | $1.clauses }.nonzeroBitCount, inside.count)
    }

    /// Every window of words that is short enough.
    private func windows(
        _ strings: [String], _ matches: [[LocatedMatch]], _ length: SnippetLength
    ) -> [(Int, Range<String.Index>)] {
        strings.indices.flatMap { string -> [(Int, Range<String.Index>)] in
            let units = SnippetUnits(strings[string], matches[string], length).ranges
            return units.indices.flatMap { first in
                (first..<units.count).compactMap { last in
                    let range = units[first].lowerBound..<units[last].upperBound
                    switch length {
                    case .words(let count) where last - first >= count: return nil
                    case .characters(let count) where strings[string][range].count > count:
                        return nil
                    default: return (string, range)
                    }
                }
            }
        }
    }

    @Test("A snippet of a plain text has its words and matches")
    func plain() throws {
        let text = "It was said (long ago) that a \"red duck\", and a goose, lived by the lake."
        let notes = try PlainNoteIndex([PlainNote("1", text)])
        let item = try #require(try notes.index.search("red goose").first { _ in true })
        let snippet = item.snippets(from: [text], length: .words(7))[0]
        #expect(snippet.text == "a \"red duck\", and a goose, lived")
        #expect(snippet.highlights.map { text[$0.range] } == ["red", "goose"])
        #expect(snippet.distinctMatchCount == 2)
        #expect(item.snippets(from: [text], count: 0).isEmpty)
        let all = try #require(try notes.index.search(.everything).first { _ in true })
        #expect(all.snippets(from: ["", text], length: .words(3)).map(\.text) == ["It was said"])
    }

    @Test("Snippets are joined, marked by the caller, and attributed")
    func joined() throws {
        let strings = [
            "Ducks & a red <b>", "one two three four five six seven eight red goose nine ten",
        ]
        let notes = try PlainNoteIndex([PlainNote("1", strings[0], strings[1])])
        let item = try #require(
            try notes.index.search(.any(of: [.prefix("duck"), .term("goose")])).first { _ in true })
        let snippets = item.snippets(from: strings, count: 3, length: .words(3))
        #expect(snippets.joined() == "Ducks & a red … red goose nine …")
        let escaped = snippets.marked("<b>", "</b>") { text in
            text.replacingOccurrences(of: "&", with: "&amp;")
        }
        #expect(escaped == "<b>Duck</b>s &amp; a red … red <b>goose</b> nine …")
        let attributed = snippets.attributed(separator: "|")
        #expect(String(attributed.characters) == "Ducks & a red|red goose nine|")
        let marked = attributed.runs.filter { $0[SearchMatchAttribute.self] == true }
        #expect(marked.map { String(attributed[$0.range].characters) } == ["Duck", "goose"])
        #expect([Snippet]().joined().isEmpty)
        let marks = snippets[0].marked("[", "]")
        #expect(marks == "[Duck]s & a red")
        notes.index.objectGetter = { _ in PlainNote("1", strings[0], strings[1]) }
        #expect(try item.snippet(length: .words(3))?.text == "Ducks & a red")
    }

    @Test("Text without spaces is cut between characters")
    func withoutSpaces() throws {
        let text =
            String(repeating: "春夏秋冬", count: 20) + "東京都庁は東京にある。"
            + String(repeating: "天地", count: 20)
        let notes = try PlainNoteIndex([PlainNote("1", text)])
        let item = try #require(try notes.index.search("東京都庁").first { _ in true })
        for length in [SnippetLength.words(12), .characters(12)] {
            let snippet = item.snippets(from: [text], length: length)[0]
            #expect((8...13).contains(snippet.text.count), "\(snippet.text)")
            #expect(snippet.highlights.map { text[$0.range] } == ["東京都庁"])
            #expect(!snippet.isAtStart && !snippet.isAtEnd)
        }
    }

    @Test("Snippets of other strings than the indexed ones do no harm", arguments: testSeeds(20))
    func otherStrings(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["duck ", "é", "e\u{301}", "👩‍👩‍👧", "鴨", "\r\n", "x", " ", "\u{200d}"]
        func text() -> String {
            (0..<generator.int(0...12)).map { _ in generator.element(pieces) }.joined()
        }
        let notes = try PlainNoteIndex([PlainNote("1", "x é duck 鴨鴨 duck", text() + " duck")])
        let query: Query = .any(of: [.infix("uc"), .term("鴨鴨"), .prefix("e"), .term("x")])
        let item = try #require(try notes.index.search(query).first { _ in true })
        for _ in 0..<50 {
            let strings = (0..<generator.int(0...3)).map { _ in text() }
            for (string, highlights) in zip(strings, item.highlights(in: strings)) {
                for highlight in highlights {
                    #expect(!highlight.range.isEmpty)
                    #expect(highlight.range.upperBound <= string.endIndex)
                    #expect(string.wholeCharacters(highlight.range) == highlight.range)
                }
            }
            for length in [SnippetLength.words(2), .characters(3), .words(0), .characters(-1)] {
                let snippets = item.snippets(from: strings, count: 2, length: length)
                #expect(snippets.allSatisfy { !$0.text.isEmpty }, "seed \(seed)")
            }
        }
    }
}
