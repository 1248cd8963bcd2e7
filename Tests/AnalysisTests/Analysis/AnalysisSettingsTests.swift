import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What settings of analysis mean, what is stored of them, and what `analyze` shows.
@Suite("Analysis: settings")
struct AnalysisSettingsTests {
    private func fingerprint(
        _ configure: (inout TextIndexConfiguration) -> Void = { _ in }
    ) -> [String: String] {
        var configuration = TextIndexConfiguration()
        configure(&configuration)
        return Analyzer(configuration).fingerprint
    }

    // MARK: Fingerprints

    @Test("The settings that indexes on disk have stay what they are")
    func stored() {
        let fold = Folder().identity
        #expect(
            fingerprint() == [
                "analysis": "unicode; \(fold)", "stopWords": "none",
                "discardDuplicateTokens": "false",
            ])
        #expect(
            fingerprint { $0.indexesStopWords = false } == [
                "analysis": "unicode; \(fold)", "stopWords": "english-1",
                "discardDuplicateTokens": "false",
            ])
        let other = fingerprint {
            $0.stopWords = .words(["b", "a"])
            $0.indexesStopWords = false
            $0.analysis = TextAnalysis(tokenizer: CodeTokenizer(), stemming: .language(.english))
        }
        #expect(other["stopWords"] == "words:a,b")
        #expect(other["analysis"]?.hasPrefix("code-1; \(fold); stems ") == true)
    }

    @Test("Different stop words are different settings")
    func stopWordNames() {
        let lists = [
            ["can,t", "x"], ["can", "t", "x"], ["can\\", "t", "x"], ["can\\,t", "x"],
            ["can\\\\,t", "x"], ["can\\\\", "t", "x"],
        ]
        let names = lists.map { words in
            fingerprint {
                $0.stopWords = .words(words)
                $0.indexesStopWords = false
            }
        }
        #expect(Set(names).count == lists.count)
    }

    @Test("Different tokenizers, filters and stems are different settings")
    func filterNames() {
        func analysis(_ filters: [String], _ stemming: Stemming = .none) -> TextAnalysis {
            TextAnalysis(
                filters: filters.map { name in GivenFilter(identity: name) { $0 } },
                stemming: stemming)
        }
        let stems = Stemming.language(.english)
        let analyses = [
            analysis([]), analysis(["a; b"]), analysis(["a", "b"]), analysis(["a; filter b"]),
            analysis(["a\\", "b"]), analysis(["a\\; filter b"]), analysis([], stems),
            analysis([stems.identity]), analysis(["a"], stems),
        ]
        let names = analyses.map { analysis in fingerprint { $0.analysis = analysis } }
        #expect(Set(names).count == analyses.count)
    }

    // MARK: Settings

    @Test(
        "What is plain is ours alone: nothing of the application's runs while the database is opened"
    )
    func plain() throws {
        #expect(Analyzer.isPlain(.init()))
        try Analyzer(.init()).validate()
        func isPlain(_ change: (inout TextIndexConfiguration) -> Void) -> Bool {
            var configuration = TextIndexConfiguration()
            change(&configuration)
            return Analyzer.isPlain(configuration)
        }
        #expect(isPlain { $0.stopWords = .none })
        #expect(!isPlain { $0.fieldAnalysis = ["title": .code] })
        #expect(!isPlain { $0.analysis.stemming = .language(.english) })
        #expect(!isPlain { $0.analysis = .code })
        #expect(!isPlain { $0.synonyms = [.equivalent("car", "automobile")] })
    }

    @Test("An analysis for a field that is not there is refused")
    func unknownField() throws {
        let error = #expect(throws: TextIndexError.self) { () throws in
            _ = try PlainNoteIndex {
                $0.fields = ["title"]
                $0.fieldAnalysis = ["titel": .code, "title": .code]
            }
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("titel") == true)
    }

    @Test("Stop words are compared before filters change them, in text and in queries")
    func filteredStopWords() throws {
        let filter = GivenFilter { $0 == "cat" ? "the" : $0 + "!" }
        let analysis = TextAnalysis(filters: [filter], stopWords: .english)
        for asQuery in [true, false] {
            var configuration = TextIndexConfiguration()
            configuration.analysis = analysis
            configuration.indexesStopWords = false
            let words = Analyzer(configuration).analyses[0].analyze(
                "The cat sat", language: nil, asQuery: asQuery)
            #expect(words.map(\.omission) == [.stopWord, nil, nil])
            #expect(words.map(\.term) == ["the", "the", "sat!"])
        }
        let notes = [PlainNote("0", "the cat sat", "the"), PlainNote("1", "sat the", "cat")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.fields = ["filtered", "plain"]
            configuration.fieldAnalysis = ["filtered": analysis]
            configuration.indexesStopWords = false
        }
        try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.field("filtered", .term("cat"))) == ["0"])
            #expect(try index.ids(.field("filtered", .prefix("the"))) == ["0"])
            #expect(try index.ids(.field("plain", .prefix("the"))) == [])
            #expect(try index.ids(.field("filtered", .phrase("cat the sat", slop: 0))) == [])
            #expect(try index.ids(.field("filtered", .phrase("the cat sat", slop: 0))) == ["0"])
            #expect(try index.ids(.field("filtered", .term("the sat"))) == ["0", "1"])
        }
    }

    @Test("Synonyms are read in a field by its own analysis")
    func synonyms() throws {
        let notes = [
            PlainNote("a", "the 自動車 show", "getUnitedKingdom"), PlainNote("b", "a 汽车", "x"),
            PlainNote("c", "motor-car", "uk"),
        ]
        let index = try PlainNoteIndex(notes) {
            $0.fields = ["text", "code"]
            $0.fieldAnalysis = ["code": .code]
            $0.synonyms = [
                .equivalent("自動車", "汽车"), .equivalent("uk", "united kingdom"),
                .equivalent("motor car", "auto"),
            ]
        }
        #expect(try index.ids(.term("汽车")) == ["a", "b"])
        #expect(try index.ids(.field("code", .term("uk"))) == ["a", "c"])
        #expect(try index.ids(.field("code", .term("unitedKingdom"))) == ["a", "c"])
        #expect(
            try index.ids(.field("text", .field("code", .term("unitedKingdom")))) == ["a", "c"])
        #expect(try index.ids(.field("code", .term("united_kingdom"))) == ["a", "c"])
        #expect(try index.ids(.term("auto")) == ["c"])
        #expect(try index.ids(.phrase("新汽车", slop: 0)) == [])
        #expect(try index.ids(.phrase("汽车 show", slop: 0)) == ["a"])
        #expect(try index.ids(.phrase("motor-car", slop: 0)) == ["c"])
    }

    // MARK: Analyze

    @Test("Analyze shows what the index takes in", arguments: 0..<10)
    func honest(choice: Int) {
        let analyses = [
            TextAnalysis.code, .wholeString, TextAnalysis(tokenizer: NGramTokenizer(2...3)),
            TextAnalysis(tokenizer: EdgePrefixTokenizer(1...4)),
            TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true)),
            TextAnalysis(tokenizer: WhitespaceTokenizer(), folding: [.letterCase]),
            TextAnalysis(folding: [.letterCase, .width], stopWords: .words(["a", "b"])),
            TextAnalysis(filters: [GivenFilter.random], stopWords: .words(["a", "b"])),
            TextAnalysis(tokenizer: CodeTokenizer(), filters: [GivenFilter.random]),
            TextAnalysis(tokenizer: GivenTokenizer.random),
        ]
        var configuration = TextIndexConfiguration()
        configuration.analysis = analyses[choice]
        configuration.stopWords = .none
        let analysis = Analyzer(configuration).analyses[0]
        var random = AnalysisRandom(seed: UInt64(choice) + 3)
        for _ in 0..<1500 {
            var text = random.string(
                of: AnalysisAlphabet.all + AnalysisAlphabet.emoji + ["\u{0}"],
                length: Int.random(in: 0...16, using: &random))
            if choice == 9 { text += " marker" }
            let shown = analysis.analyze(text, language: nil, asQuery: false)
                .filter { $0.omission != .empty }
                .map {
                    "\($0.term) \($0.utf16Range.lowerBound) \($0.position) \($0.omission != nil)"
                }
            #expect(shown == scanned(text, analysis), "\(text.scalarNumbers)")
        }
    }

    /// The words as the scanner finds them: term, place, position, whether it is dropped.
    private func scanned(_ text: String, _ analysis: FieldAnalyzer) -> [String] {
        var text = text
        var terms = TermTable(slotBits: 6)
        var scanner = TextScanner()
        var words: [(term: UInt32, start: Int, position: Int)] = []
        var position = -1
        text.withUTF8 {
            scanner.scan($0, analysis: analysis, into: &terms) { word, _ in
                if !word.isAlternative { position += 1 }
                words.append((word.term, word.utf16Start, position))
            }
        }
        return words.map { word in
            let bytes = terms.array(Int(word.term & ~TermTable.stopBit))
            let isDropped = word.term & TermTable.stopBit != 0
            return
                "\(String(decoding: bytes, as: UTF8.self)) \(word.start) \(word.position) \(isDropped)"
        }
    }
}
