import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Copies while in use, and rewriting without what was removed.
@Suite("Backup, restore and purge")
struct CopyingTests {
    @Test("A backup of a random index answers as the index does", arguments: testSeeds(4))
    func backups(seed: UInt64) async throws {
        let folder = try TemporaryFolder("backup")
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        for round in 0..<5 {
            try await bench.change()
            try bench.move()
            let report = try await bench.index.backup(to: folder("\(round)"))
            #expect(report.isClean && report.unnamedByTable.isEmpty, "seed \(seed): \(report)")
            try TextIndex<TestObject>.restore(
                from: folder("\(round)"), to: folder("restored \(round)"),
                configuration: bench.index.configuration)
            for name in ["\(round)", "restored \(round)"] {
                let copy = try TextIndex<TestObject>(
                    at: folder(name), configuration: bench.index.configuration)
                for keyword in ["", "a", "s", "ab", "e"] {
                    func answers(_ index: TextIndex<TestObject>) throws -> [String] {
                        try index.searchResults(forKeyword: keyword).map {
                            "\($0.number) \($0.weight) \($0.resultTokens)"
                        }
                    }
                    let isSame = try answers(copy) == answers(bench.index)
                    #expect(isSame, "seed \(seed): \(name) \(keyword)")
                }
                await #expect(try copy.identifiers() == bench.index.identifiers(), "seed \(seed)")
                try copy.closeVerified()
            }
        }
    }

    @Test("A backup beside work holds one committed state")
    func besideWork() async throws {
        let folder = try TemporaryFolder("backup")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        let work = Task {
            for round in 0..<8 {
                // One operation each: a state has all of a round's objects or none.
                try await index.indexObjects((0..<40).map { WorkNote(id: $0, version: round) })
                index.removeIndex(forIdentifier: WorkNote.identifier(round))
            }
        }
        for round in 0..<6 {
            let report = try await index.backup(to: folder("\(round)"))
            #expect(report.isClean, "\(report)")
            let copy = try openNotes(at: folder("\(round)"))
            #expect(copy.count == report.objectCount)
            try copy.closeVerified()
        }
        try await work.value
        try await onThread { try index.closeVerified() }
    }

    @Test("A backup is never written over something")
    func taken() throws {
        let folder = try TemporaryFolder("backup")
        let index = try openNotes(at: folder("index"))
        defer { try? index.closeVerified() }
        index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        try FileManager.default.createDirectory(
            at: folder("there"), withIntermediateDirectories: true)
        expectError(.invalidArgument) { try index.backup(to: folder("there")) }
        expectError(.invalidArgument) { try index.backup(to: folder("index")) }
        expectError(.invalidArgument) {
            try TextIndex<WorkNote>.restore(from: folder("nowhere"), to: folder("new"))
        }
        // What a crash left of an earlier copy is no obstacle; a copy that somebody made is left
        // alone.
        for name in [".new.copying", "new.copy"] {
            try FileManager.default.createDirectory(
                at: folder(name), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: folder(name).appendingPathComponent("CURRENT"))
        }
        #expect(try index.backup(to: folder("new")).objectCount == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["index", "new", "new.copy", "there"])
    }

