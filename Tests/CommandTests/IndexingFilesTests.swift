import Foundation
import Testing

@Suite struct IndexingFilesTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write("The duck swims.\nDuckling follows.\n", to: "texts/a.txt")
        try folder.write("Nothing to see here.", to: "texts/b.md")
        try folder.write("A Peking duck.", to: "texts/deep/er/c.txt")
        try folder.write("duck", to: "texts/picture.png")
        try folder.write("duck", to: "texts/.hidden.txt")
    }

    @Test func foldersAreSearchedForTextFiles() async throws {
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.hasPrefix("3 objects indexed;"))
        let report = try await command.search("duck")
        #expect(Set(report.identifiers) == ["texts/a.txt", "texts/deep/er/c.txt"])
        #expect(report.total == 2)
    }

    @Test func matchesAreExactInTheFile() async throws {
        try folder.write("Ein Spaß an der Straße. STRASSE!", to: "texts/a.txt")
        try await command.run("index", "texts/a.txt", "--index", "index")
        let hits = try await command.search("strasse").hits
        #expect(hits.first?.matches.map(\.text) == ["Straße", "STRASSE"])
        #expect(hits.first?.matches.map(\.location) == [16, 24])
        #expect(hits.first?.matches.map(\.length) == [6, 7])
    }

    @Test func manyMatchesAreCountedAndSomeListed() async throws {
        try folder.write(String(repeating: "duck ", count: 3000), to: "many.txt")
        try await command.run("index", "many.txt", "--index", "index")
        let hit = try await command.search("duck").hits.first
        // No more of one object are looked for (queryLimits.maximumMatchesPerItem).
        #expect(hit?.matchCount == 1000)
        #expect(hit?.hasMoreMatches == true)
        #expect(hit?.matches.count == 1000)
        let few = try await command.search("duck", "--matches", "2").hits.first
        #expect(few?.matches.map(\.text) == ["duck", "duck"])
        #expect(few?.snippets.isEmpty == false)
    }

    @Test func pathsAreOneHoweverTheyAreWritten() async throws {
        try await command.run("index", "texts", "--index", "index")
        for path in ["./texts/", "texts/deep/..", folder.url.appending(path: "texts").path] {
            let result = try await command.run("index", path, "--index", "index")
            #expect(result.output.hasPrefix("0 objects indexed, 3 unchanged;"), "\(path)")
        }
        let elsewhere = folder.url.appending(path: "texts/deep")
        let result = try await command.run("index", "..", "--index", "../../index", in: elsewhere)
        #expect(result.output.hasPrefix("0 objects indexed, 3 unchanged;"))
    }

    @Test(arguments: [
        ["texts", "texts/deep", "texts/a.txt"], ["texts/a.txt", "texts/deep/er", "texts"],
        ["texts", "./texts/", "texts/deep/../deep/er/c.txt"],
        ["texts/a.txt", "texts/a.txt", "texts"],
    ])
    func overlappingPathsAreReadOnce(paths: [String]) async throws {
        let result = try await command.run(["index"] + paths + ["--index", "index"])
        #expect(result.output.hasPrefix("3 objects indexed;"))
        let again = try await command.run(["index"] + paths + ["--index", "index", "--sync"])
        #expect(again.output.hasPrefix("0 objects indexed, 3 unchanged;"))
        #expect(try await command.search("").total == 3)
    }

    @Test func searchingFromAnotherFolderStillShowsText() async throws {
        try await command.run("index", "texts", "--index", "index")
        let report = try await command.search("Peking", in: folder.scratch)
        #expect(report.hits.first?.snippets.first?.text == "A Peking duck.")
    }

    @Test func onlyChangesAreRead() async throws {
        try await command.run("index", "texts", "--index", "index")
        try folder.write("A goose.", to: "texts/a.txt")
        let result = try await command.run("index", "texts", "--index", "index")
        #expect(result.output.hasPrefix("1 object indexed, 2 unchanged;"))
        #expect(try await command.search("duck").identifiers == ["texts/deep/er/c.txt"])
        #expect(try await command.search("goose").identifiers == ["texts/a.txt"])
    }

    @Test func whatVanishedIsRemovedOnlyWhenAsked() async throws {
        try folder.write("Another duck.", to: "other/d.txt")
        try await command.run("index", "texts", "other", "--index", "index")
        try folder.remove("texts/a.txt")
        try folder.remove("other/d.txt")
        try await command.run("index", "texts", "--index", "index")
        #expect(try await command.search("duck").total == 3)
        let result = try await command.run("index", "texts", "--index", "index", "--sync")
        #expect(result.output.hasPrefix("0 objects indexed, 2 unchanged, 1 removed;"))
        // What lies outside of the given path is not its business.
        let left = try await command.search("duck")
        #expect(Set(left.identifiers) == ["texts/deep/er/c.txt", "other/d.txt"])
    }

    @Test func whatCameFromAVanishedPathCanBeRemoved() async throws {
        try folder.write("{\"id\": \"l\", \"title\": \"duck\"}", to: "texts/l.jsonl")
        try folder.write("A duck.", to: "texts2/d.txt")
        try await command.run("index", "texts", "texts2", "texts/l.jsonl", "--index", "index")
        try folder.remove("texts")
        let result = try await command.run("index", "texts", "--index", "index", "--sync")
        #expect(result.status == 2)
        #expect(result.error.contains("textindex remove --under texts --index index"))
        let removed = try await command.run(
            "remove", "--under", "../texts", "--index", "../index",
            in: folder.url.appending(path: "texts2"))
        #expect(removed.status == 0, "\(removed.error)")
        #expect(removed.output == "4 objects removed\n")
        #expect(try await command.search("").identifiers == ["texts2/d.txt"])
        let again = try await command.run("remove", "--under", "texts", "--index", "index")
        #expect(again.status == 1)
        #expect(again.error == "textindex: nothing in the index came from texts\n")
    }

    @Test func lostSettingsAreReported() async throws {
        _ = try await command.run("index", "texts", "--index", "index")
        try folder.remove("index/textindex.json")
        let found = try await command.run("search", "duck", "--index", "index")
        #expect(found.error.contains("textindex.json is missing"), "\(found.error)")
        let again = try await command.run("index", "texts", "--index", "index")
        #expect(again.error.contains("textindex.json is missing"), "\(again.error)")
        let mended = try await command.run("search", "duck", "--index", "index")
        #expect(mended.error.isEmpty, "\(mended.error)")
    }

    /// A disk that is not mounted looks like an empty folder.
    @Test func anEmptyFolderLosesNothingBySync() async throws {
        _ = try await command.run("index", "texts", "--index", "index")
        let total = try await command.search("duck").total
        #expect(total == 2)
        for file in ["texts/a.txt", "texts/b.md", "texts/deep/er/c.txt"] {
            try folder.remove(file)
        }
        let empty = try await command.run("index", "texts", "--index", "index", "--sync")
        #expect(empty.status == 2)
        #expect(empty.error.contains("texts: no objects"), "\(empty.error)")
        #expect(empty.error.contains("--allow-empty"))
        #expect(try await command.search("duck").total == total)
        let meant = try await command.run(
            "index", "texts", "--index", "index", "--sync", "--allow-empty")
        #expect(meant.status == 0, "\(meant.error)")
        #expect(try await command.search("duck").total == 0)
    }

    @Test func linksOutOfAFolderAreFollowedOnlyWhenAsked() async throws {
        try folder.write("A secret heron.", to: "outside/secret.txt")
        try folder.write("A public heron.", to: "texts/inside.txt")
        let files = FileManager.default
        for (link, target) in [
            ("texts/out.txt", "../outside/secret.txt"), ("texts/in.txt", "inside.txt"),
        ] {
            try files.createSymbolicLink(
                atPath: folder.url.appending(path: link).path, withDestinationPath: target)
        }
        let kept = try await command.run("index", "texts", "--index", "index")
        #expect(kept.status == 0, "\(kept.error)")
        #expect(kept.error.contains("texts/out.txt: a link out of the folder"), "\(kept.error)")
        let inside: Set = ["texts/inside.txt", "texts/in.txt"]
        #expect(Set(try await command.search("heron").identifiers) == inside)
        let asked = try await command.run(
            "index", "texts", "--index", "index", "--follow-links")
        #expect(asked.status == 0 && asked.error.isEmpty, "\(asked.error)")
        #expect(
            Set(try await command.search("heron").identifiers) == inside.union(["texts/out.txt"]))
    }

    @Test func filesNamedByThemselvesSurviveSync() async throws {
        try folder.write("A duck in code.", to: "texts/code.swift")
        try await command.run("index", "texts/code.swift", "--index", "index")
        try await command.run("index", "texts", "--index", "index", "--sync")
        #expect(try await command.search("code").identifiers == ["texts/code.swift"])
    }

    @Test func theIndexIsNotIndexed() async throws {
        try await command.run("index", ".", "--index", "index")
        let result = try await command.run("index", ".", "--index", "index")
        #expect(result.output.hasPrefix("0 objects indexed, 3 unchanged;"))
    }

    @Test func invalidTextIsReadAndReported() async throws {
        try folder.write(
            Data("caf\u{E9} duck".unicodeScalars.map { UInt8($0.value) }), to: "l/latin1.txt")
        try folder.write(Data([0x00, 0x64, 0x75, 0x63, 0x6B, 0x00]), to: "l/nul.txt")
        try folder.write(Data(), to: "l/empty.txt")
        let result = try await command.run("index", "l", "--index", "index")
        #expect(result.status == 0)
        #expect(result.errorLines.count == 1)
        #expect(result.error.hasPrefix("textindex: l/latin1.txt: not valid UTF-8"))
        #expect(Set(try await command.search("duck").identifiers) == ["l/latin1.txt", "l/nul.txt"])
    }

    @Test func aChangedFileIsSaidToHaveChanged() async throws {
        try await command.run("index", "texts", "--index", "index")
        try folder.write("No bird at all.", to: "texts/a.txt")
        let hits = try await command.search("duck").hits
        let hit = hits.first { $0.identifier == "texts/a.txt" }
        #expect(hit?.note?.contains("index it again") == true)
        #expect(hit?.matches.isEmpty == false)
        #expect(hit?.snippets.isEmpty == true)
    }

    @Test func objectsAreRemoved() async throws {
        try await command.run("index", "texts", "--index", "index")
        let result = try await command.run(
            "remove", "c.txt", "nowhere.txt", "--index", "../../../index",
            in: folder.url.appending(path: "texts/deep/er"))
        #expect(result.status == 1)
        #expect(result.output == "1 object removed\n")
        #expect(result.error == "textindex: nowhere.txt is not in the index\n")
        #expect(try await command.search("duck").identifiers == ["texts/a.txt"])
        let again = try await command.run("remove", "texts/a.txt", "--index", "index")
        #expect(again.status == 0)
    }

    @Test func statisticsAndOptimizing() async throws {
        try await command.run("index", "texts", "--index", "index")
        let stats = try await command.run("stats", "--index", "index", "--json")
        #expect(stats.status == 0)
        let report = try JSONSerialization.jsonObject(with: Data(stats.output.utf8))
        #expect((report as? [String: Any])?["objects"] as? Int == 3)
        let plain = try await command.run("stats", "--index", "index")
        #expect(plain.output.wholeMatch(of: /objects +3\n(.|\n)*/) != nil)
        let optimized = try await command.run("optimize", "--index", "index")
        #expect(optimized.status == 0, "\(optimized.error)")
        #expect(try await command.search("duck").total == 2)
    }
}
