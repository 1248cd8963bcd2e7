import Foundation
import PowerCuts
import Testing

/// `textindex search --time`.
@Suite struct SearchTimeTests {
    private struct Report: Decodable {
        let isComplete: Bool
        let isTotalExact: Bool
        let notes: [String]
    }

    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        var random = SeededGenerator(seed: 5)
        let letters = Array("abcdefghij")
        let lines = (0..<400).map { number in
            let words = (0..<200).map { _ in
                String((0..<7).map { _ in letters[Int(random.next() % 10)] })
            }
            return "{\"id\":\"\(number)\",\"body\":\"common \(words.joined(separator: " "))\"}\n"
        }
        try folder.write(lines.joined(), to: "words.jsonl")
        let result = try await command.run("index", "words.jsonl", "--index", "index")
        #expect(result.status == 0, "\(result.error)")
    }

    /// Texts whose words each stand for many others of the index.
    private static let long = (0..<1000).map { number in
        let letters = Array("abcdefghij")
        return [number / 100, number / 10 % 10, number % 10].map { String(letters[$0]) }.joined()
            + "cdef~2"
    }.joined(separator: " OR ")

    @Test(arguments: ["query", "auto"]) func whatIsFoundInTimeIsGiven(mode: String) async throws {
        let options = ["--index", "index", "--mode", mode, "--time", "0.05"]
        let plain = try await command.run(["search", Self.long] + options)
        let json = try await command.run(["search", Self.long, "--json"] + options)
        #expect(plain.error.contains("The time was over before the search was"), "\(plain.error)")
        #expect(plain.status == 0 || plain.status == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
        #expect(!report.isComplete && !report.isTotalExact)
        #expect(report.notes.contains { $0.hasPrefix("The time was over") }, "\(report.notes)")
    }

    @Test(arguments: ["query", "auto", "keyword", "lenient"])
    func whatIsFoundBeforeIsWhole(mode: String) async throws {
        for time in [[], ["--time", "600"]] {
            let result = try await command.run(
                ["search", "common", "--index", "index", "--mode", mode, "--json"] + time)
            #expect(result.status == 0, "\(result.error)")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(report.isComplete && report.isTotalExact && report.notes.isEmpty)
        }
    }

    @Test(arguments: ["0", "-1", "nan", "100000", "x"]) func timesThatAreNone(time: String)
        async throws
    {
        let result = try await command.run(
            "search", "common", "--index", "index", "--time=\(time)")
        #expect(result.status == 2, "\(result.status)")
        #expect(result.error.contains("time"), "\(result.error)")
    }
}
