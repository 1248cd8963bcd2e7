import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// The built-in tokenizers, foldings and filters, one by one.
@Suite("Analysis: tokenizers")
struct TokenizerTests {
    private func words(_ tokenizer: any Tokenizer, _ text: String) -> [String] {
        var words: [String] = []
        tokenizer.forEachWord(in: text) { words.append(String(text[$0])) }
        return words
    }

    @Test(
        "The code tokenizer cuts names at capitals and signs",
        arguments: [
            ("getHTTPResponse_v2", "getHTTPResponse_v2 get HTTP Response v 2"),
            ("snake_case", "snake_case snake case"), ("__init__", "init"), ("x", "x"),
            ("/usr/local/libFoo.so", "usr local libFoo lib Foo so"),
            ("3.14 0xFF 1_000 10e6", "3.14 0xFF 1_000 10e6"),
            ("sha256sum", "sha256sum sha 256 sum"),
            ("ÉtatCivil été", "ÉtatCivil État Civil été"), ("HTML", "HTML"), ("iOS", "iOS i OS"),
            ("E\u{301}tatCivil", "E\u{301}tatCivil E\u{301}tat Civil"), ("a.b->c()", "a b c"),
            ("漢字Kanji", "漢字Kanji 漢字 Kanji"), ("_", ""), ("", ""), ("v1.2.3", "v1 v 1 2.3"),
            ("straße λόγος", "straße λόγος"), ("getStraßeURL", "getStraßeURL get Straße URL"),
            ("ΛΟΓΟΣ", "ΛΟΓΟΣ"), ("µs", "µs"), ("ǅungla", "ǅungla"), ("aǅ", "aǅ a ǅ"),
            ("xⅧa", "xⅧa x Ⅷa"),
        ])
    func code(text: String, expected: String) {
        let expected = expected.split(separator: " ").map(String.init)
        #expect(words(CodeTokenizer(), text) == expected)
        let parts = words(CodeTokenizer().queryTokenizer, text)
        #expect(parts.allSatisfy { expected.contains($0) })
    }

