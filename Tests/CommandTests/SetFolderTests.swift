import Foundation
import Testing

/// Folders that are no sets, and what sets and shards say of themselves that cannot be.
@Suite struct SetFolderTests: SmallSet {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private func names(_ path: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: path).path
        ).sorted()
    }

    // MARK: Folders

    @Test func foldersThatAreNoSetsAreRefused() async throws {
        try await run("index", "-", "--index", "a", input: Self.lines(0..<5))
        try await run("index", "-", "--index", "live", input: Self.lines(0..<5))
        try await run("publish", "published", "--index", "live")
        try folder.write("mine", to: "other/notes.txt")
        for (place, message) in [
            ("live", "live is an index, and no set"),
            ("published", "published is what textindex publish made, and no set"),
            ("other", "other holds other files, and no set"),
        ] {
            let before = names(place)
            for arguments in [
                ["set", "add", place, "--shard", "0", "--of", "1", "--index", "a"],
                ["set", "commit", place], ["set", "status", place],
            ] {
                let refused = try await command.run(arguments)
                #expect(refused.status == 2, "\(arguments): \(refused.output)")
                #expect(refused.error.contains(message), "\(arguments): \(refused.error)")
                #expect(names(place) == before, "\(arguments)")
            }
        }
        // Hidden files, and the folder of a new file system, are in nobody's way.
        try folder.write("", to: "new/.keep")
        try folder.write("", to: "new/lost+found/x")
        try await run("set", "add", "new", "--shard", "0", "--of", "1", "--index", "a")
        try folder.write("", to: "new/README")
        try await run("set", "commit", "new")
    }

    @Test func whatIsRefusedLeavesNothing() async throws {
        try await makeSet()
        try await run("publish", "published", "--index", "whole")
        for place in ["fresh/set", "set"] {
            let refused = try await run(
                "set", "add", place, "--shard", "0", "--of", "2", "--index", "published", status: 2)
            #expect(
                refused.error.contains(
                    "published is published already, and only read; name the index that it was "
                        + "published from"), "\(refused.error)")
        }
        #expect(names("fresh") == nil)
        let other = try await run(
            "set", "add", "set", "--shard", "0", "--of", "2", "--index", "whole", status: 2)
        #expect(other.error.contains("other content"), "\(other.error)")
        try await run(
            "set", "add", "set", "--shard", "0", "--of", "2", "--index",
            "parts/shard-00000-of-00002")
        #expect(names("set")?.contains("_building") == false)
        // As the advice says.
        try await run("merge", "published", "--index", "copy")
        try await run("set", "add", "fresh/set", "--shard", "0", "--of", "1", "--index", "copy")
        for (index, output) in [("nothing", "x/y"), ("set", "x/y"), ("nothing", "x")] {
            try await run("split", index, "--of", "2", "--output", output, status: 2)
            #expect(names("x") == nil, "\(index)")
        }
    }

    // MARK: What they say of themselves

    @Test func setsThatCannotBeAreRefused() async throws {
        try await makeSet()
        let file = folder.url.appending(path: "set/SET.json")
        let whole = try String(contentsOf: file, encoding: .utf8)
        for (said, other, message) in [
            (/"sha256-60"/, "\"md5\"", "divides objects by md5"),
            (/"objects" : \d+/, "\"objects\" : \(Int.max)", "counts that no shard can have"),
            (/"objects" : \d+/, "\"objects\" : -1", "counts that no shard can have"),
            (/"occurrences" : \d+/, "\"occurrences\" : \(Int.max)", "counts that no shard can"),
        ] as [(Regex<Substring>, String, String)] {
            try folder.write(whole.replacing(said, with: other), to: "set/SET.json")
            for arguments in [
                ["search", "duck", "--index", "set"], ["set", "status", "set"],
                ["set", "verify", "set"], ["serve", "--index", "set"],
                ["serve", "--set", "set", "--replica", "0-1=http://a:9001"],
            ] {
                let refused = try await command.run(arguments)
                #expect(refused.status == 2, "\(arguments): \(refused.output)")
                #expect(refused.error.contains(message), "\(arguments): \(refused.error)")
            }
        }
    }

    @Test func aDamagedRecordIsNoMissingOne() async throws {
        try await makeSet()
        let path = "set/shard-00001-of-00002/SHARD.json"
        let whole = try String(
            contentsOf: folder.url.appending(path: path), encoding: .utf8)
        for text in [
            "{", "{}", whole.replacing(/"objects" : \d+/, with: "\"objects\" : \(Int.max)"),
        ] {
            try folder.write(text, to: path)
            let message = "the SHARD.json of shard-00001-of-00002 is damaged"
            for (arguments, status) in [
                (["set", "status", "set"], 1), (["set", "verify", "set"], 1),
                (["search", "duck", "--index", "set"], 2), (["set", "commit", "set"], 2),
                (
                    [
                        "set", "add", "set", "--shard", "1", "--of", "2", "--index",
                        "parts/shard-00001-of-00002",
                    ], 2
                ),
            ] as [([String], Int32)] {
                let result = try await command.run(arguments)
                #expect(result.status == status, "\(arguments): \(result.error)\(result.output)")
                let said = result.error + result.output
                #expect(said.contains(message) && !said.contains("has no SHARD.json"), "\(said)")
                #expect(!said.contains("ShardProblem("), "\(said)")
            }
        }
        try folder.remove("set/SET.json")
        let status = try await run("set", "status", "set", status: 1)
        #expect(status.output.contains("is damaged") && !status.output.contains("is missing"))
        try folder.remove(path)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: path), withIntermediateDirectories: false)
        let unread = try await run("set", "commit", "set", status: 2)
        #expect(unread.error.contains("of shard-00001-of-00002 cannot be read"), "\(unread.error)")
    }

    // MARK: Reports

    @Test func reportsGoIntoWhatIsThere() async throws {
        func index(_ report: String, status: Int32 = 0) async throws -> Command.Result {
            try await run(
                "index", "-", "--index", "index", "--report", report, input: Self.lines(0..<2),
                status: status)
        }
        let full = try await index("/dev/full", status: 2)
        #expect(full.error.contains("cannot write /dev/full: No space left"), "\(full.error)")
        try folder.write("old", to: "deep/real.json")
        for (link, place) in [
            ("link", "deep/real.json"), ("dead", "deep/new.json"), ("second", "dead"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appending(path: link).path, withDestinationPath: place)
            _ = try await index(link)
            let url = folder.url.appending(path: link)
            #expect(try url.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == true)
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains("\"isComplete\" : true"))
        }
        #expect(names("deep") == ["new.json", "real.json"])
        let piped = try await command.shell(
            """
            mkfifo pipe
            cat pipe > read &
            echo '{"id":"a","title":"duck"}' | "$0" index - --index piped --report pipe || exit
            wait; test -p pipe && cat read
            """)
        #expect(piped.output.contains("\"isComplete\" : true"), "\(piped.error)")
        let taken = try await index("deep", status: 2)
        #expect(taken.error.contains("cannot write"), "\(taken.error)")
    }

    @Test func optionsOfNodesNeedASet() async throws {
        try await makeSet()
        for (options, message) in [
            (["--hedge", "5"], "--hedge needs --set"), (["--hedge", "usual"], "--hedge needs"),
            (["--strict"], "--strict needs --set"),
        ] {
            let refused = try await command.run(["serve", "--index", "set"] + options)
            #expect(refused.status == 2 && refused.error.contains(message), "\(refused.error)")
        }
    }
}
