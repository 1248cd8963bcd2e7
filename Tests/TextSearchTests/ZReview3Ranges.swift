import Foundation
import Testing

@testable import TextSearch

/// Review of issue 3: ranges of hits under all tokenizers.
@Suite("Review 3: ranges")
struct ZReview3RangesTests {
    @Test("What lies under a hit folds to something that holds the keyword", arguments: 0..<14)
    func ranges(choice: Int) throws {
        let analyses = [
            TextAnalysis.standard, .code, TextAnalysis(tokenizer: WhitespaceTokenizer()), .wholeString,
            TextAnalysis(tokenizer: NGramTokenizer(2...3)), TextAnalysis(tokenizer: EdgePrefixTokenizer(1...4)),
            TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true)),
        ]
        var analysis = analyses[choice % 7]
        analysis.stopWords = StopWords.none
        let pool = Array("abBZ09_éßﬁŉ'. - \u{ad}\u{200d}漢字ガｶﾞกำ한글ㅎأبשׁΣς½㎏ﬄŁœ\u{301}🦆👍🏽") + [Character("e\u{301}"), Character("A\u{30a}\u{327}")]
        var random = SeededGenerator(seed: UInt64(choice) &+ 50)
        let folder = Folder()
        var failures: [String] = []
        for _ in 0..<20 {
            var text = ""
            for _ in 0..<Int.random(in: 3...9, using: &random) { text.append(pool.randomElement(using: &random) ?? "a") }
            let note = PlainNote("0", text)
            let index = try PlainNoteIndex([note]) {
                $0.analysis = analysis
                $0.stopWords = .none
                $0.minimalTokenLength = 1
            }
            let characters = Array(text)
            for first in characters.indices {
                for last in first..<min(characters.count, first + 3) {
                    let piece = String(characters[first...last])
                    let folded = folder.fold(piece)
                    for item in try index.index.searchResults(forKeyword: piece) {
                        for token in item.resultTokens {
                            guard let range = item.range(of: token, in: text) else {
                                failures.append("nil: \(piece) in \(text) [\(text.scalarNumbers)] \(token)")
                                continue
                            }
                            // Keywords of one word only.
                            let words = try analysis.analyze(piece, asQuery: true).filter { $0.omission == nil }
                            guard words.count == 1, let word = words.first else { continue }
                            let under = folder.fold(String(text[range]))
                            if !under.contains(word.term) && !Array(under.utf8).contains(Array(word.term.utf8)) {
                                failures.append("\(piece) (\(folded)) in \(text) [\(text.scalarNumbers)]: \(text[range]) [\(String(text[range]).scalarNumbers)]")
                            } else if under.utf8.count > word.term.utf8.count + 8 {
                                failures.append("long: \(piece) in \(text) [\(text.scalarNumbers)]: \(text[range])")
                            }
                        }
                    }
                }
            }
        }
        #expect(failures.isEmpty, "\(failures.count)\n\(failures.prefix(6).joined(separator: "\n"))")
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard other.count <= count else { return false }
        return (0...(count - other.count)).contains { self[$0...].starts(with: other) }
    }
}
