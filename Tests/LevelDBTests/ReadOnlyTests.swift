import Foundation
import LevelDB
import PowerCuts
import Testing

/// Databases that are opened to be read only: they answer as others do, and no byte of them
/// changes.
@Suite struct ReadOnlyTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
    }

    /// The bytes of every file.
    private func files() throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: path).map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)))
            })
    }

    /// Random entries and removals, in tables and in the log.
    private func fill(_ random: inout SeededGenerator, _ options: DatabaseOptions) throws {
        let database = try Database(at: path, mode: .openOrCreate, options: options)
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let batch = WriteBatch()
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let key = bytes("key \(Int.random(in: 0..<400, using: &random))")
                if Int.random(in: 0..<4, using: &random) == 0 {
                    batch.delete(key)
                } else {
                    let length = Int.random(in: 0...400, using: &random)
                    batch.put(
                        key, (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
                }
            }
            try database.write(batch, sync: false)
        }
        if Bool.random(using: &random) { try database.compact(from: nil, to: nil) }
        try database.close()
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func answersAndChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        for round in 0..<4 {
            try fill(&random, options)
            let before = try files()
            let first = try Database(at: path, mode: .read, options: options)
            let second = try Database(at: path + "/", mode: .read, options: options)
            #expect(first.isInMemory && first.isPoisoned)
            let contents = try first.contents()
            #expect(try second.contents(reversed: true) == contents.reversed())
            for database in [first, second] {
                expect(.readOnly) { try database.put("a", "1", sync: true) }
                expect(.readOnly) { try database.compact(from: nil, to: nil) }
                expect(.readOnly) { try database.reopen() }
                expect(.readOnly) { try database.link(to: directory.path("copy")) }
            }
            #expect(try first.contents() == contents)
            try first.close()
            expect(.locked) { _ = try Database(at: path, mode: .open) }
            expect(.locked) { try Database.destroy(at: path) }
            try second.close()
            let isSame = try files() == before
            #expect(isSame, "seed \(seed), round \(round)")
            let writer = try Database(at: path, mode: .open, options: options)
            #expect(!writer.isInMemory)
            expect(.locked) { _ = try Database(at: path, mode: .read) }
            #expect(try writer.contents() == contents, "seed \(seed), round \(round)")
            try writer.close()
        }
    }

    /// What a power cut leaves at the end of a log is left out, told of, and left where it is.
    @Test(arguments: [0, 0x55] as [UInt8])
    func tornTails(byte: UInt8) throws {
        try Database(at: path, mode: .create).put("a", "1")
        let name = try #require(try files().keys.first { $0.hasSuffix(".log") })
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + name))
        try log.seekToEnd()
        try log.write(contentsOf: Data(repeating: byte, count: 500))
        try log.close()
        let before = try files()
        let database = try Database(at: path, mode: .read)
        #expect(try database.text("a") == "1")
        #expect(database.discarded.map(\.length) == [500])
        try database.close()
        let isSame = try files() == before
        #expect(isSame)
    }

    @Test func nothingIsMade() throws {
        expect(.notFound) { _ = try Database(at: path, mode: .read) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        expect(.notFound) { _ = try Database(at: path, mode: .read) }
        #expect(try files().isEmpty)
        // A copy without a lock file has nobody to be locked by.
        try Database(at: path, mode: .create).put("a", "1")
        try FileManager.default.removeItem(atPath: path + "/LOCK")
        let names = try files().keys.sorted()
        #expect(try Database(at: path, mode: .read).text("a") == "1")
        #expect(try files().keys.sorted() == names)
    }

    @Test func damageIsFound() throws {
        let database = try Database(at: path, mode: .create)
        for key in 0..<200 { try database.put("key \(key)", "value \(key)") }
        try database.compact(from: nil, to: nil)
        try database.close()
        let table = try #require(try files().first { $0.key.hasSuffix(".ldb") })
        let file = URL(fileURLWithPath: path + "/" + table.key)
        var bytes = table.value
        bytes[20] ^= 1
        try bytes.write(to: file)
        let reader = try Database(at: path, mode: .read)
        expect(.corruption) { _ = try reader.contents() }
        try reader.close()
        try bytes.dropLast().write(to: file)
        expect(.corruption) { _ = try Database(at: path, mode: .read) }
    }
}
