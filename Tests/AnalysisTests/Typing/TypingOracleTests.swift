import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Typing against searches of their own")
struct TypingOracleTests {
    @Test(
        "Random typing with corrections is answered as searches are, over memory and flushed segments",
        arguments: testSeeds(8))
    func randomTyping(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        var typing = RandomTyping()
        for _ in 0..<6 {
            try await bench.change()
            // Half of the time the session sees the index change, flush and merge.
            let options = bench.random.typingOptions()
            let session = bench.index.makeTypingSession(options)
            for round in 0..<3 {
                if round > 0 {
                    if bench.random.generator.once(in: 2) { try await bench.change() }
                    if bench.random.generator.once(in: 2) { try await bench.index.flush() }
                    if bench.random.generator.once(in: 4) { try await bench.index.optimize() }
                }
                for _ in 0..<25 {
                    typing.strike(&bench.random)
                    let found = try session.update(typing.text)
                    let expected = try plain(bench.index, typing.text, options)
                    expect(found, expected, "seed \(seed): \(typing.text.debugDescription)")
                }
            }
            try bench.move()
        }
    }

    @Test("Answers that are cut short leave nothing wrong behind", arguments: testSeeds(6))
    func randomCuts(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<4 { try await bench.change() }
        try await bench.index.flush()
        try await bench.change()
        var typing = RandomTyping()
        let session = bench.index.makeTypingSession()
        var cut = 0
        for _ in 0..<60 {
            typing.strike(&bench.random)
            let keystroke = session.begin(typing.text, nil)
            let clock = SearchClock(checks: bench.random.generator.int(0...30))
            let some = try session.answer(keystroke, clock)
            if !some.isComplete { cut += 1 }
            let all = try #require(try session.rest())
            let expected = try plain(bench.index, typing.text, .init())
            expect(all, expected, "seed \(seed): \(typing.text.debugDescription)")
            // What is given in time is among what there is, or matches any of the words.
            #expect(some.items.count <= 20)
            #expect(
                some.isComplete || some.totalCount.value <= bench.index.count,
                "seed \(seed): \(typing.text.debugDescription)")
        }
        #expect(cut > 0)
    }

    @Test(
        "What an input method composes is a beginning, or text as any other",
        arguments: testSeeds(6))
    func randomComposing(seed: UInt64) async throws {
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for _ in 0..<3 { try await bench.change() }
        try bench.move()
        let session = bench.index.makeTypingSession()
        for _ in 0..<60 {
            let finished = bench.random.words(0...2).map(\.source).joined(separator: " ")
            let marked = bench.random.piece().source
            let before = finished.isEmpty ? "" : finished + " "
            let text = before + marked + bench.random.generator.element(["", " "])
            let lower = text.index(text.startIndex, offsetBy: before.count)
            let found = try session.update(
                text, composing: lower..<text.index(lower, offsetBy: marked.count))
            let rest = bench.index.queryParser.parse(before).query
            var expected = try await bench.index.search(
                .all(of: [rest, .prefix(marked)]).normalized())
            // Then it is text as any other, then it is not there.
            if expected.isEmpty { expected = try plain(bench.index, text, .init()) }
            if expected.isEmpty, !before.isEmpty {
                expected = try await bench.index.search(before)
            }
            expect(found, expected, "seed \(seed): \(text.debugDescription)")
        }
    }

    private func plain(
        _ index: TextIndex<TestObject>, _ text: String, _ options: TypingOptions
    ) throws -> SearchResults<TestObject> {
        var parser = options.parser ?? index.queryParser
        parser.options.lastWordIsPrefix = true
        return try index.search(
            text, limit: options.limit, ranking: options.ranking, filter: options.filter,
            fields: options.fields, parser: parser)
    }

    private func expect(
        _ found: SearchResults<TestObject>, _ expected: SearchResults<TestObject>,
        _ comment: Comment
    ) {
        #expect(found.map(\.identifier) == expected.map(\.identifier), comment)
        // The same operations in the same order.
        #expect(found.map(\.score) == expected.map(\.score), comment)
        #expect(found.totalCount == expected.totalCount, comment)
        #expect(found.isComplete == expected.isComplete, comment)
        #expect(found.query == expected.query, comment)
    }
}

extension PlainQueryRandom {
    fileprivate mutating func typingOptions() -> TypingOptions {
        var options = TypingOptions()
        options.limit = generator.element([1, 5, 20, 1000])
        options.ranking = generator.element([.relevance, .relevance, .weight, .combined])
        if generator.once(in: 4) { options.fields = [generator.element(PlainCorpus.fields)] }
        if generator.once(in: 4) { options.filter = .attribute("x", .exists) }
        return options
    }
}
