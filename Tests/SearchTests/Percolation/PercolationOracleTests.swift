import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Stored queries against an index of one object")
struct PercolationOracleTests {
    /// An index, and another of the same settings that holds one object at a time.
    private final class Bench<Object: Sendable> {
        let index: TextIndex<Object>
        let alone: TextIndex<Object>
        let stored: StoredQueries<Object, Int>
        private(set) var queries: [Int: Query] = [:]
        /// In the order in which they were added.
        private(set) var names: [Int] = []

        init(
            _ configuration: TextIndexConfiguration,
            _ identifier: @escaping @Sendable (Object) -> Data,
            _ indexed: @escaping @Sendable (Object) -> IndexedObject
        ) throws {
            index = try TextIndex(at: temporaryDirectory("stored"), configuration: configuration)
            alone = try TextIndex(at: temporaryDirectory("alone"), configuration: configuration)
            for index in [index, alone] {
                index.identifier = identifier
                index.indexer = { object, _ in indexed(object) }
            }
            stored = index.makeStoredQueries(named: Int.self)
        }

        func remove() {
            for index in [index, alone] {
                try? index.closeVerified()
                try? FileManager.default.removeItem(at: index.directory)
            }
        }

        func add(_ query: Query, as name: Int) throws {
            try stored.add(query, as: name)
            names.removeAll { $0 == name }
            names.append(name)
            queries[name] = query
        }

        func remove(_ name: Int) {
            #expect(stored.remove(name) == queries[name])
            names.removeAll { $0 == name }
            queries[name] = nil
        }

        func check(_ object: Object, _ note: String) async throws {
            _ = try await alone.indexObject(object).value()
            defer { try? alone.removeAll() }
            let expected = try names.filter { name in
                guard let query = queries[name] else { return false }
                return try alone.search(query, limit: 0).totalCount.value > 0
            }
            let found = try stored.matches(object)
            let wrong = Set(found).symmetricDifference(expected).compactMap { queries[$0] }
            #expect(found == expected, "\(note): \(wrong)")
            #expect(stored.names == names && stored.count == names.count)
        }
    }

    @Test("Random stored queries that come and go match as searches do", arguments: testSeeds(4))
    func randomObjects(seed: UInt64) async throws {
        var random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
        var configuration = TextIndexConfiguration()
        configuration.minimalTokenLength = random.generator.int(1...3)
        configuration.discardDuplicateTokens = random.generator.once(in: 4)
        configuration.indexesStopWords = false
        configuration.stopWords = .words(
            random.generator.once(in: 2) ? ["a", "e", "ab", "ss"] : [])
        configuration.fields = PlainCorpus.fields
        let bench = try Bench<TestObject>(configuration, \.identifier, \.indexed)
        defer { bench.remove() }
        for round in 0..<25 {
            let object = random.object()
            random.corpus += object.strings.flatMap(\.words)
            for _ in 0..<6 {
                try bench.add(random.query(depth: 3).query, as: random.generator.int(0...99))
            }
            if round % 3 == 2 { bench.remove(random.generator.int(0...99)) }
            try await bench.check(object, "seed \(seed)")
            // What is in the index makes no difference.
            if random.generator.once(in: 3) {
                _ = try await bench.index.indexObject(random.object()).value()
            }
        }
    }

