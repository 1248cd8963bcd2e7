import Foundation
import LevelDB
import Testing

/// That what has to be synced is synced, and before what depends on it.
@Suite struct DurabilityTests {
    /// Writes, synced, until that was done to a second log; the flush of the first one's entries,
    /// which would sync the directory as well, stands still. Opening is no part of what `around` is
    /// given.
    private func writeIntoASecondLog(
        _ path: String, _ around: (() throws -> Void) throws -> Void
    ) throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let database = try Database(at: path, mode: .open, options: options)
        try around { try writeIntoASecondLog(database, path) }
    }

    private func writeIntoASecondLog(_ database: Database, _ path: String) throws {
        let stall = Fault(.create, at: path, file: ".ldb", .stall).arm()
        defer {
            Fault.disarm(stall)
            try? database.close()
        }
        try Fault(.create, at: path, file: ".log", .count).whileArmed { seen in
            var written = 0
            while seen() == 0 {
                try database.put("\(written)", String(repeating: "v", count: 1000), sync: true)
                written += 1
            }
        }
    }

    @Test func aSyncedWriteSyncsTheNameOfItsLog() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).close()
        try writeIntoASecondLog(path) { write in
            try Fault(.syncDirectory, at: path, .count).whileArmed { seen in
                try write()
                #expect(seen() == 1)
            }
        }
        for error in [EIO, ENOSPC] {
            try writeIntoASecondLog(path) { write in
                Fault(.syncDirectory, at: path, .fail(errno: error), times: 1).whileArmed { seen in
                    expect(error == EIO ? .io : .diskFull) { try write() }
                    #expect(seen() == 1)
                }
            }
        }
    }

    @Test func creatingSyncsTheParent() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Fault(.syncDirectory, at: path, file: "..", .count).whileArmed { seen in
            _ = try Database(at: path, mode: .create)
            #expect(seen() == 1)
            _ = try Database(at: path, mode: .open)
            #expect(seen() == 1)
        }
    }

    /// Without it, a later synced write would survive a power cut that earlier ones do not.
    @Test func aFinishedLogIsSynced() throws {
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create, options: options)
        let creations = Fault(.create, at: path, file: ".log", .count).arm()
        defer { Fault.disarm(creations) }
        try Fault(.sync, at: path, file: ".log", .count).whileArmed { seen in
            var written = 0
            while Fault.seen(creations) < 3 {
                try database.put("\(written)", String(repeating: "v", count: 1000))
                written += 1
            }
            #expect(seen() == 3)
            try database.close()
            #expect(seen() == 4)
        }
    }

    /// The switch to a new manifest is synced before the old manifest is removed.
    @Test func openingSyncsTheSwitchOfTheManifest() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).put("a", "1", sync: true)
        // A failure of that sync leaves both manifests; a name of a new table is synced first.
        for (skip, hasTable) in [(0, true), (1, true), (0, false)] as [(UInt64, Bool)] {
            if hasTable { try Database(at: path, mode: .open).put("a", "1", sync: true) }
            Fault(.append, at: path, file: "MANIFEST", .count).whileArmed { written in
                Fault(.syncDirectory, at: path, .fail(errno: EIO), skip: skip, times: 1)
                    .whileArmed { seen in
                        expect(.io) { _ = try Database(at: path, mode: .open) }
                        #expect(seen() == skip + 1)
                    }
                #expect((written() == 0) == (hasTable && skip == 0))
            }
            #expect(try Database(at: path, mode: .open).text("a") == "1")
        }
    }

    /// LevelDB gives a new manifest up where the file that would become CURRENT cannot be had.
    @Test(arguments: [Fault.Operation.create, .append, .sync, .close])
    func aManifestIsGivenUp(operation: Fault.Operation) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let fault = Fault(operation, at: path, file: ".dbtmp", .fail(errno: EIO), times: 1)
        fault.whileArmed { seen in
            expect(.io) { _ = try Database(at: path, mode: .create) }
            #expect(seen() == 1)
        }
        try Database(at: path, mode: .openOrCreate).put("a", "1", sync: true)
        fault.whileArmed { seen in
            expect(.io) { _ = try Database(at: path, mode: .open) }
            #expect(seen() == 1)
        }
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }

    @Test func creatingSyncsItsManifestBeforeTheSwitch() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Fault(.sync, at: path, file: "MANIFEST", .count).whileArmed { synced in
            Fault(.rename, at: path, .fail(errno: EIO)).whileArmed { _ in
                expect(.io) { _ = try Database(at: path, mode: .create) }
            }
            #expect(synced() == 1)
            try Database(at: path, mode: .openOrCreate).close()
        }
    }

    /// The manifest of an opening is synced once, before CURRENT names it; names are synced before
    /// it only where it names a new table.
    @Test func openingSyncsItsManifestBeforeTheSwitch() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        try Database(at: path, mode: .create).close()
        let current = URL(fileURLWithPath: path + "/CURRENT")
        // With an entry in its log, opening makes a table of it.
        for hasTable in [false, true] {
            if hasTable {
                try Database(at: path, mode: .open).put("a", "1", sync: true)
            }
            let before = try Data(contentsOf: current)
            Fault(.sync, at: path, file: "MANIFEST", .count).whileArmed { synced in
                Fault(.rename, at: path, .fail(errno: EIO)).whileArmed { _ in
                    expect(.io) { _ = try Database(at: path, mode: .open) }
                }
                #expect(synced() == 1)
            }
            Fault(.sync, at: path, file: "MANIFEST", .fail(errno: EIO)).whileArmed { failed in
                expect(.io) { _ = try Database(at: path, mode: .open) }
                #expect(failed() == 1)
            }
            #expect(try Data(contentsOf: current) == before)
            try Fault(.syncDirectory, at: path, .count).whileArmed { synced in
                try Database(at: path, mode: .open).close()
                #expect(synced() == (hasTable ? 2 : 1))
            }
            #expect(try Data(contentsOf: current) != before)
        }
        #expect(try Database(at: path, mode: .open).text("a") == "1")
    }

    /// Killed at each of its file operations, a process loses nothing that it was told is written.
    @Test(arguments: 0..<5)
    func killedAtAnyOperation(kind: Int) async throws {
        let directory = try TemporaryDirectory()
        for skip in [0, 1, 2, 5, 9, 14] as [UInt64] {
            let path = directory.path("db \(skip)")
            await #expect(processExitsWith: .failure) {
                [path = path as String, kind = kind as Int, skip = skip as UInt64] in
                let operations: [Fault.Operation] = [.create, .append, .sync, .rename, .remove]
                var options = DatabaseOptions()
                options.writeBufferSize = 64 << 10
                let database = try Database(at: path, mode: .create, options: options)
                // A pipe would do as well; a file survives the process just the same.
                let report = open(path + ".written", O_CREAT | O_WRONLY | O_APPEND, 0o600)
                _ = Fault(operations[kind], at: path, .kill, skip: skip).arm()
                for i in 0..<500 {
                    try database.put("\(i)", String(repeating: "v", count: 2000))
                    _ = write(report, "x", 1)
                }
                exit(1)
            }
            let database = try Database(at: path, mode: .open)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + ".written")
            let written = try #require(attributes[.size] as? NSNumber).intValue
            for i in 0..<written { #expect(try database.text("\(i)") != nil, "\(skip): \(i)") }
            // What was written is a prefix, with at most the one more that was under way.
            #expect(try database.contents().count - written <= 1)
        }
    }
}
