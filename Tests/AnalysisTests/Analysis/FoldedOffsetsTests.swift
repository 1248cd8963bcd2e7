import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Analysis: offsets of folded words")
struct AnalysisFoldedOffsetsTests {
    private let folder = Folder()

    private func fold(_ text: String) -> FoldedWord {
        var folded = FoldedWord()
        text.withBytes { folder.fold($0, into: &folded) }
        return folded
    }

    @Test("Clusters are the term and the text, and each folds to its part of the term")
    func clusters() {
        for (seed, text) in AnalysisRandom.texts(count: 10_000) {
            let folded = fold(text)
            #expect(
                folded.clusters.reduce(0) { $0 + $1.foldedLength } == folded.bytes.count,
                "seed \(seed): \(text.scalarNumbers)")
            #expect(
                folded.clusters.reduce(0) { $0 + $1.utf16Length } == text.utf16.count,
                "seed \(seed): \(text.scalarNumbers)")
            #expect(
                String(decoding: folded.bytes, as: UTF8.self).utf8.elementsEqual(
                    folder.fold(text).utf8))
            var offset = 0
            var place = text.startIndex
            for cluster in folded.clusters {
                let end = text.utf16.index(place, offsetBy: cluster.utf16Length)
                let part = folded.bytes[offset..<(offset + cluster.foldedLength)]
                let expected = folder.fold(String(text.unicodeScalars[place..<end]))
                #expect(expected.utf8.elementsEqual(part), "seed \(seed): \(text.scalarNumbers)")
                place = end
                offset += cluster.foldedLength
            }
        }
    }

    @Test("Regular words have the offsets of their terms, scalar by scalar")
    func regular() {
        var count = 0
        for (seed, text) in AnalysisRandom.texts(count: 10_000) {
            let folded = fold(text)
            guard folded.isRegular else { continue }
            count += 1
            let term = String(decoding: folded.bytes, as: UTF8.self)
            let sources = Array(text.unicodeScalars)
            let targets = Array(term.unicodeScalars)
            guard sources.count == targets.count else {
                Issue.record("seed \(seed): \(text.scalarNumbers)")
                continue
            }
            for (source, target) in zip(sources, targets) {
                #expect(
                    folder.fold(String(Character(source))) == String(Character(target))
                        && UTF16.width(source) == UTF16.width(target),
                    "seed \(seed): \(text.scalarNumbers)")
            }
            #expect(
                boundaries(of: text) == boundaries(of: term), "seed \(seed): \(text.scalarNumbers)")
        }
        #expect(count > 500)
    }

    /// UTF-16 offsets where characters begin.
    private func boundaries(of text: String) -> [Int] {
        text.withBytes { bytes in
            var units = 0
            var boundaries: [Int] = []
            for offset in 0..<bytes.count where bytes[offset] & 0xc0 != 0x80 {
                if GraphemeBreaks.isBoundary(at: offset, in: bytes) { boundaries.append(units) }
                units += bytes[offset] >= 0xf0 ? 2 : 1
            }
            return boundaries
        }
    }

    @Test(
        "What is regular, and what is not",
        arguments: [
            ("naïve", true), ("Ärger", true), ("Việt", true), ("привет", true), ("ЁЖ", true),
            ("हिन्दी", true), ("ไทย", true), ("漢字", true), ("한국", true), ("שלום", true),
            ("don’t", true), ("Ａｂ", true),
            ("Straße", false), ("ﬁn", false), ("nai\u{308}ve", false), ("שָׁלוֹם", false),
            ("co\u{ad}op", false), ("ｶﾞ", false), ("\u{1112}\u{1161}", false), ("İ", true),
            ("ﬁ\u{301}", false), ("𝐀", false), ("か\u{3099}", false), ("न\u{93c}", false),
        ])
    func regularity(_ word: String, _ isRegular: Bool) {
        #expect(fold(word).isRegular == isRegular)
        let scanned = AnalysisWord.scan(word)
        #expect(scanned.allSatisfy { $0.isRegular } == isRegular)
    }

    @Test("A long word is cut at a character, and folds to the same when folded again")
    func cut() {
        for unit in ["a", "é", "e\u{301}", "漢", "क्\u{200d}षि", "😀", "ß", "ﷺ", "가"] {
            let folded = fold(String(repeating: unit, count: 300))
            #expect(folded.bytes.count <= 255 && folded.bytes.count > 200)
            #expect(String(validating: folded.bytes, as: UTF8.self) != nil)
            #expect(folded.clusters.reduce(0) { $0 + $1.foldedLength } == folded.bytes.count)
            let again = fold(String(decoding: folded.bytes, as: UTF8.self))
            #expect(again.bytes == folded.bytes)
        }
    }

    @Test(
        "Very many marks on one character are folded, and found as one word",
        arguments: [
            "\u{301}", "\u{3099}", "\u{94d}", "\u{93c}", "\u{e49}\u{e38}", "\u{200d}", "\u{ad}",
            "\u{1161}", "\u{1100}", "\u{11a8}", "\u{1f1e6}", "\u{600}", "\u{e0101}",
            "\u{64b}\u{301}",
            "'\u{301}", "\u{200d}😀",
        ])
    func bombs(_ unit: String) {
        let count = unit == "\u{301}" || unit == "\u{3099}" ? 1_000_000 : 100_000
        let text = "a" + String(repeating: unit, count: count) + "b"
        let folded = fold(text)
        #expect(folded.bytes.count <= 255)
        #expect(folder.fold(text).utf8.count <= text.utf8.count)
        #expect(AnalysisWord.scan(text).first?.term.utf8.first == 0x61)
    }

    @Test("Random bytes are folded to valid text")
    func randomBytes() {
        for seed in 1...5000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: seed % 2 == 0 ? 0x80 ... .max : .min ... .max, using: &random)
            }
            var folded = FoldedWord()
            bytes.withUnsafeBufferPointer { folder.fold($0, into: &folded) }
            #expect(folded.bytes.count <= 255, "seed \(seed)")
            #expect(String(validating: folded.bytes, as: UTF8.self) != nil, "seed \(seed)")
        }
    }
}
