import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

/// Disks that are full or fail, at any of the operations on files that an index makes.
@Suite("Failing disks", .timeLimit(.minutes(30)))
struct FaultTests {
    enum Failure: CaseIterable, Sendable {
        case fullAppend, shortAppend, fullCreate, sync

        func fault(at path: String, skip: UInt64) -> Fault {
            switch self {
            case .fullAppend: Fault(.append, at: path, .fail(errno: ENOSPC), skip: skip)
            case .shortAppend: Fault(.append, at: path, .shortWrite(errno: ENOSPC), skip: skip)
            case .fullCreate: Fault(.create, at: path, .fail(errno: ENOSPC), skip: skip)
            case .sync: Fault(.sync, at: path, .fail(errno: EIO), skip: skip)
            }
        }
    }

    private func check(
        _ error: (any Error)?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let error else { return }
        let code = (error as? TextIndexError)?.code
        #expect(code == .diskFull || code == .io, "\(error)", sourceLocation: sourceLocation)
    }

    /// Indexes, replaces, removes, flushes and optimizes until something fails, and a little
    /// longer.
    private func work(
        on index: TextIndex<WorkNote>, _ generator: inout SeededGenerator,
        _ expectation: inout NoteExpectation
    ) -> Bool {
        var failures = 0
        for version in 1...220 where failures < 4 {
            let id = Int.random(in: 0..<30, using: &generator)
            do {
                if version % 50 == 0 {
                    try index.optimize()
                } else if version % 20 == 0 {
                    try index.flush()
                }
            } catch {
                check(error)
                failures += 1
            }
            let isRemoval = version % 9 == 0
            let operation =
                isRemoval
                ? index.removeIndex(forIdentifier: WorkNote.identifier(id))
                : index.indexObject(WorkNote(id: id, version: version))
            operation.waitUntilFinished()
            check(operation.error)
            expectation.note(id, isRemoval ? 0 : version, operation)
            if operation.error != nil { failures += 1 }
            // What was committed can be searched for whatever the disk does.
            do {
                let count = try index.searchResults(forKeyword: "stamp").count
                #expect(count == index.count)
            } catch {
                check(error)
            }
        }
        return failures > 0
    }

