import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Weights that are as large as numbers get")
struct ExtremeWeightTests {
    private static let weights: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 1,
        .greatestFiniteMagnitude, .infinity,
    ]

    private func notes() throws -> PlainNoteIndex {
        try PlainNoteIndex(
            Self.weights.enumerated().flatMap { number, weight in
                [
                    PlainNote("r\(number)", "duck swan duck", weight: weight),
                    PlainNote("o\(number)", "swan", weight: weight),
                ]
            })
    }

    /// Twice the frequency for `r`, and no relevance at all where only a filter is asked.
    private static let queries: [Query] = [
        .term("swan"), .any(of: [.term("duck"), .term("swan")]), .filter(.term("swan")),
        .everything, .constantScore(.term("duck"), 0), .boost(.term("swan"), 1e6),
        (0..<60).reduce(Query.term("swan")) { query, _ in .boost(query, 1e6) },
        .boost((0..<60).reduce(Query.term("duck")) { query, _ in .boost(query, 1e6) }, 0),
    ]

    @Test("Scores are numbers, and in order, for every ranking")
    func rankings() throws {
        let notes = try notes()
        let rankings: [(Ranking, (Double, Double) -> Double)] = [
            (.relevance, { relevance, _ in relevance }), (.weight, { $1 }),
            (.combined, { $0 == 0 ? 0 : $0 * max($1, .leastNormalMagnitude) }),
            (.custom { $0.relevance * $0.weight }, { $0 * $1 }),
            (.custom { _ in .nan }, { _, _ in -.infinity }),
        ]
        for stage in Stage.allCases {
            try notes.enter(stage)
            for query in Self.queries {
                for (ranking, score) in rankings {
                    try check(notes, query, ranking, score)
                }
            }
        }
    }

    private func check(
        _ notes: PlainNoteIndex, _ query: Query, _ ranking: Ranking,
        _ score: (Double, Double) -> Double
    ) throws {
        let found = try notes.index.search(query, limit: .max, ranking: ranking)
        let note: Comment = "\(query) \(ranking)"
        #expect(!found.isEmpty, note)
        for item in found {
            let expected = score(item.relevance, item.weight)
            #expect(item.score == (expected.isNaN ? -.infinity : expected), note)
            let explanation = try item.explain()
            #expect(explanation?.value == item.score, note)
            #expect(explanation?.evaluated() == item.score, note)
        }
        let areOrdered = zip(found, found.dropFirst()).allSatisfy { a, b in
            a.score != b.score ? a.score > b.score : a.relevance >= b.relevance
        }
        #expect(areOrdered, note)
        // Pages are pieces of the same order.
        let pages = try (0..<7).flatMap {
            try notes.index.search(query, limit: 3, offset: $0 * 3, ranking: ranking).map(\.id)
        }
        #expect(pages == Array(found.map(\.id).prefix(21)), note)
    }

    @Test("Sort keys order extreme weights")
    func sorting() throws {
        let notes = try notes()
        for direction in [SortKey.Direction.ascending, .descending] {
            for query in Self.queries {
                let found = try notes.index.search(
                    query, limit: .max, ranking: .sorted(by: [.weight(direction), .relevance]))
                let areOrdered = zip(found, found.dropFirst()).allSatisfy { a, b in
                    if a.weight == b.weight { return a.relevance >= b.relevance }
                    return (a.weight < b.weight) == (direction == .ascending)
                }
                #expect(areOrdered)
                let byRelevance = try notes.index.search(
                    query, limit: .max, ranking: .sorted(by: [.relevance(direction), .weight]))
                #expect(Set(byRelevance.map(\.id)) == Set(found.map(\.id)))
                #expect(byRelevance.allSatisfy { !$0.score.isNaN })
            }
        }
        let keywords = try notes.index.searchResults(forKeyword: "swan").map(\.weight)
        let twice: [Double] = Self.weights + Self.weights
        #expect(keywords == twice.sorted(by: >))
    }

    @Test("What is not a number is refused")
    func notANumber() throws {
        let notes = try notes()
        #expect(throws: TextIndexError.self) {
            try notes.add([PlainNote("x", "swan", weight: .nan)])
        }
        #expect(try notes.ids(.weight(.infinity ... .infinity)) == ["o8", "r8"])
        #expect(try notes.ids(.weight(-.infinity ... -Double.infinity)) == ["o0", "r0"])
    }
}
