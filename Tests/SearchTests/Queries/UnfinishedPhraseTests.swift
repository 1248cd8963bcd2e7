import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Unfinished phrases")
struct UnfinishedPhraseTests {
    private static let notes = [
        PlainNote("a", "orange juice"), PlainNote("b", "to be or not to be"),
        PlainNote("c", "the king of Thebes"), PlainNote("d", "the king of the hill"),
        PlainNote("e", "Duck à l’orange"), PlainNote("f", "a well known duck, known well"),
        PlainNote("g", "the whale"),
    ]

    @Test("The last word of a phrase of stop words is the beginning of words")
    func stopWords() throws {
        try PlainNoteIndex.inAllStages(Self.notes, { $0.indexesStopWords = false }) {
            (index: PlainNoteIndex) throws in
            func ids(_ text: String) throws -> [String] {
                try index.ids(.phrase(text, lastWordIsPrefix: true))
            }
            #expect(try ids("to be or") == ["a"])
            #expect(try ids("or") == ["a"])
            #expect(try ids("the wh") == ["g"])
            #expect(try ids("the") == ["c"])
            // After another word it may be the stop word itself, which is not indexed.
            #expect(try ids("king of the") == ["c", "d"])
            #expect(try ids("king of theb") == ["c"])
            var parser = index.index.queryParser
            parser.options.lastWordIsPrefix = true
            #expect(try index.index.search("\"to be or", parser: parser).map(\.id) == ["a"])
            #expect(try index.index.search("to be or", parser: parser).map(\.id) == ["a"])
        }
    }

    @Test("A word with an apostrophe is one word, one with a hyphen a phrase")
    func joinedWords() throws {
        try PlainNoteIndex.inAllStages(Self.notes, { _ in }) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("orange")) == ["a"])
            #expect(try index.ids(.term("l'orange")) == ["e"])
            #expect(try index.ids(.term("well-known")) == ["f"])
            #expect(try index.ids(.term("duck-well")) == [])
        }
    }
}
