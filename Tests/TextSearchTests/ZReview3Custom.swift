import Foundation
import Testing

@testable import TextSearch

/// Review of issue 3: tokenizers, filters and settings of an application's own.
@Suite("Review 3: custom analysis")
struct ZReview3CustomTests {
    // MARK: Stems

    @Test("Stems that analyze shows are those by which words are found", arguments: [
        ("KITAPLARI", "kitapları", StemmerLanguage.turkish), ("AĞAÇLARI", "ağaçlar", .turkish),
        ("KADINLARIN", "kadın", .turkish), ("ISINMAK", "ısınmak", .turkish), ("ＲＵＮＮＩＮＧ", "run", .english), ("running", "ｒｕｎ", .english),
        ("oﬃces", "office", .english), ("run\u{ad}ning", "run", .english), ("Häuser", "haus", .german),
        ("HA\u{308}USER", "Haus", .german), ("STRASSEN", "Straße", .german), ("l’homme", "hommes", .french),
        ("L'HOMME", "hommes", .french), ("дома", "дом", .russian), ("ΔΡΟΜΟΥΣ", "δρόμος", .greek), ("ﻛﺘﺎﺏ", "كتب", .arabic),
        ("كِتَابٌ", "كتاب", .arabic), ("किताबें", "किताब", .hindi), ("dogs'", "dog", .english), ("dog's", "dog", .english),
        ])
    func shownStems(text: String, query: String, language: StemmerLanguage) throws {
        let notes = [PlainNote("0", text)]
        let index = try PlainNoteIndex(notes) {
            $0.stopWords = .none
            $0.analysis = TextAnalysis(stemming: .language(language))
        }
        let shown = Set(try index.index.analyze(text).flatMap { $0.stems.values })
        let asked = Set(try index.index.analyze(query, asQuery: true).flatMap { $0.stems.values })
        let found = try index.ids(.term(query)) == ["0"]
        #expect(found == !shown.isDisjoint(with: asked), "\(text) \(shown), \(query) \(asked), found \(found)")
        #expect(found, "\(text) \(shown), \(query) \(asked)")
    }

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

    @Test("A query of only stop words")
    func onlyStopWords() throws {
        let index = try PlainNoteIndex([PlainNote("0", "to be or not to be"), PlainNote("1", "other")])
        _ = try index.ids(.term("the"))
        #expect(try index.ids("to be").isEmpty)
        #expect(try index.ids("not to be") == ["0"])
        #expect(try index.ids(.all(of: [.term("the"), .term("not")])) == ["0"])
        #expect(try index.ids(.phrase("or not to be", slop: 0)) == ["0"])
    }

}
