import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Closeness against a plain model of words")
struct ClosenessOracleTests {
    private static let fields = ["title", "body", "note"]

    /// A text, and how it is looked for.
    private struct Asked {
        var words: [String]
        var fields: [String] = []
        /// Whether the last word may be unfinished from the first step on.
        var isTyping = false
        var text: String { words.joined(separator: " ") }

        /// What a relevance is multiplied by, read off the words of an object's strings.
        func factor(_ strings: [[String]], isUnfinished: Bool) -> Double {
            let isOpen = isUnfinished && (words.last?.count ?? 0) >= 3
            func isRow(_ row: some Collection<String>) -> Bool {
                row.count == words.count
                    && zip(row, words).enumerated().allSatisfy { place, pair in
                        isOpen && place == words.count - 1
                            ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
                    }
            }
            let looked = zip(ClosenessOracleTests.fields, strings).filter {
                fields.isEmpty || fields.contains($0.0)
            }.map(\.1)
            if looked.contains(where: { isRow($0) }) { return Closeness.ofWhole }
            guard words.count > 1 else { return 1 }
            let isPhrase = looked.contains { string in
                string.indices.contains { isRow(string[$0...].prefix(words.count)) }
            }
            return isPhrase ? Closeness.ofPhrase : 1
        }
    }

    /// Objects, all in one index and apart in two.
    private struct Bench {
        let notes: PlainNoteIndex
        let halves: [PlainNoteIndex]
        var objects: [[[String]]] = []
        let vocabulary: [String]

        init(_ vocabulary: [String]) throws {
            func made() throws -> PlainNoteIndex {
                try PlainNoteIndex {
                    $0.fields = ClosenessOracleTests.fields
                    $0.minimalTokenLength = 1
                }
            }
            self.vocabulary = vocabulary
            notes = try made()
            halves = [try made(), try made()]
        }

        mutating func fill(_ random: inout SeededGenerator, _ stage: Stage) throws {
            for _ in 0..<random.int(3...14) {
                let strings = [random.int(1...3), random.int(0...6), random.int(0...3)].map {
                    (0..<$0).map { _ in random.element(vocabulary) }
                }
                let texts = strings.map { $0.joined(separator: " ") }
                let note = PlainNote("\(objects.count)", texts[0], texts[1], texts[2])
                for index in [notes, halves[objects.count % 2]] { try index.add([note]) }
                objects.append(strings)
            }
            for index in [notes] + halves { try index.enter(stage) }
        }

        func asked(_ random: inout SeededGenerator) -> Asked {
            let words = (0..<random.int(1...4)).map { _ in random.element(vocabulary) }
            let fields =
                random.once(in: 2)
                ? [] : ClosenessOracleTests.fields.filter { _ in random.once(in: 2) }
            return Asked(words: words, fields: fields)
        }

        func factor(of id: String, _ asked: Asked, isUnfinished: Bool) throws -> Double {
            let place = try #require(Int(id))
            return asked.factor(objects[place], isUnfinished: isUnfinished)
        }
    }

    private static func bench(
        _ random: inout SeededGenerator, _ vocabulary: [String],
        _ check: (Bench, inout SeededGenerator) throws -> Void
    ) throws {
        var bench = try Bench(vocabulary)
        for stage in [Stage.memory, .flushed, .memory, .optimized] {
            try bench.fill(&random, stage)
            for _ in 0..<25 { try check(bench, &random) }
        }
    }

    // MARK: Words of the first step

    @Test("Scores are those of the words, times what closeness adds", arguments: testSeeds(12))
    func scores(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try Self.bench(&random, ["a", "b", "c", "the", "of"]) { bench, random in
            try checkFirstStep(bench.asked(&random), &random, bench, "seed \(seed)")
        }
    }

    @Test("While a word is typed, closeness counts with its beginning", arguments: testSeeds(12))
    func typing(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vocabulary = ["star", "stars", "starry", "war", "wars", "warm", "of"]
        try Self.bench(&random, vocabulary) { bench, random in
            var asked = bench.asked(&random)
            asked.isTyping = true
            let last = asked.words.removeLast()
            asked.words.removeAll { $0.hasPrefix("st") == last.hasPrefix("st") }
            asked.words.append(String(last.prefix(random.int(1...last.count))))
            try checkFirstStep(asked, &random, bench, "seed \(seed)")
        }
    }

