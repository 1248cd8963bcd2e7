import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Analysis: boundaries")
struct AnalysisBreakTests {
    @Test("Every line of GraphemeBreakTest holds")
    func graphemes() throws {
        let tests = try AnalysisFixture.breakTests("unicode/GraphemeBreakTest.txt")
        #expect(tests.count > 500)
        for test in tests {
            test.text.withBytes { bytes in
                var found: Set<Int> = []
                for offset in 0...bytes.count where GraphemeBreaks.isBoundary(at: offset, in: bytes)
                {
                    found.insert(offset)
                }
                #expect(found == test.boundaries, "\(test.text.scalarNumbers)")
            }
        }
    }

    @Test("Characters one after the other end where boundaries are")
    func characterEnds() throws {
        let alphabet =
            AnalysisAlphabet.all + AnalysisAlphabet.emoji
            + "🇩🇪🇫\u{200d}❤\u{fe0f}\u{600}\r\n각".unicodeScalars
        var random = AnalysisRandom(seed: 4)
        var texts = (0..<3000).map { _ in
            random.string(of: alphabet, length: Int.random(in: 1...12, using: &random))
        }
        texts += try AnalysisFixture.breakTests("unicode/GraphemeBreakTest.txt").map(\.text)
        for text in texts {
            text.withBytes { bytes in
                var ends: [Int] = []
                while ends.last ?? 0 < bytes.count {
                    let end = ends.last ?? 0
                    ends.append(GraphemeBreaks.end(ofCharacterAt: end, in: bytes))
                }
                let boundaries = (1..<max(bytes.count + 1, 1)).filter {
                    GraphemeBreaks.isBoundary(at: $0, in: bytes)
                }
                #expect(ends == boundaries, "\(text.scalarNumbers)")
            }
        }
    }

    @Test(
        "Time is linear in flags and joined emoji",
        arguments: ["🇩🇪", "👩\u{200d}", "❤\u{fe0f}\u{200d}"])
    func linearTime(piece: String) {
        let tokenizer = UnicodeTokenizer(keepsSymbols: true)
        let text = String(repeating: piece, count: 50_000)
        // Walking back over the run at each boundary takes minutes.
        let time = ContinuousClock().measure { tokenizer.forEachWord(in: text) { _ in } }
        #expect(time < .seconds(20))
    }

    @Test("Every line of WordBreakTest holds")
    func words() throws {
        let tests = try AnalysisFixture.breakTests("unicode/WordBreakTest.txt")
        #expect(tests.count > 1500)
        for test in tests {
            let segments = segments(of: test.text)
            let found = Set(segments.flatMap { [$0.lowerBound, $0.upperBound] })
            #expect(found == test.boundaries, "\(test.text.scalarNumbers)")
        }
    }

    @Test("Segments are the whole text, whatever its bytes")
    func segmentsAreTheText() {
        var random = AnalysisRandom(seed: 1)
        for round in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            bytes.withUnsafeBufferPointer { buffer in
                var end = 0
                WordBoundaries(buffer).forEachSegment { segment in
                    #expect(segment.lowerBound == end && !segment.isEmpty, "round \(round)")
                    end = segment.upperBound
                }
                #expect(end == buffer.count, "round \(round)")
            }
        }
    }

    private func segments(of text: String) -> [Range<Int>] {
        text.withBytes { bytes in
            var segments: [Range<Int>] = []
            WordBoundaries(bytes).forEachSegment { segments.append($0) }
            return segments
        }
    }
}