    /// It would be in each later copy, and the copies of that in it.
    @Test("A copy does not lie in what it is a copy of")
    func apart() throws {
        let folder = try TemporaryFolder("backup")
        let index = try openNotes(at: folder("index"))
        defer { try? index.closeVerified() }
        index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        try FileManager.default.createSymbolicLink(
            at: folder("link"), withDestinationURL: folder("index"))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder("index").path)
        for name in ["index/copy", "index/not/there/copy", "link/copy", "other/../index/copy"] {
            for method in [BackupMethod.entries, .links] {
                expectError(.invalidArgument) { try index.backup(to: folder(name), by: method) }
            }
            expectError(.invalidArgument) { try index.publish(to: folder(name)) }
        }
        expectError(.invalidArgument) { try index.publish(to: folder("index")) }
        try index.backup(to: folder("index copy"))
        expectError(.invalidArgument) {
            try TextIndex<WorkNote>.restore(
                from: folder("index copy"), to: folder("index copy/restored"))
        }
        let after = try FileManager.default.contentsOfDirectory(atPath: folder("index").path)
        #expect(
            Set(after.filter { !$0.hasSuffix(".log") && !$0.hasSuffix(".ldb") })
                == Set(before.filter { !$0.hasSuffix(".log") && !$0.hasSuffix(".ldb") }))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["index", "index copy", "link"])
    }

    @Test(
        "Files beside an index come along as they are; pipes are not opened",
        .timeLimit(.minutes(5)))
    func filesBeside() throws {
        let folder = try TemporaryFolder("backup")
        let directory = folder("index")
        let files = FileManager.default
        let index = try openNotes(at: directory)
        index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        func place(_ name: String) -> URL { directory.appendingPathComponent(name) }
        let long = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try long.write(to: place("settings.json"))
        try files.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: place("settings.json").path)
        try files.createDirectory(at: place("a/b"), withIntermediateDirectories: true)
        try Data().write(to: place("a/b/empty"))
        try files.setAttributes([.posixPermissions: 0o750], ofItemAtPath: place("a").path)
        try files.createSymbolicLink(atPath: place("link").path, withDestinationPath: "../other")
        try files.createSymbolicLink(atPath: place("dead").path, withDestinationPath: "/not/there")
        try Data("secret".utf8).write(to: folder("other"))
        try #require(mkfifo(place("pipe").path, 0o600) == 0)
        try #require(mkfifo(place("a/b/pipe").path, 0o600) == 0)
        try index.backup(to: folder("backup"))
        try index.backup(to: folder("linked"), by: .links)
        try index.publish(to: folder("shared"))
        try index.closeVerified()
        try TextIndex<WorkNote>.purge(at: directory)
        for name in ["backup", "linked", "shared/generation-1", "index"] {
            func path(_ part: String) -> String { folder("\(name)/\(part)").path }
            #expect(files.contents(atPath: path("settings.json")) == long, "\(name)")
            #expect(files.contents(atPath: path("a/b/empty")) == Data(), "\(name)")
            for (part, mode) in [("settings.json", 0o640), ("a", 0o750)] {
                let attributes = try files.attributesOfItem(atPath: path(part))
                #expect(attributes[.posixPermissions] as? Int == mode, "\(name)/\(part)")
            }
            #expect(try files.destinationOfSymbolicLink(atPath: path("link")) == "../other")
            #expect(try files.destinationOfSymbolicLink(atPath: path("dead")) == "/not/there")
            #expect(try files.contentsOfDirectory(atPath: path("a/b")) == ["empty"], "\(name)")
            #expect(!files.fileExists(atPath: path("pipe")), "\(name)")
            // For the temporary folder to be removed.
            try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path("a"))
        }
        try openNotes(at: directory).closeVerified()
    }

    @Test("A copy that a file beside the index cannot come into is removed")
    func noPlaceForFilesBeside() throws {
        let folder = try TemporaryFolder("backup")
        let index = try openNotes(at: folder("i"))
        defer { try? index.closeVerified() }
        index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        // A path that is too long for the system in a directory with a longer name.
        var deepest = folder("i")
        while deepest.path.utf8.count < 3_900 {
            deepest.appendPathComponent(String(repeating: "x", count: 100))
        }
        try FileManager.default.createDirectory(at: deepest, withIntermediateDirectories: true)
        let name = String(repeating: "b", count: 220)
        let error = expectError(.io) { try index.backup(to: folder(name)) }
        #expect(error?.message.contains("x/xxx") == true, "\(error?.message ?? "")")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["i"])
    }

    @Test("Damage is not copied")
    func damage() throws {
        let folder = try TemporaryFolder("backup")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        let batch = StoreBatch()
        let segment = try #require(index.writer.snapshot.flushed.first)
        var key = Buffer<UInt8>()
        Array("body".utf8).withUnsafeBufferPointer {
            Key.term(.postings, $0, segment: segment.number, into: &key)
        }
        key.withBytes { batch.delete($0) }
        try index.store.commit(batch, sync: false)
        expectError(.corrupted) { try index.backup(to: folder("copy")) }
        #expect(!FileManager.default.fileExists(atPath: folder("copy").path))
        #expect(!FileManager.default.fileExists(atPath: folder(".copy.copying").path))
        try index.close()
    }
}

