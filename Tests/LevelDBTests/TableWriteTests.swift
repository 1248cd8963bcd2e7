import Foundation
import LevelDB
import Testing

/// A table is written in pieces of 64 KB, not in one of 4 KB for each block, and is whole once it
/// is named.
@Suite struct TableWriteTests {
    @Test func fewPieces() throws {
        var options = DatabaseOptions()
        options.compression = false
        options.writeBufferSize = 16 << 20
        let directory = try TemporaryDirectory()
        let path = directory.path("pieces")
        let database = try Database(at: path, mode: .create, options: options)
        for number in 0..<1024 {
            try database.put("\(number)", String(repeating: "v", count: 1000))
        }
        let appends = try Fault(.append, at: path, file: ".ldb", .count).whileArmed { seen in
            // No key is there: what is in memory becomes a table.
            try database.compact(from: [0], to: [0])
            return seen()
        }
        let tables = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".ldb") }
        let sizes = try tables.map {
            try FileManager.default.attributesOfItem(atPath: path + "/" + $0)[.size] as? Int ?? 0
        }
        let pieces = sizes.reduce(0) { $0 + ($1 + 65535) / 65536 }
        #expect(sizes.reduce(0, +) > 1 << 20)
        #expect(appends == UInt64(pieces))
        #expect(try database.contents().count == 1024)
        try database.close()
        #expect(try Database(at: path, mode: .open, options: options).contents().count == 1024)
    }
}
