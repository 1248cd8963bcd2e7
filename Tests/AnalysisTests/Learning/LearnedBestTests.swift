import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Typed queries whose scores are raised, where only the best are shown.
@Suite("Learning among the best of many")
struct LearnedBestTests {
    private static let words = ["duck", "goose", "red", "pond"]

    /// Many objects match, few are shown, and what was chosen stands anywhere among them.
    @Test("The best of many objects are right when some are raised", arguments: testSeeds(4))
    func bestOfMany(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func word(_ generator: inout SeededGenerator) -> String {
            generator.element(Self.words)
        }
        let notes = (0..<120).map { number in
            let count = generator.int(2...12)
            let words = (0..<count).map { _ in word(&generator) }
            return PlainNote("note\(number)", words.joined(separator: " "))
        }
        var boost = EngagementBoost()
        boost.date = Date(timeIntervalSinceReferenceDate: 0)
        boost.factor = generator.element([0.2, 5])
        boost.maximum = 1000
        var rises = 0
        try PlainNoteIndex.inAllStages(notes, { _ in }) { notes in
            let index = notes.index
            for _ in 0..<25 {
                let words = (0..<generator.int(1...3)).map { _ in Query.term(word(&generator)) }
                let query = generator.element([
                    words[0], .all(of: words), .any(of: words),
                    .boost(words[0], 3), .all(of: [words[0], .prefix("d")]),
                    .any(of: words + [.boost(.term("goose"), 0.5)]),
                    .all(of: [.any(of: words), .filter(.term("duck"))]),
                ])
                let plain = try index.search(query, limit: .max)
                var factors: [String: Double] = [:]
                _ = index.forgetEngagements(for: query)
                for item in plain where generator.once(in: 12) {
                    let strength = generator.element([0.5, 1, 3])
                    index.recordEngagement(
                        item, for: query, strength: strength,
                        at: Date(timeIntervalSinceReferenceDate: 0))
                    factors[item.id] = min(1 + boost.factor * strength, boost.maximum)
                }
                index.indexingQueue.waitUntilAllOperationsAreFinished()
                typealias Raised = (id: String, document: UInt32, score: Double)
                let raised = plain.map { item -> Raised in
                    (item.id, item.document, item.score * (factors[item.id] ?? 1))
                }
                let expected = raised.sorted { a, b in
                    a.score != b.score ? a.score > b.score : a.document < b.document
                }
                let limit = generator.int(1...12)
                let found = try index.search(
                    query, limit: limit, ranking: .relevance.learning(boost))
                let comment: Comment = "seed \(seed), \(query), limit \(limit)"
                #expect(found.map(\.id) == expected.prefix(limit).map(\.id), comment)
                #expect(found.map(\.score) == expected.prefix(limit).map(\.score), comment)
                let before = Set(plain.prefix(limit).map(\.id))
                if !before.isSuperset(of: found.map(\.id)) { rises += 1 }
            }
        }
        #expect(rises > 10, "hardly anything rises from below the page")
    }

    @Test(
        "Typed queries of every kind rank raised objects among a few of many",
        arguments: testSeeds(3))
    func typedQueries(seed: UInt64) async throws {
        let bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        var world = bench
        for _ in 0..<4 {
            try await world.change()
            try world.move()
        }
        let index = world.index
        var learning = PlainLearning()
        for _ in 0..<60 {
            let query = world.random.query(depth: 2).query
            let plain = Array(try await index.search(query, limit: .max))
            for item in plain.prefix(12) where world.random.generator.once(in: 2) {
                index.recordEngagement(
                    item, for: query, strength: 2, at: Date(timeIntervalSinceReferenceDate: 5))
                if let form = EngagementQuery.text(query) {
                    learning.record(item.id, form, 2, 5)
                }
            }
            await index.waitUntilAllOperationsAreFinished()
            var boost = EngagementBoost()
            boost.date = Date(timeIntervalSinceReferenceDate: 50)
            boost.factor = 3
            boost.maximum = 100
            let form = EngagementQuery.text(query)
            typealias Raised = (id: String, document: UInt32, score: Double)
            let raised = plain.map { item -> Raised in
                let factor = learning.factor(item.id, form, boost)
                let score = item.relevance > 0 ? item.relevance * factor : item.relevance
                return (item.id, item.document, score)
            }
            let expected = raised.sorted { a, b in
                a.score != b.score ? a.score > b.score : a.document < b.document
            }
            let limit = world.random.generator.int(1...5)
            let found = try await index.search(
                query, limit: limit, ranking: .relevance.learning(boost))
            let comment: Comment = "seed \(seed), \(query), limit \(limit)"
            #expect(found.map(\.id) == expected.prefix(limit).map(\.id), comment)
            #expect(found.map(\.score) == expected.prefix(limit).map(\.score), comment)
        }
    }
}
