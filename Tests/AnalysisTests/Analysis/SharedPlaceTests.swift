import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Words that share a place or overlap: what is shown of them, and how often.
@Suite("Analysis: words that share text")
struct SharedPlaceTests {
    private func check(
        _ text: String, _ analysis: TextAnalysis,
        _ body: (PlainNoteIndex, [PlainNote]) throws -> Void
    ) throws {
        let notes = [PlainNote("0", text)]
        try PlainNoteIndex.inAllStages(
            notes,
            {
                $0.analysis = analysis
                $0.minimalTokenLength = 1
            }
        ) { try body($0, notes) }
    }

    private func code(_ filter: @escaping @Sendable (String) -> String?) -> TextAnalysis {
        TextAnalysis(tokenizer: CodeTokenizer(), filters: [GivenFilter(map: filter)])
    }

    private func ranges(_ query: Query, _ index: PlainNoteIndex) throws -> [NSRange] {
        try index.index.search(query).flatMap { item in
            item.resultTokens.map { item.range(of: $0) }
        }
    }

    // MARK: Filters

    @Test("The term that a filter gives for a part shows the whole part")
    func filteredPart() throws {
        try check("x getURL y", code { $0 == "get" ? "retrieve" : $0 }) { (index, notes) throws in
            #expect(try index.texts("get", in: notes) == ["get"])
            #expect(try index.texts("retr", in: notes) == ["get"])
            #expect(try index.texts("url", in: notes) == ["URL"])
            #expect(try index.texts("y", in: notes) == ["y"])
            #expect(try ranges(.prefix("retr"), index) == [NSRange(location: 2, length: 3)])
            #expect(try ranges(.infix("triev"), index) == [NSRange(location: 2, length: 3)])
        }
    }

    @Test("The term that a filter gives for the whole identifier leaves the ranges of parts")
    func filteredWhole() throws {
        try check("getURL", code { $0 == "geturl" ? "q" : $0 }) { (index, notes) throws in
            #expect(try index.texts("get", in: notes) == ["get"])
            #expect(try index.texts("url", in: notes) == ["URL"])
            #expect(try ranges(.prefix("q"), index) == [NSRange(location: 0, length: 6)])
        }
    }

    @Test("A filter that drops the whole identifier leaves its parts")
    func droppedWhole() throws {
        try check("Straße getURL x", code { $0 == "geturl" ? nil : $0 }) { (index, notes) throws in
            #expect(try index.texts("get", in: notes) == ["get"])
            #expect(try index.ids(.phrase("get url", slop: 0)) == ["0"])
        }
    }

    @Test("A filter that gives one term for all words finds each of them")
    func oneTerm() throws {
        try check("getHTTPResponse", code { _ in "same" }) { (index, notes) throws in
            #expect(
                try index.texts("get", in: notes) == ["getHTTPResponse", "HTTP", "Response"])
        }
    }

    @Test("Beginnings of words are marked right where folding moves offsets")
    func irregularBeginnings() throws {
        let text = "xßﬁe\u{301}n Straße"
        try check(text, TextAnalysis(tokenizer: EdgePrefixTokenizer(1...10))) {
            (index, notes) throws in
            #expect(try index.texts("xss", in: notes) == ["xß"])
            #expect(try index.texts("xssfi", in: notes) == ["xßﬁ"])
            #expect(try index.texts("xssfien", in: notes) == [String(text.prefix(5))])
            #expect(try index.texts("strass", in: notes) == ["Straß"])
        }
    }

    // MARK: One piece of text

    @Test("One piece of text is one match")
    func once() throws {
        try check("whales", TextAnalysis(tokenizer: EdgePrefixTokenizer(1...10))) {
            (index, notes) throws in
            #expect(try index.texts("wh", in: notes) == ["wh"])
            #expect(try ranges(.prefix("wh"), index) == [NSRange(location: 0, length: 2)])
        }
        try check("whales", TextAnalysis(tokenizer: NGramTokenizer(2...4))) {
            (index, notes) throws in
            #expect(try index.texts("al", in: notes) == ["al"])
        }
        try check("getHTTP http", .code) { (index, notes) throws in
            #expect(try index.texts("http", in: notes) == ["HTTP", "http"])
            #expect(try index.texts("p h g", in: notes) == ["g", "H", "P", "h", "p"])
            #expect(try ranges(.infix("http"), index).count == 2)
        }
        try check("Straße", .standard) { (index, notes) throws in
            #expect(try index.texts("s", in: notes) == ["S", "ß"])
        }
    }

    @Test("Ties are decided by the number of pieces of text", arguments: [true, false])
    func ties(isCode: Bool) throws {
        // "once" has more words of the index that hold it than "twice" has.
        let notes =
            isCode
            ? [PlainNote("once", "aGetHttp b"), PlainNote("twice", "aGethttp http")]
            : [PlainNote("once", "xß"), PlainNote("twice", "xs s")]
        let keyword = isCode ? "http" : "s"
        for notes in [notes, notes.reversed()] {
            let index = try PlainNoteIndex(notes) {
                $0.analysis = isCode ? .code : .standard
                $0.minimalTokenLength = 1
            }
            #expect(try index.ids(keyword) == ["twice", "once"])
            #expect(try index.index.search(.keyword(keyword)).count == 2)
            let counts = try index.index.searchResults(forKeyword: keyword).map(\.place.count)
            #expect(counts == [2, 1])
        }
    }
}
