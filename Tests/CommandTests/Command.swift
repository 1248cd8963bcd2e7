import Foundation
import Testing

/// The built command, run as a process.
struct Command {
    /// What a run left behind.
    struct Result {
        let status: Int32
        let output: String
        let error: String

        /// The lines of standard error.
        var errorLines: [Substring] { error.split(separator: "\n") }
    }

    /// The folder to run in.
    let folder: TestFolder

    /// Runs the command to its end.
    @discardableResult
    func run(
        _ arguments: String..., input: Data = Data(), environment: [String: String] = [:],
        in directory: URL? = nil, output: FileHandle? = nil
    ) async throws -> Result {
        try await run(
            arguments, input: input, environment: environment, in: directory, output: output)
    }

    /// Runs the command to its end; what it prints goes to `output`, if that is given.
    func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
        in directory: URL? = nil, output: FileHandle? = nil, program: URL? = nil
    ) async throws -> Result {
        // Files instead of pipes: nobody has to empty them while the command runs.
        let name = UUID().uuidString
        let files = ["in", "out", "err"].map { folder.scratch.appending(path: "\(name).\($0)") }
        try input.write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        var launch = try Self.launch(arguments, environment, in: directory ?? folder.url)
        if let program { launch.program = program }
        launch.input = try FileHandle(forReadingFrom: files[0])
        launch.output = try output ?? FileHandle(forWritingTo: files[1])
        launch.error = try FileHandle(forWritingTo: files[2])
        let status = try await ChildProcess(launch).finish()
        return Result(
            status: status,
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Runs a script in the folder, with the path of the command as `$0`: for arguments and names
    /// of files that are not text.
    func shell(_ script: String) async throws -> Result {
        try await run(["-c", script, Self.executable().path], program: URL(filePath: "/bin/sh"))
    }

    /// How the command is run in a folder.
    static func launch(
        _ arguments: [String], _ environment: [String: String] = [:], in directory: URL
    ) throws -> ChildProcess.Launch {
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "COLUMNS"] { variables[name] = nil }
        variables["SWIFT_BACKTRACE"] = "enable=no"
        return ChildProcess.Launch(
            program: try executable(), arguments: arguments,
            environment: variables.merging(environment) { $1 }, folder: directory)
    }

    /// The command lies beside the tests, wherever they were built.
    private static func executable() throws -> URL {
        var places = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        if let tests = Bundle.main.executableURL {
            places.append(tests.deletingLastPathComponent())
        }
        places.append(
            URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
        let found = places.map { $0.appending(path: "textindex") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        return try #require(found, "the command was not built beside the tests")
    }
}

extension Command {
    /// Publishes at `published` what an index has when it holds notes with these texts, by their
    /// identifiers, and no others.
    func publish(_ texts: [String: String]) async throws {
        let lines = texts.sorted { $0.key < $1.key }.map {
            "{\"id\":\"\($0.key)\",\"body\":\"\($0.value)\"}\n"
        }
        try folder.write(lines.joined(), to: "notes.jsonl")
        for arguments in [
            ["index", "notes.jsonl", "--index", "index", "--sync"],
            ["publish", "published", "--index", "index"],
        ] {
            let result = try await run(arguments)
            #expect(result.status == 0, "\(result.error)")
        }
    }
}

/// A folder for one test, removed at its end.
final class TestFolder: Sendable {
    let url: URL
    /// For files that the command must not see.
    let scratch: URL

    init() throws {
        // The real path: the command prints the one that the system gives it.
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "textindex-tests-\(UUID().uuidString)")
        url = base.appending(path: "work")
        scratch = base.appending(path: "scratch")
        for folder in [url, scratch] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    /// Writes a file, with its folders.
    func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

    /// Writes a file, with its folders.
    func write(_ data: Data, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// Removes a file or folder.
    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: path))
    }
}

/// What `search --json` prints.
struct Report: Decodable {
    struct Match: Decodable {
        let string: Int
        let field: String?
        let location: Int
        let length: Int
        let text: String?
    }

    struct Excerpt: Decodable {
        let field: String?
        let text: String
    }

    struct Hit: Decodable {
        let rank: Int
        let identifier: String
        let identifierBytes: String?
        let title: String?
        let weight: Double
        let matchedBy: String
        let matchCount: Int
        let hasMoreMatches: Bool?
        let matches: [Match]
        let snippets: [Excerpt]
        let note: String?
    }

    let query: String
    let mode: String
    let notes: [String]
    let total: Int
    let steps: [String]
    let hits: [Hit]

    var identifiers: [String] { hits.map(\.identifier) }
}

extension Command {
    /// Searches and reads the report.
    func search(_ query: String, _ options: String..., in directory: URL? = nil) async throws
        -> Report
    {
        let result = try await run(
            ["search", query, "--index", folder.url.appending(path: "index").path, "--json"]
                + options, in: directory)
        #expect(result.status == (result.output.contains("\"total\" : 0") ? 1 : 0))
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }
}