/// Nothing of removed objects is left in any file.
@Suite("Purge")
struct PurgeTests {
    /// Pieces of a text in all the forms that a file might hold: front coding and compression leave
    /// pieces only.
    private static func needles(_ text: String) -> [Data] {
        var needles: Set<Data> = []
        for form in [text, String(text.reversed())] {
            let narrow = Array(form.utf8)
            for start in 0...(narrow.count - 5) {
                needles.insert(Data(narrow[start..<(start + 5)]))
            }
            for bytes in [
                form.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] },
                form.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] },
            ] {
                for start in stride(from: 0, through: bytes.count - 10, by: 2) {
                    needles.insert(Data(bytes[start..<(start + 10)]))
                }
            }
        }
        return Array(needles)
    }

    /// The files in a directory and below that hold any of the needles.
    private static func files(in directory: URL, holding needles: [Data]) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { name in
            let file = directory.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: file) else { return false }
            return needles.contains { data.range(of: $0) != nil }
        }
    }

    @Test("No byte of a removed object is left", arguments: testSeeds(3))
    func nothingIsLeft(seed: UInt64) async throws {
        let folder = try TemporaryFolder("purge")
        let directory = folder("index")
        var generator = SeededGenerator(seed: seed)
        // Letters that nothing else has, so that five of them in a row come from nowhere else.
        let letters = Array("qxzjvkwq")
        let secrets = (0..<3).map { _ in
            String((0..<14).map { _ in generator.element(letters) })
        }
        var configuration = TextIndexConfiguration()
        configuration.analysis = TextAnalysis(stemming: .language(.english))
        configuration.bufferSize = 1 << 16
        let index = try TextIndex<Int>(at: directory, configuration: configuration)
        index.identifier = { number in
            Data((number % 10 == 3 ? "\(secrets[0])\(number)" : "plain \(number)").utf8)
        }
        index.indexer = { number, _ in
            let secret = number % 10 == 3
            return IndexedObject(
                strings: ["a common text \(number)", secret ? "\(secrets[1])ing" : "more of it"],
                context: ["note": .string(secret ? secrets[2] : "public")],
                attributes: ["tag": .string(secret ? secrets[2] : "open")])
        }
        for round in 0..<4 {
            try await index.indexObjects(Array((round * 100)..<(round * 100 + 100)))
            for number in 0..<5 { index.indexObject(number * 10 + 3) }
            try await index.flush()
        }
        let needles = secrets.flatMap(Self.needles)
        try Data("kept".utf8).write(to: directory.appendingPathComponent("settings.json"))
        let before = try Self.files(in: directory, holding: needles)
        #expect(!before.isEmpty, "the search of the files finds nothing at all")
        for number in 0..<400 where number % 10 == 3 {
            index.removeIndex(forIdentifier: try index.identifier(for: number))
        }
        await index.waitUntilAllOperationsAreFinished()
        let identifiers = try await index.identifiers()
        let hits = try await index.searchResults(forKeyword: "common").map(\.identifier)
        try await onThread { try index.closeVerified() }
        let report = try TextIndex<Int>.purge(at: directory, configuration: configuration)
        #expect(report.isClean && report.objectCount == 360, "seed \(seed): \(report)")
        #expect(try Self.files(in: folder.url, holding: needles) == [], "seed \(seed)")
        let again = try TextIndex<Int>(at: directory, configuration: configuration)
        await #expect(try again.identifiers() == identifiers, "seed \(seed)")
        await #expect(
            try again.searchResults(forKeyword: "common").map(\.identifier) == hits, "seed \(seed)")
        try again.closeVerified()
        #expect(try Self.files(in: folder.url, holding: needles) == [], "seed \(seed)")
        let kept = try Data(contentsOf: directory.appendingPathComponent("settings.json"))
        #expect(kept == Data("kept".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["index"])
    }

    @Test("An open index is not purged, and nothing is made where none is")
    func refused() throws {
        let folder = try TemporaryFolder("purge")
        let index = try openNotes(at: folder("index"))
        expectError(.locked) { try TextIndex<WorkNote>.purge(at: folder("index")) }
        try index.closeVerified()
        expectError(.invalidArgument) { try TextIndex<WorkNote>.purge(at: folder("nowhere")) }
        #expect(!FileManager.default.fileExists(atPath: folder("nowhere").path))
    }
}
