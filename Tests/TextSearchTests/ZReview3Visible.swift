import Foundation
import Testing

@testable import TextSearch

/// Review of issue 3: visible text that a keyword does not find.
@Suite("Review 3: visible text")
struct ZReview3VisibleTests {
    private func open(_ texts: [String], symbols: Bool = false) throws -> PlainNoteIndex {
        try PlainNoteIndex(texts.enumerated().map { PlainNote("\($0)", $1) }) {
            $0.stopWords = .none
            $0.minimalTokenLength = 1
            if symbols {
                $0.analysis = TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))
            }
        }
    }

    private func expect(
        _ keyword: String, in text: String, symbols: Bool = false, is match: String? = nil
    ) throws {
        let index = try open([text], symbols: symbols)
        let found = try index.texts(keyword, in: [PlainNote("0", text)])
        #expect(!found.isEmpty, "\(keyword) in \(text)")
        if let match { #expect(found == [match], "\(keyword) in \(text)") }
    }

    @Test("Every letter and number is a word")
    func letters() {
        var lost: [String] = []
        for scalar in AssignedScalars.all {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .decimalNumber, .letterNumber, .otherNumber:
                let age = scalar.properties.age ?? (99, 0)
                // The signs for vowels, voice and length alone, which folding takes for marks.
                let isMark = [0x37a, 0x640, 0xff9e, 0xff9f].contains(scalar.value)
                    || (0xfc5e...0xfc63).contains(scalar.value) || (0xfcf2...0xfcf4).contains(scalar.value)
                    || (0xfe70...0xfe7f).contains(scalar.value)
                if age <= (15, 0), !isMark, AnalysisWord.scan(String(scalar)).isEmpty {
                    lost.append(String(scalar.value, radix: 16))
                }
            default: break
            }
        }
        #expect(lost.isEmpty, "\(lost.count): \(lost.prefix(400))")
    }

    @Test("Every symbol is a word when symbols are kept")
    func symbols() throws {
        var lost: [String] = []
        let analysis = TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true), stopWords: StopWords.none)
        for scalar in AssignedScalars.all {
            switch scalar.properties.generalCategory {
            case .mathSymbol, .currencySymbol, .otherSymbol, .modifierSymbol:
                if scalar.properties.age ?? (99, 0) > (15, 0) { continue }
                let words = try analysis.analyze("x " + String(scalar) + " y")
                if words.filter({ $0.omission == nil }).count < 3 {
                    lost.append(String(scalar.value, radix: 16))
                }
            default: break
            }
        }
        #expect(lost.isEmpty, "\(lost.count): \(lost.prefix(400))")
    }

    @Test("Korean letters that are written alone", arguments: [
        ("ㅈㄹ", "ㅇㅈㄹ", "ㅈㄹ"), ("ㅋ", "ㅋㅎ", "ㅋ"), ("ㅎ", "ㅋㅎ", "ㅎ"), ("ㅎ", "ㅎㅏ", "ㅎ"), ("ㅏ", "ㅎㅏ", "ㅏ"),
        ("ㅠ", "ㅜㅠ", "ㅠ"), ("ㄴ", "하ㄴ", "ㄴ"), ("하", "하ㄴ", "하"),
        ])
    func jamo(keyword: String, text: String, match: String) throws {
        try expect(keyword, in: text, is: match)
    }

    @Test("Any piece of mixed text is found", arguments: 0..<12)
    func mixed(seed: Int) throws {
        let pool = Array(
            "abZ09éßﬁ'’.,:_-  \u{ad}\u{200d}漢字かガｶﾞー々กำเลาကို한글ㅎأبـשלום״कषि் தமிΣσςİı½²①㎏™🦆👩‍👧🇩🇪♥️१٣Ⅷœ\u{301}\u{3099}\u{345}\u{200b}\u{2060}")
        var random = SeededGenerator(seed: UInt64(seed) &+ 5)
        var failures: [String] = []
        for _ in 0..<25 {
            var text = ""
            for _ in 0..<Int.random(in: 2...8, using: &random) {
                text.append(pool.randomElement(using: &random) ?? "a")
            }
            let index = try open([text])
            let characters = Array(text)
            for first in characters.indices {
                for last in first..<characters.count {
                    let piece = String(characters[first...last])
                    if AnalysisWord.scan(piece).isEmpty { continue }
                    if try index.ids(piece).isEmpty {
                        failures.append("\(piece) [\(piece.scalarNumbers)] in \(text) [\(text.scalarNumbers)]")
                    }
                }
            }
        }
        #expect(failures.isEmpty, "\(failures.count)\n\(failures.prefix(12).joined(separator: "\n"))")
    }

    @Test("Long strings and words")
    func long() throws {
        let word = String(repeating: "xyz", count: 100)
        let text = String(repeating: "漢字 straße ", count: 20_000) + word + " ende"
        let notes = [PlainNote("0", text)]
        let index = try open([text])
        #expect(try index.texts("ende", in: notes) == ["ende"])
        #expect(try index.ids(word) == ["0"])
        #expect(try index.ids(String(word.dropLast())) == ["0"])
        #expect(try index.texts("straße", in: notes).count == 20_000)
    }

    @Test("Ranges are of whole characters as Swift sees them", arguments: [
        ("क", "क्ष"), ("ष", "क्ष"), ("ক", "ক্ষ"), ("e", "e\u{301}"), ("ก", "กำ"), ("가", "가\u{11a8}"),
        ])
    func whole(keyword: String, text: String) throws {
        let index = try open([text])
        for match in try index.texts(keyword, in: [PlainNote("0", text)]) {
            #expect(match == text, "\(match.scalarNumbers)")
        }
    }
}