    @Test(
        "A full or failing disk gives a typed error, and what was finished is there after reopening",
        arguments: Failure.allCases)
    func writes(failure: Failure) throws {
        for seed in testSeeds(1) {
            var failed = 0
            for step in 0..<14 {
                let folder = try TemporaryFolder("faults")
                var configuration = tinyBuffers()
                configuration.durability = step % 2 == 0 ? .process : .power
                var generator = SeededGenerator(seed: seed &+ UInt64(step))
                var expectation = NoteExpectation()
                let index = try openNotes(at: folder("index"), configuration)
                // The first steps fail at once, the last ones deep in the work.
                let skip = UInt64(step < 6 ? step : (step - 4) * (step - 4))
                failure.fault(at: folder.url.path, skip: skip).whileArmed { _ in
                    if work(on: index, &generator, &expectation) { failed += 1 }
                    do { try index.close() } catch { check(error) }
                }
                let again = try openNotes(at: folder("index"), configuration)
                let found = try consistentNotes(again, "seed \(seed), step \(step)")
                for id in 0..<30 {
                    #expect(
                        expectation.allows(found[id] ?? 0, for: id),
                        "note \(id) is version \(found[id] ?? 0) after \(expectation.certain[id] ?? 0); seed \(seed), step \(step), \(failure)"
                    )
                }
                // It takes work again.
                let operation = again.indexObject(WorkNote(id: 99, version: 1))
                operation.waitUntilFinished()
                #expect(operation.error == nil)
                try again.closeVerified()
            }
            #expect(failed > 0, "\(failure) never came")
        }
    }

    @Test(
        "A full disk in a bulk load gives a typed error, and reopening finds only whole objects",
        arguments: [0, 1, 3, 8, 20, 60])
    func bulk(skip: Int) async throws {
        let folder = try TemporaryFolder("faults")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        try await index.indexObjects((0..<50).map { WorkNote(id: $0, version: 1) })
        let fault = Fault(
            .append, at: folder.url.path, .shortWrite(errno: ENOSPC), skip: UInt64(skip)
        ).arm()
        let error = await #expect(throws: TextIndexError.self) {
            try await index.indexObjects((0..<40_000).map { WorkNote(id: $0, version: 2) })
        }
        #expect(error?.code == .diskFull, "\(error as Any)")
        try? await index.shutdown()
        Fault.disarm(fault)
        let again = try openNotes(at: folder("index"))
        let found = try consistentNotes(again, "skip \(skip)")
        for id in 0..<50 { #expect(found[id] == 1 || found[id] == 2) }
        try await again.indexObjects((0..<100).map { WorkNote(id: $0, version: 3) })
        for id in 0..<100 {
            await #expect(try again.item(for: WorkNote.identifier(id))?.weight == 3)
        }
        try await onThread { try again.closeVerified() }
    }

    @Test("Reads that fail are errors, never fewer results")
    func reads() throws {
        let folder = try TemporaryFolder("faults")
        let index = try openNotes(at: folder("index"), tinyBuffers())
        for id in 0..<400 { index.indexObject(WorkNote(id: id, version: 1)) }
        try index.optimize()
        try index.closeVerified()
        var failures = 0
        for skip in 0..<40 {
            Fault(.read, at: folder.url.path, .fail(errno: EIO), skip: UInt64(skip), times: 1)
                .whileArmed { _ in
                    do {
                        let index = try openNotes(at: folder("index"), tinyBuffers())
                        defer { try? index.close() }
                        #expect(try index.searchResults(forKeyword: "stamp").count == 400)
                        #expect(try index.searchResults(forKeyword: "stamp7v").count == 1)
                        #expect(try index.identifiers().count == 400)
                        #expect(try index.item(for: WorkNote.identifier(3)) != nil)
                    } catch {
                        failures += 1
                        let code = (error as? TextIndexError)?.code
                        #expect(code == .io || code == .corrupted, "\(error)")
                    }
                }
        }
        #expect(failures > 0)
        let again = try openNotes(at: folder("index"))
        #expect(try consistentNotes(again).count == 400)
        try again.closeVerified()
    }

    @Test("A failure at any step of opening gives a typed error, and the next opening finds all")
    func openings() throws {
        let folder = try TemporaryFolder("faults")
        let directory = folder("index")
        let index = try openNotes(at: directory)
        for id in 0..<20 { index.indexObject(WorkNote(id: id, version: 1)) }
        try index.closeVerified()
        let operations: [Fault.Operation] = [
            .create, .append, .sync, .syncDirectory, .close, .rename, .remove, .open, .read,
        ]
        var failures = 0
        for operation in operations {
            for skip in 0..<6 as Range<UInt64> {
                Fault(operation, at: folder.url.path, .fail(errno: EIO), skip: skip).whileArmed {
                    _ in
                    do {
                        let index = try openNotes(at: directory)
                        try index.close()
                    } catch {
                        failures += 1
                        let code = (error as? TextIndexError)?.code
                        #expect(code == .io || code == .corrupted, "\(operation) \(skip): \(error)")
                    }
                }
                let again = try openNotes(at: directory)
                #expect(try consistentNotes(again, "\(operation) \(skip)").count == 20)
                try again.closeVerified()
            }
        }
        #expect(failures > 10)
    }

    @Test("Opening on a disk that cannot be written is refused, and changes nothing")
    func readOnly() throws {
        let folder = try TemporaryFolder("faults")
        let directory = folder("index")
        let index = try openNotes(at: directory)
        for id in 0..<20 { index.indexObject(WorkNote(id: id, version: 1)) }
        try index.closeVerified()
        let before = try DirectoryContents(of: directory)
        let path = folder.url.path
        let faults = [Fault.Operation.create, .append, .rename].map {
            Fault($0, at: path, .fail(errno: EROFS)).arm()
        }
        expectError(.io) { try openNotes(at: directory) }
        expectError(.io) { try openNotes(at: folder("another")) }
        for fault in faults { Fault.disarm(fault) }
        #expect(try DirectoryContents(of: directory) == before)
        let again = try openNotes(at: directory)
        #expect(try consistentNotes(again).count == 20)
        try again.closeVerified()
    }

    @Test(
        "An index in a directory without permission to write is refused",
        .enabled(if: geteuid() != 0))
    func permissions() throws {
        let folder = try TemporaryFolder("faults")
        let parent = folder("parent")
        let manager = FileManager.default
        try manager.createDirectory(at: parent, withIntermediateDirectories: true)
        try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: parent.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: parent.path) }
        expectError(.io) { try openNotes(at: parent.appendingPathComponent("index")) }
        expectError(.io) { try openNotes(at: parent) }
    }
}
