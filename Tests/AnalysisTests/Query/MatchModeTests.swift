import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Ways of looking for a word")
struct MatchModeTests {
    @Test(
        arguments: [
            ("duck", MatchModes.exact, "duck"),
            ("duck", [], "duck"),
            ("duck", .prefix, "duck*"),
            ("duck", .lenient, "@first(duck duck* *duck* duck~1)"),
            (
                "ducklings", .lenient,
                "@first(ducklings ducklings* *ducklings* ducklings~1 ducklings~2)"
            ),
            ("du", .lenient, "@first(du du* *du*)"),
            ("du", .fuzzy, "du"),
            ("du", [.exact, .oneEdit], "@first(du du~1)"),
            ("du", [.exact, .twoEdits], "@first(du du~1 du~2)"),
            ("l’orange", .lenient, "@first(l’orange \"l’orange*\" @keyword(\"l’orange\"))"),
            ("鴨肉", .lenient, "@first(鴨肉 \"鴨肉*\" @keyword(\"鴨肉\"))"),
            ("e\u{301}té", .lenient, "@first(e\u{301}té e\u{301}té* *e\u{301}té* e\u{301}té~1)"),
        ] as [(String, MatchModes, String)])
    func ways(_ word: String, _ modes: MatchModes, _ printed: String) {
        let query = Query.matching(word, modes)
        #expect(query.description == printed)
        #expect(QueryParser().parse(printed).query == query)
    }

    @Test(arguments: [
        ("peking duck", "@first(peking peking* peking~1 peking~2) @first(duck duck* duck~1)"),
        ("peking -duck", "@first(peking peking* peking~1 peking~2) -duck"),
        ("-(ab cd)", "-(ab cd)"),
        ("@near/3(ab (cd ef))", "@near/3(ab (cd ef))"),
        ("(ab OR \"cd\")", "@first(ab ab*) OR \"cd\""),
        ("ab^2 *cd~ ef*", "@first(ab ab*)^2 *cd\\~ ef*"),
        ("ab^=2", "@first(ab ab*)^=2"),
        ("tag:ab", "tag:\"ab\""),
        ("tag:(ab OR cd)", "tag:\"ab\" OR tag:\"cd\""),
        ("title:ab", "title:@first(ab ab*)"),
        ("/ab/ ab~1", "/ab/ ab~1"),
    ])
    func bareWords(_ text: String, _ printed: String) {
        var parser = QueryParser(fields: ["title"]) { $0 == "tag" }
        parser.options.matchModes = [.exact, .prefix, .fuzzy]
        let query = parser.parse(text).query
        #expect(query.description == printed)
        #expect(query.normalized() == query)
    }

    @Test("The last word may be unfinished besides the ways of the parser")
    func typing() {
        var parser = QueryParser()
        parser.options.matchModes = [.exact, .oneEdit]
        parser.options.lastWordIsPrefix = true
        #expect(parser.parse("ab cd").query.description == "@first(ab ab~1) @first(cd cd* cd~1)")
    }

    @Test("Words beyond the limit are looked for as they are, and that is said")
    func limit() {
        var parser = QueryParser()
        parser.options.matchModes = .lenient
        parser.options.limits.maximumExpandedWords = 1
        let parsed = parser.parse("ab cd ef")
        #expect(parsed.query.description == "@first(ab ab* *ab*) cd ef")
        #expect(parsed.diagnostics.map(\.kind) == [.limitExceeded])
    }

    static let notes = [
        PlainNote("typo", "duvk duvk duvk duvk"), PlainNote("inside", "conductor nonducks ducks"),
        PlainNote("exact", "a long text about many other things that are not birds and one duck"),
        PlainNote("begun", "duckling"), PlainNote("far", "goose"),
        PlainNote("both", "ducks duvk and again a duck, once more in a text of some words"),
    ]

    @Test(
        "An exact match is never below another, whatever the frequencies", arguments: Stage.allCases
    )
    func tiers(_ stage: Stage) throws {
        let notes = try PlainNoteIndex(Self.notes)
        try notes.enter(stage)
        let query = Query.matching("duck", [.exact, .prefix, .infix, .fuzzy])
        let results = try notes.index.search(query)
        #expect(Set(results.prefix(2).map(\.id)) == ["exact", "both"])
        #expect(Set(results.dropFirst(2).prefix(2).map(\.id)) == ["begun", "inside"])
        #expect(results.dropFirst(4).map(\.id) == ["typo"])
        // What an item was found by is what is shown of it.
        let both = try #require(results.first { $0.id == "both" })
        #expect(both.resultTokens.map(\.wordIndex) == [5])
        #expect(try results.items.allSatisfy { try $0.explain()?.value == $0.score })
        #expect(
            try notes.index.explain(missing: Data("far".utf8), for: query).reason == .notMatched)

