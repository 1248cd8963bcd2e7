import Foundation
import Testing

/// What `similar` prints.
@Suite struct SimilarTests {
    private struct Report: Decodable {
        struct Term: Decodable {
            let text: String
            let term: String
            let occurrences: Int
            let documentFrequency: Int
            let weight: Double
        }

        struct Item: Decodable {
            let identifier: String
            let rank: Int
            let score: Double
        }

        let terms: [Term]
        let notes: [String]
        let total: Int
        let hits: [Item]
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            """
            {"id":"1","title":"Peking duck","body":"Crisp duck skin.","price":30}
            {"id":"2","title":"Duck soup","body":"Crisp ducks and dumplings.","price":20}
            {"id":"3","title":"Dumplings","body":"Peking Duck inside.","price":10}
            {"id":"4","title":"Bread","body":"White bread.","price":1}

            """, to: "shop.jsonl")
        let result = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--attribute", "price")
        #expect(result.status == 0, "\(result.error)")
    }

    private func report(_ arguments: String...) async throws -> Report {
        let result = try await command.run(
            ["similar", "--index", "index", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(result.status == (report.total == 0 ? 1 : 0), "\(result.error)")
        #expect(result.error.isEmpty)
        return report
    }

    @Test func anObject() async throws {
        let report = try await report("1")
        #expect(report.terms.map(\.term) == ["duck", "peking", "crisp"])
        #expect(report.terms.map(\.occurrences) == [2, 1, 1])
        #expect(report.terms.map(\.documentFrequency) == [3, 2, 2])
        #expect(Set(report.hits.map(\.identifier)) == ["2", "3"] && report.total == 2)
        #expect(report.hits.map(\.rank) == [0, 1])
        #expect(try await self.report("4").total == 0)
    }

    @Test func aText() async throws {
        let report = try await report("--text", "white DUMPLINGS \"-the")
        #expect(report.terms.map(\.text) == ["white", "DUMPLINGS"])
        #expect(report.hits.map(\.identifier).sorted() == ["2", "3", "4"])
        let title = try await self.report("--text", "white dumplings", "--field", "title")
        #expect(title.hits.map(\.identifier) == ["3"])
    }

    @Test func restrictions() async throws {
        #expect(
            try await report("1", "--filter", "price:<15").hits.map(\.identifier) == ["3"])
        let both = try await report("1", "--least", "2", "--limit", "1")
        #expect(both.total == 2 && both.hits.count == 1)
        #expect(try await report("1", "--words", "1").terms.count == 1)
    }

    @Test func forPeople() async throws {
        let result = try await command.run("similar", "3", "--index", "index", "--limit", "1")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix("by Dumplings, Peking, Duck\n1. "))
        #expect(result.output.contains("1 of 2 hits"))
        let none = try await command.run("similar", "4", "--index", "index")
        #expect(none.status == 1 && none.error == "nothing is like it\n")
    }

    @Test func textThatHasChanged() async throws {
        try folder.write("", to: "shop.jsonl")
        let result = try await command.run("similar", "3", "--index", "index")
        #expect(result.status == 2)
        #expect(result.error.contains("3 cannot be compared"), "\(result.error)")
    }

    @Test(arguments: [
        (["1", "--field", "colour"], "no field colour"), (["1", "--limit=-1"], "--limit"),
        (["1", "--words", "0"], "--words"), (["1", "--least", "0"], "--least"),
        ([], "name an object"), (["1", "--text", "duck"], "name an object"),
        (["9"], "9 is not in the index"),
    ]) func mistakesAreSaid(_ arguments: [String], _ message: String) async throws {
        let result = try await command.run(["similar", "--index", "index"] + arguments)
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains(message), "\(result.error)")
    }
}
