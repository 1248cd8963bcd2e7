import Foundation
import Testing

@testable import TextSearch

@Suite("Highlights")
struct HighlightTests {
    private static let words = [
        "duck", "Ducks", "dück", "duke", "peking", "PEKING", "straße", "東京都庁", "東京", "a", "ﬁsh",
        "e\u{301}a",
        "👩‍👩‍👧",
    ]

    private func text(_ generator: inout SeededGenerator, _ count: Int) -> String {
        (0..<count).map { _ in
            generator.element(Self.words) + generator.element([" ", ", ", "-", "  ", ". "])
        }.joined()
    }

    @Test(
        "Each highlight folds to what the query asks for; they are in order and apart",
        arguments: testSeeds(6))
    func highlights(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = (0..<20).map { id in
            PlainNote("\(id)", text(&generator, 4), text(&generator, 9))
        }
        let notesIndex = try PlainNoteIndex(notes)
        let index = notesIndex.index
        index.objectGetter = { id in notes.first { $0.identifier == id } }
        let folder = Folder(TextAnalysis().folding)
        let queries: [(Query, (String) -> Bool)] = [
            (.term("duck"), { $0 == "duck" }), (.prefix("du"), { $0 == "du" }),
            (.infix("uc"), { $0 == "uc" }), (.keyword("i"), { _ in true }),
            (.fuzzy("duck", distance: 1), { PlainCorpus.edits($0, "duck") <= 1 }),
            (.phrase("peking duck"), { ["peking", "duck", "peking duck"].contains($0) }),
            (.term("strasse"), { $0 == "strasse" }),
            (.term("東京"), { $0.allSatisfy { "東京".contains($0) } }),
            (.keyword("fi"), { $0 == "fi" }),
        ]
        for (query, isWanted) in queries {
            for item in try index.search(query, limit: .max) {
                let note = try #require(notes.first { $0.identifier == item.identifier })
                let all = item.highlights(in: note.strings)
                #expect(try item.highlights() == all)
                #expect(all.count == note.strings.count)
                #expect(all.contains { !$0.isEmpty })
                for (string, highlights) in zip(note.strings, all) {
                    #expect(
                        zip(highlights, highlights.dropFirst()).allSatisfy {
                            $0.range.upperBound < $1.range.lowerBound
                        })
                    for highlight in highlights {
                        let part = String(string[highlight.range])
                        #expect(isWanted(folder.fold(part)), "seed \(seed): \(query): \(part)")
                        #expect(Array(string.utf8)[highlight.utf8Range].elementsEqual(part.utf8))
                        #expect(Array(string.utf16)[highlight.utf16Range].elementsEqual(part.utf16))
                        #expect(string.wholeCharacters(highlight.range) == highlight.range)
                    }
                }
                // Another string than the one that was indexed.
                #expect(item.highlights(in: ["", "é"]).joined().allSatisfy { !$0.range.isEmpty })
            }
        }
    }

    @Test("The index's own strings")
    func ownStrings() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "Peking duck")])
        let item = try #require(try notes.index.search("duck").first { _ in true })
        #expect(throws: TextIndexError.self) { try item.strings() }
        notes.index.objectGetter = { _ in nil }
        #expect(try item.strings() == [])
        #expect(try item.snippets() == [])
    }
}
