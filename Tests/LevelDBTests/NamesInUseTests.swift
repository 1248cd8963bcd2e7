import Foundation
import LevelDB
import Testing

/// Files that are removed or replaced under an open database: nothing is acknowledged any more that
/// no opening would find.
@Suite struct NamesInUseTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let database: Database

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
        database = try Database(at: path, mode: .create)
        for number in 0..<10 { try database.put("\(number)", "1") }
        try database.compact(from: nil, to: nil)
        try database.put("last", "1")
    }

    /// Writes until the failure; none may be acknowledged.
    private func expectNoWrites(_ comment: Comment) throws {
        for round in 0..<3 {
            let error = #expect(throws: LevelDBError.self, comment) {
                try database.put("lost \(round)", "1")
            }
            #expect(
                [.io, .poisoned].contains(error?.code), "\(comment): \(String(describing: error))")
            let again = #expect(throws: LevelDBError.self, comment) { try database.reopen() }
            #expect(again?.code == .io, "\(comment): \(String(describing: again))")
            #expect(try database.text("last") == "1", comment)
        }
    }

    @Test(
        "Operations fail when a file of an open database is removed",
        arguments: ["CURRENT", "MANIFEST", ".log", ".ldb"])
    func removed(part: String) throws {
        // Also when the directory had been at rest, and when it has just changed.
        let name = try #require(try directory.names(in: "db").last { $0.contains(part) })
        let bytes = try Data(contentsOf: URL(filePath: path + "/" + name))
        if part == ".ldb" { usleep(50_000) }
        try FileManager.default.moveItem(atPath: path + "/" + name, toPath: path + ".aside")
        if part == ".ldb" { usleep(50_000) }
        try expectNoWrites("\(part) removed")
        // Another file of the same content does not take its place for whoever has it open.
        try bytes.write(to: URL(filePath: path + "/" + name))
        try expectNoWrites("\(part) replaced")
        try FileManager.default.removeItem(atPath: path + "/" + name)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path + "/" + name)
        try database.reopen()
        try database.put("more", "1")
        try database.close()
        #expect(try Database(at: path, mode: .open).text("more") == "1")
    }

    @Test("Operations fail when another directory takes the place of the database's")
    func exchanged() throws {
        let other = directory.path("other")
        try Database(at: other, mode: .create).close()
        try Database.rename(other, to: path, exchanging: true)
        try expectNoWrites("exchanged")
        try Database.rename(other, to: path, exchanging: true)
        try database.reopen()
        try database.put("more", "1")
        try database.close()
        #expect(try Database(at: path, mode: .open).text("more") == "1")
    }

    @Test("A directory that gets another name goes on")
    func renamed() throws {
        let other = directory.path("other")
        try Database.rename(path, to: other, exchanging: false)
        try database.put("more", "1")
        try database.close()
        #expect(try Database(at: other, mode: .open).text("more") == "1")
    }

    @Test("Files that others put into the directory and take out of it are nothing to it")
    func others() throws {
        for round in 0..<20 {
            let name = path + "/notes \(round)"
            #expect(FileManager.default.createFile(atPath: name, contents: nil))
            try database.put("a", "\(round)")
            try FileManager.default.removeItem(atPath: name)
            try database.put("b", "\(round)")
        }
        try database.compact(from: nil, to: nil)
        try database.put("c", "1")
        try database.close()
    }
}
