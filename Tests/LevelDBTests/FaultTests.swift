import Foundation
import LevelDB
import PowerCuts
import Testing

/// File operations that fail: what is reported, what is refused, and that nothing acknowledged is
/// lost.
@Suite struct FaultTests {
    static let writes: [(Fault.Operation, String)] = [
        (.append, ".log"), (.sync, ".log"),
    ]

    @Test(arguments: writes.indices, [EIO, ENOSPC, EDQUOT])
    func aFailedWritePoisons(index: Int, error: Int32) throws {
        let (operation, file) = Self.writes[index]
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let code: LevelDBError.Code = error == EIO ? .io : .diskFull
        let database = try Database(at: path, mode: .create)
        try database.put("before", "1", sync: true)
        Fault(operation, at: path, file: file, .fail(errno: error), times: 1).whileArmed {
            seen in
            expect(code) { try database.put("failed", "1", sync: true) }
            #expect(seen() == 1)
        }
        // The fault is gone, the poison is not.
        #expect(database.isPoisoned)
        for sync in [false, true] {
            let refusal = #expect(throws: LevelDBError.self) {
                try database.put("after", "1", sync: sync)
            }
            #expect(refusal?.code == .poisoned)
            #expect(refusal?.isForWantOfSpace == (code == .diskFull))
        }
        expect(.poisoned) { try database.compact(from: nil, to: nil) }
        #expect(try database.text("after") == nil)
        #expect(try database.text("before") == "1")
        _ = try database.contents()
        try database.close()

        let again = try Database(at: path, mode: .open)
        #expect(!again.isPoisoned)
        #expect(try again.text("before") == "1")
        try again.put("after", "2", sync: true)
        try again.close()
        #expect(try Database(at: path, mode: .open).text("after") == "2")
    }

    /// What LevelDB 1.23 loses when it goes on after a full disk.
    @Test(arguments: [0, 1, 7, 20] as [UInt64])
    func aFullDiskLosesNothingThatWasAcknowledged(skip: UInt64) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var written: [String] = []
        for round in 0..<4 {
            let database = try Database(at: path, mode: .openOrCreate)
            let fault = Fault(
                .append, at: path, file: ".log", .shortWrite(errno: ENOSPC), skip: skip, times: 1)
            fault.whileArmed { _ in
                for i in 0..<100 {
                    let key = "\(round) \(i)"
                    let value = String(repeating: "v", count: 1 + i * 97 % 3000)
                    if (try? database.put(key, value, sync: true)) != nil { written.append(key) }
                }
            }
            #expect(database.isPoisoned)
            try database.close()
        }
        let database = try Database(at: path, mode: .open)
        for key in written { #expect(try database.text(key) != nil, "\(key)") }
        #expect(written.count >= 4 * Int(skip))
    }

    /// Each operation of each kind fails once, in turn, in a history that flushes, compacts, and
    /// opens again.
    @Test(arguments: [
        Fault.Operation.create, .append, .sync, .syncDirectory, .close, .rename, .remove,
    ])
    func everyOperationFailsOnce(operation: Fault.Operation) throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let directory = try TemporaryDirectory()
        func history(_ path: String, _ written: inout [String]) throws {
            for round in 0..<2 {
                let database = try Database(at: path, mode: .openOrCreate, options: options)
                for i in 0..<60 {
                    let key = "\(round) \(i)"
                    try database.put(
                        key, String(repeating: "\(i % 10)", count: 3000), sync: i % 8 == 0)
                    written.append(key)
                }
                try database.compact(from: nil, to: nil)
                try database.close()
            }
        }
        var none: [String] = []
        let total = try Fault(operation, at: directory.path("all"), .count).whileArmed { seen in
            try history(directory.path("all"), &none)
            return seen()
        }
        #expect(total > 0)
        let step = max(1, total / UInt64(Scale.sample(of: 25)))
        for skip in stride(from: 0, to: total, by: Int(step)) {
            let path = directory.path("db \(skip) ")
            var written: [String] = []
            let fault = Fault(operation, at: path, .fail(errno: EIO), skip: skip, times: 1)
            fault.whileArmed { _ in
                do {
                    try history(path, &written)
                } catch let error as LevelDBError {
                    #expect([.io, .poisoned].contains(error.code), "\(skip): \(error)")
                } catch {
                    Issue.record(error)
                }
            }
            let database = try Database(at: path, mode: .openOrCreate, options: options)
            for key in written { #expect(try database.text(key) != nil, "\(skip): \(key)") }
            try database.close()
        }
    }

    /// A failure in the background is told to the next writer, not swallowed.
    @Test func aFailedFlushIsReported() throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create, options: options)
        var written = 0
        Fault(.append, at: path, file: ".ldb", .fail(errno: ENOSPC)).whileArmed { _ in
            expect(.diskFull) {
                while written < 10_000 {
                    try database.put("\(written)", String(repeating: "v", count: 1000))
                    written += 1
                }
            }
        }
        expect(.poisoned) { try database.put("a", "1") }
        try database.close()
        let again = try Database(at: path, mode: .open, options: options)
        for i in 0..<written { #expect(try again.text("\(i)") != nil) }
    }

    @Test func aFailureWhileClosingIsReported() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        try database.put("a", "1")
        Fault(.sync, at: path, file: ".log", .fail(errno: EIO)).whileArmed { _ in
            expect(.io) { try database.close() }
        }
        expect(.closed) { try database.put("b", "1") }
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }

    /// Failing reads are errors, and do no harm.
    @Test func failedReads() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        var options = DatabaseOptions()
        options.blockCacheSize = 0
        let database = try Database(at: path, mode: .create, options: options)
        for i in 0..<1000 { try database.put("key \(i)", String(repeating: "v", count: 100)) }
        try database.compact(from: nil, to: nil)
        try Fault(.read, at: path, file: ".ldb", .fail(errno: EIO)).whileArmed { _ in
            expect(.io) { _ = try database.text("key 1") }
            expect(.io) { _ = try database.contents() }
            expect(.io) { _ = try database.contents(reversed: true) }
            let iterator = try database.makeIterator()
            expect(.io) { try iterator.seek(to: bytes("key 5")) }
            #expect(!iterator.isValid)
        }
        #expect(!database.isPoisoned)
        #expect(try database.contents().count == 1000)
        try database.close()
        Fault(.read, at: path, .fail(errno: EIO), times: 1).whileArmed { _ in
            expect(.io) { _ = try Database(at: path, mode: .open) }
        }
        #expect(try Database(at: path, mode: .open).contents().count == 1000)
    }

    @Test func noDescriptorsLeft() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        try database.put("a", "1")
        Fault(.create, at: path, .fail(errno: EMFILE)).whileArmed { _ in
            expect(.io) { try database.compact(from: nil, to: nil) }
        }
        #expect(try database.text("a") == "1")
        try database.close()
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }
}
