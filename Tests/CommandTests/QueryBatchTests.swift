import Foundation
import Testing

@testable import TextIndexCommand

/// Lines of batches of queries, and statistics of other questions.
@Suite struct QueryBatchTests: SmallSet {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private func makeIndex() async throws {
        try await run("index", "-", "--index", "index", input: Self.lines(0..<9))
    }

    private func batch(_ data: Data) throws -> QueryBatch {
        try folder.write(data, to: "q.jsonl")
        return try QueryBatch(folder.url.appending(path: "q.jsonl").path)
    }

    @Test func linesAreQueries() throws {
        let text =
            "\u{FEFF}{\"query\":\"duck\",\"id\":\"a\"}\r\n\n \t\n"
            + "{\"id\":12345678901234567890,\"query\":\"\"}\n"
            + "{\"query\":\"caf\\u00e9 \\ud83d\\ude00\",\"id\":null}\n{\"query\":\"x\",\"id\":1.50}"
        let lines = try batch(Data(text.utf8)).lines
        #expect(lines.map(\.query) == ["duck", "", "café 😀", "x"])
        // Numbers are names as they are written, as those of objects are.
        #expect(lines.map(\.id) == ["a", "12345678901234567890", nil, "1.50"])
        #expect(try batch(Data()).lines.isEmpty)
    }

    @Test(arguments: [
        ("{\"query\":\"duck\",\"limti\":3}", "no member \"limti\"; a line is {\"query\""),
        ("{\"query\":\"duck\",\"a.b\":{\"c\":[1]}}", "no member \"a.b\""),
        ("{\"id\":\"a\"}", "no \"query\""), ("{\"query\":7}", "\"query\" is not a string"),
        ("{\"query\":null}", "\"query\" is not a string"),
        ("{\"query\":[\"duck\"]}", "\"query\" is not a string"),
        ("{\"query\":\"duck\",\"id\":true}", "\"id\" is neither a string nor a number"),
        ("\"duck\"", "expected a JSON object (column 1); a line is {\"query\""),
        ("duck", "expected a JSON object (column 1)"),
        ("{\"query\":\"duck\"", "the line ends"),
        ("{\"query\":\"duck\"} {}", "text after the JSON object"),
        ("{\"query\":\"\\ud83d\"}", "half of a surrogate pair"),
    ])
    func whatIsWrongWithALineIsSaid(line: String, message: String) throws {
        let error = #expect(throws: CommandError.self) {
            try batch(Data("{\"query\":\"duck\"}\n\(line)\n".utf8))
        }
        #expect(error?.message.contains("q.jsonl, line 2: ") == true)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func filesOfOtherEncodingsAreTold() throws {
        let error = #expect(throws: CommandError.self) {
            try batch(Data("{\"query\":\"duck\"}\n".utf8) + [0x7B, 0xE9, 0x7D])
        }
        #expect(
            error?.message.hasSuffix("q.jsonl, line 2: not UTF-8; write the file as UTF-8") == true)
    }

    // MARK: Statistics

    private func expectRefused(_ message: String, _ arguments: [String]) async throws {
        let refused = try await command.run(arguments)
        #expect(refused.status == 2, "\(arguments): \(refused.output)")
        #expect(refused.error.contains(message), "\(arguments): \(refused.error)")
        #expect(refused.errorLines.count == 1)
    }

    @Test func statisticsAnswerTheirOwnQuestion() async throws {
        try await makeIndex()
        try folder.write("{\"query\":\"duck whale\"}\n{\"query\":\"caf\u{E9}\"}\n", to: "q.jsonl")
        try folder.write("{\"query\":\"duck whale\"}\n{\"query\":\"cafe\u{301}\"}\n", to: "r.jsonl")
        let ask = ["--index", "index", "--queries", "q.jsonl"]
        let told = try await command.run(["statistics"] + ask)
        try folder.write(told.output, to: "s.jsonl")
        try await run("statistics", "--sum", "s.jsonl")
        let find = ["search", "--json", "--statistics", "s.jsonl"]
        // What is usual may be said, too.
        for options in [[], ["--limit", "10", "--rank", "relevance", "--steps", "all"]] {
            let round = try await command.run(["statistics", "--known", "s.jsonl"] + ask + options)
            #expect(round.status == 0, "\(round.error)")
        }
        let others = [
            ["--limit", "11"], ["--rank", "weight"], ["--steps", "exact"], ["--field", "title"],
            ["--filter", "whale"], ["--filter", ""],
        ]
        for options in others {
            try await expectRefused(
                "s.jsonl, line 1: these statistics were asked for in another way",
                find + ask + options)
            try await expectRefused(
                "asked for in another way", ["statistics", "--known", "s.jsonl"] + ask + options)
            let other = try await command.run(["statistics"] + ask + options)
            try folder.write(other.output, to: "o.jsonl")
            try await expectRefused(
                "asked for in another way", ["statistics", "--sum", "s.jsonl", "o.jsonl"])
            try await expectRefused(
                "asked for in another way",
                ["statistics", "--sum", "s.jsonl", "--known", "o.jsonl"])
        }
        // Equal strings of other bytes are other queries.
        try await expectRefused(
            "s.jsonl, line 2: of another batch",
            find + ["--index", "index", "--queries", "r.jsonl"])
        try folder.write(told.output + told.output, to: "s.jsonl")
        try await expectRefused("line 3: the query is there twice", find + ask)
        try folder.write(
            told.output.replacing(/"asked":"[0-9a-f]*",/, with: ""), to: "s.jsonl")
        try await expectRefused("asked for in another way", find + ask)
        try folder.write("{\"query\":\"duck whale\"}\n", to: "s.jsonl")
        try await expectRefused(
            "s.jsonl, line 1: no statistics of a query; give what textindex statistics printed",
            find + ask)
    }
}
