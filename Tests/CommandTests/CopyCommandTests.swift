import Foundation
import Testing
import TextSearch

/// `backup`, `restore`, `purge` and `repair`, as processes.
@Suite struct CopyCommandTests {
    let folder: TestFolder
    let command: Command

    init() async throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        for number in 0..<40 {
            try folder.write(
                "A duck \(number) swims in pond \(number * 7).", to: "texts/\(number).txt")
        }
        try await expectDone("index", "texts", "--stem", "english", "--index", "index")
    }

    private func expectDone(_ arguments: String...) async throws {
        let result = try await command.run(arguments)
        #expect(result.status == 0, "\(arguments): \(result.error)")
    }

    /// The files of the index and their bytes.
    private func files(_ name: String = "index") throws -> [String: Data] {
        let url = folder.url.appending(path: name)
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
            files[name] = try Data(contentsOf: url.appending(path: name))
        }
        return files
    }

    /// Changes a byte in the middle of the largest table.
    private func damage() throws {
        let index = folder.url.appending(path: "index")
        let largest = try files().filter { $0.key.hasSuffix(".ldb") }
            .max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        var (name, bytes) = try #require(largest)
        bytes[bytes.count / 3] ^= 0x10
        try bytes.write(to: index.appending(path: name))
    }

    @Test(arguments: [[], ["--links"]])
    func aBackupIsAnIndexAndComesBack(options: [String]) async throws {
        let backup = try await command.run(["backup", "saved", "--index", "index"] + options)
        #expect(backup.status == 0, "\(backup.error)")
        #expect(backup.output.hasPrefix("40 objects copied and proved, "), "\(backup.output)")
        let hits = try await command.search("swim").identifiers
        #expect(hits.count == 10)
        try folder.remove("index")
        let restored = try await command.run("restore", "saved", "--index", "index")
        #expect(restored.status == 0, "\(restored.error)")
        #expect(restored.output == "40 objects restored and proved\n")
        // With its settings: words by their stems, files where they were.
        #expect(try await command.search("swim").identifiers == hits)
        let again = try await command.run("index", "texts", "--index", "index")
        #expect(again.output.hasPrefix("0 objects indexed, 40 unchanged"), "\(again.output)")
        try await expectDone("verify", "--index", "saved")
    }

    @Test func whatIsPublishedIsSearched() async throws {
        for (file, generation) in [("40", 1), ("41", 2)] {
            try folder.write("A duck like file\(file).", to: "texts/\(file).txt")
            try await expectDone("index", "texts", "--index", "index")
            let published = try await command.run("publish", "shared", "--index", "index")
            #expect(published.output == "generation \(generation), \(40 + generation) objects\n")
            let found = try await command.run("search", "file\(file)", "--index", "shared")
            #expect(found.output.contains("texts/\(file).txt"), "\(found.output)\(found.error)")
        }
        // The first one went when the second came.
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appending(path: "shared").path) == ["generation-2"])
        try await expectDone("verify", "--index", "shared")
        try await expectDone("export", "--index", "shared")
        let before = try files("shared/generation-2")
        for arguments in [
            ["index", "texts", "--index", "shared"], ["purge", "--index", "shared"],
            ["repair", "--index", "shared"], ["restore", "saved", "--index", "shared"],
            ["remove", "texts/1.txt", "--index", "shared"], ["optimize", "--index", "shared"],
            ["publish", "texts", "--index", "index"], ["publish", "index", "--index", "index"],
        ] {
            let result = try await command.run(arguments)
            #expect(result.status == 2, "\(arguments): \(result.output)")
            #expect(result.errorLines.count == 1, "\(arguments): \(result.error)")
        }
        #expect(try files("shared/generation-2") == before)
    }

    /// Finder leaves a file in each folder that it shows.
    @Test func whatElseLiesBesideGenerationsIsLeftAlone() async throws {
        try await expectDone("publish", "shared", "--index", "index")
        try folder.write("x", to: "shared/.DS_Store")
        try await expectDone("publish", "shared", "--index", "index")
        #expect(try await command.run("search", "pond", "--index", "shared").status == 0)
        try folder.write("x", to: "shared/notes.txt")
        #expect(try await command.run("search", "pond", "--index", "shared").status == 0)
        let refused = try await command.run("publish", "shared", "--index", "index")
        #expect(refused.status == 2 && refused.error.contains("holds something else"))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: "shared").path)
        #expect(names.sorted() == [".DS_Store", "generation-2", "notes.txt"])
    }

    @Test func nothingIsWrittenOver() async throws {
        try await expectDone("backup", "saved", "--index", "index")
        let before = try files()
        for arguments in [
            ["backup", "saved", "--index", "index"], ["backup", "texts", "--index", "index"],
            ["restore", "saved", "--index", "index"], ["restore", "nowhere", "--index", "new"],
            ["backup", "new", "--index", "nowhere"], ["purge", "--index", "nowhere"],
            ["repair", "--index", "texts/1.txt"], ["repair", "--index", "texts"],
        ] {
            let result = try await command.run(arguments)
            #expect(result.status == 2, "\(arguments): \(result.output)")
            #expect(result.errorLines.count == 1, "\(arguments): \(result.error)")
            #expect(result.output.isEmpty)
        }
        #expect(try files() == before)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "new").path))
    }

    @Test func aPurgeLeavesNothingOfWhatWasRemoved() async throws {
        try folder.write("A secret qxzjvkwqz.", to: "texts/secret.txt")
        try await expectDone("index", "texts", "--index", "index")
        try await expectDone("remove", "texts/secret.txt", "--index", "index")
        let needle = Data("qxzjvkwqz".utf8)
        #expect(try files().contains { $0.value.range(of: needle) != nil })
        let purged = try await command.run("purge", "--index", "index")
        #expect(purged.status == 0, "\(purged.error)")
        #expect(purged.output.hasPrefix("40 objects kept and proved; "), "\(purged.output)")
        #expect(try !files().contains { $0.value.range(of: needle) != nil })
        #expect(try await command.search("swim").total == 40)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["index", "texts"])
    }

    @Test func whatIsLostIsReadAgain() async throws {
        try await expectDone("optimize", "--index", "index")
        try damage()
        let verified = try await command.run("verify", "--index", "index")
        #expect(verified.status != 0)
        let repaired = try await command.run("repair", "--index", "index", "--json")
        #expect([0, 1].contains(repaired.status), "\(repaired.error)")
        struct Report: Decodable {
            let objects: Int
            let indexedAgain: Int
            let lost: [String]
            let unidentified: Int?
            let isUncertain: Bool
            let damagedIndex: String
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(repaired.output.utf8))
        #expect(report.lost.isEmpty)
        #expect(report.damagedIndex == folder.url.appending(path: "index.damaged").path)
        if repaired.status == 0 { #expect(report.objects == 40) }
        let after = try await command.run("verify", "--index", "index")
        #expect((after.status == 0) == !report.isUncertain, "\(after.output)\(after.error)")
        // What nobody knew of comes back as a new file would.
        try await expectDone("index", "texts", "--index", "index")
        #expect(try await command.search("swim").total == 40)
        try await expectDone("verify", "texts", "--depth", "source", "--index", "index")
    }

    @Test func doubtIsToldUntilTheSourceHasSpoken() async throws {
        try folder.remove("index/CURRENT")
        let repaired = try await command.run("repair", "--index", "index")
        #expect(repaired.status == 1 && repaired.output.hasPrefix("40 objects"))
        #expect(repaired.output.contains("objects may be missing"), "\(repaired.output)")
        for arguments in [[], ["--depth", "source"]] {
            let verified = try await command.run(["verify", "--index", "index"] + arguments)
            #expect(verified.status == 1)
            #expect(verified.output.contains("objects may be missing"), "\(verified.output)")
            #expect(verified.error.contains("objects may be missing"), "\(verified.error)")
        }
        try folder.write("A heron nobody indexed.", to: "texts/new.txt")
        let missing = try await command.run(
            "verify", "texts", "--depth", "source", "--index", "index")
        #expect(missing.status == 1 && missing.output.hasPrefix("1 finding\n"))
        try folder.remove("texts/new.txt")
        try await expectDone("verify", "texts", "--depth", "source", "--index", "index")
        let settled = try await command.run("verify", "--index", "index")
        #expect(settled.status == 0 && settled.error.isEmpty, "\(settled.output)")
    }

    @Test func aSoundIndexIsRepairedToItself() async throws {
        let repaired = try await command.run("repair", "--index", "index")
        #expect(repaired.status == 0, "\(repaired.error)")
        #expect(
            repaired.output == """
                40 objects in the repaired index
                the damaged index is kept in \(folder.url.path)/index.damaged

                """)
    }

    @Test func sourcesAreCompared() async throws {
        let whole = try await command.run("verify", "--depth", "source", "--index", "index")
        #expect(whole.status == 0, "\(whole.output)\(whole.error)")
        #expect(whole.output.contains("\n40 objects compared with the source\n"))
        let sampled = try await command.run(
            "verify", "--depth", "source", "--sample", "4", "--index", "index")
        #expect(sampled.output.contains("\n4 objects compared with the source\n"))
        try folder.write("A goose.", to: "texts/3.txt")
        try folder.remove("texts/4.txt")
        let changed = try await command.run("verify", "--depth", "source", "--index", "index")
        #expect(changed.status == 1, "\(changed.error)")
        // The changed one differs in its record and in its terms.
        #expect(changed.output.hasPrefix("3 findings\n"), "\(changed.output)")
        #expect(changed.output.contains("there is no such object any more"))
        for arguments in [["--sample", "3"], ["--depth", "source", "--sample", "0"]] {
            let result = try await command.run(["verify", "--index", "index"] + arguments)
            #expect(result.status == 2)
        }
    }
}
