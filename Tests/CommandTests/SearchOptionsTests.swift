import Foundation
import Testing

/// What hits are restricted to and ordered by, and what is said of them.
@Suite struct SearchOptionsTests {
    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            """
            {"id":"1","title":"Peking duck","body":"A duck with crisp skin, and ducks besides.","price":30,"tag":["roast","china"],"stock":true}
            {"id":"2","title":"Duck à l’orange","body":"The duck with oranges.","price":20,"tag":"france"}
            {"id":"3","title":"Goose","body":"No duvk here, conductors rather.","price":12.5,"stock":false}
            {"id":"4","title":"Duckling","body":"Small.","price":null}

            """, to: "shop.jsonl")
        let result = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--attribute", "price", "--attribute", "tag",
            "--attribute", "stock")
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(arguments: [
        ("*", ["--sort", "price"], ["3", "2", "1", "4"]),
        ("*", ["--sort", "price:desc"], ["1", "2", "3", "4"]),
        ("*", ["--sort", "tag,price:asc"], ["1", "2", "3", "4"]),
        ("*", ["--sort", "stock:desc,weight,relevance"], ["1", "3", "2", "4"]),
        ("*", ["--sort", "price", "--reverse", "--limit", "2"], ["4", "1"]),
        ("*", ["--sort", "price", "--offset", "1", "--limit", "2"], ["2", "1"]),
        ("duck", ["--sort", "price", "--mode", "keyword"], ["2", "1", "4"]),
        ("uck", ["--sort", "price"], ["2", "1", "4"]),
        // What has the word comes first, then what has it with a typing error.
        ("duck", ["--filter", "price:<25"], ["2", "3"]),
        ("price:<25", ["--sort", "price:desc"], ["2", "3"]),
        ("duck", ["--filter", "tag:=roast"], ["1"]),
        ("duck", ["--filter", "-tag:=roast", "--mode", "keyword"], ["4", "2"]),
        ("*", ["--filter", "stock:=*", "--sort", "price"], ["3", "1"]),
        // The title has it as a part of a joined word.
        ("oranges", ["--field", "title"], ["2"]),
        ("oranges", ["--field", "title", "--steps", "exact"], []),
        ("oranges", ["--field", "body"], ["2"]),
        ("oranges title:duck", ["--field", "body"], ["2", "1"]),
        ("oranges title:duck", ["--field", "body", "--mode", "query"], ["2"]),
        ("oranges", ["--field", "title", "--mode", "keyword"], []),
        ("duck", ["--mode", "query", "--sort", "price"], ["2", "1"]),
        ("small duck", ["--mode", "lenient", "--sort", "price"], ["4"]),
    ]) func order(_ query: String, _ options: [String], _ identifiers: [String]) async throws {
        let result = try await command.run(
            ["search", query, "--index", "index", "--json"] + options)
        #expect(result.status == (identifiers.isEmpty ? 1 : 0), "\(result.error)")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.identifiers == identifiers)
    }

    /// Of each hit the step that found it.
    @Test(arguments: [
        ("duck", "exact", ["2": "exact", "1": "exact"]),
        ("duck", "typos", ["2": "exact", "1": "exact", "3": "typos"]),
        (
            "duck", "unfinished, typos",
            ["2": "exact", "1": "exact", "4": "unfinished", "3": "typos"]
        ),
        (
            "ducklign skin", "all",
            ["4": "someWords", "1": "someWords"]
        ),
        ("uck", "insideWords", ["1": "insideWords", "2": "insideWords", "4": "insideWords"]),
        ("uck", "exact,variants", [:]),
    ])
    func steps(_ query: String, _ steps: String, _ expected: [String: String]) async throws {
        let result = try await command.run(
            "search", query, "--index", "index", "--json", "--steps", steps)
        #expect(result.status == (expected.isEmpty ? 1 : 0), "\(result.error)")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        let found = report.hits.map { ($0.identifier, $0.matchedBy) }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected)
        #expect(Set(found.map(\.1)).isSubset(of: report.steps))
    }

    @Test func stepsAreShown() async throws {
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.output.contains("4. 3  Goose  typing error, 1 match\n"), "\(result.output)")
        for options in [["--steps", "exact,fast"], ["--steps", "all", "--mode", "query"]] {
            let refused = try await command.run(["search", "duck", "--index", "index"] + options)
            #expect(refused.status == 2, "\(refused.error)")
        }
    }

    @Test(arguments: ["auto", "query", "keyword", "lenient"])
    func nothingIsBeyondTheEnd(mode: String) async throws {
        for options in [[], ["--reverse"], ["--json"], ["--limit", "\(Int.max)"]] {
            for offset in [4, 1000, Int.max] {
                let result = try await command.run(
                    ["search", "duck", "--index", "index", "--mode", mode]
                        + ["--offset", "\(offset)"] + options)
                #expect(result.status == 0, "\(options), \(offset): \(result.error)")
            }
        }
    }

    @Test func aTextOfManyWordsIsAQuery() async throws {
        let words = (0..<3000).map { "word\($0)" }.joined(separator: " ")
        let nothing = try await command.run("search", words, "--index", "index")
        #expect(nothing.status == 1, "\(nothing.error)")
        let some = try await command.run("search", "duck " + words, "--index", "index")
        #expect(some.status == 0, "\(some.error)")
    }

    @Test func anAttributeThatNobodyHasIsSaid() async throws {
        for (sort, isKnown) in [
            ("price", true), ("pric", false), ("tag:desc", true), ("weight,size:desc", false),
        ] {
            let result = try await command.run(
                "search", "duck", "--index", "index", "--sort", sort, "--limit", "1")
            #expect(result.status == 0)
            #expect(result.error.contains("No object has the attribute") == !isKnown, "\(sort)")
            if !isKnown { #expect(result.error.contains("price, tag, stock")) }
        }
        // No hit has it, but an object does.
        let result = try await command.run(
            "search", "duckling", "--index", "index", "--sort", "price")
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
    }

    @Test func lenientFindsExactWordsFirst() async throws {
        let report = try await command.search("duck", "--mode", "lenient")
        #expect(report.mode == "lenient")
        #expect(Set(report.identifiers.prefix(2)) == ["1", "2"])
        #expect(report.identifiers.dropFirst(2) == ["4", "3"])
    }

    private struct Details: Decodable {
        struct Span: Decodable, Equatable {
            let location: Int
            let length: Int
        }

        struct Excerpt: Decodable {
            let text: String
            let ranges: [Span]
        }

        struct Explanation: Decodable {
            let value: Double
            let parts: [Explanation]
        }

        struct Hit: Decodable {
            let score: Double
            let snippets: [Excerpt]
            let explanation: Explanation?
        }

        struct Diagnostic: Decodable {
            let kind: String
            let location: Int
            let length: Int
            let suggestions: [String]
        }

        let diagnostics: [Diagnostic]
        let hits: [Hit]
    }

    private func details(_ arguments: String...) async throws -> Details {
        let result = try await command.run(["search", "--index", "index", "--json"] + arguments)
        return try JSONDecoder().decode(Details.self, from: Data(result.output.utf8))
    }

    @Test func snippetsAreMarkedByRanges() async throws {
        let hit = try #require(
            try await details("duck", "--filter", "tag:=roast", "--snippet", "2").hits.first)
        #expect(hit.snippets.map(\.text).last == "A duck with crisp skin, and ducks besides.")
        #expect(
            hit.snippets.map(\.ranges) == [
                [.init(location: 7, length: 4)], [.init(location: 2, length: 4)],
            ])
        #expect(hit.explanation == nil)
    }

    @Test(arguments: ["query", "lenient", "keyword"])
    func explanationsGiveTheScore(_ mode: String) async throws {
        let hits = try await details("duck", "--explain", "--mode", mode).hits
        #expect(!hits.isEmpty)
        for hit in hits {
            #expect(hit.explanation?.value == hit.score)
        }
        let shown = try await command.run(
            "search", "duck", "--index", "index", "--explain", "--mode", mode)
        #expect(shown.output.contains(mode == "keyword" ? "= weight" : "idf: found in"))
    }

    @Test func diagnosticsSayWhatWasReadAsWhat() async throws {
        let result = try await command.run(
            "search", "duck colour:red AND", "--index", "index", "--mode", "query")
        #expect(
            result.error.contains(
                "colour:: No field or attribute has this name: it is read as text."))
        #expect(result.error.contains("AND: An operand is missing: read as a word."))
        let found = try await details("dukc AND")
        let unknown = try #require(found.diagnostics.first { $0.kind == "unknownWord" })
        #expect((unknown.location, unknown.length) == (0, 4))
        #expect(unknown.suggestions.first == "duck")
        #expect(found.diagnostics.contains { $0.kind == "misplacedOperator" && $0.location == 5 })
        let filtered = try await command.run(
            "search", "duck", "--filter", "(stock:=true", "--index", "index")
        #expect(filtered.error.contains("In the filter: (: The parenthesis is not closed"))
    }

    @Test(arguments: [
        (["search", "x", "--field", "colour"], "no field colour; it has title, body"),
        (["terms", "--field", "colour"], "no field colour"),
        (["search", "x", "--sort", "price,,tag"], "--sort"),
        (["search", "x", "--sort", "price", "--rank", "weight"], "--sort or --rank"),
        (["search", "x", "--mode", "vague"], "--mode"),
        (["terms", "--limit=-1"], "--limit"),
    ]) func mistakesAreSaid(_ arguments: [String], _ message: String) async throws {
        let result = try await command.run(arguments + ["--index", "index"])
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains(message), "\(result.error)")
    }

    @Test func otherAttributesCountAsADifference() async throws {
        let same = try await command.run("index", "shop.jsonl", "--index", "index")
        #expect(same.output.contains("0 objects indexed, 4 unchanged"))
        let other = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--attribute", "tag")
        #expect(other.output.contains("4 objects indexed"))
        let report = try await command.search("*", "--sort", "price")
        #expect(report.identifiers == ["1", "2", "3", "4"])
    }

    // MARK: Terms

    private struct Term: Decodable, Equatable {
        let text: String
        let documentFrequency: Int
        let totalFrequency: Int
    }

    @Test(arguments: [
        (["DU"], "duck 2 4,duckling 1 1,ducks 1 1,duvk 1 1"),
        (["du", "--limit", "2"], "duck 2 4,duckling 1 1"),
        (["du", "--field", "title"], "duck 2 2,duckling 1 1"),
        (["du", "--limit", "0"], ""),
        (["xyz"], ""),
    ]) func terms(_ arguments: [String], _ expected: String) async throws {
        let result = try await command.run(["terms", "--index", "index", "--json"] + arguments)
        #expect(result.status == (expected.isEmpty ? 1 : 0))
        let terms = try JSONDecoder().decode([Term].self, from: Data(result.output.utf8))
        let texts = terms.map { "\($0.text) \($0.documentFrequency) \($0.totalFrequency)" }
        #expect(texts.joined(separator: ",") == expected)
    }

    @Test func termsForPeople() async throws {
        let result = try await command.run("terms", "duck", "--index", "index")
        #expect(
            result.output == """
                objects  total  word
                      2      4  duck
                      1      1  duckling
                      1      1  ducks

                """)
        let none = try await command.run("terms", "zz", "--index", "index")
        #expect(none.status == 1)
        #expect(none.error == "no words begin with zz\n")
        #expect(try await command.run("terms", "--index", "index").output.contains("conductors"))
    }
}
