import Foundation
import Testing

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
        guard let item = try notes.index.search(query).first(where: { _ in true }) else { return }
        let matches = item.locatedMatches(in: strings)
        for length in [
            SnippetLength.words(3), .words(1), .characters(12), .characters(3), .words(50),
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

    @Test("What a snippet of a plain text looks like")
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
}