    private func checkFirstStep(
        _ asked: Asked, _ random: inout SeededGenerator, _ bench: Bench, _ seed: String
    ) throws {
        let index = bench.notes.index
        let note: Comment = "\(seed), \"\(asked.text)\", \(asked.fields)"
        var parser = index.queryParser
        parser.options.lastWordIsPrefix = asked.isTyping
        let plain = try index.search(
            asked.text, limit: 100, fields: asked.fields, steps: .exact, parser: parser)
        // Where no object has all words, any of them were enough.
        guard plain.diagnostics.isEmpty else { return }
        var wanted: [String: Double] = [:]
        for item in plain {
            wanted[item.id] =
                try item.score * bench.factor(of: item.id, asked, isUnfinished: asked.isTyping)
        }
        let limit = random.int(1...12)
        let steps: SearchSteps = [.exact, .unfinished]
        let found = try index.search(
            asked.text, limit: limit, fields: asked.fields, steps: steps, parser: parser)
        let exact = found.filter { asked.isTyping || $0.matchedBy == .exact }
        #expect(exact.count == min(limit, wanted.count), note)
        for item in exact {
            #expect(item.score == wanted[item.id], note)
            #expect(try item.explain()?.evaluated() == item.score, note)
        }
        let best = wanted.values.sorted(by: >).prefix(limit)
        #expect(exact.map(\.score) == Array(best), note)
        try checkFederated(asked, found.map(\.score), limit, steps, parser, bench, note)
        guard asked.isTyping else { return }
        var options = TypingOptions()
        (options.limit, options.fields) = (limit, asked.fields)
        let session = index.makeTypingSession(options)
        for length in max(1, asked.text.count - 2)...asked.text.count {
            let typed = try session.update(String(asked.text.prefix(length)))
            guard length == asked.text.count, !wanted.isEmpty else { continue }
            #expect(typed.map(\.id).prefix(exact.count) == found.map(\.id)[...], note)
            #expect(typed.map(\.score).prefix(exact.count) == found.map(\.score)[...], note)
        }
    }

    /// Two indexes with the objects have the scores of one.
    private func checkFederated(
        _ asked: Asked, _ scores: [Double], _ limit: Int, _ steps: SearchSteps,
        _ parser: QueryParser, _ bench: Bench, _ note: Comment
    ) throws {
        for indexes in [[bench.notes], bench.halves] {
            let found = try FederatedSearch(indexes.map(\.index)).search(
                asked.text, limit: limit, fields: asked.fields, steps: steps, parser: parser)
            #expect(found.hits.map(\.item.score) == scores, note)
        }
    }

    // MARK: The step of unfinished words

    @Test("What a step of unfinished words finds profits in it", arguments: testSeeds(12))
    func unfinished(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vocabulary = ["star", "stars", "starry", "war", "wars", "warm", "warmer"]
        try Self.bench(&random, vocabulary) { bench, random in
            var asked = bench.asked(&random)
            let last = asked.words.removeLast()
            asked.words.removeAll { $0.hasPrefix("st") == last.hasPrefix("st") }
            asked.words = Array(asked.words.prefix(1))
            asked.words.append(String(last.prefix(random.int(2...last.count))))
            try checkStep(asked, &random, bench, "seed \(seed)")
        }
    }

    private func checkStep(
        _ asked: Asked, _ random: inout SeededGenerator, _ bench: Bench, _ seed: String
    ) throws {
        let index = bench.notes.index
        let note: Comment = "\(seed), \"\(asked.text)\", \(asked.fields)"
        let last = asked.words[asked.words.count - 1]
        let begun = Query.any(of: [.term(last), .boost(.prefix(last), 0.7)])
        let finished = try index.search(
            .all(of: asked.words.map { .term($0) }), limit: 100, fields: asked.fields)
        let all = try index.search(
            .all(of: asked.words.dropLast().map { .term($0) } + [begun]), limit: 100,
            fields: asked.fields)
        let exact = try Dictionary(
            uniqueKeysWithValues: finished.map {
                ($0.id, try $0.score * bench.factor(of: $0.id, asked, isUnfinished: false))
            })
        let place = TierPlace(below: exact.values.min())
        var wanted = exact
        for item in all where exact[item.id] == nil {
            wanted[item.id] = place.score(
                try item.score * bench.factor(of: item.id, asked, isUnfinished: true))
        }
        let limit = random.int(1...20)
        let steps: SearchSteps = [.exact, .unfinished]
        let found = try index.search(
            asked.text, limit: limit, fields: asked.fields, steps: steps)
        #expect(found.count == min(limit, max(wanted.count, 0)), note)
        for item in found {
            let score = try #require(wanted[item.id], note)
            // The words are added up in another order.
            #expect(abs(item.score - score) <= 1e-12 * abs(score), note)
            #expect(item.matchedBy == (exact[item.id] == nil ? .unfinished : .exact), note)
            #expect(try item.explain()?.evaluated() == item.score, note)
        }
        let best = wanted.values.sorted(by: >).prefix(limit)
        for (score, wanted) in zip(found.map(\.score), best) {
            #expect(abs(score - wanted) <= 1e-12 * abs(wanted), note)
        }
        let pages = try index.search(after: found.cursor, limit: 30)
        let whole = try index.search(
            asked.text, limit: limit + 30, fields: asked.fields, steps: steps)
        #expect(found.map(\.score) + pages.map(\.score) == whole.map(\.score), note)
        try checkFederated(
            asked, found.map(\.score), limit, steps, index.queryParser, bench, note)
    }
}
