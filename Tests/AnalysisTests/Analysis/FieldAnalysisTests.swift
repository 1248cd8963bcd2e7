import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Analyses of fields, stems and synonyms, through the index: in memory, flushed, merged, and
/// opened again.
@Suite("Analysis: fields", .timeLimit(.minutes(30)))
struct FieldAnalysisTests {
    private struct UppercaseFilter: TermFilter {
        let identity = "uppercase-1"
        func filter(_ term: String) -> String? { term == "drop" ? nil : term.uppercased() }
    }

    /// Has `body` check an index of some notes in each stage, and after reopening.
    private func check(
        _ notes: [PlainNote], _ configure: (inout TextIndexConfiguration) -> Void,
        _ body: (PlainNoteIndex) throws -> Void
    ) throws {
        let directory = temporaryDirectory("fields")
        do {
            let index = try PlainNoteIndex(notes, at: directory, configure)
            try body(index)
            try index.index.close()
            let again = try PlainNoteIndex(at: directory, configure)
            try body(again)
            try again.enter(.flushed)
            try body(again)
            try again.add(notes)
            try body(again)
            try again.enter(.optimized)
            try body(again)
            try again.index.close()
        }
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("Each field is read by its own analysis, and a query by each of them")
    func fields() throws {
        let notes = [
            PlainNote("a", "getHTTPResponse", "Response to the caller", "The Big-Red Box"),
            PlainNote("b", "response_code", "the code of it", "box"),
        ]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.fields = ["code", "text", "tag"]
            configuration.fieldAnalysis = ["code": .code, "tag": .wholeString]
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("response")) == ["a", "b"])
            #expect(try index.ids(.field("code", .term("http"))) == ["a"])
            #expect(try index.ids(.field("code", .term("HttpResponse"))) == ["a"])
            #expect(try index.ids(.field("code", .term("get_http_response"))) == ["a"])
            #expect(try index.ids(.field("text", .term("http"))) == [])
            #expect(try index.ids(.field("tag", .term("the big-red box"))) == ["a"])
            #expect(try index.ids(.field("tag", .term("box"))) == ["b"])
            #expect(try index.ids(.field("tag", .prefix("the big"))) == ["a"])
            // "the" is a stop word of texts, but no stop word of codes and tags.
            #expect(try index.ids(.field("tag", .infix("the"))) == ["a"])
            #expect(try Set(index.ids("response")) == ["a", "b"])
            #expect(try Set(index.ids("httpresp")) == ["a"])
            #expect(try Set(index.ids("big-red")) == ["a"])
            #expect(try Set(index.ids("code")) == ["b"])
            #expect(try index.texts("http", in: notes) == ["HTTP"])
            #expect(try Set(index.ids("caller http")) == ["a"])
        }
    }

    @Test("A filter changes and drops words; the whole word is shown")
    func filters() throws {
        let notes = [PlainNote("a", "one drop Größe"), PlainNote("b", "ONE more")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(filters: [UppercaseFilter()])
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("one")) == ["a", "b"])
            #expect(try index.ids(.term("drop")) == [])
            #expect(try index.texts("gröss", in: notes) == ["Größe"])
            #expect(try index.ids(.phrase("one größe", slop: 0)) == [])
            #expect(try index.ids(.phrase("one drop größe", slop: 0)) == ["a"])
        }
    }

    @Test("Runs of characters and beginnings share the places of their words")
    func alternatives() throws {
        let notes = [
            PlainNote("a", "white whales", "white whales"), PlainNote("b", "whale", "whale"),
        ]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.fields = ["grams", "starts"]
            configuration.fieldAnalysis = [
                "grams": TextAnalysis(tokenizer: NGramTokenizer(3...4)),
                "starts": TextAnalysis(tokenizer: EdgePrefixTokenizer(1...10)),
            ]
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.field("starts", .term("wh"))) == ["a", "b"])
            #expect(try index.ids(.field("starts", .term("whales"))) == ["a"])
            #expect(try index.ids(.field("starts", .phrase("whi whal", slop: 0))) == ["a"])
            #expect(try index.ids(.field("starts", .term("ale"))) == [])
            #expect(try index.ids(.field("grams", .term("ale"))) == ["a", "b"])
            #expect(try index.ids(.field("grams", .term("ales"))) == ["a"])
            #expect(try index.ids(.field("grams", .term("halesx"))) == [])
            #expect(try Set(index.texts("hal", in: notes)) == ["hal"])
        }
    }

    @Test("Symbols and emoji are words where an index keeps them")
    func symbols() throws {
        let notes = [PlainNote("a", "C++ costs £5 🦆"), PlainNote("b", "C# and C")]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.analysis = TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("c++")) == ["a"])
            #expect(try index.ids(.term("C#")) == ["b"])
            #expect(try index.ids(.term("c")) == ["b"])
            #expect(try index.ids(.term("£")) == ["a"])
            #expect(try index.ids(.term("🦆")) == ["a"])
            #expect(try index.ids(.phrase("£5", slop: 0)) == ["a"])
            #expect(try index.texts("c++", in: notes) == ["C++"])
        }
    }

    // MARK: Stems

    @Test("Inflected words find each other; keywords, prefixes and wildcards find what is written")
    func stems() throws {
        let notes = [
            PlainNote("a", "the running dogs", "Die Häuser"),
            PlainNote("b", "he runs a dog kennel", "das Haus"), PlainNote("c", "runner", "Hausen"),
        ]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.fields = ["en", "de"]
            configuration.fieldAnalysis = [
                "en": TextAnalysis(stemming: .language(.english)),
                "de": TextAnalysis(stemming: .language(.german)),
            ]
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("run")) == ["a", "b"])
            #expect(try index.ids(.term("dogs")) == ["a", "b"])
            #expect(try index.ids(.phrase("run dog", slop: 0)) == ["a"])
            #expect(try index.ids(.field("de", .term("hause"))).contains("b"))
            #expect(try Set(index.ids(.field("de", .term("Häusern")))).isSuperset(of: ["a", "b"]))
            #expect(try index.ids(.field("de", .term("dogs"))) == [])
            #expect(try index.ids(.prefix("runn")) == ["a", "c"])
            #expect(try index.ids(.wildcard("run")) == [])
            #expect(try Set(index.ids("running")) == ["a"])
            let item = try #require(
                try index.index.search(.field("de", .term("haus"))).first { $0.id == "a" })
            let token = try #require(item.resultTokens.first)
            let range = try #require(item.range(of: token, in: "Die Häuser"))
            #expect("Die Häuser"[range] == "Häuser")
        }
    }

    @Test("A word is stemmed in its object's language, or in one of its script")
    func languages() throws {
        struct Text: Sendable {
            var id: String
            var text: String
            var language: StemmerLanguage?
        }
        let directory = temporaryDirectory("languages")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        configuration.analysis = TextAnalysis(
            stemming: .automatic([.english, .french, .russian]))
        func open() throws -> TextIndex<Text> {
            let index = try TextIndex<Text>(at: directory, configuration: configuration)
            index.identifier = { Data($0.id.utf8) }
            index.indexer = { text, _ in
                IndexedObject(strings: [text.text], language: text.language)
            }
            return index
        }
        func check(_ index: TextIndex<Text>) throws {
            func ids(_ word: String) throws -> [String] {
                try index.search(.term(word), limit: .max).map(\.id).sorted()
            }
            #expect(try ids("marches") == ["en", "fr"])
            // Only as a French word: it is no form of "march" in English.
            #expect(try ids("marchait") == ["fr"])
            #expect(try ids("homme") == ["fr"])
            #expect(try ids("книга") == ["ru"])
        }
        let index = try open()
        for text in [
            Text(id: "en", text: "it marched"),
            Text(id: "fr", text: "nous marcherons, l’homme", language: .french),
            Text(id: "ru", text: "много книг"),
        ] {
            index.indexObject(text).waitUntilFinished()
        }
        try check(index)
        try index.close()
        let again = try open()
        try check(again)
        try again.flush()
        try check(again)
        try again.optimize()
        try check(again)
        try again.close()
    }

    /// Against the stemmer asked word by word.
    @Test("Stems find what a plain list of words finds", arguments: testSeeds(4))
    func stemOracle(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stemmer = try Stemmer(.english)
        let folder = Folder()
        let roots = ["walk", "happ", "connect", "nation", "relat", "univers", "gener", "organ"]
        let endings = ["", "s", "ed", "ing", "y", "iness", "ion", "al", "ally", "ize", "ization"]
        func word() -> String {
            (roots.randomElement(using: &random) ?? "")
                + (endings.randomElement(using: &random) ?? "")
        }
        var texts: [String: [String]] = [:]
        let index = try PlainNoteIndex { configuration in
            configuration.stopWords = .none
            configuration.bufferSize = 1 << 16
            configuration.analysis = TextAnalysis(stemming: .language(.english))
        }
        for round in 0..<60 {
            let id = "\(Int.random(in: 0..<40, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                index.index.removeIndex(forIdentifier: Data(id.utf8)).waitUntilFinished()
                texts[id] = nil
            case 1 where round % 3 == 0: try index.enter(.flushed)
            case 2 where round % 9 == 0: try index.enter(.optimized)
            default:
                let words = (0..<6).map { _ in word() }
                texts[id] = words
                try index.add([PlainNote(id, words.joined(separator: " "))])
            }
            let wanted = word()
            let stem = stemmer.stem(wanted, folder: folder)
            let expected = texts.filter { entry in
                entry.value.contains { $0 == wanted || stemmer.stem($0, folder: folder) == stem }
            }
            #expect(
                try index.ids(.term(wanted)) == expected.keys.sorted(), "seed \(seed), \(wanted)")
        }
    }

    @Test("The stems of words that are gone go with them")
    func goneStems() throws {
        let index = try PlainNoteIndex([PlainNote("a", "walking"), PlainNote("b", "running")]) {
            $0.analysis = TextAnalysis(stemming: .language(.english))
        }
        func keys() throws -> Int {
            var count = 0
            try index.index.store.makeCursor().forEach(in: .stems) { _, _ in
                count += 1
                return true
            }
            return count
        }
        try index.enter(.flushed)
        #expect(try keys() == 2)
        index.index.removeIndex(forIdentifier: Data("a".utf8)).waitUntilFinished()
        try index.enter(.optimized)
        #expect(try index.ids(.term("run")) == ["b"])
        #expect(try index.ids(.term("walk")) == [])
        let directory = index.directory
        try index.index.close()
        let again = try TextIndex<PlainNote>(
            at: directory,
            configuration: {
                var configuration = TextIndexConfiguration()
                configuration.analysis = TextAnalysis(stemming: .language(.english))
                return configuration
            }())
        // What the first closing left is deleted in the background, one thing after the other.
        again.writer.background.sync {}
        var count = 0
        try again.store.makeCursor().forEach(in: .stems) { _, _ in
            count += 1
            return true
        }
        #expect(count == 1)
        try again.close()
    }

    @Test("Other stems, filters or tokenizers are other settings")
    func fingerprints() throws {
        let directory = temporaryDirectory("settings")
        defer { try? FileManager.default.removeItem(at: directory) }
        func open(_ analysis: TextAnalysis, _ field: TextAnalysis? = nil) throws {
            let index = try PlainNoteIndex(at: directory) { configuration in
                configuration.fields = ["title"]
                configuration.analysis = analysis
                if let field { configuration.fieldAnalysis["title"] = field }
                configuration.synonyms = [.equivalent("a", "b")]
            }
            try index.index.close()
        }
        // Kept: the index removes its directory when it goes.
        let first = TextAnalysis(stemming: .language(.dutch))
        let keeper = temporaryDirectory("settings-keeper")
        defer { try? FileManager.default.removeItem(at: keeper) }
        try open(first)
        for (analysis, field) in [
            (TextAnalysis.standard, nil), (TextAnalysis(stemming: .language(.german)), nil),
            (first, TextAnalysis.code), (first, TextAnalysis(folding: .letterCase)),
            (first, TextAnalysis(filters: [UppercaseFilter()])),
        ] as [(TextAnalysis, TextAnalysis?)] {
            let index = try TextIndex<PlainNote>(
                at: directory,
                configuration: {
                    var configuration = TextIndexConfiguration()
                    configuration.fields = ["title"]
                    configuration.analysis = first
                    return configuration
                }())
            try index.close()
            let error = #expect(throws: TextIndexError.self) { () throws in
                var configuration = TextIndexConfiguration()
                configuration.fields = ["title"]
                configuration.analysis = analysis
                if let field { configuration.fieldAnalysis["title"] = field }
                _ = try TextIndex<PlainNote>(at: directory, configuration: configuration)
            }
            #expect(error?.code == .configurationMismatch)
        }
    }

    // MARK: Synonyms

    @Test("Synonyms work one way and two ways, with several words on either side")
    func synonyms() throws {
        let notes = [
            PlainNote("car", "a red car"), PlainNote("auto", "one red automobile"),
            PlainNote("motor", "the motor car show"), PlainNote("uk", "in the UK"),
            PlainNote("kingdom", "the United Kingdom now"),
        ]
        func configure(_ configuration: inout TextIndexConfiguration) {
            configuration.synonyms = [
                .equivalent("car", "automobile"), .equivalent("motor car", "automobile"),
                .replacing("UK", with: "united kingdom"),
            ]
        }
        try check(notes, configure) { (index: PlainNoteIndex) throws in
            #expect(try index.ids(.term("automobile")) == ["auto", "car", "motor"])
            #expect(try index.ids(.term("Car")) == ["auto", "car", "motor"])
            #expect(try index.ids(.all(of: [.term("motor"), .term("car")])) == ["auto", "motor"])
            #expect(try index.ids(.phrase("red car", slop: 0)) == ["auto", "car"])
            #expect(try index.ids(.phrase("motor car show", slop: 0)) == ["motor"])
            #expect(try index.ids(.term("uk")) == ["kingdom", "uk"])
            #expect(try index.ids(.phrase("united kingdom", slop: 0)) == ["kingdom"])
            let found = try index.index.search("red automobile", steps: .exact)
            #expect(Set(found.map(\.id)) == ["auto", "car"])
            #expect(try index.ids(.infix("automob")) == ["auto"])
        }
    }

    @Test("Synonyms are read from text")
    func synonymText() throws {
        let synonyms = try Synonyms(
            parsing: """
                # vehicles
                car, automobile ,  motor   car
                uk => united kingdom, great britain  # one way

                """)
        #expect(
            synonyms
                == [
                    .equivalent("car", "automobile", "motor car"),
                    .replacing("uk", with: "united kingdom", "great britain"),
                ])
        for (text, line) in [("a, b\nalone", 2), ("=> b", 1), ("a =>", 1), ("a => b => c", 1)] {
            let error = #expect(throws: TextIndexError.self) { () throws in
                _ = try Synonyms(parsing: text)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("Line \(line)") == true)
        }
    }

    // MARK: Analyze

    @Test("Analyze shows words, ranges, terms, stems, positions and what was dropped")
    func analyze() throws {
        let index = try PlainNoteIndex { configuration in
            configuration.fields = ["title", "code"]
            configuration.analysis = TextAnalysis(
                filters: [UppercaseFilter()], stemming: .language(.english))
            configuration.fieldAnalysis = ["code": .code]
            configuration.indexesStopWords = false
        }
        let text = "The Ünited Houses drop \u{ad}"
        let words = try index.index.analyze(text)
        #expect(words.map { String(text[$0.range]) } == ["The", "Ünited", "Houses", "drop"])
        #expect(words.map(\.term) == ["the", "UNITED", "HOUSES", "drop"])
        #expect(words.map(\.position) == [0, 1, 2, 3])
        #expect(words.map(\.omission) == [.stopWord, nil, nil, .filter])
        #expect(words[2].stems == [.english: "hous"])
        #expect(words[1].utf16Range == 4..<10)
        let code = try index.index.analyze("getURL 漢字", field: "code")
        #expect(code.map(\.term) == ["geturl", "get", "url", "漢字"])
        #expect(code.map(\.position) == [0, 0, 1, 2])
        #expect(
            try index.index.analyze("getURL", field: "code", asQuery: true).map(\.term)
                == ["get", "url"])
        let error = #expect(throws: TextIndexError.self) { () throws in
            _ = try index.index.analyze("x", field: "body")
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Analyze and the scanner see the same words", arguments: testSeeds(2))
    func analyzeAgainstScanner(seed: UInt64) {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let analysis = Analyzer(configuration).analyses[0]
        var random = AnalysisRandom(seed: seed)
        for _ in 0..<2000 {
            let text = random.string(
                of: AnalysisAlphabet.all, length: Int.random(in: 0...20, using: &random))
            let shown = analysis.analyze(text, language: nil, asQuery: false)
                .filter { $0.omission == nil }
            let scanned = AnalysisWord.scan(text)
            #expect(shown.map(\.term) == scanned.map(\.term), "\(text.scalarNumbers)")
            #expect(shown.map(\.utf16Range.lowerBound) == scanned.map(\.utf16Start))
            #expect(shown.map(\.position) == Array(shown.indices))
        }
    }
}
