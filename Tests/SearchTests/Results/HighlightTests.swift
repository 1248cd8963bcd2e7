import Foundation
import Testing

@testable import TestSupport
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
            (.keyword("fi"), { $0 == "fi" }), (.suffix("ke"), { $0 == "ke" }),
            (.wildcard("d*k?"), { $0.hasPrefix("d") && $0.contains("k") }),
            (.regularExpression("pek(in|ing)g?"), { $0 == "peking" }),
            (.near(["peking", "duck"], within: 1), { "peking duck".contains($0) }),
            (.phrase("peking du", lastWordIsPrefix: true), { "peking du".contains($0) }),
            (.fuzzy("dukc", distance: 1), { PlainCorpus.edits($0, "dukc") <= 1 }),
            (.all(of: [.term("duck"), .none(of: [.term("duke")])]), { $0 == "duck" }),
        ]
        for (stage, (query, isWanted)) in Stage.allCases.flatMap({ stage in
            queries.map { (stage, $0) }
        }) {
            try notesIndex.enter(stage)
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

    @Test("Highlights are made of the index's own strings")
    func ownStrings() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "Peking duck")])
        let item = try #require(try notes.index.search("duck").first { _ in true })
        #expect(throws: TextIndexError.self) { try item.strings() }
        notes.index.objectGetter = { _ in nil }
        #expect(try item.strings() == [])
        #expect(try item.snippets() == [])
    }

    @Test("Stems are marked as they are written, runs of characters where they stand")
    func analyses() throws {
        let text = "The Runner was RUNNING and runs; he ran"
        let stemmed = try PlainNoteIndex([PlainNote("1", text)]) {
            $0.analysis.stemming = .language(.english)
        }
        #expect(try parts(stemmed, "run", [text]) == [["RUNNING", "runs"]])
        let code = ["let bananaSplit = 東京都 + naïve"]
        let grams = try PlainNoteIndex([PlainNote("1", code[0])]) {
            $0.analysis.tokenizer = NGramTokenizer(2...3)
        }
        #expect(try parts(grams, "nan", code) == [["nan"]])
        #expect(try parts(grams, "京都", code) == [["京都"]])
        #expect(try parts(grams, "NAÏ", code) == [["naï"]])
    }

    @Test(
        "A piece that occurs several times in a word is marked each time", arguments: Stage.allCases
    )
    func severalPlaces(stage: Stage) throws {
        let strings = ["banana ananas", "BÄNÄNÄ, straßß stress"]
        let notes = try PlainNoteIndex([PlainNote("1", strings[0], strings[1])])
        try notes.enter(stage)
        let expected: [(Query, [[String]])] = [
            (.infix("na"), [["nana", "nana"], ["NÄNÄ"]]),
            (.infix("ana"), [["anana", "anana"], ["ÄNÄNÄ"]]),
            (.keyword("an"), [["anan", "anan"], ["ÄNÄN"]]), (.infix("ss"), [[], ["ßß", "ss"]]),
            (.infix("s"), [["s"], ["s", "ßß", "s", "ss"]]), (.prefix("an"), [["an"], []]),
        ]
        for (query, parts) in expected {
            let item = try #require(try notes.index.search(query).first { _ in true })
            let found = zip(strings, item.highlights(in: strings)).map { string, all in
                all.map { String(string[$0.range]) }
            }
            #expect(found == parts, "\(query)")
        }
    }

    @Test("Highlights are the same after reopening")
    func reopened() throws {
        let strings = ["Weiße Straße, STRASSENBAHN", "e\u{301}te\u{301} 👩‍👩‍👧 東京都庁"]
        let directory = temporaryDirectory("highlights")
        defer { try? FileManager.default.removeItem(at: directory) }
        for isFlushed in [false, true] {
            let expected = [["Straße", "STRASSE"], ["e\u{301}t", "東京"]]
            for _ in 0..<2 {
                let index = try TextIndex<PlainNote>(at: directory)
                defer { try? index.close() }
                index.identifier = { $0.identifier }
                index.indexer = { note, _ in IndexedObject(strings: note.strings) }
                if try !index.contains(identifier: Data("1".utf8)) {
                    index.indexObject(PlainNote("1", strings[0], strings[1])).waitUntilFinished()
                }
                if isFlushed { try index.flush() }
                let query: Query = .any(of: [.prefix("strasse"), .infix("et"), .keyword("東京")])
                let item = try #require(try index.search(query).first { _ in true })
                let found = zip(strings, item.highlights(in: strings)).map { string, all in
                    all.map { String(string[$0.range]) }
                }
                #expect(found == expected)
            }
        }
    }

    private func parts(
        _ notes: PlainNoteIndex, _ text: String, _ strings: [String]
    ) throws -> [[String]] {
        let item = try #require(try notes.index.search(.term(text)).first { _ in true })
        return zip(strings, item.highlights(in: strings)).map { string, all in
            all.map { String(string[$0.range]) }
        }
    }
}
