import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Runs of scripts without spaces in every kind of index and query.
@Suite("Analysis: runs in every index and query")
struct AnalysisRunTests {
    /// Checks an index in each stage.
    private func check(
        _ notes: [PlainNote], _ analysis: TextAnalysis = .standard,
        _ body: (PlainNoteIndex) throws -> Void
    ) throws {
        let index = try PlainNoteIndex(notes) { $0.analysis = analysis }
        for stage in Stage.allCases {
            try index.enter(stage)
            try body(index)
        }
    }

    // MARK: Other tokenizers

    @Test("Chinese and Thai are found inside the words of any tokenizer", arguments: 0..<5)
    func inside(choice: Int) throws {
        let tokenizers: [any Tokenizer] = [
            CodeTokenizer(), WhitespaceTokenizer(), WholeStringTokenizer(), NGramTokenizer(3...4),
            EdgePrefixTokenizer(1...9),
        ]
        let notes = [
            PlainNote("0", "漢字文書管理"), PlainNote("1", "กขคงจ"), PlainNote("2", "abcdef"),
        ]
        try check(notes, TextAnalysis(tokenizer: tokenizers[choice])) {
            (index: PlainNoteIndex) throws in
            for (word, id) in [
                ("cde", "2"), ("漢字", "0"), ("字文", "0"), ("文書管", "0"), ("理", "0"), ("ขค", "1"),
                ("漢字文書管理", "0"), ("จ", "1"),
            ] {
                #expect(try index.ids(word) == [id], "\(word)")
                #expect(try index.ids(.keyword(word)) == [id], "\(word)")
            }
            #expect(try index.ids(.infix("文書")) == ["0"])
        }
    }

    @Test("Words of several scripts are found from any of them")
    func mixed() throws {
        let notes = [PlainNote("0", "漢字abc文書de")]
        for tokenizer in [WhitespaceTokenizer(), UnicodeTokenizer()] as [any Tokenizer] {
            try check(notes, TextAnalysis(tokenizer: tokenizer)) { (index: PlainNoteIndex) throws in
                for word in ["字", "字abc", "abc", "bc", "bc文", "書", "文書de", "de"] {
                    #expect(try index.ids(word) == ["0"], "\(word)")
                }
            }
        }
    }

    @Test("A field of code and one of text find their own words")
    func fields() throws {
        let notes = [PlainNote("0", "x", "漢字文書"), PlainNote("1", "漢字文書", "y")]
        let index = try PlainNoteIndex(notes) {
            $0.fields = ["text", "code"]
            $0.fieldAnalysis = ["code": .code]
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            for word in ["漢字", "字", "字文書", "書"] {
                #expect(try Set(index.ids(word)) == ["0", "1"], "\(word)")
                #expect(try index.ids(.keyword(word)) == ["0", "1"], "\(word)")
                #expect(try index.texts(word, in: notes) == [word, word])
                #expect(try index.ids(.infix(word)) == ["0", "1"], "\(word)")
                #expect(try index.ids(.field("code", .infix(word))) == ["0"], "\(word)")
            }
        }
    }

    // MARK: Patterns

    @Test("Prefixes, infixes, suffixes and wildcards of any length find runs")
    func patterns() throws {
        let notes = [PlainNote("0", "漢字文書管理"), PlainNote("1", "字書文"), PlainNote("2", "Swift漢字文書")]
        try check(notes) { (index: PlainNoteIndex) throws in
            for word in ["漢字文書管", "字文書管", "文書管理", "管理", "理"] {
                for query in [
                    .infix(word), .prefix(word), .suffix(word), .wildcard("*\(word)*"),
                    .wildcard("\(word)*"), .wildcard("*\(word)"), .wildcard(word),
                ] as [Query] {
                    #expect(try index.ids(query) == ["0"], "\(query)")
                }
                for text in ["\(word)*", "*\(word)*", "*\(word)"] {
                    #expect(try index.index.search(text).map(\.id) == ["0"], "\(text)")
                }
            }
            #expect(try index.ids(.infix("字文")) == ["0", "2"])
            #expect(try index.ids(.infix("ift漢字")) == ["2"])
            #expect(try index.ids(.prefix("swift漢字")) == ["2"])
            #expect(try index.ids(.prefix("ift漢字")) == [])
            #expect(try index.ids(.infix("漢文")) == [])
            #expect(try index.ids(.near([.infix("漢字文"), .infix("書管理")], within: 9)) == ["0"])
        }
    }

