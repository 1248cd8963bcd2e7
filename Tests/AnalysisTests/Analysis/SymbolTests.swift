import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Analysis: symbols")
struct AnalysisSymbolTests {
    private func open(
        _ text: String, _ configure: (inout TextIndexConfiguration) -> Void = { _ in }
    ) throws -> PlainNoteIndex {
        try PlainNoteIndex([PlainNote("0", text)]) {
            $0.analysis = TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))
            configure(&$0)
        }
    }

    @Test(
        "A symbol is never too short",
        arguments: ["🦆", "£", "$", "©", "#️⃣", "*️⃣", "👍🏽", "👍", "1️⃣", "🇩🇪", "❤️", "❤", "≤", "+"])
    func alone(keyword: String) throws {
        let text = "a 🦆 for £ 5, $6 © #️⃣ *️⃣ 1️⃣ ok👍🏽 to 🇩🇪🇫🇷 I ❤️ a≤b + C"
        let index = try open(text) { $0.minimalTokenLength = keyword == "1️⃣" ? 1 : 2 }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.ids(keyword) == ["0"])
            #expect(try index.ids(.keyword(keyword)) == ["0"])
        }
        #expect(try index.ids("🦊") == [])
        let words = try PlainNoteIndex([PlainNote("0", text)]) {
            $0.analysis = TextAnalysis(tokenizer: WhitespaceTokenizer())
        }
        if keyword != "1️⃣" { #expect(try words.ids(keyword) == ["0"]) }
    }

    @Test(
        "Pieces of words with a sign at the end are found",
        arguments: [
            ("a+", "a+b"), ("+", "a+b"), ("+b", "a+b"), ("a+b", "a+b"), ("a", "a+b"), ("C#", "C#b"),
            ("C++", "C++20"),
            ("日+", "日+本"), ("日本+", "日本+語"), ("+語", "日本+語"), ("本", "日本+語"), ("日本", "日本+語"),
            ("a+b", "a + b"), ("日本#", "日本#"), ("C++", "use C++."), ("Foo™", "Foo™"), ("£5", "£5"),
        ])
    func pieces(keyword: String, text: String) throws {
        let index = try open(text) { $0.minimalTokenLength = 1 }
        #expect(try index.ids(keyword) == ["0"])
        #expect(try index.ids(.phrase(keyword, slop: 0, lastWordIsPrefix: true)) == ["0"])
    }

    @Test("A sign at the end counts", arguments: [("日本+", "日本語"), ("C+", "C"), ("a+b", "ab")])
    func counts(keyword: String, text: String) throws {
        #expect(try open(text) { $0.minimalTokenLength = 1 }.ids(keyword) == [])
    }
}
