import Foundation
import LevelDB
import Testing

/// Databases on a disk that is too full to open them.
@Suite struct FullDiskTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
    }

    private static let writes: [Fault.Operation] = [
        .create, .append, .sync, .truncate, .rename, .syncDirectory,
    ]

    /// Every kind of write that opening makes fails: reading goes on, and writing when the disk
    /// does.
    @Test(arguments: [[.space], writes, [.append], [.sync], [.rename]] as [[Fault.Operation]])
    func opens(operations: [Fault.Operation]) throws {
        let model = try fill()
        let faults = operations.map { Fault($0, at: path, .fail(errno: ENOSPC)).arm() }
        let database = try Database(at: path, mode: .openOrCreate)
        #expect(database.isInMemory && database.isPoisoned)
        #expect(try database.contents() == model)
        for _ in 0..<2 {
            expect(.diskFull) { try database.put("b", "2") }
            expect(.diskFull) { try database.compact(from: nil, to: nil) }
            expect(.diskFull) { try database.link(to: directory.path("copy")) }
            expect(.diskFull) { try database.reopen() }
            #expect(try database.contents() == model)
        }
        faults.forEach(Fault.disarm)
        expect(.diskFull) { try database.put("b", "2") }
        try database.reopen()
        #expect(!database.isInMemory && !database.isPoisoned)
        try database.put("b", "2")
        try database.close()
        #expect(try Database(at: path, mode: .open).contents().count == model.count + 1)
    }

    /// It is closed without an error, and without a change to what it found.
    @Test func closesAsItWas() throws {
        let model = try fill()
        let names = try directory.names(in: "db")
        for _ in 0..<3 {
            try Fault(.space, at: path, .fail(errno: ENOSPC)).whileArmed { _ in
                let database = try Database(at: path, mode: .open)
                #expect(try database.contents() == model)
                try database.close()
            }
            #expect(try directory.names(in: "db") == names)
        }
        #expect(try Database(at: path, mode: .open).contents() == model)
    }

    /// Other errors are no reason to go on in memory, and nothing is created there.
    @Test func onlyForSpace() throws {
        Fault(.append, at: path, .fail(errno: ENOSPC)).whileArmed { _ in
            expect(.diskFull) { _ = try Database(at: path, mode: .openOrCreate) }
        }
        let model = try fill()
        Fault(.append, at: path, .fail(errno: EIO)).whileArmed { _ in
            expect(.io) { _ = try Database(at: path, mode: .open) }
        }
        #expect(try Database(at: path, mode: .open).contents() == model)
    }

    @Test func reserve() throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        options.reserveSize = 1
        let file = path + "/RESERVE"
        func size() -> Int? {
            try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        }
        let database = try Database(at: path, mode: .create, options: options)
        // A smaller one would be of no use.
        #expect(size() == (256 << 10) + (4 << 20))
        try database.put("a", "1")
        let frees = WriteBatch()
        frees.delete(bytes("b"))
        Fault(.space, at: path, .fail(errno: ENOSPC), times: 1).whileArmed { _ in
            expect(.diskFull) { try database.put("b", "2") }
        }
        #expect(size() != nil)
        frees.useReserve(true)
        try Fault(.space, at: path, .fail(errno: ENOSPC), times: 1).whileArmed { _ in
            try database.write(frees, sync: false)
        }
        #expect(size() == nil)
        try database.close()
        let again = try Database(at: path, mode: .open, options: options)
        #expect(size() != nil)
        try again.close()
        // For opening, too.
        try Fault(.space, at: path, .fail(errno: ENOSPC), times: 1).whileArmed { seen in
            let opened = try Database(at: path, mode: .open, options: options)
            #expect(!opened.isInMemory && seen() > 1)
            #expect(try opened.text("a") == "1")
        }
        // Who asks for none has none.
        try Database(at: path, mode: .open).close()
        #expect(size() == nil)
        options.reserveSize = 10 << 20
        try Database(at: path, mode: .open, options: options).close()
        #expect(size() == 10 << 20)
        try Database.destroy(at: path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// A log to be replayed, and what it must hold.
    private func fill() throws -> [[[UInt8]]] {
        let database = try Database(at: path, mode: .openOrCreate)
        for number in 0..<500 { try database.put("key \(number % 90)", "value \(number)") }
        let contents = try database.contents()
        try database.close()
        return contents
    }

    @Test("The message says how many bytes a write may need")
    func figure() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var options = DatabaseOptions()
        options.writeBufferSize = 300_000
        let database = try Database(at: path, mode: .create, options: options)
        for length in [10, 5000, 700_000] {
            let batch = WriteBatch()
            batch.put([1], [UInt8](repeating: 7, count: length))
            Fault(.space, at: path, .fail(errno: ENOSPC)).whileArmed { _ in
                let error = #expect(throws: LevelDBError.self) {
                    try database.write(batch, sync: false)
                }
                let needed = 2 * 300_000 + 2 * batch.byteCount + (1 << 20)
                #expect(
                    error?.message.contains(" \(needed) bytes") == true,
                    "\(String(describing: error))")
            }
        }
        try database.close()
    }
}
