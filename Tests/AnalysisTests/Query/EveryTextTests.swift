import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Laws of searching for text: any text is a query, and what it comes to is said.
@Suite("Every text can be searched for") struct EveryTextTests {
    private static let words = [
        "peking", "duck", "ducks", "orange", "the", "and", "鴨肉", "café", "3.5", "c++", "naïve",
        "DUCK", "a", "x1",
    ]

    @Test(
        "No text throws, and none asks for nothing without a diagnostic", arguments: testSeeds(10))
    func everyText(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let notes = try PlainNoteIndex { $0.fields = ["title", "method"] }
        try notes.add(
            (0..<20).map { number in
                var note = PlainNote("\(number)")
                note.strings = (0..<2).map { _ in
                    (0..<random.int(0...6)).map { _ in random.element(Self.words) }
                        .joined(separator: " ")
                }
                return note
            })
        for round in 0..<120 {
            if round == 60 { try notes.enter(.flushed) }
            let text = random.string(of: QueryRandom.pieces + Self.words, upTo: random.int(0...20))
            var parser = notes.index.queryParser
            parser.options.defaultOperator = random.bool() ? .all : .any
            parser.options.lastWordIsPrefix = random.bool()
            parser.options.matchModes = MatchModes(rawValue: random.int(0...63))
            let note: Comment = "seed \(seed): \(text.debugDescription)"
            let results = try notes.index.search(text, parser: parser)
            let plain = try notes.index.search(text)
            for found in [results, plain] {
                // What was run prints as text that is read as the same.
                let again = QueryParser(fields: parser.fields).parse(found.query.description).query
                #expect(again == found.query.normalized(), note)
                #expect(found.totalCount.value >= found.count, note)
                for diagnostic in found.diagnostics {
                    #expect(diagnostic.range(in: text) != nil, note)
                }
                if found.isEmpty { #expect(!found.diagnostics.isEmpty, note) }
            }
        }
    }

    @Test(arguments: [
        "duck peking-orange", "\"orange duck\"", "duck -duck", "-*", "@weight:>3", "/z+/",
    ])
    func whatFindsNothingIsSaid(_ text: String) throws {
        let notes = try PlainNoteIndex()
        #expect(try notes.index.search("").diagnostics.map(\.kind) == [.noMatch])
        try notes.add([PlainNote("1", "duck"), PlainNote("2", "peking, orange")])
        let results = try notes.index.search(text)
        #expect(results.isEmpty == (text != "duck peking-orange"))
        #expect(results.diagnostics.count == 1)
        #expect(try notes.index.search(Query.nothing).diagnostics.isEmpty)
    }

    @Test("What an operator means that may be text is said, with each page")
    func signsOfText() throws {
        let notes = [
            PlainNote("all", "rm all"), PlainNote("rf", "rm -rf /"), PlainNote("n", "tail -n 3"),
            PlainNote("3", "tail 3 lines"), PlainNote("page", "page?id=42"),
            PlainNote("gate", "NOT gate"), PlainNote("free", "sugar not free"),
        ]
        let cases: [(String, [String], [QueryDiagnostic.Kind])] = [
            ("rm -rf", ["all"], [.minusExcludes]), ("tail -n 3", ["3"], [.minusExcludes]),
            ("gate -tail", ["gate"], []), ("lines -tail", ["3"], [.minusReadAsText]),
            ("gate NOT page", ["gate"], []), ("sugar NOT free", ["free"], [.operatorReadAsText]),
            ("NOT gate", ["gate"], [.operatorReadAsText]), ("p?ge", ["page"], []),
            ("page?id=42", ["page"], [.wildcardReadAsText]),
            ("p?ge -id", ["page"], [.minusReadAsText]),
            ("page?id -42", ["page"], [.minusReadAsText, .wildcardReadAsText]),
        ]
        try PlainNoteIndex.inAllStages(notes, { _ in }) { (index: PlainNoteIndex) throws in
            for (text, ids, kinds) in cases {
                for steps in [SearchSteps.all, .exact] {
                    let found = try index.index.search(text, steps: steps)
                    let exact = found.filter { $0.matchedBy == .exact }.map(\.id)
                    #expect(exact == ids, "\(text), \(steps)")
                    #expect(found.diagnostics.map(\.kind) == kinds, "\(text), \(steps)")
                    let next = try index.index.search(after: found.cursor)
                    #expect(next.isEmpty && next.diagnostics == found.diagnostics, "\(text)")
                }
            }
            #expect(try index.index.search("-rf").count == 6)
            let filter = index.index.queryParser.parse("NOT gate").query
            #expect(try index.index.search("gate", filter: filter).isEmpty)
        }
    }

    @Test(
        "A malformed regular expression matches nothing, and is reported",
        arguments: ["(", "[a", "a{2000}"])
    func malformedPattern(_ pattern: String) throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck"), PlainNote("2", "goose")])
        let malformed = Query.regularExpression(pattern)
        for (query, expected): (Query, [String]) in [
            (malformed, []), (.all(of: [.term("duck"), malformed]), []),
            (.any(of: [.term("duck"), malformed]), ["1"]), (.none(of: [malformed]), ["1", "2"]),
        ] {
            let results = try notes.index.search(query)
            #expect(results.map(\.id) == expected)
            #expect(results.diagnostics.map(\.kind) == [.invalidPattern])
        }
        let results = try notes.index.search("@regex(\"\(pattern)\")")
        #expect(results.isEmpty && results.diagnostics.map(\.kind) == [.invalidPattern])
    }

