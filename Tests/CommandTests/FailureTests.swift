import Foundation
import Testing

@Suite struct FailureTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write("A duck.", to: "a.txt")
        try folder.write("full", to: "full/of/files.txt")
    }

    @Test(arguments: [
        (["search", "x", "--index", "nowhere"], "textindex index"),
        (["search", "x", "--index", "a.txt"], "is a file"),
        (["search", "x", "--index", "full"], "textindex index"),
        (["search", "x"], "--index"),
        (["search", "x", "--index", "nowhere", "--limit=-1"], "--limit"),
        (["search", "x", "--index", "nowhere", "--limit", "many"], "--limit"),
        (["search", "x", "--index", "nowhere", "--color", "pink"], "--color"),
        (["search", "x", "--index", "nowhere", "--wait=-1"], "--wait"),
        (["stats", "--index", "nowhere"], "textindex index"),
        (["optimize", "--index", "nowhere"], "textindex index"),
        (["remove", "a.txt", "--index", "nowhere"], "textindex index"),
        (["remove", "--index", "nowhere"], "--under"),
        (["index", "nothing.txt", "--index", "new"], "nothing.txt"),
        (["index", "a.txt", "--index", "a.txt"], "is a file"),
        (["index", "a.txt", "--index", "a.txt/below"], ""),
        (["index", "a.txt", "--index", "full"], "other files"),
        (["index", "a.txt", "--index", ""], "--index"),
        (["index", "--index", "new"], "--help"),
        (["index", "a.txt", "--index", "new", "--field", "x", "--field", "x"], "--field"),
        (["index", "a.txt", "--index", "new", "--max-size", "0"], "--max-size"),
        (["index", "a.txt", "--index", "new", "--attribute", ":date"], "--attribute"),
        (
            ["index", "a.txt", "--index", "new", "--attribute", "x", "--attribute", "x:date"],
            "twice"
        ),
        (["search", "-duck", "--index", "nowhere"], "-- -duck"),
        (["search", "--index", "nowhere", "-swan"], "--, at the end"),
        (["nonsense"], "--help"),
        (["--nonsense"], "--help"),
    ])
    func errorsAreOneLine(arguments: [String], hint: String) async throws {
        let result = try await command.run(arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errorLines.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("textindex: "))
        #expect(hint.isEmpty || result.error.contains(hint), "\(result.error)")
        let new = folder.url.appending(path: "new").path
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func settingsThatAreNoFileAreNotOpened() async throws {
        try await command.run("index", "a.txt", "--index", "index")
        let settings = folder.url.appending(path: "index/textindex.json").path
        let files = FileManager.default
        let attributes = try files.attributesOfItem(atPath: settings)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let elsewhere = folder.url.appending(path: "elsewhere.json").path
        try files.moveItem(atPath: settings, toPath: elsewhere)
        for target in ["../elsewhere.json", "/dev/zero", "nowhere"] {
            try files.createSymbolicLink(atPath: settings, withDestinationPath: target)
            for arguments in [["search", "duck"], ["index", "a.txt"], ["verify"]] {
                let result = try await command.run(arguments + ["--index", "index"])
                #expect(result.status == 2, "\(target)")
                #expect(result.errorLines.count == 1, "\(result.error)")
                #expect(result.error.contains("textindex.json is a link"), "\(result.error)")
            }
            try files.removeItem(atPath: settings)
        }
        try files.moveItem(atPath: elsewhere, toPath: settings)
        #expect(try await command.search("duck").total == 1)
    }

    /// Such as the lock files of editors.
    @Test func aLinkThatLeadsNowhereBesideAnIndexIsNotItsError() async throws {
        try await command.run("index", "a.txt", "--index", "index")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "index/.#lock").path,
            withDestinationPath: "somebody@somewhere")
        #expect(try await command.search("duck").total == 1)
        try folder.remove("index/CURRENT")
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.status == 2)
        #expect(result.error.contains("CURRENT is missing"), "\(result.error)")
    }

    @Test func aSecondProcessIsToldThatTheIndexIsLocked() async throws {
        let writer = try Writer(folder)
        defer { writer.end() }
        try writer.waitUntilItIndexes()
        for wait in ["0", "0.1"] {
            let result = try await command.run("search", "duck", "--index", "index", "--wait", wait)
            #expect(result.status == 2)
            #expect(result.errorLines.count == 1, "\(result.error)")
            #expect(result.error.contains("in use by another process"))
            #expect(result.error.contains("--wait"))
        }
        writer.end()
        #expect(try await writer.status() == 0)
        #expect(try await command.search("duck").total == Writer.lineCount)
    }

    @Test func severalSearchesWaitForEachOther() async throws {
        try await command.run("index", "a.txt", "--index", "index")
        let results = try await withThrowingTaskGroup(of: Command.Result.self) { group in
            for arguments in Array(
                repeating: [["search", "duck"], ["stats"]], count: 4
            ).joined() {
                group.addTask {
                    try await command.run(arguments + ["-i", "index", "--wait", "60"])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.map(\.status) == Array(repeating: 0, count: 8), "\(results)")
    }

    @Test func aSearchWaitsForTheEndOfIndexing() async throws {
        let writer = try Writer(folder)
        defer { writer.end() }
        try writer.waitUntilItIndexes()
        async let report = command.search("duck", "--wait", "60")
        writer.end()
        #expect(try await report.total == Writer.lineCount)
    }

    @Test func anInterruptKeepsWhatWasIndexed() async throws {
        let writer = try Writer(folder)
        defer { writer.end() }
        try writer.waitUntilItIndexes()
        writer.interrupt()
        #expect(try await writer.status() == 130)
        #expect(try await command.search("duck").total > 0)
    }

    @Test(arguments: [
        ["index", "link", "--index", "new"], ["index", "a.txt", "--index", "link"],
        ["search", "duck", "--index", "link"],
    ])
    func linksThatLeadNowhereAreNamed(arguments: [String]) async throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "link").path, withDestinationPath: "nowhere/at/all")
        let result = try await command.run(arguments)
        #expect(result.status == 2)
        #expect(
            result.error
                == "textindex: link is a link that leads nowhere; remove it, or restore what it "
                + "leads to\n")
    }

    @Test(
        .enabled(if: geteuid() != 0, "root may write everything"),
        arguments: [
            ("index", 0o555), ("index/LOCK", 0o444), ("index/textindex.json", 0o000),
            ("index", 0o000),
        ])
    func readOnlyIndexesComeWithAdvice(path: String, permissions: Int) async throws {
        try await command.run("index", "a.txt", "--index", "index")
        let file = folder.url.appending(path: path).path
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.status == 2)
        #expect(result.errorLines.count == 1, "\(result.error)")
        #expect(result.error.contains("read-only for you"))
    }

    @Test func whatIsTooLargeIsNamed() async throws {
        let large = String(repeating: "duck ", count: 300_000)
        try folder.write("duck", to: "texts/a.txt")
        try folder.write(large, to: "texts/b.txt")
        // Half the size, but each byte becomes three: it is neither UTF-8 nor Windows-1252.
        try folder.write(Data(repeating: 0x81, count: 500_000), to: "texts/c.txt")
        let lines = [
            #"{"id": 1, "title": "duck"}"#, #"{"id": 2, "title": "\#(large)"}"#,
            #"{"id": 3, "title": "duck", "rest": "\#(large)"}"#,
            #"{"id": 4, "title": "duck", "rest": "\#(large)\#(large)\#(large)"}"#,
        ]
        try folder.write(lines.joined(separator: "\n"), to: "lines.jsonl")
        let result = try await command.run(
            "index", "texts", "lines.jsonl", "--index", "index", "--max-size", "1")
        #expect(result.status == 2)
        #expect(result.output.hasPrefix("3 objects indexed, 4 failed;"))
        let advice = "or allow more with --max-size"
        #expect(
            result.errorLines == [
                "textindex: texts/b.txt: more than 1 MiB of text; split it, \(advice)",
                "textindex: texts/c.txt: more than 1 MiB of text; split it, \(advice)",
                "textindex: lines.jsonl, line 2: more than 1 MiB of text; split it, \(advice)",
                "textindex: lines.jsonl, line 4: longer than 4 MiB; split it, \(advice)",
            ])
        let more = try await command.run("index", "texts", "lines.jsonl", "--index", "index")
        #expect(more.status == 0)
        #expect(more.output.hasPrefix("4 objects indexed, 3 unchanged;"))
        #expect(try await command.search("duck").total == 6)
    }

    /// One character may hold a whole text; what is kept of it must stay small.
    @Test func endlessCharactersAreNoReasonToRefuse() async throws {
        let marks = "duck " + String(repeating: "\u{301}", count: 1_000_000)
        let line = #"{"id": 1, "title": "\#(marks)"}"#
        let result = try await command.run("index", "-", "--index", "index", input: Data(line.utf8))
        #expect(result.status == 0, "\(result.error)")
        #expect(try await command.search("duck").total == 1)
    }

    /// As of a variable of the shell that is not set.
    @Test(arguments: [
        ["index", ""], ["index", "a.txt", ""], ["remove", ""], ["remove", "--under", ""],
        ["remove", "a.txt", "--under", ""],
    ])
    func anEmptyPathIsNotTheFolderOneIsIn(arguments: [String]) async throws {
        try await command.run("index", "a.txt", "--index", "index")
        let before = try await command.run("export", "--index", "index").output
        let result = try await command.run(arguments + ["--index", "index"])
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.error.contains("is empty"), "\(result.error)")
        #expect(try await command.run("export", "--index", "index").output == before)
    }

    @Test func damageNamesWhatMendsIt() async throws {
        try await command.run("index", "a.txt", "--index", "index")
        try folder.write("x", to: "index/CURRENT")
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.status == 2 && result.error.contains("textindex repair"), "\(result.error)")
        try await command.run("repair", "--index", "index")
        #expect(try await command.search("duck").total > 0)
    }

    @Test func damagedSettingsAreAnError() async throws {
        try await command.run("index", "a.txt", "--index", "index")
        try folder.write("{", to: "index/textindex.json")
        let result = try await command.run("search", "duck", "--index", "index")
        #expect(result.status == 2)
        #expect(result.error.contains("textindex.json is damaged"))
    }

    @Test func unreadableFilesAreReportedAndTheRestIsIndexed() async throws {
        try folder.write("duck", to: "texts/a.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "texts/b.txt").path,
            withDestinationPath: "/proc/self/mem")
        try folder.write("duck", to: "texts/c.txt")
        let result = try await command.run(
            "index", "texts", "--index", "index", "--follow-links")
        #expect(try await command.search("duck").identifiers == ["texts/a.txt", "texts/c.txt"])
        // Where there is no such file, the link leads nowhere and is passed over.
        #expect(result.status == (FileManager.default.fileExists(atPath: "/proc/self/mem") ? 2 : 0))
    }
}

/// A process that indexes from a pipe until it is told to end.
private final class Writer {
    private let process: ChildProcess
    private let input = Pipe()

    init(_ folder: TestFolder) throws {
        // Nobody else may keep the end open from which the process reads to the end.
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        var launch = try Command.launch(["index", "-", "--index", "index"], in: folder.url)
        launch.input = input.fileHandleForReading
        process = try ChildProcess(launch)
        try input.fileHandleForReading.close()
    }

    /// Writes lines until the process has read some: more than the pipe and its buffer hold.
    func waitUntilItIndexes() throws {
        signal(SIGPIPE, SIG_IGN)  // a process that died is an error, not our end
        let lines = (0..<Self.lineCount).map { "{\"id\": \($0), \"title\": \"duck\"}\n" }
        try input.fileHandleForWriting.write(contentsOf: Data(lines.joined().utf8))
    }

    static let lineCount = 20_000

    func interrupt() { process.send(SIGINT) }

    func end() { try? input.fileHandleForWriting.close() }

    /// Waits for the end of the process.
    func status() async throws -> Int32 { try await process.finish() }
}
