import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

/// Published generations: readers see exactly what was published, whatever the owner does.
@Suite("Published generations")
struct PublicationTests {
    /// What an index says of its objects.
    private static func answers(_ index: TextIndex<TestObject>) throws -> [String] {
        try ["", "a", "s", "ab", "e"].flatMap { keyword in
            try index.searchResults(forKeyword: keyword).map {
                "\(keyword): \($0.number) \($0.weight) \($0.resultTokens)"
            }
        } + index.identifiers().map { $0.base64EncodedString() }
    }

    @Test("Readers of published random indexes find what their owners do", arguments: testSeeds(4))
    func readers(seed: UInt64) async throws {
        let folder = try TemporaryFolder("published")
        var bench = try RandomIndex(seed: seed)
        defer { bench.remove() }
        var random = SeededGenerator(seed: seed)
        typealias Reader = (
            index: TextIndex<TestObject>, answers: [String], files: DirectoryContents
        )
        var readers: [Reader] = []
        for round in 1...8 {
            try await bench.change()
            try bench.move()
            let right = try Self.answers(bench.index)
            await #expect(try bench.index.publish(to: folder("shared")) == round)
            let reader = try TextIndex<TestObject>(
                published: folder("shared"), configuration: bench.index.configuration)
            #expect(reader.generation == round)
            let report = try await reader.verify(depth: .full)
            #expect(report.isClean, "seed \(seed): \(report)")
            readers.append((reader, right, try DirectoryContents(of: reader.directory)))
            if random.once(in: 2) {
                let gone = readers.remove(at: random.int(0...(readers.count - 1)))
                try await gone.index.shutdown()
            }
            for reader in readers {
                let isSame = try Self.answers(reader.index) == reader.answers
                #expect(isSame, "seed \(seed), round \(round)")
                let isUntouched = try DirectoryContents(of: reader.index.directory) == reader.files
                #expect(isUntouched, "seed \(seed), round \(round)")
            }
            // Those that somebody reads are there, and the newest.
            let kept = Set(readers.map(\.index.directory.lastPathComponent))
                .union(["generation-\(round)"])
            try await bench.index.publish(to: folder("other"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder("shared").path)
            #expect(Set(names).isSuperset(of: kept), "seed \(seed), round \(round)")
        }
        let newest = try await bench.index.publish(to: folder("shared"))
        for reader in readers {
            #expect(try Self.answers(reader.index) == reader.answers, "seed \(seed)")
            try await reader.index.shutdown()
        }
        await #expect(try bench.index.publish(to: folder("shared")) == newest + 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("shared").path)
        #expect(names == ["generation-\(newest + 1)"])
    }

    @Test("Names beyond all numbers are no generations", arguments: [Int.max, Int.max / 2])
    func noGenerations(number: Int) throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        defer { try? owner.close() }
        let stray = folder("shared/generation-\(number)")
        try FileManager.default.createDirectory(at: stray, withIntermediateDirectories: true)
        for round in 1...2 {
            #expect(try owner.publish(to: folder("shared")) == round)
            let newest = try TextIndex<TestObject>.newestGeneration(published: folder("shared"))
            #expect(newest == round)
        }
        #expect(FileManager.default.fileExists(atPath: stray.path))
    }