        var parser = notes.index.queryParser
        parser.options.matchModes = .lenient
        #expect(try notes.index.search("duck", parser: parser).map(\.id) == results.map(\.id))
        parser.isAttribute = { $0 == "stars" }
        #expect(try notes.index.search("stars:>1", parser: parser).isEmpty)
    }

    @Test("A stop word asks for nothing in any way")
    func stopWords() throws {
        let notes = try PlainNoteIndex([
            PlainNote("1", "a duck"), PlainNote("2", "the theory of ducks"),
        ]) { $0.indexesStopWords = false }
        var parser = notes.index.queryParser
        parser.options.matchModes = .lenient
        #expect(try notes.index.search("the duck", parser: parser).map(\.id) == ["1", "2"])
        #expect(try notes.index.search("the", parser: parser).map(\.id) == ["2"])
        #expect(try notes.index.search("\"the duck\"", parser: parser).map(\.id) == ["1"])
    }

    @Test("A filter restricts and scores nothing, also where words fall back on any")
    func filter() throws {
        let notes = try PlainNoteIndex(Self.notes)
        let parser = notes.index.queryParser
        let plain = try notes.index.search("duvk goose", parser: parser)
        #expect(Set(plain.map(\.id)) == ["typo", "both", "far"])
        let filtered = try notes.index.search(
            "duvk goose", filter: .boost(.term("duck"), 5), parser: parser)
        #expect(filtered.map(\.id) == ["both"])
        #expect(filtered.items[0].score == plain.items.first { $0.id == "both" }?.score)
        #expect(filtered.diagnostics.contains { $0.kind == .fellBackToAny })
        // The same in the text itself.
        #expect(try notes.index.search("duvk goose @filter(duck)").map(\.id) == ["both"])
        #expect(try notes.index.search("duvk goose @weight:>5").isEmpty)
        var any = parser
        any.options.defaultOperator = .any
        #expect(try notes.index.search("+swan duck", parser: any).isEmpty)
    }

    @Test("An earlier query comes above a later one also where it scores nothing")
    func unscored() throws {
        let notes = try PlainNoteIndex([
            PlainNote("plain", "duck", weight: 1), PlainNote("heavy", "duck soup", weight: 5),
            PlainNote("both", "duck goose duck", weight: 5),
        ])
        let heavy = Query.weight(from: 5, through: nil)
        for (query, expected): (Query, [String]) in [
            (.first(of: [heavy, .everything]), ["heavy", "both", "plain"]),
            (.first(of: [heavy, .term("duck")]), ["heavy", "both", "plain"]),
            (.first(of: [.boost(.term("goose"), 0), .term("duck")]), ["both", "plain", "heavy"]),
            (.first(of: [.nothing, heavy, .nothing, .everything]), ["heavy", "both", "plain"]),
            (
                .boost(.first(of: [.filter(.term("soup")), .filter(.term("duck"))]), 1e-6),
                ["heavy", "plain", "both"]
            ),
        ] {
            let results = try notes.index.search(query)
            #expect(results.map(\.id) == expected, "\(query)")
            for item in results { #expect(try item.explain()?.value == item.score, "\(query)") }
        }
        let titles = try PlainNoteIndex([PlainNote("typo", "x", "duk"), PlainNote("exact", "duck")])
        {
            $0.fields = ["title", "body"]
            $0.relevance.fieldWeights = ["title": 0]
        }
        #expect(try titles.index.search(.matching("duck")).map(\.id) == ["exact", "typo"])
    }

    @Test func coded() throws {
        let modes: MatchModes = [.exact, .fuzzy]
        #expect(
            try JSONDecoder().decode(MatchModes.self, from: JSONEncoder().encode(modes)) == modes)
        let query = Query.first(of: [.term("a"), .first(of: [])])
        #expect(try JSONDecoder().decode(Query.self, from: JSONEncoder().encode(query)) == query)
        #expect(query != .first(of: [.term("a")]))
        #expect(Query.first(of: [.first(of: [])]).normalized() == .nothing)
    }
}
