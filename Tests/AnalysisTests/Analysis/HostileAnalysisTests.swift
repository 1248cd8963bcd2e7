import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Tokenizers and filters of an application's own, and text, that do what they should not.
@Suite("Analysis: hostile tokenizers, filters and text")
struct HostileAnalysisTests {
    // MARK: Zero bytes

    @Test(
        "Text with zero bytes is indexed and found",
        arguments: [Folding.all, Folding([.letterCase]), []])
    func zeroBytes(folding: Folding) throws {
        let notes = [
            PlainNote("0", "aa\u{0}bb cc\u{0} \u{0} \u{0}dd ee"), PlainNote("1", "zz aabb"),
        ]
        let whole = GivenTokenizer { [$0.startIndex..<$0.endIndex] }
        for tokenizer in [
            UnicodeTokenizer(), WhitespaceTokenizer(), WholeStringTokenizer(),
            NGramTokenizer(1...3), CodeTokenizer(), whole,
        ] as [any Tokenizer] {
            func configure(_ configuration: inout TextIndexConfiguration) {
                configuration.analysis = TextAnalysis(tokenizer: tokenizer, folding: folding)
                configuration.minimalTokenLength = 1
            }
            try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
                for word in ["ee", "dd", "cc", "aa", "bb"] {
                    #expect(try index.ids(word).contains("0"), "\(word) \(tokenizer)")
                    #expect(try index.texts(word, in: [notes[0], notes[1]]).contains(word))
                }
                #expect(try index.ids("zz") == ["1"])
            }
        }
    }

    @Test("A zero byte is found past, and belongs to no fold")
    func foldedZeroBytes() throws {
        #expect(Folder().fold("a\u{0}e\u{301}\u{0}") == "ae")
        #expect(Folder([]).fold("\u{0}A\u{0}") == "A")
        let notes = [PlainNote("0", "x\u{0}ß\u{0}y")]
        let index = try PlainNoteIndex(notes) { $0.analysis = .wholeString }
        #expect(try index.texts("ssy", in: notes) == ["ß\u{0}y"])
        #expect(try index.ids("x\u{0}s") == ["0"])
    }

    // MARK: Tokenizers

    @Test("A tokenizer that cuts scalars does not spoil the places of other words")
    func cutScalars() throws {
        let cutter = GivenTokenizer { text in
            guard let word = text.range(of: "word") else { return [] }
            return text.utf8.indices.prefix(4).map { $0..<text.utf8.index(after: $0) } + [word]
        }
        let notes = [PlainNote("0", "🦆 word")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(tokenizer: cutter)
        }
        try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.texts("word", in: notes) == ["word"])
            #expect(try index.ids(.prefix("🦆")) == ["0"])
        }
    }

    @Test("A tokenizer of single bytes gives whole scalars")
    func singleBytes() throws {
        let bytes = GivenTokenizer { text in
            text.utf8.indices.map { $0..<text.utf8.index(after: $0) }
        }
        let notes = [PlainNote("0", "aé🦆漢b")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(tokenizer: bytes, stopWords: StopWords.none)
            configuration.minimalTokenLength = 1
        }
        try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
            for (keyword, text) in [("a", "a"), ("é", "é"), ("b", "b"), ("漢", "漢")] {
                #expect(try index.texts(keyword, in: notes) == [text])
            }
        }
        let words = try TextAnalysis(tokenizer: bytes).analyze(notes[0].strings[0])
        let parts = words.map { word in String(notes[0].strings[0][word.range]) }
        #expect(Set(parts).count == 5)
    }

    @Test(
        "Ranges of a tokenizer that are out of order, overlapping, empty or outside do no harm",
        arguments: [
            [5..<9, 0..<4], [0..<4, 0..<9, 2..<6, 2..<2, 3..<900, 800..<900], [0..<1000],
            [3..<5, 3..<4, 3..<9, 8..<9],
        ])
    func strangeRanges(ranges: [Range<Int>]) throws {
        let given = GivenTokenizer { _ in
            let long = String(repeating: "x", count: 1000)
            return ranges.map {
                String.Index(
                    utf16Offset: $0.lowerBound, in: long)..<String.Index(
                        utf16Offset: $0.upperBound, in: long)
            }
        }
        let notes = [PlainNote("0", "word wörd 漢字 end")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(tokenizer: given)
            configuration.minimalTokenLength = 1
        }
        try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
            for keyword in ["w", "word", "rd", "漢", "d"] {
                _ = try index.texts(keyword, in: notes)
            }
        }
        _ = try TextAnalysis(tokenizer: given).analyze(notes[0].strings[0])
    }

    @Test("A word that folds to nothing does not lend its place to the next")
    func emptyWord() throws {
        // As a tokenizer that gives beginnings of words, the shortest first, and meets what is
        // invisible.
        let beginnings = GivenTokenizer { text in
            text.split(separator: " ").flatMap { word in
                let first = word.unicodeScalars.index(after: word.startIndex)
                return [word.startIndex..<first, word.startIndex..<word.endIndex]
            }
        }
        let text = "one \u{ad}two"
        let notes = [PlainNote("0", text)]
        let index = try PlainNoteIndex(notes) {
            $0.analysis = TextAnalysis(tokenizer: beginnings)
        }
        #expect(try index.index.analyze(text).map(\.position) == [0, 0, 0, 1])
        #expect(try index.ids(.phrase("one two", slop: 0)) == ["0"])
        #expect(try index.texts("two", in: notes) == ["two"])
    }

    // MARK: Filters

    @Test(
        "A filter's huge terms are indexed, and their words found",
        arguments: [300, 70_000, 3_000_000])
    func hugeTerms(count: Int) throws {
        let filter = GivenFilter { $0 == "big" ? String(repeating: "漢", count: count) : $0 }
        let notes = [PlainNote("0", "big small")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(filters: [filter])
        }
        try PlainNoteIndex.inAllStages(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.texts("small", in: notes) == ["small"])
            #expect(try index.texts("big", in: notes) == ["big"])
        }
    }

    @Test("A filter's term is cut behind a whole character")
    func cutTerms() throws {
        func term(_ result: String) throws -> String? {
            let words = try TextAnalysis(filters: [GivenFilter { _ in result }]).analyze("word")
            return words.first.flatMap { $0.omission == nil ? $0.term : nil }
        }
        let many = String(repeating: "a", count: 254)
        #expect(try term(many + "bc") == many + "b")
        #expect(try term(many + "éc") == many)
        #expect(try term(many + "e\u{301}c") == many)
        #expect(try term("\u{0}" + many + "b\u{0}") == many + "b")
        #expect(try term("a" + String(repeating: "\u{301}", count: 300)) == nil)
    }

    @Test("What a filter leaves nothing of is shown as dropped, and is")
    func nothingLeft() throws {
        for nothing in ["\u{0}", "", nil] {
            let analysis = TextAnalysis(filters: [GivenFilter { $0 == "xx" ? nothing : $0 }])
            #expect(try analysis.analyze("xx yy").map(\.omission) == [.filter, nil])
            let index = try PlainNoteIndex([PlainNote("0", "xx yy")]) { $0.analysis = analysis }
            #expect(try index.ids("xx").isEmpty)
            #expect(try index.ids(.phrase("xx yy", slop: 0)) == ["0"])
        }
    }

    // MARK: Everything at once

    @Test(
        "A hostile tokenizer or filter does not move the places of words",
        arguments: testSeeds(8))
    func anything(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pool = Array("aabBZ09_éßﬁİ'. - \u{ad}\u{0}漢字ガ한ع½🦆👍🏽") + [Character("e\u{301}")]
        let notes = (0..<12).map { number -> PlainNote in
            var head = ""
            for _ in 0..<random.int(0...20) { head.append(random.element(pool)) }
            return PlainNote("\(number)", head + " marker", "marker " + head)
        }
        let tokenizers: [any Tokenizer] = [
            GivenTokenizer.random, UnicodeTokenizer(), CodeTokenizer(), EdgePrefixTokenizer(1...9),
            NGramTokenizer(2...3), WhitespaceTokenizer(),
        ]
        for tokenizer in tokenizers {
            for filters in [[], [GivenFilter.random]] {
                var analysis = TextAnalysis(tokenizer: tokenizer, filters: filters)
                analysis.stopWords = StopWords.none
                func configure(_ configuration: inout TextIndexConfiguration) {
                    configuration.analysis = analysis
                    configuration.minimalTokenLength = 1
                }
                try PlainNoteIndex.inAllStages(notes, configure) {
                    try check($0, notes, analysis, "seed \(seed), \(tokenizer)")
                }
            }
        }
    }

    private func check(
        _ index: PlainNoteIndex, _ notes: [PlainNote], _ analysis: TextAnalysis, _ name: String
    ) throws {
        let finds = !(analysis.tokenizer is NGramTokenizer)
        let markers = try finds ? index.texts("marker", in: notes) : []
        if finds {
            #expect(markers == Array(repeating: "marker", count: notes.count * 2), "\(name)")
        }
        let folder = Folder()
        for note in notes.prefix(4) {
            for (string, text) in note.strings.enumerated() {
                let words = try analysis.analyze(text).filter { $0.omission == nil }
                for word in words.prefix(12) {
                    let item = try #require(
                        try index.index.search(.prefix(word.term), limit: .max).first {
                            $0.id == note.id
                        }, "\(name): \(word.term.scalarNumbers) in \(text.scalarNumbers)")
                    let ranges = item.resultTokens.filter { $0.string == string }
                    #expect(ranges.allSatisfy { item.range(of: $0, in: text) != nil }, "\(name)")
                    let isChanged = folder.fold(String(text[word.range])) != word.term
                    let found = ranges.contains { token in
                        guard let range = item.range(of: token, in: text) else { return false }
                        if !isChanged, folder.fold(String(text[range])) == word.term { return true }
                        // Words that share a place may have one term; the range is that of the
                        // first. Words that overlap or touch are one match.
                        return words.contains {
                            range.overlaps($0.range) && $0.term == word.term
                                && $0.position == word.position
                        }
                    }
                    #expect(
                        found,
                        "\(name): \(word.term.scalarNumbers) in \(text.scalarNumbers), \(ranges)")
                }
            }
        }
    }
}