    @Test("A folder of somebody's that has the name of a generation stays")
    func foreignGenerations() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        defer { try? owner.close() }
        try owner.publish(to: folder("shared"))
        let files = FileManager.default
        for name in ["generation-2", "generation-3"] {
            let place = folder("shared/\(name)")
            try files.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: place.appendingPathComponent("thesis.txt"))
        }
        // A database of another program.
        let other = try Database(at: folder("shared/generation-3/db").path, mode: .create)
        try other.close()
        for name in try files.contentsOfDirectory(atPath: folder("shared/generation-3/db").path) {
            try files.moveItem(
                at: folder("shared/generation-3/db/\(name)"),
                to: folder("shared/generation-3/\(name)"))
        }
        #expect(try owner.publish(to: folder("shared")) == 4)
        #expect(try owner.publish(to: folder("shared")) == 5)
        let names = try files.contentsOfDirectory(atPath: folder("shared").path).sorted()
        #expect(names == ["generation-2", "generation-3", "generation-5"])
        for name in ["generation-2", "generation-3"] {
            #expect(files.fileExists(atPath: folder("shared/\(name)/thesis.txt").path))
        }
    }

    @Test("A folder .making that is somebody's stays, and one that a crash left goes")
    func foreignWorkplace() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        defer { try? owner.close() }
        let files = FileManager.default
        let thesis = folder("shared/.making/generation/thesis.txt")
        try files.createDirectory(
            at: thesis.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: thesis)
        expectError(.invalidArgument) { try owner.publish(to: folder("shared")) }
        #expect(files.fileExists(atPath: thesis.path))
        try Data().write(to: folder("shared/.making/TextSearch-publication"))
        #expect(try owner.publish(to: folder("shared")) == 1)
        #expect(try files.contentsOfDirectory(atPath: folder("shared").path) == ["generation-1"])
    }

    @Test("Another index does not publish to a publication; the index's copies do")
    func otherIndexes() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        let configuration = owner.configuration
        #expect(try owner.publish(to: folder("shared")) == 1)
        let other = try openVerified(at: folder("other"))
        expectError(.invalidArgument) { try other.publish(to: folder("shared")) }
        try other.closeVerified()
        try owner.backup(to: folder("backup"))
        try owner.closeVerified()
        try TextIndex<WorkNote>.repair(at: folder("backup"), configuration: configuration)
        try TextIndex<WorkNote>.purge(at: folder("backup"), configuration: configuration)
        let copy = try openVerified(at: folder("backup"))
        #expect(try copy.publish(to: folder("shared")) == 2)
        try copy.closeVerified()
    }

    @Test("A reader takes no operations, and changes nothing by trying")
    func readOnly() async throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        try fillVerified(owner)
        try await owner.publish(to: folder("shared"))
        let reader = try TextIndex<WorkNote>(
            published: folder("shared"), configuration: owner.configuration)
        reader.identifier = owner.identifier
        reader.indexer = owner.indexer
        let before = try DirectoryContents(of: reader.directory)
        let notes = try consistentNotes(owner)
        #expect(failure(of: reader.indexObject(WorkNote(id: 1, version: 9)))?.code == .readOnly)
        #expect(
            failure(of: reader.removeIndex(forIdentifier: WorkNote.identifier(250)))?.code
                == .readOnly)
        expectError(.readOnly) { try reader.flush() }
        expectError(.readOnly) { try reader.optimize() }
        expectError(.readOnly) { try reader.publish(to: folder("more")) }
        expectError(.readOnly) { try reader.backup(to: folder("links"), by: .links) }
        await #expect(throws: (any Error).self) {
            let report = try await reader.indexObjects([WorkNote(id: 1, version: 9)])
            for failure in report.failures { throw failure.error }
        }
        #expect(try consistentNotes(reader) == notes)
        // To copy is to read.
        try await reader.backup(to: folder("copy"))
        try reader.closeVerified()
        let isSame = try DirectoryContents(of: before.directory(folder)) == before
        #expect(isSame)
        let copy = try openVerified(at: folder("copy"))
        #expect(try consistentNotes(copy) == notes)
        try copy.closeVerified()
        try owner.closeVerified()
    }

    @Test("Opening fails where nothing is published, with other settings, and beside a writer")
    func refused() throws {
        let folder = try TemporaryFolder("published")
        #expect(try TextIndex<WorkNote>.newestGeneration(published: folder("shared")) == nil)
        expectError(.invalidArgument) { try TextIndex<WorkNote>(published: folder("shared")) }
        #expect(!FileManager.default.fileExists(atPath: folder("shared").path))
        let owner = try openNotes(at: folder("index"))
        owner.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
        #expect(try owner.publish(to: folder("shared")) == 1)
        #expect(try TextIndex<WorkNote>.newestGeneration(published: folder("shared")) == 1)
        // Other files are nobody's generation.
        for name in ["generation-07", "generation-x", "generation--1", "notes"] {
            try FileManager.default.createDirectory(
                at: folder("shared").appendingPathComponent(name),
                withIntermediateDirectories: false)
        }
        #expect(try owner.publish(to: folder("shared")) == 2)
        var other = TextIndexConfiguration()
        other.discardDuplicateTokens = true
        expectError(.configurationMismatch) {
            try TextIndex<WorkNote>(published: folder("shared"), configuration: other)
        }
        // Whoever writes there is not disturbed.
        let generation = folder("shared").appendingPathComponent("generation-2")
        let writer = try openNotes(at: generation)
        expectError(.locked) { try TextIndex<WorkNote>(published: folder("shared")) }
        try writer.close()
        try owner.closeVerified()
    }

    @Test("A reader that meets a vanishing generation looks again, and only then")
    func looksAgain() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openNotes(at: folder("index"))
        try owner.publish(to: folder("shared"))
        let publication = try Publication(folder("shared"))
        let locked = TextIndexError(.locked, "It is being removed.")
        var met: [Int] = []
        let found = try publication.withNewest { place, generation in
            #expect(place == publication.place(of: generation))
            met.append(generation)
            guard met.count == 3 else {
                try owner.publish(to: folder("shared"))
                throw locked
            }
            return generation
        }
        #expect(found == 3 && met == [1, 2, 3])
        met = []
        expectError(.locked) {
            try publication.withNewest { _, generation in
                met.append(generation)
                throw locked
            }
        }
        #expect(met == [3])
        try owner.closeVerified()
    }

    @Test("An unsuitable directory takes no publication")
    func places() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openNotes(at: folder("index"))
        let file = folder("file")
        try Data("kept".utf8).write(to: file)
        expectError(.io) { try owner.publish(to: file.appendingPathComponent("shared")) }
        #expect(throws: TextIndexError.self) { try owner.publish(to: file) }
        expectError(.io) { try TextIndex<WorkNote>(published: file) }
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
        let address = try #require(URL(string: "https://example.org/shared"))
        expectError(.invalidArgument) { try owner.publish(to: address) }
        expectError(.invalidArgument) { try TextIndex<WorkNote>(published: address) }
        expectError(.io) { try openNotes(at: file.appendingPathComponent("below/index")) }
        try owner.closeVerified()
    }

    @Test("Readers come while generations come and go")
    func besidePublishing() async throws {
        let folder = try TemporaryFolder("published")
        let owner = try openNotes(at: folder("index"), tinyBuffers())
        owner.indexObject(WorkNote(id: 0, version: 0)).waitUntilFinished()
        try await owner.publish(to: folder("shared"))
        let isDone = Shared(false)
        let shared = folder("shared")
        await onThreads(3) { thread in
            do {
                if thread == 0 {
                    defer { isDone.change { $0 = true } }
                    for version in 1...25 {
                        for id in 0..<20 { owner.indexObject(WorkNote(id: id, version: version)) }
                        owner.indexingQueue.waitUntilAllOperationsAreFinished()
                        try owner.publish(to: shared)
                    }
                    return
                }
                var newest = 0
                while !isDone.current {
                    let reader = try TextIndex<WorkNote>(
                        published: shared, configuration: tinyBuffers())
                    let generation = try #require(reader.generation)
                    #expect(generation >= newest)
                    newest = generation
                    // The first generation has one note; each later one all of a version.
                    let notes = try consistentNotes(reader)
                    let right =
                        generation == 1
                        ? [0: 0]
                        : Dictionary(
                            uniqueKeysWithValues: (0..<20).map { ($0, generation - 1) })
                    #expect(notes == right, "generation \(generation)")
                    try reader.closeVerified()
                }
            } catch {
                Issue.record("\(error)")
            }
        }
        try await onThread { try owner.closeVerified() }
    }

    @Test("A search for generations always finds a newest one, whichever vanishes meanwhile")
    func newestWhileOthersGo() async throws {
        let folder = try TemporaryFolder("published")
        let publication = try Publication(folder("shared"))
        let last = 4000
        try FileManager.default.createDirectory(
            at: publication.place(of: 1), withIntermediateDirectories: true)
        let isDone = Shared(false)
        async let replaced: Void = onThread {
            defer { isDone.change { $0 = true } }
            try replaceGenerations(of: publication, through: last)
        }
        try await onThread { try seeGenerations(of: publication) { !isDone.current } }
        try await replaced
        #expect(try publication.generations() == [last])
        // A file of such a name is none, and waited for by nobody.
        try FileManager.default.removeItem(at: publication.place(of: last))
        try Data().write(to: folder("shared").appendingPathComponent("generation-7"))
        #expect(try publication.generations().isEmpty)
    }

    @Test(
        "A failure of any operation of publishing leaves what was published, and publishing goes on"
    )
    func faults() throws {
        let folder = try TemporaryFolder("published")
        let owner = try openVerified(at: folder("index"))
        try fillVerified(owner)
        try owner.publish(to: folder("shared"))
        let notes = try consistentNotes(owner)
        var failures = 0
        for operation in [Fault.Operation.create, .append, .sync, .syncDirectory, .rename] {
            var skip: UInt64 = 0
            while skip < 60 {
                var hasFailed = false
                Fault(operation, at: folder("shared").path, .fail(errno: EIO), skip: skip, times: 1)
                    .whileArmed { _ in
                        do {
                            try owner.publish(to: folder("shared"))
                        } catch {
                            hasFailed = true
                            #expect((error as? TextIndexError)?.code == .io, "\(error)")
                        }
                    }
                let reader = try TextIndex<WorkNote>(
                    published: folder("shared"), configuration: owner.configuration)
                #expect(try consistentNotes(reader) == notes, "\(operation) \(skip)")
                try reader.close()
                guard hasFailed else { break }
                failures += 1
                skip += 1
            }
        }
        #expect(failures > 5)
        try owner.publish(to: folder("shared"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("shared").path)
        #expect(names.count == 1)
        try owner.closeVerified()
    }

    #if os(Linux) || os(macOS)
        @Test(
            "Publishing that is killed at a file operation leaves the old generation or the new one, whole"
        )
        func kills() async throws {
            let folder = try TemporaryFolder("published")
            let owner = try openVerified(at: folder("index"))
            try fillVerified(owner)
            let notes = try consistentNotes(owner)
            try owner.closeVerified()
            var random = SeededGenerator(seed: testSeeds(1)[0])
            let operations = [
                Fault.Operation.create, .append, .sync, .syncDirectory, .rename, .remove,
            ]
            var newest = 1
            try Self.publish(in: folder.url)
            for (number, operation) in operations.enumerated() {
                let seen = try Fault(operation, at: folder("shared").path, .count).whileArmed {
                    try Self.publish(in: folder.url)
                    return $0()
                }
                newest += 1
                #expect(seen > 0, "\(operation)")
                for skip in Set([0, random.int(0...(Int(seen) - 1)), Int(seen) - 1]).sorted() {
                    let path = folder.url.path
                    await #expect(processExitsWith: .signal(SIGKILL), "\(operation) \(skip)") {
                        [path = path as String, number = number as Int, skip = skip as Int] in
                        let operations = [
                            Fault.Operation.create, .append, .sync, .syncDirectory, .rename,
                            .remove,
                        ]
                        _ = Fault(
                            operations[number], at: path + "/shared", .kill, skip: UInt64(skip)
                        ).arm()
                        try Self.publish(in: URL(fileURLWithPath: path, isDirectory: true))
                    }
                    let reader = try TextIndex<WorkNote>(
                        published: folder("shared"), configuration: owner.configuration)
                    let generation = try #require(reader.generation)
                    #expect([newest, newest + 1].contains(generation), "\(operation) \(skip)")
                    newest = generation
                    #expect(try consistentNotes(reader) == notes, "\(operation) \(skip)")
                    try reader.closeVerified()
                }
            }
            try Self.publish(in: folder.url)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder("shared").path)
            #expect(names == ["generation-\(newest + 1)"])
            let again = try openVerified(at: folder("index"))
            #expect(try consistentNotes(again) == notes)
            try again.closeVerified()
        }

        /// Opens the index in a folder and publishes it.
        private static func publish(in folder: URL) throws {
            let index = try openVerified(at: folder.appendingPathComponent("index"))
            try index.publish(to: folder.appendingPathComponent("shared"))
            try index.close()
        }

        @Test("Another process reads while the owner goes on")
        func otherProcess() async throws {
            let folder = try TemporaryFolder("published")
            let owner = try openNotes(at: folder("index"))
            for id in 0..<50 { owner.indexObject(WorkNote(id: id, version: 1)) }
            await owner.waitUntilAllOperationsAreFinished()
            try await owner.publish(to: folder("shared"))
            for id in 0..<50 { owner.indexObject(WorkNote(id: id, version: 2)) }
            await owner.waitUntilAllOperationsAreFinished()
            let path = folder("shared").path
            await #expect(processExitsWith: .success) { [path = path as String] in
                let reader = try TextIndex<WorkNote>(
                    published: URL(fileURLWithPath: path, isDirectory: true))
                let notes = try consistentNotes(reader)
                try reader.close()
                let right = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, 1) })
                exit(notes == right ? 0 : 1)
            }
            try await onThread { try owner.closeVerified() }
        }
    #endif
}

extension DirectoryContents {
    /// The only generation in a test's folder.
    fileprivate func directory(_ folder: TemporaryFolder) -> URL {
        folder("shared").appendingPathComponent("generation-1")
    }
}

/// As publishing does: the newer one is there before the older one goes.
private func replaceGenerations(of publication: Publication, through last: Int) throws {
    for number in 2...last {
        try FileManager.default.createDirectory(
            at: publication.place(of: number), withIntermediateDirectories: false)
        try FileManager.default.removeItem(at: publication.place(of: number - 1))
    }
}

/// Looks for the newest one again and again: there always is one, and none older than the one seen
/// last.
private func seeGenerations(
    of publication: Publication, while goesOn: () -> Bool
) throws {
    var newest = 1
    while goesOn() {
        newest = try #require(try publication.generations().last { $0 >= newest })
    }
}
