import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Limits of queries")
struct QueryLimitTests {
    private func nested(_ count: Int) -> Query {
        var query = Query.term("duck")
        for level in 1..<count {
            query = level % 2 == 0 ? .any(of: [query, .term("swan")]) : .all(of: [query])
        }
        return query
    }

    @Test(
        "A typed query nested too deeply is refused",
        arguments: [1, 2, 7, QueryLimits.deepest])
    func nesting(limit: Int) throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) {
            $0.queryLimits.maximumNesting = limit
        }
        for count in [limit - 1, limit] where count > 0 {
            #expect(try notes.ids(nested(count)) == ["0"])
            #expect(try notes.index.results(for: nested(count)).count == 1)
        }
        let beyond = nested(limit + 1)
        for refused in [
            { _ = try notes.index.search(beyond) },
            { _ = try notes.index.results(for: beyond) },
            { _ = try notes.index.explain(missing: Data("0".utf8), for: beyond) },
            {
                _ = try notes.index.search("duck", filter: beyond, parser: notes.index.queryParser)
            },
        ] as [() throws -> Void] {
            let error = #expect(throws: TextIndexError.self) { try refused() }
            #expect(error?.code == .limitExceeded)
            #expect(error?.description.contains("maximumNesting") == true)
        }
    }

    @Test("No setting is deeper than the stack")
    func deepest() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) {
            $0.queryLimits.maximumNesting = .max
            $0.queryLimits.maximumDepth = .max
        }
        #expect(throws: TextIndexError.self) { try notes.index.search(self.nested(401)) }
        let text =
            String(repeating: "(a OR -(", count: 5_000) + "duck"
            + String(repeating: "))", count: 5_000)
        let results = try notes.index.search(text)
        #expect(results.diagnostics.contains { $0.kind == .limitExceeded })
    }

    @Test("Parentheses of a text beyond the limit are text", arguments: [0, 1, 5, 100])
    func depth(limit: Int) throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck")]) {
            $0.queryLimits.maximumDepth = limit
        }
        for count in [limit - 1, limit, limit + 1] where count >= 0 {
            let text =
                String(repeating: "(", count: count) + "duck" + String(repeating: ")", count: count)
            let results = try notes.index.search(text)
            #expect(results.map(\.id) == ["0"])
            #expect(results.diagnostics.map(\.kind) == (count > limit ? [.limitExceeded] : []))
        }
    }

    @Test(
        "Clauses beyond the limit are refused in a typed query, and left out of a text",
        arguments: [1, 2, 30, 1_024])
    func clauses(limit: Int) throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck"), PlainNote("1", "last")]) {
            $0.queryLimits.maximumClauses = limit
        }
        for count in [limit - 1, limit, limit + 1] where count > 0 {
            let words = Array(repeating: "duck", count: count - 1) + ["last"]
            let query = Query.any(of: words.map { .term($0) })
            let text = words.joined(separator: " OR ")
            let found = try notes.index.search(text)
            #expect(found.diagnostics.contains { $0.kind == .limitExceeded } == (count > limit))
            #expect(found.contains { $0.id == "1" } == (count <= limit))
            if count <= limit {
                #expect(try notes.ids(query) == (count == 1 ? ["1"] : ["0", "1"]))
            } else {
                let error = #expect(throws: TextIndexError.self) { try notes.index.search(query) }
                #expect(error?.code == .limitExceeded)
                #expect(error?.description.contains("maximumClauses") == true)
            }
        }
        // Identifiers and alternatives of a comparison are one clause.
        let many = (0..<5_000).map { Data("\($0)".utf8) }
        #expect(try notes.ids(.identifiers(many)) == ["0", "1"])
    }

    @Test("A text beyond the limit of its length is cut")
    func textLength() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck"), PlainNote("1", "duc")]) {
            $0.queryLimits.maximumTextLength = 4
            $0.steps = .exact
        }
        for (text, ids, isCut) in [
            ("duc", ["1"], false), ("duck", ["0"], false), ("duckx", ["0"], true),
        ] {
            let results = try notes.index.search(text)
            #expect(results.map(\.id) == ids)
            #expect(results.diagnostics.map(\.kind) == (isCut ? [.limitExceeded] : []))
        }
    }

    // MARK: Expansions

    private enum Pattern: CaseIterable {
        case prefix, infix, suffix, wildcard, regularExpression

        func query(_ text: String) -> Query {
            switch self {
            case .prefix: .prefix(text)
            case .infix: .infix(text)
            case .suffix: .suffix(text)
            case .wildcard: .wildcard("\(text)*a*")
            case .regularExpression: .regularExpression("\(text)[ab]*")
            }
        }

        func matches(_ word: String, _ text: String) -> Bool {
            switch self {
            case .prefix: word.hasPrefix(text)
            case .infix: word.contains(text)
            case .suffix: word.hasSuffix(text)
            case .wildcard: word.hasPrefix(text) && word.dropFirst(text.count).contains("a")
            case .regularExpression:
                word.hasPrefix(text) && word.dropFirst(text.count).allSatisfy { "ab".contains($0) }
            }
        }
    }

    @Test("A pattern stands for the first words in order", arguments: testSeeds(6))
    func expansions(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var texts: [[String]] = []
        let directory = temporaryDirectory("expansions")
        // Each removes the directory when nobody holds it any more.
        var held: [PlainNoteIndex] = []
        func open(_ limit: Int) throws -> PlainNoteIndex {
            let notes = try PlainNoteIndex(at: directory) {
                $0.stopWords = .none
                $0.queryLimits.maximumExpansions = limit
            }
            held.append(notes)
            return notes
        }
        for round in 0..<3 {
            let notes = try open(.max)
            for id in 0..<20 {
                texts.append(
                    (0..<generator.int(1...4)).map { _ in
                        (0..<generator.int(2...5)).map { _ in generator.element(["a", "b", "c"]) }
                            .joined()
                    })
                try notes.add([
                    PlainNote("\(round * 20 + id)", texts[texts.count - 1].joined(separator: " "))
                ])
            }
            if round < 2 { try notes.index.flush() }
            try notes.index.close()
        }
        let words = Set(texts.joined()).sorted()
        for _ in 0..<12 {
            let pattern = generator.element(Pattern.allCases)
            let text = generator.element(["a", "b", "ab", "c", "ca"])
            let matching = words.filter { pattern.matches($0, text) }
            let note: Comment = "seed \(seed): \(pattern) \(text)"
            for limit in Set([0, 1, matching.count - 1, matching.count, matching.count + 1])
            where limit >= 0 {
                let notes = try open(limit)
                let kept = Set(matching.prefix(limit))
                let isWhole = kept.count == matching.count
                let expected = texts.indices.filter { !kept.isDisjoint(with: texts[$0]) }
                for ranking in [Ranking.relevance, .custom { $0.relevance }] {
                    let found = try notes.index.search(
                        pattern.query(text), limit: .max, ranking: ranking)
                    #expect(Set(found.map(\.id)) == Set(expected.map { "\($0)" }), note)
                    #expect(found.isComplete == isWhole, note)
                    #expect(found.totalCount.isExact == isWhole, note)
                    #expect(
                        found.diagnostics.map(\.kind) == (isWhole ? [] : [.limitExceeded]), note)
                    let next = try notes.index.search(after: found.cursor)
                    #expect(next.diagnostics == found.diagnostics, note)
                }
                // What would be let through for want of the other words is not given.
                let without = try notes.index.search(
                    .none(of: [pattern.query(text)]), limit: .max)
                let rest = texts.indices.filter { Set(matching).isDisjoint(with: texts[$0]) }
                #expect(without.count == (isWhole ? rest.count : 0), note)
                #expect(without.isComplete == isWhole, note)
                let identifier = Data("0".utf8)
                let why = try notes.index.explain(
                    missing: identifier, for: .none(of: [pattern.query(text)]))
                #expect((why.reason == .found) == (isWhole && rest.contains(0)), note)
                try notes.index.close()
            }
        }
    }

    @Test("Words that are asked for by their names are not counted")
    func exactWords() throws {
        let notes = try PlainNoteIndex([PlainNote("0", "duck ducks")]) {
            $0.queryLimits.maximumExpansions = 0
            $0.analysis = TextAnalysis(stemming: .language(.english))
        }
        let found = try notes.index.search(.all(of: [.term("duck"), .phrase("duck ducks")]))
        #expect(found.map(\.id) == ["0"])
        #expect(found.isComplete && found.diagnostics.isEmpty)
        #expect(try notes.index.searchResults(forKeyword: "uck").count == 1)
    }
}
