import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Only so many matches of an object are found")
struct MatchLimitTests {
    private static let words = ["duck", "ducks", "swan", "teal", "straße", "北京烤鸭", "getURL"]

    private static func note(_ id: Int, _ generator: inout SeededGenerator) -> PlainNote {
        func text(_ most: Int) -> String {
            (0..<generator.int(1...most)).map { _ in generator.element(words) }
                .joined(separator: " ")
        }
        return PlainNote("\(id)", text(60), text(4), weight: Double(id % 3))
    }

    /// Queries of which each match is one word of the text, and others.
    private static func query(_ generator: inout SeededGenerator) -> (Query, isOfWords: Bool) {
        switch generator.int(0...8) {
        case 0: (.term("duck"), true)
        case 1: (.prefix("du"), true)
        case 2: (.any(of: [.term("swan"), .term("ducks")]), true)
        case 3: (.all(of: [.term("duck"), .term("swan")]), true)
        case 4: (.all(of: [.term("duck"), .none(of: [.term("nothing")])]), true)
        case 5: (.phrase("duck \(generator.element(words))"), false)
        case 6: (.near([.term("duck"), .term("teal")], within: 3), false)
        case 7: (.infix("k"), false)
        default: (.any(of: [.phrase("swan teal"), .term("duck")]), false)
        }
    }

    private static func configured(
        _ most: Int, memory: Int? = nil
    ) -> (inout TextIndexConfiguration) -> Void {
        {
            $0.fields = ["title", "body"]
            $0.queryLimits.maximumMatchesPerItem = most
            if let memory { $0.queryLimits.memory = memory }
        }
    }

    @Test(
        "The first matches are those of a search without a limit, and an item says that it has more",
        arguments: testSeeds(6))
    func firstMatches(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = (0..<40).map { Self.note($0, &generator) }
        let most = generator.int(1...12)
        let all = try PlainNoteIndex(notes, Self.configured(.max))
        let queries = (0..<20).map { _ in Self.query(&generator) }
        try PlainNoteIndex.inAllStages(notes, Self.configured(most)) { some in
            for (query, isOfWords) in queries {
                let found = try some.index.search(query, limit: 30).items
                let expected = try all.index.search(query, limit: 30).items
                try #require(found.map(\.id) == expected.map(\.id), "seed \(seed), \(query)")
                for (item, whole) in zip(found, expected) {
                    let tokens = whole.resultTokens
                    let note: Comment = "seed \(seed): \(query), at most \(most)"
                    #expect(item.failure == nil && !whole.hasMoreMatches, note)
                    #expect(item.resultTokens.count <= most, note)
                    #expect(item.resultTokens.allSatisfy { tokens.contains($0) }, note)
                    if !item.hasMoreMatches { #expect(item.resultTokens == tokens, note) }
                    guard isOfWords else { continue }
                    #expect(item.hasMoreMatches == (tokens.count > most), note)
                    #expect(item.resultTokens == Array(tokens.prefix(most)), note)
                }
            }
        }
        try all.index.close()
    }

    @Test(
        "Keywords find the same objects in the same order, and the first matches of each",
        arguments: testSeeds(6))
    func keywords(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = (0..<40).map { Self.note($0, &generator) }
        let most = generator.int(1...12)
        let all = try PlainNoteIndex(notes, Self.configured(.max))
        try PlainNoteIndex.inAllStages(notes, Self.configured(most)) { some in
            for keyword in ["du", "s", "a duck", "stras", "京烤", "nothing"] {
                let found = try some.index.searchResults(forKeyword: keyword)
                let expected = try all.index.searchResults(forKeyword: keyword)
                #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
                let whole = Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) })
                for item in found {
                    let tokens = whole[item.id]?.resultTokens ?? []
                    let note: Comment = "seed \(seed): \(keyword), at most \(most)"
                    #expect(item.resultTokens.count <= most, note)
                    #expect(item.resultTokens.allSatisfy { tokens.contains($0) }, note)
                    if !item.hasMoreMatches { #expect(item.resultTokens == tokens, note) }
                    if tokens.count > most { #expect(item.hasMoreMatches, note) }
                }
            }
        }
        try all.index.close()
    }

