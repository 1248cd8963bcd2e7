import Foundation
import Testing

@testable import TextSearch

/// Review of issue 3: tokenizers, filters and settings of an application's own.
@Suite("Review 3: custom analysis")
struct ZReview3CustomTests {
    private struct Bytes: Tokenizer {
        let identity = "bytes"
        func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
            for index in text.utf8.indices { body(index..<text.utf8.index(after: index)) }
        }
    }

    private struct Given: Tokenizer {
        let identity = "given"
        let ranges: [Range<Int>]
        func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
            for range in ranges {
                let lower = String.Index(utf16Offset: range.lowerBound, in: String(repeating: "x", count: 1000))
                let upper = String.Index(utf16Offset: range.upperBound, in: String(repeating: "x", count: 1000))
                body(lower..<upper)
            }
        }
        var queryTokenizer: any Tokenizer { UnicodeTokenizer() }
    }

    private struct Maps: TermFilter {
        let identity = "maps"
        let map: @Sendable (String) -> String?
        func filter(_ term: String) -> String? { map(term) }
    }

    @Test("A tokenizer that cuts characters does not spoil the places of other words")
    func cutCharacters() throws {
        struct Cutter: Tokenizer {
            let identity = "cutter"
            func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
                let emoji = text.utf8.firstIndex { $0 >= 0xf0 }
                if let emoji {
                    let one = text.utf8.index(after: emoji)
                    let two = text.utf8.index(after: one)
                    body(one..<two)
                    body(two..<text.utf8.index(after: two))
                }
                if let word = text.range(of: "word") { body(word) }
            }
            var queryTokenizer: any Tokenizer { UnicodeTokenizer() }
        }
        let notes = [PlainNote("0", "🦆 word")]
        let index = try PlainNoteIndex(notes) { $0.analysis = TextAnalysis(tokenizer: Cutter()) }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.texts("word", in: notes) == ["word"])
        }
    }

    @Test("A tokenizer of single bytes")
    func bytes() throws {
        let notes = [PlainNote("0", "aé🦆漢b")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(tokenizer: Bytes())
            $0.minimalTokenLength = 1
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            let ends = try ["a", "b", "é", "🦆"].flatMap { keyword in
                try index.index.searchResults(forKeyword: keyword).flatMap { item in
                    item.resultTokens.map { NSMaxRange(item.range(of: $0)) }
                }
            }
            #expect(ends.allSatisfy { $0 <= 6 }, "\(ends)")
        }
    }

    @Test("Ranges out of order, overlapping, empty and outside", arguments: [
        [5..<9, 0..<4], [0..<4, 0..<9, 2..<6, 2..<2, 3..<900, 800..<900], [0..<1000], [3..<5, 3..<4, 3..<9, 8..<9],
        ])
    func ranges(ranges: [Range<Int>]) throws {
        let notes = [PlainNote("0", "word wörd 漢字 end")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(tokenizer: Given(ranges: ranges))
            $0.minimalTokenLength = 1
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            for keyword in ["w", "word", "rd", "漢", "d"] {
                for item in try index.index.searchResults(forKeyword: keyword) {
                    for token in item.resultTokens {
                        #expect(NSMaxRange(item.range(of: token)) <= 16)
                    }
                }
            }
        }
        _ = try index.index.analyze(notes[0].strings[0])
    }

    @Test("A filter's term for a word that shares its place with a longer one shows the whole word")
    func filteredAlternative() throws {
        let notes = [PlainNote("0", "getURL")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(
                tokenizer: CodeTokenizer(),
                filters: [Maps { $0 == "get" ? "retrieve" : $0 }])
        }
        #expect(try index.texts("get", in: notes) == ["get"])
        #expect(try index.texts("retrieve", in: notes).isEmpty == false)
    }

    @Test("A filter that keeps parts but changes the whole identifier leaves the ranges of parts")
    func filteredWhole() throws {
        let notes = [PlainNote("0", "getURL")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(
                tokenizer: CodeTokenizer(),
                filters: [Maps { $0 == "geturl" ? "x" : $0 }])
        }
        #expect(try index.texts("get", in: notes) == ["get"])
    }

    @Test("A filter that drops the whole identifier leaves its parts")
    func droppedWhole() throws {
        let notes = [PlainNote("0", "Straße getURL x")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(
                tokenizer: CodeTokenizer(),
                filters: [Maps { $0 == "geturl" ? nil : $0 }])
        }
        #expect(try index.texts("get", in: notes) == ["get"])
        #expect(try index.ids(.phrase("get url", slop: 0)) == ["0"])
    }

    @Test("A filter of huge terms", arguments: [300, 70_000, 3_000_000])
    func hugeTerms(count: Int) throws {
        let notes = [PlainNote("0", "big small")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(
                filters: [Maps { $0 == "big" ? String(repeating: "漢", count: count) : $0 }])
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.texts("small", in: notes) == ["small"])
            #expect(try index.texts("big", in: notes) == ["big"])
        }
    }

    @Test("What a filter leaves nothing of is shown as dropped")
    func zeroTerm() throws {
        let analysis = TextAnalysis(filters: [Maps { $0 == "x" ? "\u{0}" : $0 }])
        let words = try analysis.analyze("x y")
        #expect(words.map(\.omission) == [.filter, nil])
        let empty = try TextAnalysis(filters: [Maps { _ in "" }]).analyze("x y")
        #expect(empty.map(\.omission) == [.filter, .filter])
    }

    @Test("Zero bytes in words", arguments: [Folding.all, Folding([.letterCase]), []])
    func zeros(folding: Folding) throws {
        let notes = [PlainNote("0", "aa\u{0}bb cc\u{0} \u{0} \u{0}dd ee"), PlainNote("1", "zz aabb")]
        for tokenizer in [WhitespaceTokenizer(), WholeStringTokenizer(), NGramTokenizer(1...3)] as [any Tokenizer] {
            let index = try PlainNoteIndex(notes) {
                $0.analysis = TextAnalysis(tokenizer: tokenizer, folding: folding)
                $0.minimalTokenLength = 1
            }
            for stage in Stage.allCases {
                try index.enter(stage)
                for word in ["ee", "dd", "cc", "aa", "bb"] {
                    #expect(try index.ids(word).contains("0"), "\(word) \(tokenizer) \(stage)")
                }
                #expect(try index.ids("zz") == ["1"])
            }
        }
    }

    @Test("A word that folds to nothing does not lend its place to the next")
    func emptyPlace() throws {
        struct Shy: Tokenizer {
            let identity = "shy"
            func forEachWord(in text: String, _ body: (Range<String.Index>) -> Void) {
                for word in text.split(separator: " ") {
                    // As one that looks for prefixes of a length, and meets invisible characters first.
                    let first = word.unicodeScalars.index(after: word.startIndex)
                    body(word.startIndex..<first)
                    if first < word.endIndex { body(word.startIndex..<word.endIndex) }
                }
            }
            var queryTokenizer: any Tokenizer { UnicodeTokenizer() }
        }
        let text = "one \u{ad}two"
        let analysis = TextAnalysis(tokenizer: Shy())
        let notes = [PlainNote("0", text)]
        let index = try PlainNoteIndex(notes) { $0.analysis = analysis }
        let shown = try index.index.analyze(text)
        #expect(shown.last?.position == 1)
        #expect(try index.ids(.phrase("one two", slop: 0)) == ["0"])
        #expect(try index.texts("two", in: notes).map { $0.replacingOccurrences(of: "\u{ad}", with: "") } == ["two"])
    }

    /// What analyze says is what the index takes in.
    @Test("Analyze says what is indexed", arguments: 0..<7)
    func honest(choice: Int) {
        let analyses = [
            TextAnalysis.code, .wholeString, TextAnalysis(tokenizer: NGramTokenizer(2...3)),
            TextAnalysis(tokenizer: EdgePrefixTokenizer(1...4)),
            TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true)),
            TextAnalysis(tokenizer: WhitespaceTokenizer(), folding: [.letterCase]),
            TextAnalysis(folding: [.letterCase, .width], stopWords: .words(["a", "b"])),
        ]
        var configuration = TextIndexConfiguration()
        configuration.analysis = analyses[choice]
        configuration.stopWords = .none
        let analysis = Analyzer(configuration).analyses[0]
        var random = AnalysisRandom(seed: UInt64(choice) + 3)
        var bad: [String] = []
        for _ in 0..<1500 {
            let text = random.string(
                of: AnalysisAlphabet.all + AnalysisAlphabet.emoji, length: Int.random(in: 0...16, using: &random))
            var copy = text
            var terms = TermTable(slotBits: 6)
            var scanner = TextScanner()
            var scanned: [String] = []
            var position = -1
            copy.withUTF8 {
                scanner.scan($0, analysis: analysis, into: &terms) { word, _ in
                    if !word.isAlternative { position += 1 }
                    scanned.append("\(word.term) \(word.utf16Start) \(position)")
                }
            }
            // By term text.
            var numbers: [String] = []
            for entry in scanned {
                let parts = entry.split(separator: " ")
                let number = UInt32(parts[0]) ?? 0
                let stop = number & TermTable.stopBit != 0
                numbers.append(
                    String(decoding: terms.array(Int(number & ~TermTable.stopBit)), as: UTF8.self)
                        + " \(parts[1]) \(parts[2]) \(stop)")
            }
            let shown = analysis.analyze(text, language: nil, asQuery: false)
                .filter { $0.omission != .empty }
                .map { "\($0.term) \($0.utf16Range.lowerBound) \($0.position) \($0.omission != nil)" }
            if shown != numbers { bad.append("\(text.scalarNumbers): \(shown) \(numbers)") }
        }
        #expect(bad.isEmpty, "\(bad.count) \(bad.prefix(4).joined(separator: "\n"))")
    }

    // MARK: Settings

    @Test("Different stop words are different settings")
    func stopWordNames() {
        func fingerprint(_ words: StopWords) -> [String: String] {
            var configuration = TextIndexConfiguration()
            configuration.stopWords = words
            return Analyzer(configuration).fingerprint
        }
        #expect(fingerprint(.words(["can,t", "x"])) != fingerprint(.words(["can", "t", "x"])))
    }

    @Test("Different filters are different settings")
    func filterNames() {
        struct Named: TermFilter {
            let identity: String
            func filter(_ term: String) -> String? { term }
        }
        func fingerprint(_ filters: [any TermFilter]) -> [String: String] {
            var configuration = TextIndexConfiguration()
            configuration.analysis = TextAnalysis(filters: filters)
            return Analyzer(configuration).fingerprint
        }
        #expect(fingerprint([Named(identity: "a; b")]) != fingerprint([Named(identity: "a"), Named(identity: "b")]))
    }

    @Test("An analysis for a field that is not there is refused")
    func unknownField() throws {
        #expect(throws: TextIndexError.self) {
            let index = try PlainNoteIndex {
                $0.fields = ["title"]
                $0.fieldAnalysis = ["titel": .code]
            }
            try index.index.close()
        }
    }

    // MARK: Stems

    // MARK: Positions

    @Test("Phrases over code, runs of characters and beginnings")
    func phrases() throws {
        let notes = [PlainNote("0", "the getHTTPResponse of 漢字Test_case v2.10 naïve", "white whales swim", "white whales swim")]
        let index = try PlainNoteIndex(notes) {
            $0.fields = ["code", "starts", "grams"]
            $0.fieldAnalysis = [
                "code": .code, "starts": TextAnalysis(tokenizer: EdgePrefixTokenizer(2...4)),
                "grams": TextAnalysis(tokenizer: NGramTokenizer(2...3)),
            ]
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            for phrase in ["the getHTTPResponse of", "HTTPResponse of", "response of 漢字", "of 漢字Test_case", "test case v2.10", "get http response", "naive", "漢"] {
                if phrase.count > 1 { #expect(try index.ids(.field("code", .phrase(phrase, slop: 0))) == ["0"], "\(phrase)") }
                #expect(try index.ids(phrase) == ["0"], "\(phrase)")
            }
            #expect(try index.ids(.field("starts", .phrase("white whales swim", slop: 0))) == ["0"])
            #expect(try index.ids(.field("starts", .phrase("wh wh sw", slop: 0))) == ["0"])
            #expect(try index.ids(.field("starts", .term("w"))) == [])
            #expect(try index.ids(.field("grams", .phrase("whales swim", slop: 0))) == ["0"])
            #expect(try index.ids(.field("grams", .term("hale"))) == ["0"])
            #expect(try index.ids(.field("grams", .term("h"))) == [])
        }
    }

    @Test("One match is shown once")
    func once() throws {
        let notes = [PlainNote("0", "whales")]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(tokenizer: EdgePrefixTokenizer(1...10))
        }
        #expect(try index.texts("wh", in: notes) == ["wh"])
    }

    @Test("A query of only stop words")
    func onlyStopWords() throws {
        let index = try PlainNoteIndex([PlainNote("0", "to be or not to be"), PlainNote("1", "other")])
        _ = try index.ids(.term("the"))
        #expect(try index.ids("to be").isEmpty)
        #expect(try index.ids("not to be") == ["0"])
        #expect(try index.ids(.all(of: [.term("the"), .term("not")])) == ["0"])
        #expect(try index.ids(.phrase("or not to be", slop: 0)) == ["0"])
    }

    @Test("Synonyms in the field's own analysis, and in scripts without spaces")
    func synonyms() throws {
        let notes = [PlainNote("a", "the 自動車 show", "getUnitedKingdom"), PlainNote("b", "a 汽车", "x"), PlainNote("c", "motor-car", "uk")]
        let index = try PlainNoteIndex(notes) {
            $0.fields = ["text", "code"]
            $0.fieldAnalysis = ["code": .code]
            $0.synonyms = [.equivalent("自動車", "汽车"), .equivalent("uk", "united kingdom"), .equivalent("motor car", "auto")]
        }
        #expect(try index.ids(.term("汽车")) == ["a", "b"])
        #expect(try index.ids(.field("code", .term("uk"))) == ["a", "c"])
        #expect(try index.ids(.field("code", .term("unitedKingdom"))) == ["a", "c"])
        #expect(try index.ids(.term("auto")) == ["c"])
        #expect(try index.ids(.phrase("新汽车", slop: 0)) == [])
        #expect(try index.ids(.phrase("汽车 show", slop: 0)) == ["a"])
        #expect(try index.ids(.phrase("motor-car", slop: 0)) == ["c"])
    }
}
