import Foundation
import Testing

@testable import TextSearch

@Suite("ZReview4") struct ZReview4Queries {
    @Test func firstOfUnscored() throws {
        let notes = try PlainNoteIndex([
            PlainNote("plain", "duck", weight: 1), PlainNote("featured", "duck soup", weight: 5),
            PlainNote("both", "duck goose", weight: 5),
        ])
        let heavy = Query.weight(from: 5, through: nil)
        let results = try notes.index.search(.first(of: [heavy, .everything]))
        #expect(results.map(\.id) == ["featured", "both", "plain"])
        let words = try notes.index.search(.first(of: [.filter(.term("goose")), .term("duck")]))
        #expect(words.map(\.id).first == "both")
        let zero = try notes.index.search(
            .first(of: [.boost(.term("goose"), 0), .term("duck")]))
        #expect(zero.map(\.id).first == "both")
    }

    @Test func exactNotBelowFuzzyWithWeightlessField() throws {
        let notes = try PlainNoteIndex([
            PlainNote("fuzzy", "x", "duk"), PlainNote("exact", "duck", "x"),
        ]) { $0.fields = ["title", "body"] }
        var parameters = BM25Parameters()
        parameters.fieldWeights["title"] = 0
        let results = try notes.index.search(
            .matching("duck", .lenient), ranking: .relevance(parameters))
        #expect(results.map(\.id) == ["exact", "fuzzy"])
    }

