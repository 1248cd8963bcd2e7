import Foundation
import Testing
import TextSearch

@testable import TextIndexCommand

/// What sets say of files that are lost, exchanged, of other users, or in several shards.
@Suite struct SetFilesTests: SmallSet {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.url.appending(path: path).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    // MARK: Files

    /// The command, and what it says of the set, agree.
    private func expectProblem(_ message: String) async throws {
        let status = try await run("set", "status", "set", status: 1)
        #expect(status.output.contains(message), "\(status.output)")
        let search = try await run("search", "duck", "--index", "set", status: 2)
        #expect(search.error.contains(message), "\(search.error)")
        #expect(search.errorLines.count == 1)
        let verified = try await run("set", "verify", "set", status: 1)
        #expect(
            verified.output.contains(message.replacing("SET.json", with: "the set")),
            "\(verified.output)")
    }

    @Test func lostFilesAreSeen() async throws {
        try await makeSet()
        try await run("set", "status", "set")
        try folder.remove("set/shard-00001-of-00002/generation-1")
        try await expectProblem("the files of shard-00001-of-00002 are missing")
        let again = try await run("set", "commit", "set", status: 2)
        #expect(again.error.contains("files of shard-00001-of-00002 are missing"))
        let report = try await run("set", "status", "set", "--json", status: 1)
        #expect(report.output.contains("\"shard-00001-of-00002\""), "\(report.output)")
        try folder.remove("set/shard-00001-of-00002")
        try await expectProblem("shard-00001-of-00002 is missing")
    }

    @Test func aLostTableIsSeen() async throws {
        try await makeSet()
        let shard = "set/shard-00000-of-00002/generation-1"
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: shard).path)
        let table = try #require(names.first { $0.hasSuffix(".ldb") })
        let set = try SetFolder(existing: folder.url.appending(path: "set").path)
        let files = set.shards.map { ShardFiles(of: $0) }
        #expect(files.map(\.areThere) == [true, true])
        try folder.remove("\(shard)/\(table)")
        #expect(files.map(\.areThere) == [false, true])
        for shard in set.shards { try await shard.index.shutdown() }
        try await expectProblem("the file is missing")
    }

    /// Other objects, as many of them, under the old `SHARD.json`; and no `SHARD.json` at all.
    @Test func exchangedContentIsSeen() async throws {
        try await makeSet()
        let count = try IndexFolder(
            existing: folder.url.appending(path: "parts/shard-00000-of-00002").path
        ).index.count
        try await run("index", "-", "--index", "other", input: Self.lines(100..<100 + count))
        try await run("publish", "published", "--index", "other")
        let shard = folder.url.appending(path: "set/shard-00000-of-00002")
        try folder.remove("set/shard-00000-of-00002/generation-1")
        try FileManager.default.moveItem(
            at: folder.url.appending(path: "published/generation-1"),
            to: shard.appending(path: "generation-1"))
        try await expectProblem("shard-00000-of-00002 has other content than SET.json says")
        let report = try await run("set", "status", "set", "--json", status: 1)
        #expect(report.output.contains("\"different\" : [\n    \"shard-00000"), "\(report.output)")

        try folder.remove("set/shard-00001-of-00002/SHARD.json")
        let status = try await run("set", "status", "set", status: 1)
        let verified = try await run("set", "verify", "set", status: 1)
        for output in [status.output, verified.output] {
            #expect(output.contains("shard-00001-of-00002 has no SHARD.json"), "\(output)")
        }
        try folder.remove("set/shard-00000-of-00002/SHARD.json")
        let search = try await run("search", "duck", "--index", "set", status: 2)
        #expect(search.error.contains("shard-00000-of-00002 has no SHARD.json"))
    }

    // MARK: Objects

    @Test func objectsOfOtherShardsAreNotCommitted() async throws {
        try await run("index", "-", "--index", "all", input: Self.lines(0..<30))
        for number in ["0", "1"] {
            let added = try await run(
                "set", "add", "set", "--shard", number, "--of", "2", "--index", "all")
            #expect(added.error.contains("of other shards"), "\(added.error)")
        }
        let refused = try await run("set", "commit", "set", status: 2)
        #expect(refused.error.contains("--any-division"), "\(refused.error)")
        try await run("set", "commit", "set", "--any-division")
        let verified = try await run("set", "verify", "set", status: 1)
        #expect(
            verified.output.contains(
                "30 objects in several shards, and found in each: n0 is in shard-00000-of-00002 and "
                    + "shard-00001-of-00002"), "\(verified.output)")
        // And where the set says that they are divided by their identifiers.
        let file = folder.url.appending(path: "set/SET.json")
        let manifest = try String(contentsOf: file, encoding: .utf8)
        try folder.write(
            manifest.replacing("\"shards\"", with: "\"hash\" : \"sha256-60\", \"shards\""),
            to: "set/SET.json")
        let strangers = try await run("set", "verify", "set", status: 1)
        #expect(strangers.output.contains("objects of other shards"), "\(strangers.output)")
        // Divided in another way, with each object once.
        try await run("index", "-", "--index", "a", input: Self.lines(0..<20))
        try await run("index", "-", "--index", "b", input: Self.lines(20..<30))
        for (number, index) in [("0", "a"), ("1", "b")] {
            try await run(
                "set", "add", "halves", "--shard", number, "--of", "2", "--index", index)
        }
        try await run("set", "commit", "halves", "--any-division")
        let halves = try await run("set", "verify", "halves")
        #expect(halves.output == "nothing is wrong\n2 shards, 30 objects read\n")
    }

    // MARK: Other users

    @Test(arguments: [false, true])
    func whoMayReadAShard(isReadable: Bool) async throws {
        // The mask is that of the tests' own process.
        let mask = umask(0o022)
        umask(mask)
        try await makeSet(isReadable ? ["--readable"] : [])
        let options = isReadable ? ["--readable"] : []
        for _ in 0..<2 {
            let published = try await command.run(
                ["publish", "published", "--index", "whole"] + options)
            #expect(published.status == 0, "\(published.error)")
        }
        let shard = "set/shard-00000-of-00002"
        let others = isReadable ? (0o055, 0o044) : (0, 0)
        for (path, wanted) in [
            (shard, 0o700 | others.0), ("\(shard)/generation-1", 0o700 | others.0),
            ("\(shard)/generation-1/CURRENT", 0o600 | others.1),
            ("\(shard)/generation-1/LOCK", 0o600 | others.1),
            ("published", 0o700 | others.0), ("published/generation-2", 0o700 | others.0),
            ("published/generation-2/CURRENT", 0o600 | others.1),
        ] {
            #expect(try mode(path) == wanted & ~Int(mask), "\(path)")
        }
        try await run("search", "duck", "--index", "set")
    }

    /// A set that another user made is opened by whoever says so, and the advice says how.
    @Test(.enabled(if: geteuid() == 0, "Only the superuser gives files to others."))
    func aSetOfAnotherUser() async throws {
        try await makeSet()
        let given = try await command.shell("chown -R 12345 set whole")
        #expect(given.status == 0, "\(given.error)")
        for index in ["set", "set/shard-00000-of-00002"] {
            let refused = try await run("search", "duck", "--index", index, status: 2)
            #expect(refused.error.contains("user 12345's"), "\(refused.error)")
            #expect(refused.error.contains("--trusted-owner 12345"), "\(refused.error)")
            #expect(!refused.error.contains("u+rwX"), "\(refused.error)")
            try await run("search", "duck", "--index", index, "--trusted-owner", "12345")
        }
        for verb in ["status", "verify"] {
            let refused = try await run("set", verb, "set", status: 1)
            #expect(refused.output.contains("--trusted-owner 12345"), "\(refused.output)")
            try await run("set", verb, "set", "--trusted-owner", "12345")
        }
        let own = try await run("search", "duck", "--index", "whole", status: 2)
        #expect(own.error.contains("only what is published"), "\(own.error)")
    }

    // MARK: Arguments

    @Test func argumentsThatCannotBe() async throws {
        try await makeSet()
        let twice = try await run("merge", "whole", "./whole", "--index", "new", status: 2)
        #expect(twice.error.contains("named twice"), "\(twice.error)")
        try folder.write("a file", to: "file")
        for place in ["file", "file/set"] {
            let added = try await run(
                "set", "add", place, "--shard", "0", "--of", "2", "--index", "whole", status: 2)
            #expect(added.error.contains("file is no folder"), "\(added.error)")
            let parts = try await run(
                "split", "whole", "--of", "2", "--output", place, status: 2)
            #expect(parts.error.contains("file is no folder"), "\(parts.error)")
        }
        for arguments in [
            ["--index", "set", "--shards", "0-9"],
            ["--set", "set", "--replica", "0-9=http://a:9001"],
        ] {
            let result = try await command.run(["serve"] + arguments)
            #expect(result.status == 2 && result.error.contains("has no shards 0-9"))
            #expect(!result.error.contains("CommandError("), "\(result.error)")
        }
        let split = try await run(
            "split", "whole", "--of", "3", "--output", "more", "--json", "--table-size", "8")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(split.output.utf8)) as? [String: Any])
        let parts = try #require(report["parts"] as? [[String: Any]])
        #expect(parts.map { $0["name"] as? String } == (0..<3).map { "shard-0000\($0)-of-00003" })
        #expect(parts.reduce(0) { $0 + ($1["objects"] as? Int ?? 0) } == 40)
        #expect(parts.allSatisfy { $0["digest"] is String })
        for size in ["0", "1025"] {
            let refused = try await run(
                "merge", "whole", "--index", "new", "--table-size", size, status: 2)
            #expect(refused.error.contains("--table-size must be from 1 to 1024"))
        }
    }

    @Test func howLargeTablesAre() async throws {
        #expect(TableSizeOption.bytes(nil, isWrittenOnce: false) == nil)
        #expect(TableSizeOption.bytes(nil, isWrittenOnce: true) == 32 << 20)
        for isWrittenOnce in [false, true] {
            #expect(TableSizeOption.bytes(8, isWrittenOnce: isWrittenOnce) == 8 << 20)
        }
        try await run(
            "index", "-", "--index", "whole", "--table-size", "8", input: Self.lines(0..<3))
        let opened = try IndexFolder(
            existing: folder.url.appending(path: "whole").path, tableSize: 8 << 20)
        #expect(opened.index.configuration.tableSize == 8 << 20)
        try await opened.index.shutdown()
    }

    /// A word that no shard has is told as one index tells it.
    @Test func wordsThatNoShardHas() async throws {
        try await makeSet()
        for query in ["duuk", "whalle xyzzy", "duck -duck", "dock OR duck"] {
            var notes: [[String]] = []
            for index in ["set", "whole"] {
                let result = try await command.run(["search", query, "--index", index, "--json"])
                #expect(result.status < 2, "\(result.error)")
                notes.append(
                    try JSONDecoder().decode(Report.self, from: Data(result.output.utf8)).notes)
            }
            #expect(notes[0] == notes[1] && !notes[0].isEmpty, "\(query): \(notes)")
        }
    }
}
