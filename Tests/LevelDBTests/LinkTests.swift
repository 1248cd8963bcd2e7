import Foundation
import LevelDB
import PowerCuts
import Testing

/// Databases made of another one's files while that goes on.
@Suite struct LinkTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let options: DatabaseOptions

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        self.options = options
    }

    /// The state after so many writes of ``write(_:to:)``: the newest number of each of a hundred
    /// keys.
    private static func state(after count: Int) -> [[[UInt8]]] {
        (0..<100).compactMap { key -> [[UInt8]]? in
            guard key < count else { return nil }
            let number = (count - 1 - key) / 100 * 100 + key
            return [bytes(String(format: "key %03d", key)), value(number)]
        }
    }

    private static func value(_ number: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(number))
        return bytes("\(number) ")
            + (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func write(_ number: Int, to database: Database) throws {
        let batch = WriteBatch()
        batch.put(bytes(String(format: "key %03d", number % 100)), value(number))
        try database.write(batch, sync: false)
    }

    /// The number of writes that a database has, if it has those up to some write and no others.
    private static func count(in database: Database) throws -> Int? {
        let contents = try database.contents()
        let newest = contents.map { entry in
            Int(String(decoding: entry[1].prefix { $0 != 0x20 }, as: UTF8.self)) ?? -1
        }.max()
        let count = (newest ?? -1) + 1
        return contents == state(after: count) ? count : nil
    }

    @Test func besideWrites() throws {
        let database = try Database(at: path, mode: .create, options: options)
        let written = Locked(0)
        let last = 6_000
        let root = directory.path
        onThreads(2) { [options] thread in
            do {
                if thread == 0 {
                    for number in 0..<last {
                        try Self.write(number, to: database)
                        written.withLock { $0 = number + 1 }
                    }
                    return
                }
                var round = 0
                while written.withLock({ $0 }) < last {
                    let copy = root + "/copy \(round)"
                    let least = written.withLock { $0 }
                    try database.link(to: copy)
                    let most = written.withLock { $0 } + 1
                    for mode in [Database.OpenMode.read, .open] {
                        let linked = try Database(at: copy, mode: mode, options: options)
                        let found = try Self.count(in: linked) ?? -1
                        #expect((least...most).contains(found), "\(least), \(most): \(found)")
                        #expect(linked.discarded.isEmpty)
                        try linked.close()
                    }
                    round += 1
                }
            } catch {
                Issue.record("\(error)")
                written.withLock { $0 = last }
            }
        }
        #expect(try Self.count(in: database) == last)
    }

    /// Tables are shared, and each directory goes its own way.
    @Test func goesItsOwnWay() throws {
        let database = try Database(at: path, mode: .create, options: options)
        for number in 0..<1_000 { try Self.write(number, to: database) }
        // All of it: nothing is left to merge in the background, which would change the tables.
        try database.compact(from: nil, to: nil)
        let copy = directory.path("copy")
        try database.link(to: copy)
        expect(.exists) { try database.link(to: copy) }
        func inodes(_ path: String) throws -> Set<Int> {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return Set(
                try names.filter { $0.hasSuffix(".ldb") }.map {
                    let file = try FileManager.default.attributesOfItem(atPath: path + "/" + $0)
                    return try #require(file[.systemFileNumber] as? Int)
                })
        }
        #expect(try inodes(copy) == inodes(path))
        #expect(try !inodes(copy).isEmpty)
        for number in 1_000..<3_000 { try Self.write(number, to: database) }
        try database.compact(from: nil, to: nil)
        try database.close()
        let linked = try Database(at: copy, mode: .open, options: options)
        #expect(try Self.count(in: linked) == 1_000)
        for number in 1_000..<1_400 { try Self.write(number, to: linked) }
        try linked.compact(from: nil, to: nil)
        #expect(try Self.count(in: linked) == 1_400)
        try linked.close()
        #expect(try Self.count(in: Database(at: path, mode: .open)) == 3_000)
        try Database.destroy(at: path)
        #expect(try Self.count(in: Database(at: copy, mode: .open)) == 1_400)
    }

    /// As where the log goes between the reading of the manifest and that of the directory: a copy
    /// without it would lack writes.
    @Test func theLogThatTheManifestNamesIsThere() throws {
        let database = try Database(at: path, mode: .create, options: options)
        for number in 0..<3 { try Self.write(number, to: database) }
        let log = try #require(try directory.names(in: "db").last { $0.hasSuffix(".log") })
        let away = directory.path("away")
        try FileManager.default.moveItem(atPath: path + "/" + log, toPath: away)
        expect(.io) { try database.link(to: directory.path("copy")) }
        try FileManager.default.moveItem(atPath: away, toPath: path + "/" + log)
        try FileManager.default.removeItem(atPath: directory.path("copy"))
        try database.link(to: directory.path("copy"))
        #expect(try Self.count(in: Database(at: directory.path("copy"), mode: .read)) == 3)
    }

    /// A number that a crash left is given again: never by writing into the file of that name,
    /// which another directory may share.
    @Test func sharedFilesAreNotWrittenInto() throws {
        let database = try Database(at: path, mode: .create, options: options)
        try Self.write(0, to: database)
        let kept = directory.path("kept")
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
        for number in 1..<60 {
            for suffix in ["ldb", "log", "dbtmp"] {
                let name = String(format: "%06d.", number) + suffix
                let file = path + "/" + name
                guard !FileManager.default.fileExists(atPath: file) else { continue }
                try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
                try FileManager.default.linkItem(atPath: file, toPath: kept + "/" + name)
            }
        }
        for number in 1..<2_000 { try Self.write(number, to: database) }
        try database.compact(from: nil, to: nil)
        #expect(try Self.count(in: database) == 2_000)
        for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
            let data = try Data(contentsOf: URL(fileURLWithPath: kept + "/" + name))
            #expect(data == Data("kept".utf8), "\(name)")
        }
    }

    /// The n-th operation on the new directory fails, for every n: an error, and the database goes
    /// on.
    @Test(arguments: [
        Fault.Operation.create, .append, .sync, .syncDirectory, .close,
    ])
    func faults(operation: Fault.Operation) throws {
        let database = try Database(at: path, mode: .create, options: options)
        for number in 0..<1_000 { try Self.write(number, to: database) }
        let copy = directory.path("copy")
        var failed = 0
        while failed < 100 {
            let seen = Fault(
                operation, at: copy, .fail(errno: ENOSPC), skip: UInt64(failed), times: 1
            ).whileArmed { seen in
                do {
                    try database.link(to: copy)
                } catch {
                    #expect((error as? LevelDBError)?.code == .diskFull, "\(error)")
                }
                return seen()
            }
            #expect(!database.isPoisoned)
            try FileManager.default.removeItem(atPath: copy)
            guard seen > failed else { break }
            failed += 1
        }
        #expect(failed > 0)
        try database.link(to: copy)
        #expect(try Self.count(in: Database(at: copy, mode: .read)) == 1_000)
        try Self.write(1_000, to: database)
    }

    /// Where the file system cannot share files they are copied.
    @Test(arguments: [EXDEV, EPERM, EMLINK])
    func copiesInstead(error: Int32) throws {
        let database = try Database(at: path, mode: .create, options: options)
        for number in 0..<1_000 { try Self.write(number, to: database) }
        try database.compact(from: nil, to: nil)
        let copy = directory.path("copy")
        // The first creation of each table is the link, the second the copy.
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".ldb") }
        let faults = names.map {
            Fault(.create, at: copy, file: $0, .fail(errno: error), times: 1).arm()
        }
        defer { faults.forEach(Fault.disarm) }
        try database.link(to: copy)
        for name in names {
            let file = try FileManager.default.attributesOfItem(atPath: copy + "/" + name)
            #expect(file[.referenceCount] as? Int == 1)
        }
        #expect(try Self.count(in: Database(at: copy, mode: .read)) == 1_000)
    }
}