    @Test func malformedPatterns() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck"), PlainNote("2", "goose")])
        for query: Query in [
            .regularExpression("("), .regularExpression("[a"), .regularExpression("a{2000}"),
            .prefix("\u{200B}"), .infix("\u{200B}"), .suffix("\u{200B}"), .suffix(""),
            .wildcard(""), .fuzzy("", distance: 2), .fuzzy("\u{200B}"), .term(""), .term("!!"),
            .phrase(""), .phrase("!!"), .regularExpression(""),
            .all(of: [.term("duck"), .regularExpression("(")]),
            .none(of: [.regularExpression("(")]),
            .boost(.regularExpression("("), 2),
        ] {
            let results = try notes.index.search(query)
            _ = (
                "MALFORMED", query.description, "→", results.map(\.id),
                results.diagnostics.map(\.description), results.query.description
            )
        }
        for text in [
            "@regex(\"(\")", "/(/", "duck @regex(\"(\")", "@regex(\"[a\") OR duck", "\u{200B}*",
            "*\u{200B}*",
        ] {
            let results = try notes.index.search(text)
            _ = (
                "MALTEXT", text, "→", results.map(\.id),
                results.diagnostics.map(\.description), results.query.description
            )
        }
        #expect(try notes.index.search(.regularExpression("(")).isEmpty)
        #expect(try !notes.index.search(.regularExpression("(")).diagnostics.isEmpty)
    }

    @Test func keywordOfManyWordsAsText() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck"), PlainNote("2", "goose")])
        let words = (0..<2000).map { "w\($0)" }.joined(separator: " ")
        _ = try notes.index.search("@keyword(\"\(words)\")")
        _ = try notes.index.search("\"\(words)\"")
        _ = try notes.index.search("\"\(words)")
        _ = try notes.index.search(words)
        let any = try notes.index.search(
            .any(of: (0..<10_000).map { .term("w\($0)") } + [.term("duck")]))
        #expect(any.map(\.id) == ["1"])
        let all = try notes.index.search(.all(of: (0..<10_000).map { _ in .term("duck") }))
        #expect(all.map(\.id) == ["1"])
    }

    @Test func stopWordsInTyped() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "bathe"), PlainNote("2", "goose")])
        for query: Query in [
            .term("the"), .all(of: [.term("the"), .filter(.term("goose"))]),
            .any(of: [.term("the"), .phrase("of the")]),
            .field("nosuch", .term("goose")), .constantScore(.term("the"), 3),
            .none(of: [.term("the")]), .first(of: [.term("the"), .term("goose")]),
            .atLeast(1, of: [.term("the"), .term("goose")]),
            .atLeast(2, of: [.term("the"), .term("goose")]),
            .near(["the", "goose"], within: 2), .phrase("the", lastWordIsPrefix: true),
            .boost(.term("the"), 0),
        ] {
            let results = try notes.index.search(query)
            _ = (
                "STOP", query.description, "→", results.map(\.id),
                results.diagnostics.map(\.description), results.query.description
            )
        }
    }

    @Test func infiniteWeights() throws {
        let notes = try PlainNoteIndex([
            PlainNote("1", "duck", weight: .infinity), PlainNote("2", "duck goose", weight: 1),
            PlainNote("3", "duck", weight: -.infinity), PlainNote("4", "duck", weight: -3),
        ])
        for ranking: Ranking in [.weight, .combined, .relevance, .sorted(by: [.weight])] {
            let results = try notes.index.search(.filter(.term("duck")), ranking: ranking)

            for item in results { #expect(try item.explain()?.value == item.score) }
            let scored = try notes.index.search(.term("duck"), ranking: ranking)

            for item in scored { #expect(try item.explain()?.value == item.score) }
        }
    }

    @Test func closed() async throws {
        let notes = try PlainNoteIndex((0..<50).map { PlainNote("\($0)", "duck goose \($0)") })
        try notes.index.flush()
        notes.index.objectGetter = { PlainNote(String(decoding: $0, as: UTF8.self), "duck goose") }
        let results = try notes.index.search("duck", limit: 5)
        let keyword = try notes.index.searchResults(forKeyword: "uck")
        try notes.index.close()
        for item in results.items + keyword {
            _ = item.resultTokens
            _ = item.object
            _ = item.highlights(in: ["duck goose"])
            _ = item.context
            _ = try? item.explain()
            _ = try? item.snippet()
        }
        #expect(throws: TextIndexError.self) { try notes.index.search(after: results.cursor) }
        #expect(throws: TextIndexError.self) { try notes.index.terms() }
        for await item in results.asynchronous { _ = item.id }
    }

    @Test func cursorsWhileChanging() async throws {
        let notes = try PlainNoteIndex((0..<300).map { PlainNote("\($0)", "duck \($0 % 7) goose") })
        var page = try notes.index.search("duck goose", limit: 17)
        var seen: [String] = []
        var round = 0
        while !page.isEmpty {
            #expect(page.items.first?.rank == seen.count)
            seen += page.map(\.id)
            try notes.add([PlainNote("n\(round)", "duck goose"), PlainNote("\(round)", "swan")])
            _ = try await notes.index.removeIndex(forIdentifier: Data("\(200 + round)".utf8))
                .value()
            if round % 3 == 0 { try notes.index.flush() }
            if round % 5 == 4 { try notes.index.optimize() }
            for item in page { #expect(try item.explain()?.value == item.score) }
            page = try notes.index.search(after: page.cursor, limit: 17)
            round += 1
        }
        #expect(seen.count == 300)
        #expect(Set(seen).count == 300)
    }

    @Test(arguments: testSeeds(20)) func changedStrings(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "duck", "Straße", "STRASSE", "e\u{301}", "\u{301}", " ", "  ", "\r\n", "\n", "鴨肉",
            "北京烤鴨",
            "👨‍👩‍👧‍👦", "🇩🇪", "🇫🇷🇩🇪", "שלום", "مرحبا", "\u{202E}", "\u{200D}", "\u{200B}", "ﬁsh", "İ", "ß",
            "don't", "3.14", "a", ",", "—", "\u{0}", "ไทย", "한국어", "\u{1F468}", "\u{FE0F}", "c++",
            "ducks", "duckduck",
        ]
        func text(_ most: Int) -> String {
            (0..<generator.int(0...most)).map { _ in generator.element(pieces) }.joined(
                separator: generator.once(in: 2) ? " " : "")
        }
        let stored = (0..<8).map { number -> PlainNote in
            var note = PlainNote("\(number)")
            note.strings = (0..<generator.int(0...3)).map { _ in text(12) }
            return note
        }
        let notes = try PlainNoteIndex(stored) {
            $0.stopWords = .none; $0.minimalTokenLength = 1
        }
        if generator.once(in: 2) { try notes.index.flush() }
        for _ in 0..<25 {
            let piece = generator.element(pieces)
            let queries: [Query] = [
                .term(piece), .infix(piece), .keyword(piece), .prefix(String(piece.prefix(1))),
                .fuzzy(piece), .phrase(text(3)), .wildcard("*" + piece + "*"), .everything,
                .any(of: [.term(piece), .infix("uc"), .infix("du"), .term("duck")]),
                .near([.infix("u"), .infix("s")], within: 3),
            ]
            let query = generator.element(queries)
            let results = try notes.index.search(query, limit: .max)
            for item in results {
                let own = stored[Int(item.id) ?? 0].strings
                let others = (0..<generator.int(0...4)).map { _ in text(10) }
                let mixed = own.map {
                    generator.once(in: 2) ? String($0.dropLast(generator.int(0...5))) : $0
                }
                for strings in [own, others, mixed, [], [""], own.map { $0 + $0 }] {
                    let highlights = item.highlights(in: strings)
                    #expect(highlights.count == strings.count)
                    for (string, marks) in zip(strings, highlights) {
                        var last: String.Index?
                        for mark in marks {
                            #expect(!mark.range.isEmpty)
                            if let last { #expect(last < mark.range.lowerBound) }
                            last = mark.range.upperBound
                            #expect(
                                String(string[mark.range]).utf8.elementsEqual(
                                    Array(string.utf8)[mark.utf8Range]))
                            #expect(
                                String(string[mark.range]).utf16.elementsEqual(
                                    Array(string.utf16)[mark.utf16Range]))
                        }
                    }
                    for length: SnippetLength in [
                        .words(1), .words(3), .words(0), .words(.max), .characters(1),
                        .characters(7),
                        .characters(-1), .characters(.max), .words(.min),
                    ] {
                        let count = generator.int(0...4)
                        let snippets = item.snippets(from: strings, count: count, length: length)
                        #expect(snippets.count <= count)
                        for snippet in snippets {
                            #expect(snippet.marked("", "") == snippet.text)
                            #expect(String(snippet.attributed.characters) == snippet.text)
                            if case .characters(let most) = length {
                                #expect(snippet.text.count <= max(most, 1))
                            }
                            let source = strings[snippet.string]
                            #expect(source[snippet.range] == snippet.text)
                        }
                        for (a, b) in zip(snippets, snippets.dropFirst()) where a.string == b.string
                        {
                            #expect(a.range.upperBound <= b.range.lowerBound)
                        }
                        _ = snippets.joined()
                        _ = snippets.attributed()
                    }
                }
            }
        }
    }

    @Test(arguments: testSeeds(8)) func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "duck", "*", "?", "~", "^", "\"", "“", "”", "\\", "(", ")", ":", "title:", "stars:",
            "[", "]", "{", "}", " TO ",
            "+", "-", "!", "=", "<", ">", ">=", "!=", "@", "@near/", "@near/3(", "@first(",
            "@filter(", "@atleast/2(", "@weight:",
            "@keyword(\"", "@regex(\"", "@identifiers(0x", "0a", "/", "/a+/", "AND", "OR", "NOT",
            " ", " ", " ", "\t", "\u{3000}", "\0", "é", "e\u{301}",
            "鴨", "👨‍👩‍👧‍👦", "1", "2.5", "-0", "1e999", "NaN", "Infinity", "true", "2024-05-01", "@5",
            "^=", "^2", "~1/2", "~2", "*\"", "\r\n", "\u{200B}", "~-1", "^-1", "^+1", "^.5",
            "^1e-320", "^1e5",
        ]
        for _ in 0..<20_000 {
            let text = (0..<generator.int(0...9)).map { _ in generator.element(pieces) }.joined()
            var parser = QueryParser(fields: ["title"]) { $0 == "stars" || $0 == "title" }
            parser.options.defaultOperator = generator.once(in: 2) ? .all : .any
            parser.options.lastWordIsPrefix = generator.once(in: 2)
            parser.options.matchModes = MatchModes(rawValue: generator.int(0...63))
            let parsed = parser.parse(text)
            #expect(parsed.query == parsed.query.normalized(), "\(text.debugDescription)")
            let reader = QueryParser(fields: ["title"]) { $0 == "stars" || $0 == "title" }
            let again = reader.parse(parsed.query.description)
            #expect(
                again.query == parsed.query,
                "\(text.debugDescription) → \(parsed.query) → \(again.query)")
            let encoder = JSONEncoder()
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
            let decoded = try decoder.decode(Query.self, from: encoder.encode(parsed.query))
            #expect(decoded == parsed.query)
            _ = try? JSONEncoder().encode(parsed.query)
        }
    }

    @Test func plainJSONOfOddNumbers() throws {
        for query: Query in [
            .attribute("x", .greater(.number(.infinity))), .attribute("x", .equal(.number(.nan))),
            .attribute("x", .equal(.date(Date(timeIntervalSinceReferenceDate: .infinity)))),
        ] {
            do {
                let data = try JSONEncoder().encode(query)
                #expect(try JSONDecoder().decode(Query.self, from: data) == query)
            } catch { Issue.record("\(query): \(error)") }
        }
    }

    @Test(arguments: testSeeds(12)) func normalForm(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let words = ["duck", "a", "b", "ab", "é", "鴨", "the", "1", "ducks", "ß"]
        let notes = try PlainNoteIndex { $0.fields = ["title", "method"] }
        try notes.add(
            (0..<12).map { number in
                var note = PlainNote("\(number)", weight: Double(number % 3))
                note.strings = (0..<2).map { _ in
                    (0..<random.int(0...6)).map { _ in random.element(words) }.joined(
                        separator: " ")
                }
                return note
            })
        for _ in 0..<400 {
            let query = random.query(depth: 3)
            let some = try notes.index.search(query, limit: .max)
            let normal = try notes.index.search(query.normalized(), limit: .max)
            if Set(some.map(\.id)) != Set(normal.map(\.id)) {
                var text = ""
                dump(query, to: &text)
                print("DUMP", text)
            }
            #expect(Set(some.map(\.id)) == Set(normal.map(\.id)), "seed \(seed): \(query.node)")
            let scores = Dictionary(uniqueKeysWithValues: normal.map { ($0.id, $0.score) })
            for item in some {
                #expect(
                    isClose(item.score, scores[item.id] ?? .nan),
                    "seed \(seed): \(query.node) \(item.score) \(scores[item.id] ?? .nan)")
                #expect(try item.explain()?.value == item.score, "seed \(seed): \(query.node)")
            }
            for number in 0..<12 {
                let why = try notes.index.explain(missing: Data("\(number)".utf8), for: query)
                #expect(
                    (why.reason == .found) == some.contains { $0.id == "\(number)" },
                    "seed \(seed): \(query.node) \(why.reason)")
            }
        }
    }
}
