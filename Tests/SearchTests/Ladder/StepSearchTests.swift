import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What a step matches beyond the steps before it, against all that it matches")
struct StepSearchTests {
    /// Evaluates queries one after the other as steps, and each by itself.
    private func check<Object>(
        _ queries: [Query], share: Int, best: Int? = nil, _ index: TextIndex<Object>,
        _ note: Comment
    ) throws {
        let snapshot = index.writer.snapshot
        var stepper = index.evaluator(snapshot, .relevance)
        var plain = index.evaluator(snapshot, .relevance)
        // Some are found before the first step.
        let matches = try plain.evaluate(queries[0], .scores)?.documents ?? []
        let found = matches.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        guard
            var steps = try StepSearch(
                stepper, .scores, found: found, share: share, fewest: 0)
        else { return }
        var known = Set(found)
        for (number, query) in queries.enumerated() {
            let note: Comment = "\(note.rawValue), step \(number): \(query)"
            let most = number % 3 == 1 ? known.count / 2 + 1 : Int.max
            let all = try plain.evaluate(query, .scores)
            let stepped = try steps.matches(query, most: most, best: best, &stepper)
            guard let all, all.documents.count <= most else {
                #expect(stepped == nil, note)
                continue
            }
            let new = all.only(all.documents.filter { !known.contains($0) })
            #expect(stepped?.documents == new.documents, note)
            let scores = stepped?.scores ?? []
            for (place, score) in scores.enumerated() where best == nil || score > -.infinity {
                #expect(score.bitPattern == new.scores[place].bitPattern, note)
            }
            if let best {
                #expect(ranked(stepped, best) == ranked(new, best), note)
            }
            known.formUnion(new.documents)
        }
    }

    /// The documents with the greatest scores, in order.
    private func ranked(_ matches: QueryMatches?, _ count: Int) -> [UInt32] {
        zip(matches?.documents ?? [], matches?.scores ?? [])
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(count).map(\.0)
    }

    @Test("Random queries as steps find what each finds by itself", arguments: testSeeds(12))
    func randomQueries(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<5 {
            try await bench.change()
            try bench.move()
            for _ in 0..<12 {
                let count = bench.random.generator.int(1...4)
                let queries = (0..<count).map { _ in bench.random.query(depth: 3).query }
                let share = bench.random.generator.element([0, 1, 8])
                let best = bench.random.generator.element([nil, 1, 2, 5])
                try check(
                    queries, share: share, best: best, bench.index,
                    "seed \(seed), share \(share), best \(best ?? 0)")
            }
        }
    }

    @Test(
        "Words near each other, and patterns that were looked for without scores before",
        arguments: testSeeds(8))
    func nearAndUnscored(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["fo", "foo", "fob", "bar", "bart", "quick", "quik", "duck"]
        let notes = try PlainNoteIndex(
            (0..<120).map { number in
                let count = generator.int(1...9)
                let text = (0..<count).map { _ in generator.element(words) }
                return PlainNote("\(number)", text.joined(separator: " "))
            })
        func pattern() -> Query {
            switch generator.int(0...4) {
            case 0: .prefix(String(generator.element(words).prefix(2)))
            case 1: .infix("a")
            case 2: .fuzzy(generator.element(words), distance: 1)
            default: .term(generator.element(words))
            }
        }
        func query(_ depth: Int) -> Query {
            let parts = (0..<generator.int(2...3)).map { _ in
                depth > 0 ? query(depth - 1) : pattern()
            }
            return switch generator.int(0...6) {
            case 0: .near([pattern(), pattern()], within: generator.int(0...3))
            case 1: .filter(pattern())
            case 2: .constantScore(pattern(), 2)
            case 3: .any(of: parts)
            case 4: .all(of: parts)
            default: pattern()
            }
        }
        let fixed: [[Query]] = [
            [.all(of: [.filter(.prefix("fo")), .term("bar")]), .prefix("fo")],
            [.prefix("fo"), .all(of: [.constantScore(.prefix("fo"), 3), .prefix("fo")])],
            [
                .term("quick"),
                .all(of: [
                    .any(of: [.term("quik"), .term("quick")]),
                    .near([.prefix("fo"), .term("bar")], within: 3),
                ]),
            ],
        ]
        for stage in Stage.allCases {
            try notes.enter(stage)
            let random = (0..<20).map { _ in (0..<generator.int(1...4)).map { _ in query(2) } }
            for queries in fixed + random {
                for share in [0, 8] {
                    let best = generator.element([nil, 1, 3])
                    try check(
                        queries, share: share, best: best, notes.index,
                        "seed \(seed), \(stage), share \(share), best \(best ?? 0)")
                }
            }
        }
    }

    @Test("Of few documents as many words are told to other indexes", arguments: testSeeds(12))
    func told(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<4 {
            try await bench.change()
            try bench.move()
            let snapshot = bench.index.writer.snapshot
            let own = try SharedStatistics(snapshot)
            for _ in 0..<20 {
                let query = bench.random.query(depth: 3).query
                if QueryTiers(of: query).count > 0 { continue }
                let note: Comment = "seed \(seed): \(query)"
                var plain = bench.index.evaluator(snapshot, .relevance)
                plain.exchange = StatisticsExchange(known: own, own: own)
                let all = try plain.evaluate(query, in: nil, .scores) ?? QueryMatches()
                let share = bench.random.generator.element([0, 1, 8])
                let steps = try StepDocuments(
                    bench.index.evaluator(snapshot, .relevance), found: [], share: share)
                _ = try steps.matches(query, most: .max)
                let few = all.documents.filter { _ in bench.random.generator.once(in: 2) }
                for documents in [[], few, all.documents] {
                    var scorer = bench.index.evaluator(snapshot, .relevance)
                    scorer.exchange = StatisticsExchange(known: own, own: own)
                    let found = try steps.scores(of: query, among: documents, &scorer)
                    #expect(scorer.exchange?.found == plain.exchange?.found, note)
                    let expected = all.only(documents)
                    #expect(found.documents == expected.documents, note)
                    #expect(
                        found.scores.map(\.bitPattern) == expected.scores.map(\.bitPattern), note)
                }
            }
        }
    }

    @Test("Where a pattern stands for more terms than it may, steps find the same")
    func manyTerms() throws {
        let notes = try PlainNoteIndex { $0.queryLimits.maximumExpansions = 5 }
        for number in 0..<200 {
            let words = (0..<3).map { "word\(number)of\($0)" }.joined(separator: " ")
            try notes.add([PlainNote("\(number)", words)])
            if number == 120 { try notes.enter(.flushed) }
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let number = generator.int(0...199)
            let queries: [Query] = [
                .infix("d\(number)"), .any(of: [.infix("of1"), .fuzzy("word\(number)of2")]),
                .all(of: [.infix("d1"), .infix("of")]),
            ]
            for share in [0, 8] {
                for best in [nil, 3] {
                    try check(
                        queries, share: share, best: best, notes.index,
                        "share \(share), best \(best ?? 0)")
                }
            }
        }
    }
}
