import Foundation
import Testing

@Suite struct OutputTests {
    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            "First \u{1B}[31mline\u{1B}]0;evil\u{7}.\r\nThe\n\n duck\u{9B}2J \u{202E}swims.\n",
            to: "a.txt")
        try await command.run("index", "a.txt", "--index", "index")
    }

    @Test func directionMarksAreNotWritten() async throws {
        let query = "\u{200F}none\u{200E} \u{061C}such\u{2067}"
        let result = try await command.run("search", query, "--mode", "query", "--index", "index")
        #expect(result.status == 1)
        #expect(result.error.hasSuffix("nothing found for none such\n"), "\(result.error)")
        let json = try await command.run("search", query, "--json", "--index", "index")
        #expect(json.output.contains(#""\u200fnone\u200e \u061csuch\u2067""#), "\(json.output)")
    }

    @Test func plainOutputHasNoEscapes() async throws {
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.status == 0)
        #expect(
            result.output.hasPrefix(
                """
                1. a.txt  1 match
                   First [31mline]0;evil. The duck2J swims.
                1 of 1 hit in 
                """))
    }

    @Test func matchesAreHighlighted() async throws {
        for (options, isColored) in [
            (["--color", "always"], true), (["--color", "never"], false),
        ] {
            let result = try await command.run(
                ["search", "duck", "--index", "index"] + options, environment: ["NO_COLOR": "1"])
            #expect(result.output.contains("The \u{1B}[1;33mduck\u{1B}[0m2J swims.") == isColored)
            #expect(result.output.contains("\u{1B}") == isColored)
        }
    }

    @Test func nothingFoundIsOne() async throws {
        let result = try await command.run("search", "goose", "--index", "index")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.error == "nothing found for goose\n")
        let report = try await command.search("goose")
        #expect(report.total == 0)
        #expect(report.hits.isEmpty)
    }

    @Test func emptyQueryShowsEverything() async throws {
        let report = try await command.search("")
        #expect(report.identifiers == ["a.txt"])
        #expect(report.hits.first?.snippets.isEmpty == false)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            ["search", "duck", "--index", "index"],
            ["search", "duck", "--index", "index", "--json"],
            ["stats", "--index", "index"], ["index", "a.txt", "--index", "index"], ["--version"],
        ])
    func aFullDiskIsAnError(arguments: [String]) async throws {
        let result = try await command.run(
            arguments, output: FileHandle(forWritingAtPath: "/dev/full"))
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("textindex: cannot write the output: "))
    }

    @Test(arguments: [["search", "duck", "--index", "index"], ["--help"]])
    func aClosedPipeEndsInSilence(arguments: [String]) async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try await command.run(arguments, output: pipe.fileHandleForWriting)
        #expect(result.status == 141)
        #expect(result.error.isEmpty, "\(result.error)")
    }

    @Test func helpVersionAndCompletions() async throws {
        for arguments in [["--help"], ["help", "index"], ["search", "--help"], []] {
            let result = try await command.run(arguments)
            #expect(result.status == 0)
            #expect(result.output.contains("Example"), "\(arguments)")
            #expect(result.error.isEmpty)
        }
        let version = try await command.run("--version")
        #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        for shell in ["bash", "zsh", "fish"] {
            let result = try await command.run("--generate-completion-script", shell)
            #expect(result.status == 0)
            #expect(result.output.contains("optimize"))
        }
    }
}
