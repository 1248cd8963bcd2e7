import Foundation
import LevelDB
import Testing

/// What opening changes before it is accepted, where a killed process left files of numbers that
/// are given again.
@Suite struct TrialTests {
    /// A database that compacts as it is opened, and partial tables of the next numbers.
    private static func makeDatabase(at path: String) throws -> [[[UInt8]]] {
        var contents: [[[UInt8]]] = []
        // Each opening makes a table of the log; four are too many that overlap.
        for round in 0..<4 {
            let database = try Database(at: path, mode: .openOrCreate)
            for number in 0..<50 { try database.put("key \(number)", "value \(round)") }
            contents = try database.contents()
            try database.close()
        }
        let numbers = try FileManager.default.contentsOfDirectory(atPath: path).compactMap {
            Int($0.filter(\.isNumber))
        }
        let last = try #require(numbers.max())
        for number in (last + 1)...(last + 12) {
            try Data("partial".utf8).write(
                to: URL(filePath: path + String(format: "/%06d.ldb", number)))
        }
        // It is killed before one becomes CURRENT and names the other.
        for number in (last + 1)...(last + 2) {
            for name in ["MANIFEST-%06d", "%06d.dbtmp"] {
                let name = String(format: name, number)
                try Data(name.utf8).write(to: URL(filePath: path + "/" + name))
            }
        }
        return contents
    }

    /// Opens it, and waits for the compaction.
    private static func open(_ path: String) async throws -> Database {
        var options = DatabaseOptions()
        options.defersWriting = true
        let database = try Database(at: path, mode: .open, options: options)
        for _ in 0..<3_000 where database.property("leveldb.num-files-at-level0") != "0" {
            try await Task.sleep(for: .milliseconds(10))
        }
        try #require(database.property("leveldb.num-files-at-level0") == "0")
        return database
    }

    @Test func aTableThatTakesTheNameOfAPartialOneStays() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let contents = try Self.makeDatabase(at: path)
        let database = try await Self.open(path)
        try database.beginWriting()
        #expect(try database.contents() == contents)
        try database.put("more", "1")
        try database.close()
        let again = try Database(at: path, mode: .open)
        #expect(try again.contents().count == contents.count + 1)
        try again.close()
        // Nothing of what the process left is there.
        for name in try directory.names(in: "db") where name.hasSuffix(".ldb") {
            let data = try Data(contentsOf: URL(filePath: path + "/" + name))
            #expect(data != Data("partial".utf8), "\(name)")
        }
        #expect(try !directory.names(in: "db").contains { $0.hasSuffix(".dbtmp") })
    }

    @Test func whatIsNotAcceptedIsUndone() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let contents = try Self.makeDatabase(at: path)
        func files() throws -> [String: Data] {
            var files: [String: Data] = [:]
            for name in try directory.names(in: "db") where name != "LOCK" {
                files[name] = try Data(contentsOf: URL(filePath: path + "/" + name))
            }
            return files
        }
        let before = try files()
        let database = try await Self.open(path)
        #expect(try database.contents() == contents)
        try database.close()
        #expect(try files() == before)
        #expect(try Database(at: path, mode: .open).contents() == contents)
    }
}