    @Test func patternsAreFolded() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "Crème"), PlainNote("2", "Straße")])
        for text in ["/CR.me/", "/cr[É]me/", "/Crème|x/", "CR?ME", "/cr\\wme/"] {
            #expect(try notes.index.search(text).map(\.id) == ["1"], "\(text)")
        }
        #expect(try notes.index.search("/Stra(ß|z)e/").map(\.id) == ["2"])
    }

    @Test("What a function takes is no longer than a word")
    func longArguments() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck")])
        let words = (0..<2_000).map { "w\($0)" }.joined(separator: " ")
        for function in ["keyword", "wildcard", "regex"] {
            let results = try notes.index.search("@\(function)(\"\(words)\")")
            #expect(results.isEmpty)
            #expect(results.diagnostics.contains { $0.kind == .limitExceeded })
        }
    }

    @Test("What asks for nothing is not missed, and nothing is no word")
    func nothing() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck ab"), PlainNote("2", "goose")]) {
            $0.fields = ["title"]
            $0.indexesStopWords = false
        }
        for (query, expected): (Query, [String]) in [
            (.term(""), []), (.phrase(""), []), (.fuzzy(""), []), (.prefix(""), ["1", "2"]),
            (.all(of: [.term("duck"), .infix("")]), ["1"]),
            (.near([Query](), within: 3), []), (.near([.everything], within: 3), ["1", "2"]),
            (.near([.filter(.term("duck"))], within: 3), ["1"]),
            (.none(of: [.all(of: [.none(of: [])])]), []),
            (.field("absent", .field("title", .term("duck"))), ["1"]),
            (.atLeast(2, of: [.term("the"), .term("duck")]), ["1"]),
            (.atLeast(2, of: [.term("the"), .term("duck"), .term("goose")]), []),
            (.atLeast(3, of: [.term("the"), .term("duck")]), []),
        ] {
            for query in [query, query.normalized()] {
                #expect(try notes.ids(query) == expected, "\(query)")
                for id in ["1", "2"] {
                    let reason = try notes.index.explain(missing: Data(id.utf8), for: query).reason
                    #expect((reason == .found) == expected.contains(id), "\(query)")
                }
            }
        }
    }
}
