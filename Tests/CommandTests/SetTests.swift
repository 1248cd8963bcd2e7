import Foundation
import Testing

@testable import TextIndexCommand

/// Sets of shards, batches of queries and statistics, as processes.
@Suite struct SetTests {
    let folder: TestFolder
    let command: Command

    private static let count = 3
    private static let words = [
        "duck", "whale", "white", "book", "secret", "theory", "ocean", "captain", "recipe",
    ]

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
    }

    /// An object as a line, with what it has of the words.
    private static func line(_ number: Int) -> String {
        let title = (0...(number % 3)).map { words[(number * 7 + $0) % words.count] }
        let body = (0...(number % 11)).map { words[(number * 5 + $0 * $0) % words.count] }
        return "{\"id\":\"n\(number)\",\"title\":\"\(title.joined(separator: " "))\","
            + "\"body\":\"\(body.joined(separator: " "))\",\"color\":\"c\(number % 4)\"}\n"
    }

    private func run(_ arguments: String..., input: String = "") async throws -> Command.Result {
        try await command.run(arguments, input: Data(input.utf8))
    }

    private func expectDone(
        _ arguments: String..., input: String = "", status: Int32 = 0
    ) async throws -> String {
        let result = try await command.run(arguments, input: Data(input.utf8))
        #expect(result.status == status, "\(arguments): \(result.error)\(result.output)")
        return result.output
    }

    private func json(_ text: some StringProtocol) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The numbers of the objects of each shard.
    private func shards(of numbers: Range<Int>) async throws -> [[Int]] {
        var shards = Array(repeating: [Int](), count: Self.count)
        for number in numbers {
            shards[ShardName.number(of: Array("n\(number)".utf8), among: Self.count)].append(number)
        }
        return shards
    }

    @Test func theShardOfAnIdentifierIsThatOfOtherEngines() throws {
        // int(hashlib.sha256(text).hexdigest()[:15], 16) % 1000 in Python.
        for (text, number) in [
            ("", 353), ("n0", 596), ("é", 253), (String(repeating: "a", count: 55), 229),
            (String(repeating: "b", count: 64), 549), (String(repeating: "c", count: 200), 894),
        ] {
            #expect(ShardName.number(of: Array(text.utf8), among: 1000) == number, "\(text)")
        }
        #expect(ShardName("shard-00002-of-00400")?.number == 2)
        for name in [
            "shard-2-of-4", "shard-00004-of-00004", "shard-00000-of-00000", "shard-0000a-of-00004",
        ] {
            #expect(ShardName(name) == nil)
        }
    }

    private func build(_ shard: Int, _ numbers: [Int], index: String) async throws -> String {
        let lines = numbers.map(Self.line).joined()
        _ = try await expectDone(
            "index", "-", "--index", index, "--expect", "\(numbers.count)", "--attribute",
            "color", input: lines)
        return try await expectDone(
            "set", "add", "set", "--shard", "\(shard)", "--of", "\(Self.count)", "--index", index)
    }

    private func buildSet() async throws {
        var all: [Int] = []
        for (shard, numbers) in try await shards(of: 0..<60).enumerated() {
            _ = try await build(shard, numbers, index: "tmp\(shard)")
            all += numbers
        }
        _ = try await expectDone("set", "commit", "set")
        // In the order of the shards, as ties come.
        _ = try await expectDone(
            "index", "-", "--index", "whole", "--attribute", "color",
            input: all.map(Self.line).joined())
    }

    private static let queries = [
        "duck", "white whale", "secret theory book", "\"white whale\"", "duk", "oce", "zebra",
        "duck OR whale", "captain -duck", "title:duck", "the",
    ]

    private func writeQueries() throws {
        try folder.write(
            Self.queries.map { "{\"query\":\"\($0.replacing("\"", with: "\\\""))\"}\n" }.joined(),
            to: "q.jsonl")
    }

    /// Identifiers and scores of each query, of lines that `search --queries` printed.
    private func hits(_ output: String) throws -> [[String]] {
        try output.split(separator: "\n").map { line in
            let hits = try #require(try json(line)["hits"] as? [[String: Any]])
            return try hits.map {
                "\($0["identifier"] ?? "") \(try #require($0["score"] as? Double))"
            }
        }
    }

    @Test func aSetIsAnIndexForSearch() async throws {
        try await buildSet()
        let status = try await expectDone("set", "status", "set")
        #expect(status == "committed: 3 shards, 60 objects\n")
        let verified = try await expectDone("set", "verify", "set")
        #expect(verified == "nothing is wrong\n3 shards, 60 objects read\n")
        try writeQueries()
        for query in Self.queries where query != "zebra" {
            let found = try await run("search", query, "--index", "set", "--json")
            let expected = try await run("search", query, "--index", "whole", "--json")
            #expect(found.status == expected.status, "\(query): \(found.error)")
            let (one, other) = (try json(found.output), try json(expected.output))
            for name in ["total", "hits"] {
                let texts = [one, other].map { object in
                    name == "total"
                        ? "\(object[name] ?? "")"
                        : "\((object[name] as? [[String: Any]] ?? []).map { "\($0["identifier"] ?? "") \($0["score"] ?? "")" })"
                }
                #expect(texts[0] == texts[1], "\(query)")
            }
        }
        let facets = try await expectDone(
            "search", "duck", "--index", "set", "--facet", "color", "--limit", "0")
        let wanted = try await expectDone(
            "search", "duck", "--index", "whole", "--facet", "color", "--limit", "0")
        // The last line says how long it took.
        #expect(
            facets.split(separator: "\n").dropLast() == wanted.split(separator: "\n").dropLast())
        #expect(facets.contains("c1"))
        for index in ["set", "whole"] {
            let result = try await run(
                "search", "duck", "--index", index, "--sort", "color", "--facet", "colour")
            #expect(result.error.contains("No object has the attribute colour"), "\(index)")
            #expect(!result.error.contains("No object has the attribute color,"), "\(index)")
        }
        let batch = try await expectDone(
            "search", "--queries", "q.jsonl", "--index", "set", "--json", "--limit", "5")
        let expected = try await expectDone(
            "search", "--queries", "q.jsonl", "--index", "whole", "--json", "--limit", "5")
        #expect(try hits(batch) == hits(expected))
        #expect(try hits(batch).count == Self.queries.count)
        for arguments in [["--explain"], ["--reverse"], ["--mode", "keyword"]] {
            let result = try await command.run(["search", "duck", "--index", "set"] + arguments)
            #expect(result.status == 2 && result.errorLines.count == 1)
        }
        let result = try await run("stats", "--index", "set")
        #expect(result.status == 2 && result.error.contains("set of shards"))
    }

    @Test func shardsAreSearchedApartByStatistics() async throws {
        try await buildSet()
        try writeQueries()
        let shards = (0..<Self.count).map { "set/shard-0000\($0)-of-00003" }
        var known: [String] = []
        for round in 1...20 {
            var files: [String] = []
            for (number, shard) in shards.enumerated() {
                let told = try await command.run(
                    ["statistics", "--index", shard, "--queries", "q.jsonl"] + known)
                #expect(told.status == 0, "\(told.error)")
                try folder.write(told.output, to: "s\(number).jsonl")
                files.append("s\(number).jsonl")
            }
            let sum = try await command.run(["statistics", "--sum"] + files + known)
            #expect(sum.status == 0, "\(sum.error)")
            try folder.write(sum.output, to: "sum\(round).jsonl")
            known = ["--known", "sum\(round).jsonl"]
            if !sum.output.contains("\"isComplete\":false") { break }
            try #require(round < 20)
        }
        var merged = Array(
            repeating: [(id: String, score: Double)](), count: Self.queries.count)
        for shard in shards {
            let found = try await command.run([
                "search", "--queries", "q.jsonl", "--statistics", known[1], "--index", shard,
                "--json", "--limit", "10",
            ])
            #expect(found.status == 0, "\(found.error)")
            for line in found.output.split(separator: "\n") {
                let answer = try json(line)
                let number = try #require(answer["number"] as? Int)
                for hit in try #require(answer["hits"] as? [[String: Any]]) {
                    merged[number].append(
                        (
                            try #require(hit["identifier"] as? String),
                            try #require(hit["score"] as? Double)
                        ))
                }
            }
        }
        let expected = try await expectDone(
            "search", "--queries", "q.jsonl", "--index", "whole", "--json", "--limit", "10")
        let wanted = try hits(expected)
        for (number, hits) in merged.enumerated() {
            let sorted = hits.enumerated().sorted {
                $0.element.score != $1.element.score
                    ? $0.element.score > $1.element.score : $0.offset < $1.offset
            }
            #expect(
                sorted.prefix(10).map { "\($0.element.id) \($0.element.score)" } == wanted[number],
                "\(Self.queries[number])")
        }
        // A file that was cut off is noticed.
        for (number, shard) in shards.enumerated() {
            let told = try await expectDone(
                "statistics", "--index", shard, "--queries", "q.jsonl")
            let lines = told.split(separator: "\n")
            #expect(lines.count == Self.queries.count)
            try folder.write(
                lines.prefix(number == 1 ? 1 : .max).joined(separator: "\n") + "\n",
                to: "f\(number).jsonl")
        }
        let line = try String(contentsOf: folder.url.appending(path: "f1.jsonl"), encoding: .utf8)
        try folder.write(line + line, to: "both.jsonl")
        let cut = try await run("statistics", "--sum", "f0.jsonl", "f1.jsonl", "f2.jsonl")
        #expect(cut.status == 2 && cut.error.contains("cut off"), "\(cut.error)")
        let twice = try await run("statistics", "--sum", "f0.jsonl", "both.jsonl")
        #expect(twice.status == 2 && twice.error.contains("twice"), "\(twice.error)")
        let early = try await run(
            "search", "--queries", "q.jsonl", "--statistics", "s0.jsonl", "--index", shards[0],
            "--json")
        #expect(early.status == 2 && early.errorLines.count == 1, "\(early.error)")
    }

    @Test func anotherAttemptOfTheSameWorkIsNoError() async throws {
        let shards = try await shards(of: 0..<60)
        #expect(try await build(0, shards[0], index: "a").hasPrefix("shard-00000-of-00003 added"))
        let again = try await build(0, shards[0].reversed(), index: "b")
        #expect(again.contains("is there already, with the same content"))
        _ = try await expectDone(
            "index", "-", "--index", "c", input: shards[0].dropFirst().map(Self.line).joined())
        let other = try await run(
            "set", "add", "set", "--shard", "0", "--of", "3", "--index", "c")
        #expect(other.status == 2 && other.error.contains("other content"), "\(other.error)")
        for count in ["-5", "0", "9223372036854775807"] {
            let none = try await run("set", "commit", "set", "--of=\(count)")
            #expect(none.status == 2 && none.error.contains("--of must be from 1"), "\(none.error)")
        }
        let early = try await run("set", "commit", "set")
        #expect(early.status == 2 && early.error.contains("2 shards missing"), "\(early.error)")
        let status = try await expectDone("set", "status", "set", status: 1)
        #expect(
            status
                == "not committed: 3 shards, \(shards[0].count) objects\n"
                + "shard-00001-of-00003 is missing\nshard-00002-of-00003 is missing\n")
        // An object of another shard is found out.
        _ = try await build(1, shards[1], index: "d")
        let stranger = try #require(
            (3_000...).first { ShardName.number(of: Array("n\($0)".utf8), among: 3) == 0 })
        _ = try await build(2, shards[2] + [stranger], index: "e")
        _ = try await expectDone("set", "commit", "set", status: 2)
        _ = try await expectDone("set", "commit", "set", "--any-division")
        try folder.remove("set/shard-00001-of-00003")
        let missing = try await run("search", "duck", "--index", "set")
        #expect(missing.status == 2 && missing.error.contains("is missing"), "\(missing.error)")
    }

    @Test func aFeederThatDiesIsNoticed() async throws {
        let lines = (0..<5).map(Self.line).joined()
        let short = try await run("index", "-", "--index", "index", "--expect", "6", input: lines)
        #expect(short.status == 2 && short.error.contains("5 objects in the input instead of 6"))
        let bad = lines + "{\"id\":\n"
        let failed = try await run("index", "-", "--index", "index", "--json", input: bad)
        #expect(failed.status == 2)
        let tolerated = try await run(
            "index", "-", "--index", "index", "--tolerate", "1", "--expect", "6", "--report",
            "r.json", input: bad)
        #expect(tolerated.status == 0, "\(tolerated.error)")
        let report = try json(
            String(contentsOf: folder.url.appending(path: "r.json"), encoding: .utf8))
        #expect(report["unchanged"] as? Int == 5 && report["failed"] as? Int == 1)
        #expect(report["isComplete"] as? Bool == true)
        #expect((report["problems"] as? [String])?.count == 1)
        let published = try json(
            try await expectDone("publish", "shared", "--index", "index", "--json"))
        let verified = try json(try await expectDone("verify", "--index", "index", "--json"))
        #expect(published["objects"] as? Int == 5)
        #expect(published["digest"] as? String == verified["contentDigest"] as? String)
        #expect(published["digest"] != nil)
    }

    @Test func indexesAreMergedAndSplitWithoutTheirTexts() async throws {
        for (index, numbers) in [("a", 0..<30), ("b", 20..<50), ("whole", 0..<50)] {
            let lines = numbers.map(Self.line).joined()
            _ = try await expectDone(
                "index", "-", "--index", index, "--field", "title", "--field", "body", input: lines)
        }
        let merged = try await expectDone("merge", "a", "b", "--index", "merged", "--json")
        #expect(try json(merged)["objects"] as? Int == 50)
        let verified = try json(await expectDone("verify", "--index", "whole", "--json"))
        #expect(
            try json(merged)["digest"] as? String == verified["contentDigest"] as? String
                ?? verified["digest"] as? String)
        for query in ["duck", "white whale", "captin"] {
            let (one, other) = (
                try await expectDone("search", query, "--index", "merged", "--limit", "50"),
                try await expectDone("search", query, "--index", "whole", "--limit", "50")
            )
            // The last line has the time.
            #expect(
                one.split(separator: "\n").dropLast() == other.split(separator: "\n").dropLast())
        }
        _ = try await expectDone("split", "merged", "--of", "2", "--output", "parts")
        for number in 0..<2 {
            _ = try await expectDone(
                "set", "add", "divided", "--shard", "\(number)", "--of", "2", "--index",
                "parts/shard-0000\(number)-of-00002")
        }
        _ = try await expectDone("set", "commit", "divided")
        let proof = try await expectDone("set", "verify", "divided")
        #expect(proof == "nothing is wrong\n2 shards, 50 objects read\n")
        let taken = try await run("merge", "a", "b", "--index", "merged")
        #expect(taken.status == 2 && taken.error.contains("lies at merged already"))
        let other = try await run("split", "a", "--of", "0", "--output", "x")
        #expect(other.status == 2)
    }

    /// A node, and a server that asks it, as processes.
    @Test func aSetIsServedByNodes() async throws {
        try await buildSet()
        let record = try json(
            String(
                decoding: Data(
                    contentsOf: folder.url.appending(path: "set/shard-00000-of-00003/SHARD.json")),
                as: UTF8.self))
        #expect((record["occurrences"] as? Int ?? 0) > 0)
        for (arguments, message) in [
            (["--index", "set", "--shards", "7-9"], "has no shards 7-9"),
            (["--index", "set", "--index", "tmp0"], "served alone"),
            (["--index", "tmp0", "--shards", "0"], "--shards is for a set"),
            (["--set", "set"], "--set needs --replica"),
            (["--set", "none", "--replica", "0-=http://a"], "no set of shards at none"),
            (["--set", "set", "--replica", "0-1=http://a"], "No replica is named for shard 2"),
            (
                ["--set", "set", "--replica", "0-1=http://a", "--replica", "1-2=http://b"],
                "those of other replicas"
            ),
            (["--set", "set", "--replica", "0-2=ftp://a"], "--replica"),
            (["--set", "set", "--index", "set", "--replica", "0-2=http://a"], "--set asks"),
        ] {
            let result = try await command.run(["serve"] + arguments)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.error.contains(message), "\(arguments): \(result.error)")
        }
    }

    /// What `SET.json` says of the shards is compared with them.
    @Test func whatTheSetSaysIsProved() async throws {
        try await buildSet()
        let file = folder.url.appending(path: "set/SET.json")
        let whole = try String(contentsOf: file, encoding: .utf8)
        for (said, other, status) in [
            (/"analysis" : "[^"]*"/, "\"analysis\" : \"0\"", 1),
            (/"occurrences" : \d+/, "\"occurrences\" : 7", 1),
            (/"objects" : \d+/, "\"objects\" : -1", 2),
            (/"fields" : \[[^\]]*\]/, "\"fields\" : [ ]", 1),
        ] as [(Regex<Substring>, String, Int32)] {
            let changed = whole.replacing(said, with: other)
            #expect(changed != whole)
            try folder.write(changed, to: "set/SET.json")
            let result = try await command.run(["set", "verify", "set"])
            #expect(result.status == status, "\(other): \(result.output)\(result.error)")
        }
        try folder.write(whole, to: "set/SET.json")
        let proved = try await command.run(["set", "verify", "set", "--trusted-owner", "65534"])
        #expect(proved.status == 0, "\(proved.error)\(proved.output)")
    }

    /// A flipped byte in what a shard's log holds is found.
    @Test func aDamagedLogIsFound() async throws {
        try await buildSet()
        let shard = folder.url.appending(path: "set/shard-00001-of-00003")
        let files = FileManager.default.enumerator(at: shard, includingPropertiesForKeys: nil)
        let logs = (files?.allObjects as? [URL] ?? []).filter { url in
            url.pathExtension == "log" && ((try? Data(contentsOf: url))?.isEmpty == false)
        }
        for log in logs {
            let whole = try Data(contentsOf: log)
            for place in stride(from: 0, to: whole.count, by: max(whole.count / 16, 1)) {
                var damaged = whole
                damaged[place] ^= 4
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: log.path)
                try damaged.write(to: log)
                let result = try await command.run(["set", "verify", "set"])
                #expect(result.status == 1, "\(log.lastPathComponent), \(place): \(result.output)")
            }
            try whole.write(to: log)
        }
        #expect(try await command.run(["set", "verify", "set"]).status == 0)
    }
}
