import Foundation
import LevelDB
import Testing

/// What is written behind `beginTable` comes into other files than what was written before.
@Suite struct BeginTableTests {
    private func tableCount(_ path: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: path).count { $0.hasSuffix(".ldb") }
    }

    @Test func runsComeIntoFilesOfTheirOwn() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("runs")
        let database = try Database(at: path, mode: .create)
        for run in 0..<6 {
            try database.beginTable()
            for number in 0..<100 { try database.put("\(run)/\(number)", "value") }
            try database.beginTable()
            // What comes between, again and again, is put together with its like alone.
            try database.put("!", "\(run)")
        }
        // No key is there: what is in memory becomes a table.
        try database.compact(from: [0], to: [0])
        // The runs lie where tables come that overlap no other ones; one of what came between may
        // as well.
        let count = database.property("leveldb.num-files-at-level2").flatMap { Int($0) } ?? 0
        #expect((6...7).contains(count), "\(count)")
        #expect(try database.contents().count == 601)
        try database.close()
        #expect(try Database(at: path, mode: .open).contents().count == 601)
    }

    @Test func nothingIsWritten() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("nothing")
        let database = try Database(at: path, mode: .create)
        for _ in 0..<5 { try database.beginTable() }
        try database.compact(from: [0], to: [0])
        #expect(try tableCount(path) == 0)
        try database.close()
        #expect(throws: LevelDBError.self) { try database.beginTable() }
    }

    @Test func refusedWhereNothingIsWritten() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("read")
        try Database(at: path, mode: .create).close()
        let database = try Database(at: path, mode: .read)
        let error = #expect(throws: LevelDBError.self) { try database.beginTable() }
        #expect(error?.code == .readOnly)
    }
}