    @Test("Snippets and highlights are made of the matches that were found")
    func snippets() throws {
        let text = Array(repeating: "duck and swan", count: 30).joined(separator: " ")
        let notes = try PlainNoteIndex([PlainNote("a", text)], Self.configured(3))
        let item = try #require(try notes.index.search("duck").items.first)
        #expect(item.hasMoreMatches)
        #expect(item.highlights(in: [text])[0].map(\.utf16Range) == [0..<4, 14..<18, 28..<32])
        let snippet = try #require(item.snippets(from: [text], length: .words(3)).first)
        #expect(snippet.marked("[", "]") == "[duck] and swan")
    }

    @Test(
        "A page whose matches take too much memory together is looked through in parts",
        arguments: testSeeds(3))
    func parts(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let notes = (0..<60).map { Self.note($0, &generator) }
        let all = try PlainNoteIndex(notes, Self.configured(.max))
        let some = try PlainNoteIndex(notes, Self.configured(.max, memory: 40_000))
        let found = try some.index.search(.term("duck"), limit: 50).items
        let expected = try all.index.search(.term("duck"), limit: 50).items
        #expect(found.map(\.id) == expected.map(\.id))
        for (item, whole) in zip(found, expected) {
            let tokens = whole.resultTokens
            #expect(!item.resultTokens.isEmpty, "seed \(seed)")
            #expect(item.resultTokens == Array(tokens.prefix(item.resultTokens.count)))
            #expect(item.hasMoreMatches == (item.resultTokens.count < tokens.count))
        }
    }

    @Test("Matches that there is no time for are not found, and their items say so")
    func time() throws {
        var generator = SeededGenerator(seed: 5)
        let notes = try PlainNoteIndex((0..<40).map { Self.note($0, &generator) })
        let request = SearchRequest(query: .prefix("du"), limit: 40)
        for checks in 0..<30 {
            // The search has all the time, and its details have so much.
            let items = try notes.index.search(request).items
            let whole = try notes.index.search(request).items
            var budget = SearchBudget.unlimited
            budget.checks = checks
            items.first?.findMatches(within: budget)
            for (item, whole) in zip(items, whole) {
                let tokens = whole.resultTokens
                #expect(item.failure == nil)
                #expect(item.resultTokens.allSatisfy { tokens.contains($0) })
                #expect(item.hasMoreMatches || item.resultTokens == tokens, "\(checks) checks")
            }
            if checks == 0 { #expect(items.allSatisfy { $0.hasMoreMatches }) }
        }
    }

    // MARK: Memory

    #if os(Linux) && !THREAD_SANITIZER && !ADDRESS_SANITIZER
        struct TooMuch: Error { var what: String }

        /// The most memory that the process ever had, in bytes, since it was last set back.
        static func peak() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (line?.split(separator: " ").compactMap { Int($0) }.first ?? .max) * 1024
        }

        static func peak(of body: () throws -> Void) throws -> Int {
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
            let before = try peak()
            try body()
            return try peak() - before
        }

        @Test(
            "A search that shows an object of very many matches takes little memory",
            arguments: ["ab ", "ß "])
        func hugeObject(word: String) async throws {
            await #expect(processExitsWith: .success) { [word = word as String] in
                let text = String(repeating: word, count: 1_000_000)
                let notes = try PlainNoteIndex([PlainNote("huge", text)])
                let folded = word.hasPrefix("ß") ? "ss" : "ab"
                try notes.index.flush()
                for (name, show) in [
                    ("query", { try notes.index.search(.term(folded)).items }),
                    ("prefix", { try notes.index.search(.prefix(folded)).items }),
                    ("keyword", { try notes.index.searchResults(forKeyword: folded) }),
                ] as [(String, () throws -> [SearchResultItem<PlainNote>])] {
                    var count = 0
                    var hasMore = false
                    let peak = try MatchLimitTests.peak {
                        for item in try show() {
                            count += item.resultTokens.count
                            hasMore = item.hasMoreMatches
                            _ = item.snippets(from: [text])
                        }
                    }
                    // Four bytes for each place of the word, twice, and no more: hits and tokens
                    // are 80.
                    guard peak < 40 << 20 else { throw TooMuch(what: "\(name): \(peak) bytes") }
                    guard count == 1000, hasMore else { throw TooMuch(what: "\(name): \(count)") }
                }
            }
        }
    #endif
}
