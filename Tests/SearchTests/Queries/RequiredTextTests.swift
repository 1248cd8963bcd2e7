import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Wildcards and regular expressions find all words that match, by the texts in them")
struct RequiredTextTests {
    private static let letters = ["a", "b", "c", "1"]

    private static func word(_ random: inout SeededGenerator) -> String {
        (0..<random.int(1...7)).map { _ in random.element(letters) }.joined()
    }

    private static func wildcard(_ random: inout SeededGenerator) -> String {
        (0..<random.int(1...6)).map { _ in
            random.element(["*", "?", "a", "b", "ab", "bc", "1"])
        }.joined()
    }

    private static func expression(_ random: inout SeededGenerator, _ depth: Int) -> String {
        (0..<random.int(1...3)).map { _ in
            let inner = depth > 0 ? expression(&random, depth - 1) : "ab"
            return random.element([
                "a", "bc", ".", ".*", "[ab]", "(\(inner))", "(\(inner))?", "(\(inner))+",
                "(\(inner)|\(inner))", "(\(inner)){2}", "1",
            ])
        }.joined()
    }

    @Test(arguments: testSeeds(6)) func randomPatterns(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = Set((0..<400).map { _ in Self.word(&random) }).sorted()
        let notes = try PlainNoteIndex {
            $0.minimalTokenLength = 1
            $0.stopWords = .none
        }
        try notes.add(words.map { PlainNote($0, $0) })
        for stage in Stage.allCases {
            try notes.enter(stage)
            for _ in 0..<60 {
                let pattern = Self.wildcard(&random)
                // Signs alone are no pattern.
                guard pattern.contains(where: { $0 != "*" && $0 != "?" }) else { continue }
                let wildcard = WildcardMatcher(pattern)
                let wanted = words.filter { wildcard.matches(bytes: $0) != nil }
                #expect(
                    try notes.ids(.wildcard(pattern)) == wanted,
                    "seed \(seed), \(stage), \(pattern)")
            }
            for _ in 0..<60 {
                let pattern = Self.expression(&random, 2)
                guard let expression = try? RegularExpressionMatcher(pattern) else { continue }
                let wanted = words.filter { expression.matches(bytes: $0) != nil }
                #expect(
                    try notes.ids(.regularExpression(pattern)) == wanted,
                    "seed \(seed), \(stage), \(pattern)")
            }
        }
    }
}

extension TermMatcher {
    fileprivate func matches(bytes text: String) -> Int? {
        Array(text.utf8).withUnsafeBufferPointer { matches($0) }
    }
}