    // MARK: Characters

    @Test(
        "Signs that stand for several characters meet these, and are shown whole",
        arguments: [
            ("株式会社", "㍿トヨタ", "㍿"), ("株式", "㍿", "㍿"), ("会社", "㍿", "㍿"), ("社", "㍿", "㍿"),
            ("社ト", "㍿トヨタ", "㍿ト"), ("㍿", "株式会社トヨタ", "株式会社"), ("㍿ト", "株式会社トヨタ", "株式会社ト"),
            ("メートル", "五㍍走", "㍍"), ("五メ", "五㍍走", "五㍍"), ("ル走", "五㍍走", "㍍走"), ("五", "五㍍走", "五"),
            ("走", "五㍍走", "走"), ("五㍍走", "五メートル走", "五メートル走"), ("キログラム", "五㌕", "㌕"),
            ("グ", "五㌕", "㌕"), ("パーセント", "㌫", "㌫"), ("㌫", "パーセント", "パーセント"), ("平成", "㍻", "㍻"),
            ("祝日", "㊗日", "㊗日"), ("ຫມາ", "ໝາ", "ໝາ"), ("ມາ", "ໝາ", "ໝາ"), ("コト", "ヿ", "ヿ"),
        ])
    func signs(keyword: String, text: String, match: String) throws {
        let notes = [PlainNote("0", "ab " + text + " ende")]
        try check(notes) { (index: PlainNoteIndex) throws in
            #expect(try index.texts(keyword, in: notes) == [match])
            #expect(try index.texts("ende", in: notes) == ["ende"])
            #expect(try index.ids(.phrase("ab \(text) ende", slop: 0)) == ["0"])
            #expect(try index.ids(.infix(keyword)) == ["0"])
            let words = try index.index.analyze(notes[0].strings[0])
            #expect(words.map(\.position) == Array(words.indices))
        }
    }

    @Test(
        "Thai and Lao am are the same in one character and in two",
        arguments: [
            ("นํา", "นำ"), ("น้ํา", "น้ำ"), ("นํ้า", "น้ำ"), ("ນໍາ", "ນຳ"), ("ນໍ້າ", "ນ້ຳ"),
        ])
    func am(two: String, one: String) throws {
        let notes = [
            PlainNote("0", two), PlainNote("1", one), PlainNote("2", "x" + two + "ไป"),
            PlainNote("3", "y" + one + "ไป"),
        ]
        for analysis in [.standard, .code, .wholeString] as [TextAnalysis] {
            try check(notes, analysis) { (index: PlainNoteIndex) throws in
                for keyword in [one, two] {
                    #expect(try Set(index.ids(keyword)) == ["0", "1", "2", "3"], "\(keyword)")
                    #expect(try Set(index.texts(keyword, in: notes)) == [one, two])
                }
            }
        }
        #expect(Folder().fold(two).utf8.elementsEqual(one.utf8))
        #expect(Folder(.all.subtracting(.compatibility)).fold(two) != one)
    }

    @Test("Ideographs that Unicode did not know yet are found")
    func newIdeographs() {
        #expect(AnalysisWord.scan("\u{2ebf0}\u{2ebf1}").count == 2)
        #expect(AnalysisWord.scan("\u{323b0}\u{323b1}").count == 2)
        #expect(AnalysisWord.scan("\u{2fffe}").isEmpty)
    }
}
