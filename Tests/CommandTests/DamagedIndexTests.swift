import Foundation
import PowerCuts
import Testing

/// What the command shows of an index that is damaged somewhere.
@Suite struct DamagedIndexTests {
    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        // Words often enough for their places to have blocks of their own.
        for number in 0..<60 {
            let text = (0..<200).map { "w\($0 * number % 97) common x\(number)" }
            try folder.write(text.joined(separator: " "), to: "texts/\(number).txt")
        }
        try await command.run("index", "texts", "--index", "index")
        try await command.run("optimize", "--index", "index")
    }

    private static let commands = [
        ["search", "common", "--limit", "100", "--matches", "5", "--json"],
        ["search", "common"],
        ["search", "common", "--explain", "--limit", "100"],
        ["search", "omm", "--mode", "keyword", "--json"],
        ["similar", "--text", "common", "--limit", "100", "--json"],
    ]

    /// What each command prints, without how long it took; its error where it fails.
    private func answers() async throws -> [Command.Result] {
        var answers: [Command.Result] = []
        for arguments in Self.commands {
            answers.append(try await command.run(arguments + ["--index", "index"]))
        }
        return answers
    }

    private static func lines(_ result: Command.Result) -> [Substring] {
        result.output.split(separator: "\n").filter {
            !$0.contains("\"seconds\"") && !$0.contains(" hits in ")
        }
    }

    /// The places of matches are read when they are shown, after the search itself.
    @Test func aSearchIsRightOrAnError() async throws {
        let right = try await answers()
        #expect(right.allSatisfy { $0.status == 0 && !Self.lines($0).isEmpty })
        let url = folder.url.appending(path: "index")
        let tables = try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".ldb") }
        #expect(!tables.isEmpty)
        var errors = 0
        for table in tables {
            let place = url.appending(path: table)
            let whole = try Data(contentsOf: place)
            for offset in stride(
                from: 0, to: whole.count, by: max(whole.count / Scale.sample(of: 40), 1))
            {
                var damaged = whole
                damaged[offset] ^= 0x04
                try damaged.write(to: place)
                for (number, answer) in try await answers().enumerated() {
                    if answer.status == 2 {
                        #expect(answer.error.contains("damaged"), "\(answer.error)")
                        errors += 1
                    } else {
                        let isRight =
                            answer.status == 0
                            && Self.lines(answer) == Self.lines(right[number])
                        #expect(isRight, "\(table), byte \(offset): \(Self.commands[number])")
                    }
                }
            }
            try whole.write(to: place)
        }
        #expect(errors > 0)
    }
}
