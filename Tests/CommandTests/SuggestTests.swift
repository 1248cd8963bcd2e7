import Foundation
import Testing

/// What `suggest` prints.
@Suite struct SuggestTests {
    private struct Report: Decodable {
        struct Edit: Decodable, Equatable {
            let location: Int
            let length: Int
            let replacement: String
            let typedLength: Int
        }

        struct Item: Decodable {
            let text: String
            let objects: Int
            let score: Double
            let edits: [Edit]
        }

        let text: String
        let completions: [Item]
        let phrases: [Item]
        let corrections: [Item]
        let isComplete: Bool
        let notes: [String]
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            """
            {"id":"1","title":"Peking duck","body":"Crisp duck skin.","price":30,"stars":2}
            {"id":"2","title":"Duck soup","body":"Ducks and dumplings.","price":20}
            {"id":"3","title":"Dumplings","body":"Peking duck inside.","price":10}

            """, to: "shop.jsonl")
        let result = try await command.run(
            "index", "shop.jsonl", "--index", "index", "--attribute", "price", "--weight", "stars")
        #expect(result.status == 0, "\(result.error)")
    }

    private func report(_ arguments: String...) async throws -> Report {
        let result = try await command.run(
            ["suggest", "--index", "index", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        let isEmpty =
            report.completions.isEmpty && report.phrases.isEmpty && report.corrections.isEmpty
        #expect(result.status == (isEmpty ? 1 : 0), "\(result.error)")
        #expect(result.error.isEmpty)
        return report
    }

    @Test func completionsAndPhrases() async throws {
        let report = try await report("🦆 peking", "du")
        #expect(report.text == "🦆 peking du")
        #expect(report.isComplete)
        #expect(report.completions.map(\.text) == ["🦆 peking duck", "🦆 peking dumplings"])
        #expect(report.completions.map(\.objects) == [2, 1])
        #expect(report.completions.map(\.score) == [4, 1])
        #expect(
            report.completions.first?.edits == [
                .init(location: 10, length: 2, replacement: "duck", typedLength: 2)
            ])
        #expect(report.phrases.map(\.text) == ["🦆 peking duck inside"])
        let next = try await self.report("peking ")
        #expect(next.phrases.map(\.text) == ["peking duck", "peking duck inside"])
        #expect(next.completions.isEmpty)
    }

    @Test func corrections() async throws {
        let report = try await report("pekng", "duvk ")
        #expect(report.corrections.map(\.text) == ["peking duck "])
        #expect(
            report.corrections.first?.edits == [
                .init(location: 0, length: 5, replacement: "peking", typedLength: 0),
                .init(location: 6, length: 4, replacement: "duck", typedLength: 0),
            ])
        #expect(try await self.report("duck").corrections.isEmpty)
    }

    @Test func restrictions() async throws {
        let cheap = try await report("du", "--filter", "price:<15")
        #expect(cheap.completions.map(\.text) == ["duck", "dumplings"])
        #expect(cheap.completions.map(\.objects) == [1, 1])
        let title = try await report("du", "--field", "title", "--limit", "1")
        #expect(title.completions.map(\.text) == ["duck"])
        #expect(try await report("zzz").completions.isEmpty)
        let notes = try await report("du", "--filter", "(duck").notes
        #expect(notes.first?.hasPrefix("In the filter: ") == true)
    }

    @Test func forPeople() async throws {
        let result = try await command.run("suggest", "dump", "--index", "index")
        #expect(
            result.output == """
                words
                  dumplings  2 objects

                """)
        let none = try await command.run("suggest", "zz", "--index", "index")
        #expect(none.status == 1)
        #expect(none.output.isEmpty)
        #expect(none.error == "nothing to suggest for zz\n")
        let wrong = try await command.run("suggest", "dukc ", "--index", "index")
        #expect(wrong.output.hasPrefix("did you mean\n  duck  3 objects\n"))
    }

    @Test(arguments: [
        (["x", "--field", "colour"], "no field colour"), (["x", "--limit=-1"], "--limit"),
        (["x", "--keyboard", "dvorak"], "--keyboard"), ([], "text"),
    ]) func mistakesAreSaid(_ arguments: [String], _ message: String) async throws {
        let result = try await command.run(["suggest", "--index", "index"] + arguments)
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1)
        #expect(result.error.contains(message), "\(result.error)")
    }
}