    @Test(
        "Stored queries match as searches do in several languages, analyses, stems, synonyms and scripts",
        arguments: testSeeds(4))
    func languages(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "code"]
        configuration.analysis.stemming = .language(.english)
        configuration.fieldAnalysis["code"] = TextAnalysis(tokenizer: CodeTokenizer())
        configuration.synonyms = [.equivalent("duck", "mallard", "water fowl")]
        let bench = try Bench<[String]>(
            configuration, { Data($0.joined().utf8.prefix(64)) + Data("#".utf8) },
            { IndexedObject(strings: $0) })
        defer { bench.remove() }
        for _ in 0..<25 {
            for _ in 0..<5 {
                try bench.add(query(2, &generator), as: generator.int(0...99))
            }
            let strings = (0..<generator.int(1...3)).map { _ in
                (0..<generator.int(1...5)).map { _ in generator.element(Self.texts) }
                    .joined(separator: generator.element([" ", "", ", "]))
            }
            try await bench.check(strings, "seed \(seed): \(strings)")
            #expect(
                bench.stored.candidateCount(for: IndexedObject(strings: [])) <= bench.names.count)
        }
    }

    private static let texts = [
        "duck", "ducks", "mallard", "water fowl", "running", "runs", "the", "of", "well-known",
        "HTTPServer", "getHTTPResponse", "don't", "l’orange", "東京", "東京都庁", "北京烤鸭",
        "都", "ครับ", "㍿", "straße", "…", "x", "snake_case",
    ]

    private func query(_ depth: Int, _ generator: inout SeededGenerator) -> Query {
        func parts(_ generator: inout SeededGenerator) -> [Query] {
            (0..<generator.int(1...3)).map { _ in query(depth - 1, &generator) }
        }
        let text = generator.element(Self.texts)
        let other = generator.element(Self.texts)
        guard depth > 0, generator.once(in: 2) else {
            switch generator.int(0...9) {
            case 0, 1, 2: return .term(text)
            case 3: return .phrase("\(text) \(other)", slop: generator.int(0...2))
            case 4: return .phrase("\(text) \(other)", lastWordIsPrefix: true)
            case 5: return .prefix(String(text.prefix(2)))
            case 6: return .near([text, other], within: 3)
            case 7: return .keyword(text)
            case 8: return .fuzzy(text, distance: 1)
            default: return .wildcard(text.prefix(2) + "*")
            }
        }
        switch generator.int(0...7) {
        case 0, 1: return .all(of: parts(&generator))
        case 2: return .any(of: parts(&generator))
        case 3: return .all(of: [query(depth - 1, &generator), .none(of: parts(&generator))])
        case 4: return .atLeast(generator.int(0...3), of: parts(&generator))
        case 5: return .first(of: parts(&generator))
        case 6: return .boost(query(depth - 1, &generator), 2)
        default:
            return .field(
                generator.element(["title", "code", "none"]), query(depth - 1, &generator))
        }
    }

    @Test("An object is tested against the queries under its terms alone")
    func candidates() throws {
        let index = try TextIndex<String>(at: temporaryDirectory("stored"))
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        let stored = index.makeStoredQueries(named: Int.self)
        for number in 0..<1000 {
            try stored.add(
                .all(of: [.term("word\(number)"), .attribute("x", .exists), .keyword("w")]),
                as: number)
        }
        try stored.add(.prefix("wo"), as: -1)
        try stored.add(.none(of: [.term("duck")]), as: -2)
        let object = IndexedObject(strings: ["word7 word77"], attributes: ["x": .number(1)])
        #expect(stored.candidateCount(for: object) == 4)
        #expect(try stored.matches(object, identifier: Data([1])) == [7, 77, -1, -2])
        #expect(throws: TextIndexError.self) {
            _ = try stored.matches(object, identifier: Data())
        }
        var deep = Query.term("duck")
        for _ in 0..<500 { deep = .filter(deep) }
        #expect(throws: TextIndexError.self) { try stored.add(deep, as: 1) }
    }

    @Test(
        "Whoever has no time for all queries is told nothing rather than some",
        arguments: testSeeds(3))
    func budgets(seed: UInt64) throws {
        var random = PlainQueryRandom(generator: SeededGenerator(seed: seed))
        let index = try TextIndex<String>(at: temporaryDirectory("stored"))
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        let stored = index.makeStoredQueries(named: Int.self)
        for number in 0..<50 { try stored.add(random.query(depth: 3).query, as: number) }
        let cancelled = SearchCancellation()
        cancelled.cancel()
        for _ in 0..<20 {
            let object = random.object().indexed
            func matches(_ budget: SearchBudget) throws -> [Int]? {
                try stored.matches(object, identifier: Data([1]), budget: budget)
            }
            let all = try stored.matches(object, identifier: Data([1]))
            #expect(try matches(.time(.seconds(3600))) == all, "seed \(seed)")
            // No test goes on once the time is over.
            let expected: [Int]? = stored.candidateCount(for: object) == 0 ? [] : nil
            #expect(try matches(.time(.zero)) == expected, "seed \(seed)")
            #expect(try matches(.cancelled(by: cancelled)) == expected, "seed \(seed)")
        }
    }

    @Test("A rebuild has the stored queries read by the new settings")
    func rebuilt() async throws {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .none
        let index = try TextIndex<String>(
            at: temporaryDirectory("stored"), configuration: configuration)
        defer {
            try? index.closeVerified()
            try? FileManager.default.removeItem(at: index.directory)
        }
        index.identifier = { Data($0.utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [text]) }
        index.objectGetter = { String(decoding: $0, as: UTF8.self) }
        let stored = index.makeStoredQueries(named: String.self)
        try stored.add(.term("ducks"), as: "ducks")
        #expect(try stored.matches("a duck") == [])
        configuration.analysis.stemming = .language(.english)
        _ = try await index.rebuild(with: configuration)
        #expect(try stored.matches("a duck") == ["ducks"])
    }
}
