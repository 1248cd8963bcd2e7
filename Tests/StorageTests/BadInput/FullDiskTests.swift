import Foundation
import LevelDB
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

#if os(Linux)
    import Glibc

    /// A small file system in memory, while the test runs.
    private final class SmallDisk {
        let url: URL
        private let byteCount: Int

        /// It is not mounted any more: what is written goes to another disk, which nobody wants
        /// full.
        private struct IsGone: Error {}

        /// Nil where the process may not mount one.
        init?(megabytes: Int) throws {
            url = temporaryDirectory("disk")
            byteCount = megabytes << 20
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            guard mount("none", url.path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0 else {
                try FileManager.default.removeItem(at: url)
                return nil
            }
        }

        deinit {
            umount2(url.path, Int32(MNT_DETACH))
            try? FileManager.default.removeItem(at: url)
        }

        /// Another program takes all the space that is left.
        func fill() throws {
            let file = url.appendingPathComponent("others")
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                // A disk that takes no more names is full.
                if errno == ENOSPC { return }
                throw IsGone()
            }
            defer { close(descriptor) }
            var written = 0
            for length in [1 << 16, 4096, 1] {
                let bytes = [UInt8](repeating: 0x61, count: length)
                while write(descriptor, bytes, length) == length {
                    written += length
                    if written > byteCount { throw IsGone() }
                }
            }
        }

        func empty() throws {
            let file = url.appendingPathComponent("others")
            // A process that another test starts may hold the file open for a moment, and with it
            // the space.
            guard truncate(file.path, 0) == 0 else { throw IsGone() }
            try FileManager.default.removeItem(at: file)
        }

        /// Whether this process may mount file systems.
        static var isAvailable: Bool { (try? SmallDisk(megabytes: 1)) != nil }
    }

    /// Indexes on file systems that are really full.
    @Suite("A full disk", .enabled(if: SmallDisk.isAvailable), .serialized)
    struct FullDiskTests {
        private func configuration(reserving: Bool) -> TextIndexConfiguration {
            var configuration = TextIndexConfiguration()
            configuration.writeBufferSize = 64 << 10
            configuration.bufferSize = 1 << 16
            configuration.reservedSpace = reserving ? 1 : 0
            return configuration
        }

        /// Notes until the disk takes no more, or there are so many.
        private func fill(_ index: TextIndex<WorkNote>, from first: Int) -> [Int: Int] {
            var notes: [Int: Int] = [:]
            for id in first..<(first + 400) {
                guard let failure = failure(of: index.indexObject(WorkNote(id: id, version: 1)))
                else {
                    notes[id] = 1
                    continue
                }
                #expect(failure.code == .diskFull || failure.code == .io, "\(failure)")
                break
            }
            return notes
        }

        @Test(
            "An index on a full disk opens for reading, and goes on when there is space",
            arguments: [false, true])
        func opens(reserving: Bool) async throws {
            let disk = try #require(try SmallDisk(megabytes: 24))
            let directory = disk.url.appendingPathComponent("index")
            let configuration = configuration(reserving: reserving)
            var notes: [Int: Int] = [:]
            for round in 0..<Scale.sample(of: 20) {
                let index = try openNotes(at: directory, configuration)
                notes.merge(fill(index, from: round * 1_000)) { $1 }
                #expect(try consistentNotes(index) == notes, "round \(round)")
                try disk.fill()
                // Full while it is open: refused, and nothing is lost.
                let refused = failure(of: index.indexObject(WorkNote(id: 999_999, version: 1)))
                #expect(refused?.code == .diskFull, "\(String(describing: refused))")
                try? await onThread { try index.close() }

                let full = try openNotes(at: directory, configuration)
                #expect(full.store.isInMemory != reserving, "round \(round)")
                #expect(try consistentNotes(full) == notes, "round \(round)")
                let added = failure(of: full.indexObject(WorkNote(id: 999_999, version: 1)))
                #expect(added?.code == .diskFull, "\(String(describing: added))")
                let gone = try #require(notes.keys.min())
                let removal = failure(
                    of: full.removeIndex(forIdentifier: WorkNote.identifier(gone)))
                if reserving {
                    #expect(removal == nil, "\(String(describing: removal))")
                    notes[gone] = nil
                } else {
                    #expect(removal?.code == .diskFull)
                }
                #expect(try consistentNotes(full) == notes, "round \(round)")
                try disk.empty()
                // Without a restart.
                #expect(failure(of: full.indexObject(WorkNote(id: round, version: 7))) == nil)
                notes[round] = 7
                #expect(!full.store.isInMemory)
                #expect(try consistentNotes(full) == notes, "round \(round)")
                try await onThread { try full.closeVerified() }
            }
        }

        @Test("An index on a full disk is copied elsewhere, and purged when there is space")
        func copies() async throws {
            let disk = try #require(try SmallDisk(megabytes: 16))
            let elsewhere = try TemporaryFolder("elsewhere")
            let directory = disk.url.appendingPathComponent("index")
            let configuration = configuration(reserving: false)
            let index = try openNotes(at: directory, configuration)
            let notes = fill(index, from: 0)
            try index.closeVerified()
            try disk.fill()
            let full = try openNotes(at: directory, configuration)
            #expect(full.store.isInMemory)
            try await full.backup(to: elsewhere("copy"))
            expectError(.diskFull) { try full.optimize() }
            expectError(.diskFull) { try full.publish(to: elsewhere("shared")) }
            try full.closeVerified()
            expectError(.diskFull) {
                try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
            }
            try disk.empty()
            try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
            for place in [directory, elsewhere("copy")] {
                let copy = try openNotes(at: place, configuration)
                #expect(try consistentNotes(copy) == notes)
                try copy.closeVerified()
            }
        }

        @Test("Files are copied to another file system, since they cannot be shared")
        func otherFileSystem() throws {
            let disk = try #require(try SmallDisk(megabytes: 16))
            let folder = try TemporaryFolder("here")
            let index = try openVerified(at: folder("index"))
            try fillVerified(index)
            let notes = try consistentNotes(index)
            try index.backup(to: disk.url.appendingPathComponent("copy"), by: .links)
            try index.publish(to: disk.url.appendingPathComponent("shared"))
            try index.closeVerified()
            let reader = try TextIndex<WorkNote>(
                published: disk.url.appendingPathComponent("shared"),
                configuration: index.configuration)
            #expect(try consistentNotes(reader) == notes)
            try reader.closeVerified()
            let copy = try openVerified(at: disk.url.appendingPathComponent("copy"))
            #expect(try consistentNotes(copy) == notes)
            try copy.closeVerified()
        }
    }
