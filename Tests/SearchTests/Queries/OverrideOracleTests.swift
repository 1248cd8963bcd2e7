import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

// The thread sanitizer's build has a mutex of its own.
#if !THREAD_SANITIZER
    import Synchronization
#endif

@Suite("Overrides, and what they are given, over plain strings")
struct OverrideOracleTests {
    /// Objects with even numbers come first.
    private final class EvenFirst: TextIndex<TestObject>, @unchecked Sendable {
        override func score(of match: Match) -> Double {
            match.defaultScore + match.relevance - match.weight
        }

        override func compare(
            _ a: SearchResultItem<TestObject>, _ b: SearchResultItem<TestObject>
        ) -> ComparisonResult {
            let (first, second) = (a.number % 2, b.number % 2)
            if first != second { return first < second ? .orderedAscending : .orderedDescending }
            return super.compare(a, b)
        }
    }

    @Test("The score(of:) and compare of a subclass decide the order", arguments: testSeeds(4))
    func subclass(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed) { try EvenFirst(at: $0, configuration: $1) }
        defer { bench.remove() }
        for _ in 0..<5 {
            try await bench.change()
            try bench.move()
            for _ in 0..<20 {
                let query = bench.random.query(depth: 2)
                let usesWeight = bench.random.generator.once(in: 2)
                let note: Comment = "seed \(seed): \(query), by weight: \(usesWeight)"
                let results = try await bench.index.search(
                    query.query, limit: .max, ranking: usesWeight ? .weight : .relevance)
                let relevance = bench.corpus.scores(query)
                #expect(results.map(\.number).sorted() == relevance.keys.sorted(), note)
                for item in results {
                    let wanted = relevance[item.number] ?? .nan
                    let score = wanted + (usesWeight ? 0 : wanted - item.weight)
                    #expect(isClose(item.score, score), note)
                }
                for (a, b) in zip(results, results.items.dropFirst()) {
                    let parities = (a.number % 2, b.number % 2)
                    #expect(
                        parities.0 == parities.1 ? a.score >= b.score : parities.0 < parities.1,
                        note)
                }
                let page = try await bench.index.search(
                    query.query, limit: 3, offset: 2, ranking: usesWeight ? .weight : .relevance)
                #expect(page.map(\.number) == results.dropFirst(2).prefix(3).map(\.number), note)
            }
        }
    }

    @Test(
        "Matches have the terms, positions and frequencies of plain objects",
        arguments: testSeeds(5))
    func terms(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        var compared = 0
        for _ in 0..<5 {
            try await bench.change()
            try bench.move()
            for _ in 0..<15 {
                let leaves = (0..<bench.random.generator.int(1...3)).map { _ in leaf(&bench.random)
                }
                let all = bench.random.generator.once(in: 3)
                let field = bench.random.generator.element([nil, 0, 1])
                let query = all ? PlainQuery.all(leaves) : .any(leaves)
                compared += try check(
                    bench, field.map { .field(PlainCorpus.fields[$0], query) } ?? query, leaves,
                    field)
            }
        }
        #expect(compared > 0, "seed \(seed)")
    }

    private func leaf(_ random: inout PlainQueryRandom) -> PlainQuery {
        switch random.generator.int(0...6) {
        case 0: .prefix(random.piece())
        case 1: .suffix(random.piece())
        case 2: .infix(random.piece())
        case 3: .fuzzy(random.word(), distance: random.generator.int(0...2))
        case 4: .wildcard(random.pattern())
        case 5: .either(random.words(1...3))
        default: .phrase(random.words(1...1), slop: 0)
        }
    }

    @Test(
        "Matches of near terms and of phrases have the frequencies of plain objects",
        arguments: testSeeds(6))
    func frequenciesOfRows(seed: UInt64) async throws {
        // Where a pattern stands for too many terms, it is looked for twice.
        let limit = seed % 2 == 0 ? 250_000 : 5
        var bench = try RandomIndex(seed: seed) {
            var configuration = $1
            configuration.queryLimits.maximumExpansions = limit
            return try TextIndex(at: $0, configuration: configuration)
        }
        defer { bench.remove() }
        for _ in 0..<5 {
            try await bench.change()
            try bench.move()
            for _ in 0..<15 {
                var query = row(&bench.random)
                switch bench.random.generator.int(0...5) {
                case 0: query = .any([query, row(&bench.random)])
                case 1: query = .all([query, leaf(&bench.random)])
                case 2: query = .filter(query)
                case 3: query = .constantScore(query, 1)
                default: break
                }
                let field = bench.random.generator.element([nil, 0, 1])
                try checkFrequencies(
                    bench, field.map { .field(PlainCorpus.fields[$0], query) } ?? query, field)
            }
        }
    }

    /// Words that stand near each other or one after the other.
    private func row(_ random: inout PlainQueryRandom) -> PlainQuery {
        let (within, ordered) = (random.generator.int(0...4), random.generator.once(in: 2))
        switch random.generator.int(0...3) {
        case 0: return .near(random.words(2...3), within: within, ordered: ordered)
        case 1, 2:
            let patterns = (0..<random.generator.int(2...3)).map { _ in random.pattern() }
            return .nearPatterns(patterns, within: within, ordered: ordered)
        default:
            let (slop, isPrefix) = (random.generator.int(0...1), random.generator.once(in: 2))
            return .phrase(random.words(2...3), slop: slop, lastIsPrefix: isPrefix)
        }
    }

    private func checkFrequencies(
        _ bench: RandomIndex, _ query: PlainQuery, _ field: Int?
    ) throws {
        var expected: [String: Int] = [:]
        for object in bench.corpus.model.objects {
            let words = bench.corpus.strings(of: object, in: field).flatMap(\.words)
            for term in Set(words.map(\.term)) { expected[term, default: 0] += 1 }
        }
        let given = Mutex<[MatchedTerm]>([])
        _ = try bench.index.search(
            query.query, limit: .max,
            ranking: .custom { match in
                given.withLock { $0 += match.terms }
                return 0
            })
        for term in given.withLock({ $0 }) {
            #expect(
                term.documentFrequency == expected[term.text],
                "seed \(bench.seed): \(query): \(term.text)")
        }
    }

    /// Returns how many terms were compared.
    private func check(
        _ bench: RandomIndex, _ query: PlainQuery, _ leaves: [PlainQuery], _ field: Int?
    ) throws -> Int {
        let stops = bench.corpus.model.stopWords
        let asking = leaves.filter { !$0.words.contains { stops.contains($0.folded) } }
        // What is looked for inside words instead has no terms to compare.
        guard !asking.isEmpty else { return 0 }
        let given = Mutex<[Data: [MatchedTerm]]>([:])
        _ = try bench.index.search(
            query.query, limit: .max,
            ranking: .custom { match in
                given.withLock { $0[match.identifier] = match.terms }
                return 0
            })
        let tests = asking.compactMap(PlainCorpus.test)
        var holders: [String: Set<Int>] = [:]
        for object in bench.corpus.model.objects {
            for string in bench.corpus.strings(of: object, in: field) {
                for word in string.words { holders[word.term, default: []].insert(object.id) }
            }
        }
        let found = given.withLock { $0 }
        #expect(
            Set(found.keys)
                == Set(bench.corpus.answer(query).compactMap { bench.object($0)?.identifier }))
        for (identifier, terms) in found {
            let object = try #require(
                bench.corpus.model.objects.first { $0.identifier == identifier })
            var expected: [MatchedTerm] = []
            for string in bench.corpus.strings(of: object, in: field) {
                for word in string.words where tests.contains(where: { $0(word.term) }) {
                    if expected.contains(where: { $0.text == word.term }) { continue }
                    let positions = object.strings.indices.map { number in
                        bench.corpus.strings(of: object, in: field).filter { $0.string == number }
                            .flatMap(\.words).filter { $0.term == word.term }.map(\.position)
                    }
                    expected.append(
                        MatchedTerm(
                            text: word.term, positions: positions,
                            documentFrequency: holders[word.term]?.count ?? 0))
                }
            }
            #expect(terms == expected, "seed \(bench.seed): \(query)")
        }
        return found.values.reduce(0) { $0 + $1.count }
    }
}
