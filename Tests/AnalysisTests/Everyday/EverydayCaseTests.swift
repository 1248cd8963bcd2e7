import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What people type finds what they mean")
struct EverydayCaseTests {
    private func check(_ asked: EverydayCase) throws {
        let notes = asked.objects.enumerated().map { place, strings in
            var note = PlainNote("\(place)")
            note.strings = strings
            return note
        }
        try PlainNoteIndex.inAllStages(notes) {
            $0.fields = ["title", "body"]
            $0.analysis = TextAnalysis(
                tokenizer: UnicodeTokenizer(keepsSymbols: asked.keepsSymbols))
        } _: { notes in
            let found = try notes.index.search(asked.query)
            let failure = asked.failure(found.map(\.id))
            #expect(failure == nil)
        }
    }

    @Test(
        "Words that are written joined are found by their parts",
        arguments: EverydayCase.joinedWords)
    func joinedWords(_ asked: EverydayCase) throws { try check(asked) }

    @Test(
        "Parts of joined words are words in phrases and patterns, and where they are excluded",
        arguments: EverydayCase.joinedWordsInQueries)
    func joinedWordsInQueries(_ asked: EverydayCase) throws { try check(asked) }

    @Test("A filter lets pass no parts of joined words, whatever step is taken")
    func filters() throws {
        let notes = ["acme", "acme's", "acme.test"].map { PlainNote($0, "whale \($0)") }
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (notes: PlainNoteIndex) throws in
            for filter in [Query.term("acme"), .prefix("acme"), .phrase("acme")] {
                let found = Set(try notes.index.search("whale", filter: filter).map(\.id))
                let exact = Set(
                    try notes.index.search("whale", filter: filter, steps: .exact).map(\.id))
                #expect(found == exact)
            }
            #expect(try notes.index.search("whale", filter: .term("acme")).map(\.id) == ["acme"])
        }
    }

    @Test("Patterns find words with a sign in them", arguments: EverydayCase.piecesOfWords)
    func piecesOfWords(_ asked: EverydayCase) throws { try check(asked) }

    @Test(
        "Names of stop words, and phrases with them, are found", arguments: EverydayCase.stopWords)
    func stopWords(_ asked: EverydayCase) throws { try check(asked) }

    @Test("What is nearly right finds what was meant", arguments: EverydayCase.nearlyRight)
    func nearlyRight(_ asked: EverydayCase) throws { try check(asked) }

    @Test("Signs of pasted text are those of the text", arguments: EverydayCase.pastedText)
    func pastedText(_ asked: EverydayCase) throws { try check(asked) }

    @Test(
        "Joined words are found where they are written apart, and the other way round",
        arguments: EverydayCase.writtenApart)
    func writtenApart(_ asked: EverydayCase) throws { try check(asked) }

    @Test("Most of a run of a script without spaces is enough", arguments: EverydayCase.runs)
    func runs(_ asked: EverydayCase) throws { try check(asked) }

    @Test(
        "Words with errors are neither stop words nor found by less than their beginning",
        arguments: EverydayCase.corrections)
    func corrections(_ asked: EverydayCase) throws { try check(asked) }

    @Test("Words of every script are found by their parts", arguments: EverydayCase.scripts)
    func scripts(_ asked: EverydayCase) throws { try check(asked) }
}