#endif

/// The same by faults, where no file system can be mounted.
@Suite("Disks that take nothing")
struct ArmedFullDiskTests {
    @Test(
        "An index on a full disk opens for reading, and goes on when there is space",
        arguments: [[.space], [.append], [.create, .append, .sync, .truncate]]
            as [[Fault.Operation]])
    func opens(operations: [Fault.Operation]) throws {
        let folder = try TemporaryFolder("full")
        let index = try openVerified(at: folder("index"))
        try fillVerified(index)
        let notes = try consistentNotes(index)
        try index.closeVerified()
        let faults = operations.map {
            Fault($0, at: folder("index").path, .fail(errno: ENOSPC)).arm()
        }
        let full = try openVerified(at: folder("index"))
        #expect(full.store.isInMemory)
        for _ in 0..<2 {
            #expect(try consistentNotes(full) == notes)
            #expect(failure(of: full.indexObject(WorkNote(id: 1, version: 9)))?.code == .diskFull)
            expectError(.diskFull) { try full.flush() }
        }
        faults.forEach(Fault.disarm)
        #expect(failure(of: full.indexObject(WorkNote(id: 1, version: 9))) == nil)
        #expect(try consistentNotes(full) == notes.merging([1: 9]) { $1 })
        try full.closeVerified()
    }

    @Test("An index opened for reading only is shared, and does not change")
    func readOnly() throws {
        let folder = try TemporaryFolder("read")
        var configuration = TextIndexConfiguration()
        configuration.isReadOnly = true
        expectError(.invalidArgument) { try openNotes(at: folder("index"), configuration) }
        #expect(!FileManager.default.fileExists(atPath: folder("index").path))
        let index = try openNotes(at: folder("index"))
        for id in 0..<30 { index.indexObject(WorkNote(id: id, version: 1)) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        expectError(.locked) { try openNotes(at: folder("index"), configuration) }
        let notes = try consistentNotes(index)
        try index.closeVerified()
        let before = try DirectoryContents(of: folder("index"))
        let readers = try (0..<3).map { _ in try openNotes(at: folder("index"), configuration) }
        for reader in readers {
            #expect(try consistentNotes(reader) == notes)
            #expect(failure(of: reader.indexObject(WorkNote(id: 1, version: 2)))?.code == .readOnly)
        }
        expectError(.locked) { try openNotes(at: folder("index")) }
        for reader in readers { try reader.closeVerified() }
        let isSame = try DirectoryContents(of: folder("index")) == before
        #expect(isSame)
    }
}
