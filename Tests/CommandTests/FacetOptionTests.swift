import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexCommand

/// Counting over all hits.
@Suite struct FacetOptionTests {
    let folder: TestFolder
    let command: Command

    private struct Report: Decodable {
        struct Facet: Decodable {
            struct Bucket: Decodable {
                struct Item: Decodable { let identifier: String }
                let from: Double?
                let to: Double?
                let count: Int
                let hits: [Item]
            }
            let attribute: String
            let bucketCount: Int
            let objectCount: Int
            let missingCount: Int
            let buckets: [Bucket]
        }
        let total: Int
        let facets: [Facet]
    }

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            """
            {"id":"1","title":"Peking duck","price":30,"tag":["roast","china"],"day":"2024-01-31","shelf":"meat/poultry","hot":true}
            {"id":"2","title":"Duck à l’orange","price":20,"tag":"france","day":"2024-02-01","shelf":"meat/poultry/duck"}
            {"id":"3","title":"Duck soup","price":12.5,"tag":"china","day":"2024-02-29","shelf":"soup","hot":false}
            {"id":"4","title":"Duckling","price":null,"tag":"\\u001b[31mred"}
            {"id":"5","title":"Goose","price":25,"tag":"china"}

            """, to: "shop.jsonl")
        let names = ["price", "tag", "day:date", "shelf", "hot"]
        let result = try await command.run(
            ["index", "shop.jsonl", "--index", "index"] + names.flatMap { ["--attribute", $0] })
        #expect(result.status == 0, "\(result.error)")
    }

    @Test(arguments: [
        ("tag", "tag\n   2  china\n   1  france\n   1  roast\n"),
        ("hot", "hot  1 without\n   1  false\n   1  true\n"),
        ("price:10", "price\n   1  10..20\n   1  20..30\n   1  30..40\n"),
        ("price:..20,20..", "price\n   1  ..20\n   2  20..\n"),
        ("day:month", "day\n   1  2024-01-01..2024-02-01\n   2  2024-02-01..2024-03-01\n"),
        ("day:..2024-02-01", "day\n   1  ..2024-02-01\n"),
        ("shelf:/", "shelf\n   2  meat\n   1  soup\n"),
        ("shelf:/meat/poultry", "shelf\n   1  meat/poultry/duck\n"),
        ("nobody", "nobody  3 without\n"),
        ("price:auto", "price\n   1  12..14\n   1  20..22\n   1  30..32\n"),
        ("tag:or", "tag\n   2  china\n   1  france\n   1  roast\n"),
    ]) func counts(_ facet: String, _ expected: String) async throws {
        let result = try await command.run(
            "search", "duck", "--mode", "query", "--index", "index", "--limit", "0", "--facet",
            facet)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix(expected), "\(result.output)")
    }

    @Test(arguments: [("nobody", "nobody"), ("price:x", "price:x"), ("tag:0", "tag:0")])
    func anAttributeThatNoObjectHasIsTold(_ facet: String, _ name: String) async throws {
        let result = try await command.run(
            "search", "duck", "--mode", "query", "--index", "index", "--facet", facet)
        #expect(result.status == 0)
        #expect(
            result.error.contains(
                "No object has the attribute \(name), which hits are to be counted by; those of this index are price, tag, day, shelf, hot."
            ), "\(result.error)")
        let other = try await command.run(
            "search", "duckling", "--mode", "query", "--index", "index", "--facet", "price")
        #expect(!other.error.contains("No object"), "\(other.error)")
    }

    @Test func whatElseCouldBeChosen() async throws {
        for (facet, expected) in [
            ("tag", "tag\n   1  france\n"),
            ("tag:or", "tag\n   2  china\n   1  france\n   1  roast\n"),
        ] {
            let result = try await command.run(
                "search", "duck", "--mode", "query", "--index", "index", "--limit", "0",
                "--filter", "tag:france", "--facet", facet)
            #expect(result.status == 0 && result.output.hasPrefix(expected), "\(result.output)")
        }
    }

    @Test func inJSON() async throws {
        let result = try await command.run(
            "search", "duck", "--mode", "keyword", "--index", "index", "--json", "--limit", "1",
            "--facet", "price:10", "--facet", "tag", "--facet-limit", "1", "--facet-hits", "2")
        #expect(result.status == 0, "\(result.error)")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.total == 4)
        #expect(report.facets.map(\.attribute) == ["price", "tag"])
        #expect(report.facets[0].buckets.map(\.from) == [10, 20, 30])
        #expect(report.facets[0].buckets.map(\.to) == [20, 30, 40])
        #expect(report.facets[0].missingCount == 1 && report.facets[0].objectCount == 3)
        #expect(report.facets[1].bucketCount == 4 && report.facets[1].buckets.map(\.count) == [2])
        #expect(report.facets[1].buckets[0].hits.map(\.identifier).sorted() == ["1", "3"])
    }

    @Test func whatWasIndexedActsOnNoTerminal() async throws {
        let result = try await command.run(
            "search", "duckling", "--index", "index", "--facet", "tag", "--color", "never")
        #expect(result.output.contains("tag\n   1  [31mred\n"), "\(result.output)")
        let json = try await command.run(
            "search", "duckling", "--index", "index", "--facet", "tag", "--json")
        #expect(!json.output.contains("\u{1B}"))
    }

    @Test func theRestIsAsWithout() async throws {
        for options in [[], ["--reverse"], ["--offset", "1"], ["--sort", "price:desc"]] {
            func hits(_ more: [String]) async throws -> [String] {
                let result = try await command.run(
                    ["search", "duck", "--index", "index"] + options + more)
                #expect(result.status == 0, "\(result.error)")
                return result.output.split(separator: "\n").filter { $0.contains(". ") }
                    .map(String.init)
            }
            let plain = try await hits([])
            #expect(try await hits(["--facet", "tag"]) == plain, "\(options)")
        }
        let nothing = try await command.run(
            "search", "heron", "--index", "index", "--facet", "tag")
        #expect(nothing.status == 1)
        let wrong = try await command.run(
            "search", "duck", "--index", "index", "--facet", "tag", "--facet-limit", "-1")
        #expect(wrong.status != 0)
    }

    @Test(arguments: [
        ("a", "a", FacetChoice.Kind.values), ("a:b", "a:b", .values),
        ("a:b:2", "a:b", .histogram(2)),
        ("a:0", "a:0", .values), ("a:-1", "a:-1", .values), ("a:day", "a", .dates(.day)),
        ("a:/", "a", .levels(below: nil)), ("a:/b/c", "a", .levels(below: "b/c")),
        ("a:/b:c", "a", .levels(below: "b:c")), ("a:..", "a:..", .values),
        ("a:1..2,x..", "a", .ranges([.init(from: 1, to: 2), .init(from: "x")])),
        ("a:auto", "a", .automatic),
    ]) func reading(_ text: String, _ name: String, _ kind: FacetChoice.Kind) throws {
        let choice = try #require(FacetChoice(argument: text))
        #expect(choice.name == name && choice.kind == kind && !choice.isDisjunctive)
        let disjunctive = try #require(FacetChoice(argument: text + ":or"))
        #expect(disjunctive.name == name && disjunctive.kind == kind && disjunctive.isDisjunctive)
        #expect(disjunctive.facet(limit: 1, topHits: 0).isDisjunctive)
    }

    @Test func noNameIsNone() {
        #expect(FacetChoice(argument: "") == nil && FacetChoice(argument: ":10") == nil)
    }
}
