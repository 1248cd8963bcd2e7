import Foundation
import LevelDB
import Testing

/// Files that have no descriptor between two writes.
@Suite("Files that are opened anew")
struct ReopenedFileTests {
    private static func names(in path: String, _ isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter(isWanted).sorted()
    }

    /// Puts a copy in the place of a file. Both are there for a moment, so that they have different
    /// numbers.
    private static func exchange(_ name: String, in path: String) throws {
        let file = path + "/" + name
        try FileManager.default.copyItem(atPath: file, toPath: file + ".copy")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: file + ".copy", toPath: file)
    }

    @Test("A manifest that was exchanged for another file is not written to")
    func manifest() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        try database.put("a", "1")
        let manifests = try Self.names(in: path) { $0.hasPrefix("MANIFEST") }
        for name in manifests { try Self.exchange(name, in: path) }
        #expect(throws: LevelDBError.self) { try database.compact(from: nil, to: nil) }
        #expect(throws: LevelDBError.self) { try database.put("b", "2") }
        try? database.close()
        let again = try Database(at: path, mode: .open)
        #expect(try again.text("a") == "1")
        #expect(try again.text("b") == nil)
    }

    @Test("A log that was exchanged for another file before the first write is not written to")
    func log() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        for name in try Self.names(in: path, { $0.hasSuffix(".log") }) {
            try Self.exchange(name, in: path)
        }
        #expect(throws: LevelDBError.self) { try database.put("a", "1") }
        try? database.close()
        let again = try Database(at: path, mode: .open)
        #expect(try again.text("a") == nil)
    }

    @Test("Logs and manifests that go on after a pause hold all that was written")
    func goingOn() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        for round in 0..<4 {
            let database = try Database(at: path, mode: .openOrCreate, options: options)
            for number in 0..<200 {
                try database.put("\(round) \(number)", String(repeating: "v", count: 1000))
                if number % 67 == 0 { try database.compact(from: nil, to: nil) }
            }
            try database.close()
        }
        let again = try Database(at: path, mode: .open, options: options)
        #expect(try again.contents().count == 800)
    }
}
