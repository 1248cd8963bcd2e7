import Testing

@testable import TextSearch

@Suite("Which parts of any of several are walked over")
struct UnionPartsTests {
    private static let last = Int64(ScoreWindow.size - 1)

    /// A part that so many documents have, spread over a window, with the same score.
    private struct Part {
        var count: Int
        var score: Double

        var list: ScoredList {
            let documents = (0..<count).map { UInt32($0 * ScoreWindow.size / count) }
            return ScoredList(
                documents[...], [Double](repeating: score, count: count)[...], first: 0)
        }
    }

    private struct Choice: Equatable {
        var walked: [Int]
        /// In the order of their bounds, the lowest first.
        var asked: [Int]
        var askedBound = 0.0
    }

    private static func choice(_ parts: [Part], _ threshold: Double?) -> Choice {
        var cursors = CursorRow(capacity: parts.count)
        for part in parts { cursors.append { $0.begin(part.list) } }
        var union = UnionParts(capacity: parts.count)
        union.begin(cursors, through: last, threshold: threshold)
        return Choice(
            walked: union.walked.withElements { Array($0) },
            asked: union.asked.withElements { Array($0) }, askedBound: union.askedBound)
    }

    @Test("Without a threshold all are")
    func noThreshold() {
        let parts = [Part(count: 10, score: 5), Part(count: 1000, score: 1)]
        #expect(Self.choice(parts, nil) == Choice(walked: [0, 1], asked: []))
    }

    @Test("A frequent part of little weight is asked for what a rare one has")
    func frequent() {
        let parts = [Part(count: 1000, score: 1), Part(count: 10, score: 5)]
        #expect(
            Self.choice(parts, 4.5) == Choice(walked: [1], asked: [0], askedBound: 1))
    }

    @Test("Frequent parts of like weight are walked over, though one of them would do")
    func alike() {
        let parts = [Part(count: 1000, score: 1), Part(count: 900, score: 1)]
        #expect(Self.choice(parts, 1.5) == Choice(walked: [0, 1], asked: []))
        // As many times as many have the other, asking is quicker in spite of that.
        let uneven = [Part(count: 2000, score: 1), Part(count: 20, score: 1.1)]
        #expect(
            Self.choice(uneven, 1.5) == Choice(walked: [1], asked: [0], askedBound: 1))
    }

    @Test("Where all together are not enough, none is")
    func none() {
        let parts = [Part(count: 1000, score: 1), Part(count: 900, score: 2)]
        #expect(
            Self.choice(parts, 4) == Choice(walked: [], asked: [0, 1], askedBound: 3))
    }

    @Test("What is not walked over does not reach the threshold", arguments: testSeeds(20))
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let parts = (0..<generator.int(1...6)).map { _ in
                Part(
                    count: Int(generator.number(upTo: 10)) + 1,
                    score: Double(generator.int(1...64)) / 8)
            }
            let threshold = Double(generator.int(1...200)) / 8
            let choice = Self.choice(parts, threshold)
            #expect((choice.walked + choice.asked).sorted() == Array(parts.indices))
            #expect(choice.walked == choice.walked.sorted(), "seed \(seed)")
            let bound = choice.asked.reduce(0) { $0 + parts[$1].score }
            #expect(choice.askedBound == bound && bound < threshold, "seed \(seed): \(parts)")
        }
    }
}
