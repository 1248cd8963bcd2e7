import Foundation
import LevelDB
import Synchronization
import Testing

/// What is created, what is refused, and that what is there is never deleted.
@Suite struct OpeningTests {
    @Test func modes() throws {
        let directory = try TemporaryDirectory()
        expect(.notFound) { _ = try Database(at: directory.path("absent"), mode: .open) }
        #expect(try directory.names(in: "") == [])
        expect(.io) { _ = try Database(at: directory.path("absent/db"), mode: .create) }
        expect(.invalidArgument) { _ = try Database(at: "", mode: .create) }
        expect(.invalidArgument) { _ = try Database(at: directory.path("a\0b"), mode: .create) }

        try Database(at: directory.path("db"), mode: .create).put("a", "1")
        expect(.exists) { _ = try Database(at: directory.path("db"), mode: .create) }
        #expect(try Database(at: directory.path("db"), mode: .open).text("a") == "1")
        #expect(try Database(at: directory.path("db"), mode: .openOrCreate).text("a") == "1")

        let empty = directory.path("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        expect(.notFound) { _ = try Database(at: empty, mode: .open) }
        #expect(try directory.names(in: "empty") == [])
        _ = try Database(at: empty, mode: .openOrCreate)

        let file = directory.path("file")
        try Data().write(to: URL(filePath: file))
        for mode in [Database.OpenMode.create, .open, .openOrCreate] {
            expect(.invalidArgument) { _ = try Database(at: file, mode: mode) }
        }
    }

    @Test func whatIsToBeDoneMeanwhileIsDoneOnceWhateverComesOfOpening() throws {
        let directory = try TemporaryDirectory()
        func expectOne(_ body: (@escaping @Sendable () -> Void) throws -> Void) rethrows {
            let box = Counter()
            try body { box.count.add(1, ordering: .relaxed) }
            #expect(box.count.load(ordering: .relaxed) == 1)
        }
        expectOne { errand in
            expect(.notFound) {
                _ = try Database(at: directory.path("absent"), mode: .open, meanwhile: errand)
            }
        }
        for mode in [Database.OpenMode.create, .open, .openOrCreate, .read] {
            try expectOne { errand in
                let database = try Database(
                    at: directory.path("db"), mode: mode, meanwhile: errand)
                // Waits for its thread.
                try database.close()
            }
        }
        let open = try Database(at: directory.path("db"), mode: .open)
        expectOne { errand in
            expect(.locked) {
                _ = try Database(at: directory.path("db"), mode: .open, meanwhile: errand)
            }
        }
        try open.close()
        // Once the database's own thread has it: opening fails, or begins anew in memory.
        for error in [EIO, ENOSPC] {
            let path = directory.path("db")
            try Fault(.sync, at: path, file: "MANIFEST", .fail(errno: error)).whileArmed { seen in
                try expectOne { errand in
                    if error == EIO {
                        expect(.io) {
                            _ = try Database(at: path, mode: .open, meanwhile: errand)
                        }
                    } else {
                        let database = try Database(at: path, mode: .open, meanwhile: errand)
                        try database.close()
                    }
                }
                #expect(seen() > 0)
            }
        }
        // Whoever opens it anew for those who use it does not do it once more.
        try expectOne { errand in
            let path = directory.path("db")
            let database = try Database(at: path, mode: .open, meanwhile: errand)
            Fault(.append, at: path, .fail(errno: EIO), times: 1).whileArmed { _ in
                expect(.io) { try database.put("b", "2", sync: true) }
            }
            #expect(database.isPoisoned)
            try database.reopen()
            #expect(!database.isPoisoned)
            try database.close()
        }
        try Data([1, 2, 3]).write(to: URL(filePath: directory.path("db/CURRENT")))
        expectOne { errand in
            expect(.corruption) {
                _ = try Database(at: directory.path("db"), mode: .open, meanwhile: errand)
            }
        }
    }

    private final class Counter: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test func otherPeoplesDirectoriesAreLeftAlone() throws {
        let directory = try TemporaryDirectory()
        try Data([1]).write(to: URL(filePath: directory.path("letter.txt")))
        expect(.exists) { _ = try Database(at: directory.path, mode: .create) }
        expect(.exists) { _ = try Database(at: directory.path, mode: .openOrCreate) }
        expect(.notFound) { _ = try Database(at: directory.path, mode: .open) }
        try Database.destroy(at: directory.path)
        #expect(try directory.names(in: "") == ["letter.txt"])
    }

    @Test func aMissingCurrentDeletesNothing() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        for i in 0..<100 { try database.put("\(i)", "value \(i)") }
        try database.compact(from: nil, to: nil)
        try database.put("in the log", "1")
        try database.close()
        try FileManager.default.moveItem(atPath: path + "/CURRENT", toPath: directory.path("kept"))
        let before = try directory.names(in: "db")
        expect(.corruption) { _ = try Database(at: path, mode: .open) }
        expect(.corruption) { _ = try Database(at: path, mode: .openOrCreate) }
        expect(.exists) { _ = try Database(at: path, mode: .create) }
        #expect(try directory.names(in: "db") == before)
        try FileManager.default.moveItem(atPath: directory.path("kept"), toPath: path + "/CURRENT")
        let again = try Database(at: path, mode: .open)
        #expect(try again.contents().count == 101)
    }