    @Test("Simple tokenizers cut white space, whole strings, runs of characters and beginnings")
    func simple() {
        #expect(
            words(WhitespaceTokenizer(), " a-b\tc++ \u{3000}d\u{a0}e\n") == [
                "a-b", "c++", "d", "e",
            ])
        #expect(words(WholeStringTokenizer(), "  The White Whale ") == ["The White Whale"])
        #expect(words(WholeStringTokenizer(), " \n ").isEmpty)
        #expect(words(NGramTokenizer(2...3), "abcd") == ["abc", "ab", "bcd", "bc", "cd"])
        #expect(words(NGramTokenizer(3...3), "ab cde") == ["ab", "cde"])
        #expect(words(NGramTokenizer(-5...0), "ab") == ["a", "b"])
        #expect(words(NGramTokenizer(2...2), "né\u{301}o") == ["né\u{301}", "é\u{301}o"])
        #expect(words(EdgePrefixTokenizer(2...4), "a word") == ["a", "word", "wor", "wo"])
        #expect(words(EdgePrefixTokenizer(2...3).queryTokenizer, "hello you") == ["hel", "you"])
    }

    @Test("A tokenizer that keeps symbols has signs as words")
    func symbols() {
        let tokenizer = UnicodeTokenizer(keepsSymbols: true)
        #expect(
            words(tokenizer, "C++ and C#, not C+1") == [
                "C++", "and", "C#", "not", "C+", "C", "+", "1",
            ])
        #expect(words(tokenizer.queryTokenizer, "C++ or C+1") == ["C++", "or", "C", "+", "1"])
        #expect(words(tokenizer, "#️⃣ C#️⃣ *️⃣ # 1️⃣") == ["#️⃣", "C", "#️⃣", "*️⃣", "#", "1️⃣"])
        #expect(words(tokenizer, "£5 = 🦆") == ["£", "5", "=", "🦆"])
        #expect(words(tokenizer, "👩‍👩‍👧🇩🇪❤️") == ["👩‍👩‍👧", "🇩🇪", "❤️"])
        #expect(words(tokenizer, "a,b") == ["a", "b"])
        #expect(words(UnicodeTokenizer(), "C++ £5 🦆") == ["C", "5"])
    }

    /// Words of any text, by any tokenizer: in order, within the text, the longest first at each
    /// place.
    @Test("Every tokenizer keeps its promises on any text")
    func promises() {
        let tokenizers: [any Tokenizer] = [
            UnicodeTokenizer(), UnicodeTokenizer(keepsSymbols: true), CodeTokenizer(),
            CodeTokenizer().queryTokenizer, WhitespaceTokenizer(), WholeStringTokenizer(),
            NGramTokenizer(1...3), NGramTokenizer(2...2), EdgePrefixTokenizer(1...5),
        ]
        for seed in 1...3000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let text = random.string(
                of: AnalysisAlphabet.all + AnalysisAlphabet.emoji,
                length: Int.random(in: 0...30, using: &random))
            for tokenizer in tokenizers {
                var last: Range<String.Index>?
                tokenizer.forEachWord(in: text) { range in
                    #expect(!range.isEmpty && range.upperBound <= text.endIndex)
                    if let last {
                        #expect(
                            range.lowerBound > last.lowerBound
                                || range.lowerBound == last.lowerBound
                                    && range.upperBound < last.upperBound,
                            "\(tokenizer.identity), seed \(seed): \(text.scalarNumbers)")
                    }
                    last = range
                }
            }
        }
    }

    // MARK: Folding

    /// The tables are what all steps lead to.
    @Test("Folding step by step gives what the tables give")
    func steps() {
        let steps = FoldSteps(.all)
        let tables = UnicodeTables.shared
        for scalar: UInt32 in 0..<0x110000 {
            let place = tables.foldPlace(scalar)
            let expected = place == 0 ? [scalar] : Array(tables.fold(at: place))
            // Marks are put into their order character by character, later.
            #expect(
                (steps.fold(scalar) ?? [scalar]).sorted() == expected.sorted(),
                "\(String(scalar, radix: 16))")
        }
    }

    @Test(
        "Each kind of folding can be left out",
        arguments: [
            (Folding.letterCase, "Straße ÉTÉ", "Straße ETE"), (.diacritics, "Été Ǆ", "été dž"),
            (.width, "Ｆｕｌｌ ﾊﾟﾝ", "ｆｕｌｌ ﾊﾟﾝ"), (.compatibility, "x² ①", "x² ①"),
            (.letters, "Øresund Łódź", "øresund łodz"), (.punctuation, "L’été", "l’ete"),
            (.points, "שָׁלוֹם كِتَاب", "שָׁלוֹם كِتَاب"), (.invisible, "so\u{ad}ft", "so\u{ad}ft"),
        ])
    func switches(left: Folding, text: String, expected: String) {
        let folder = Folder(Folding.all.subtracting(left))
        let folded = folder.fold(text)
        #expect(
            Array(folded.unicodeScalars)
                == Array(expected.precomposedStringWithCanonicalMapping.unicodeScalars)
                || left == .points
                    && Array(folded.unicodeScalars).count == expected.unicodeScalars.count
        )
        #expect(Folder().fold(text) != folded)
        #expect(folder.fold(folded) == folded)
        #expect(folder.identity != Folder().identity)
    }

    @Test(
        "A folding that leaves kinds out changes nothing the second time, and canonical equivalents meet"
    )
    func equivalents() {
        var random = AnalysisRandom(seed: 11)
        for _ in 0..<40 {
            let folder = Folder(
                Folding(rawValue: UInt16.random(in: 0...255, using: &random)))
            for _ in 0..<150 {
                let text = random.string(
                    of: AnalysisAlphabet.letters + AnalysisAlphabet.marks + AnalysisAlphabet.ascii,
                    length: Int.random(in: 1...8, using: &random))
                let folded = folder.fold(text)
                #expect(folder.fold(folded) == folded, "\(folder.identity) \(text.scalarNumbers)")
                for form in [
                    text.precomposedStringWithCanonicalMapping,
                    text.decomposedStringWithCanonicalMapping,
                ] {
                    #expect(
                        folder.fold(form).utf8.elementsEqual(folded.utf8),
                        "\(folder.identity) \(text.scalarNumbers)")
                }
            }
        }
    }
}
