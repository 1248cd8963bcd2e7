import Testing

@testable import TestSupport
@testable import TextSearch

/// Words of ASCII letters are cut eight letters at a time, and looked up in batches.
@Suite("Analysis: runs of letters")
struct LetterRunTests {
    @Test("A run of letters ends where its table says, in every place of a machine word")
    func folding() {
        for seed in 1...3000 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let length = Int.random(in: seed % 10 == 0 ? 230...280 : 0...40, using: &random)
            var bytes = (0..<length).map { _ in
                (Bool.random(using: &random) ? 0x41 : 0x61)
                    + UInt8.random(in: 0..<26, using: &random)
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let start = Int.random(in: 0...min(length, 9), using: &random)
            let run = bytes[start...].prefix {
                UInt8(truncatingIfNeeded: ASCIIClass.table[Int($0)]) == ASCIIClass.letter
            }
            let small = run.map { UInt8(truncatingIfNeeded: ASCIIClass.table[Int($0)] >> 8) }
            var output = [UInt8](repeating: 0, count: TermTable.maximumTermLength + 9)
            let count = bytes.withUnsafeBufferPointer { bytes in
                output.withUnsafeMutableBufferPointer { output in
                    output.baseAddress.map { ASCIILetters.fold(bytes, from: start, to: $0) } ?? -1
                }
            }
            // It may leave the last bytes of the text, or of the longest term, to others.
            let isNearEnd =
                length - start - count < 8 || TermTable.maximumTermLength - count < 8
            #expect(count == small.count || count < small.count && isNearEnd)
            #expect(Array(output.prefix(max(count, 0))) == Array(small.prefix(max(count, 0))))
        }
    }

    @Test("Long texts of long words give what the breaker and the folder give")
    func batches() {
        let separators = [
            " ", " ", " ", ", ", ". ", "'", ".", "_", "9", "\u{e9}", " \u{e9}t\u{e9} ", "\u{301}",
            ":",
            " 42 ", "\n\n",
        ]
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = AnalysisRandom(seed: seed)
            let longest = [3, 9, 20, 300][Int(seed % 4)]
            // Some come again and again, and are found.
            let words = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                random.string(of: letters, length: Int.random(in: 1...longest, using: &random))
            }
            var text = ""
            for _ in 0..<Int.random(in: 1...150, using: &random) {
                text += words.randomElement(using: &random) ?? ""
                text += separators.randomElement(using: &random) ?? ""
            }
            // Words are cut for their terms.
            let expected = AnalysisWord.reference(text).map { word in
                var word = word
                let term = word.term.utf8.prefix(TermTable.maximumTermLength)
                word.term = String(decoding: term, as: UTF8.self)
                return word
            }
            let isSame = AnalysisWord.scan(text) == expected
            #expect(isSame, "seed \(seed)")
        }
    }
}