    /// The kinds of file operation that a creation is killed at.
    static let operations = [
        Fault.Operation.create, .append, .sync, .syncDirectory, .close, .rename,
    ]

    @Test(
        "A creation that was killed at any of its file operations can be repeated",
        arguments: operations.indices)
    func interruptedCreations(index: Int) async throws {
        let directory = try TemporaryDirectory()
        let whole = directory.path("whole")
        let count = try Fault(Self.operations[index], at: whole, .count).whileArmed { seen in
            let database = try Database(at: whole, mode: .openOrCreate)
            defer { try? database.close() }
            return seen()
        }
        #expect(count > 0)
        for skip in 0..<count {
            let path = directory.path("db \(skip)")
            await #expect(processExitsWith: .signal(SIGKILL), "\(skip) of \(count)") {
                [path = path as String, index = index as Int, skip = skip as UInt64] in
                _ = Fault(Self.operations[index], at: path, .kill, skip: skip).arm()
                _ = try Database(at: path, mode: .openOrCreate)
            }
            try Database(at: path, mode: .openOrCreate).put("a", "1")
        }
    }

    @Test func filesArePrivateAndThereIsNoLog() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        for i in 0..<1000 { try database.put("key \(i)", "value \(i)") }
        try database.compact(from: nil, to: nil)
        let names = try directory.names(in: "db")
        #expect(names.contains { $0.hasSuffix(".ldb") })
        #expect(!names.contains { $0.hasPrefix("LOG") })
        func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        }
        #expect(try mode(path) == 0o700)
        for name in names { #expect(try mode(path + "/" + name) == 0o600, "\(name)") }
    }

    @Test func linksAndPipesAreNotFollowed() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        let current = path + "/CURRENT"
        try FileManager.default.moveItem(atPath: current, toPath: directory.path("kept"))
        try FileManager.default.createSymbolicLink(
            atPath: current, withDestinationPath: directory.path("kept"))
        expect(.corruption) { _ = try Database(at: path, mode: .open) }
        try FileManager.default.removeItem(atPath: current)
        #expect(mkfifo(current, 0o600) == 0)
        expect(.corruption) { _ = try Database(at: path, mode: .open) }
        try FileManager.default.removeItem(atPath: current)
        try FileManager.default.moveItem(atPath: directory.path("kept"), toPath: current)
        // A link in the place of the next log would be written through.
        let victim = directory.path("victim")
        try Data([1, 2, 3]).write(to: URL(filePath: victim))
        for number in 4..<20 {
            let name = String(repeating: "0", count: 6 - "\(number)".count) + "\(number).log"
            try? FileManager.default.createSymbolicLink(
                atPath: path + "/" + name, withDestinationPath: victim)
        }
        expect(.io) { _ = try Database(at: path, mode: .open) }
        #expect(FileManager.default.contents(atPath: victim) == Data([1, 2, 3]))
    }

    @Test func strangersFilesAreNeitherReadNorRemoved() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        let strangers = ["7.log", "000900.ldb.bak", "0000012.ldb", "notes", "MANIFEST-x", "1.sst"]
        for name in strangers {
            try Data([9]).write(to: URL(filePath: path + "/" + name))
        }
        let database = try Database(at: path, mode: .open)
        #expect(try database.text("a") == "1")
        try database.compact(from: nil, to: nil)
        try database.close()
        try Database.destroy(at: path)
        #expect(try directory.names(in: "db") == strangers.sorted())
    }

    @Test("Directories and links by the names of LevelDB's files stay where they are")
    func othersByItsNames() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1")
        let names = ["000900.ldb", "000901.dbtmp"]
        try FileManager.default.createDirectory(
            atPath: path + "/" + names[0], withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: path + "/" + names[1], withDestinationPath: directory.path("nowhere"))
        // LevelDB removes files by such names that it does not know of.
        try Data([9]).write(to: URL(filePath: path + "/000902.ldb"))
        try Data([9]).write(to: URL(filePath: path + "/000903.dbtmp"))
        let database = try Database(at: path, mode: .open)
        #expect(try database.text("a") == "1")
        try database.compact(from: nil, to: nil)
        try database.close()
        let left = try directory.names(in: "db")
        #expect(left.filter { $0.hasPrefix("0009") } == names)
        try Database.destroy(at: path)
        #expect(try directory.names(in: "db") == names)
    }

    @Test func destroying() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database.destroy(at: path)
        let database = try Database(at: path, mode: .create)
        try database.put("a", "1")
        expect(.locked) { try Database.destroy(at: path) }
        #expect(try database.text("a") == "1")
        try database.close()
        try Database.destroy(at: path)
        #expect(try directory.names(in: "") == [])
        expect(.invalidArgument) { try Database.destroy(at: "") }
        _ = try Database(at: path, mode: .create)
    }
}
