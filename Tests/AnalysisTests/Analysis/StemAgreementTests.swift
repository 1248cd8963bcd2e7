import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What `analyze` shows, what the index holds and what queries ask for are the same stems.
@Suite("Analysis: stems agree")
struct StemAgreementTests {
    private func analysis(_ language: StemmerLanguage) -> FieldAnalyzer {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        configuration.analysis = TextAnalysis(stemming: .language(language))
        return Analyzer(configuration).analyses[0]
    }

    private func indexedStems(_ text: String, _ analysis: FieldAnalyzer) -> Set<String> {
        var text = text
        var terms = TermTable(slotBits: 6)
        var scanner = TextScanner()
        text.withUTF8 { scanner.scan($0, analysis: analysis, into: &terms) { _, _ in } }
        return Set(terms.stems.pairs.map { String(decoding: $0.key.dropFirst(), as: UTF8.self) })
    }

    @Test(
        "Words of the vocabularies have the same stem in all cases",
        arguments: StemmerFixture.languages)
    func vocabulary(_ language: StemmerLanguage) throws {
        let analysis = analysis(language)
        var count = 0
        try StemmerFixture.forEachLine(language.rawValue) { word, _ in
            count += 1
            guard count % 24 == 0 else { return }
            let word = String(decoding: word, as: UTF8.self)
            for text in [word, word.capitalized, word.uppercased()] {
                let shown = analysis.analyze(text, language: nil, asQuery: false)
                #expect(
                    indexedStems(text, analysis) == Set(shown.flatMap(\.stems.values)), "\(text)")
                let asked = analysis.analyze(text, language: nil, asQuery: true)
                #expect(shown.map(\.stems) == asked.map(\.stems), "\(text)")
            }
        }
    }

    @Test("The small letter of the Turkish I is ı, in ASCII too")
    func turkish() throws {
        let analysis = analysis(.turkish)
        let stemmer = try Stemmer(.turkish)
        for word in [
            "YILLARIN", "SINIFTA", "KIZLAR", "CADILARIN", "SIKINTI", "ALTINDA", "KITAPLARI",
            "KADINLARINDA", "BAKIYORUM", "DANIMARKALI", "kapısındaki", "isim",
        ] {
            #expect(
                indexedStems(word, analysis) == [stemmer.stem(word, folder: Folder())], "\(word)")
        }
        // Whichever comes first.
        #expect(indexedStems("kizlar KIZLAR", analysis).count == 2)
        #expect(indexedStems("KIZLAR kizlar KIZLAR", analysis).count == 2)
        let index = try PlainNoteIndex([PlainNote("0", "KAPIDAN YILLARIN BAKIYORUM SINIFTA")]) {
            $0.stopWords = .none
            $0.analysis = TextAnalysis(stemming: .language(.turkish))
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            for word in ["kapıda", "yıl", "sınıf", "kapıdan", "yılların"] {
                #expect(try index.ids(.term(word)) == ["0"], "\(word)")
                #expect(try index.ids(.term(word.uppercased())) == ["0"], "\(word)")
            }
        }
    }

    @Test(
        "Differences of writing do not hide a stem",
        arguments: [
            ("KITAPLARI", "kitapları", .turkish), ("AĞAÇLARI", "ağaçlar", .turkish),
            ("ISINMAK", "ısınmak", .turkish), ("ＲＵＮＮＩＮＧ", "run", .english),
            ("running", "ｒｕｎ", .english), ("oﬃces", "office", .english),
            ("run\u{ad}ning", "run", .english), ("dog’s", "dogs", .english),
            ("dog＇s", "dogs", .english), ("Häuser", "haus", .german),
            ("HA\u{308}USER", "Haus", .german), ("STRASSEN", "Straße", .german),
            ("l’homme", "hommes", .french), ("L'HOMME", "hommes", .french),
            ("дома", "дом", .russian), ("ΔΡΟΜΟΥΣ", "δρόμος", .greek), ("ﻛﺘﺎﺏ", "كتاب", .arabic),
            ("ﺍﻟﻜﺘﺎﺏ", "كتاب", .arabic), ("किताबें", "किताब", .hindi),
        ] as [(String, String, StemmerLanguage)])
    func writing(text: String, query: String, language: StemmerLanguage) throws {
        let index = try PlainNoteIndex([PlainNote("0", text)]) {
            $0.stopWords = .none
            $0.analysis = TextAnalysis(stemming: .language(language))
        }
        #expect(try index.ids(.term(query)) == ["0"])
        let analysis = analysis(language)
        let shown = analysis.analyze(text, language: nil, asQuery: false)
        #expect(indexedStems(text, analysis) == Set(shown.flatMap(\.stems.values)))
    }
}
