import Testing

@testable import TestSupport
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

    private struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parts: [Part]
        var threshold: Double?
        var choice: Choice
    }

    private static let cases = [
        Case(
            testDescription: "Without a threshold all are",
            parts: [Part(count: 10, score: 5), Part(count: 1000, score: 1)],
            choice: Choice(walked: [0, 1], asked: [])),
        Case(
            testDescription: "A frequent part of little weight is asked for what a rare one has",
            parts: [Part(count: 1000, score: 1), Part(count: 10, score: 5)], threshold: 4.5,
            choice: Choice(walked: [1], asked: [0], askedBound: 1)),
        Case(
            testDescription: "Frequent parts of like weight are, though one of them would do",
            parts: [Part(count: 1000, score: 1), Part(count: 900, score: 1)], threshold: 1.5,
            choice: Choice(walked: [0, 1], asked: [])),
        Case(
            testDescription:
                "As many times as many have the other: asking is quicker in spite of that",
            parts: [Part(count: 2000, score: 1), Part(count: 20, score: 1.1)], threshold: 1.5,
            choice: Choice(walked: [1], asked: [0], askedBound: 1)),
        Case(
            testDescription: "Where all together are not enough, none is",
            parts: [Part(count: 1000, score: 1), Part(count: 900, score: 2)], threshold: 4,
            choice: Choice(walked: [], asked: [0, 1], askedBound: 3)),
    ]

    @Test("The walked parts are those of the rule", arguments: cases)
    private func rule(_ example: Case) {
        #expect(Self.choice(example.parts, example.threshold) == example.choice)
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
