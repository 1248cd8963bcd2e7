import Foundation
import LevelDB
import Testing

/// One directory, one open database.
@Suite struct LockTests {
    @Test func aliasesOfThePathAreFound() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let aliases = [
            path, path + "/", directory.path + "/./db", directory.path + "//db",
            directory.path + "/db/../db",
        ]
        for alias in aliases {
            for mode in [Database.OpenMode.open, .openOrCreate] {
                expect(.locked) { _ = try Database(at: alias, mode: mode) }
            }
            expect(.locked) { try Database.destroy(at: alias) }
        }
        try database.put("a", "1")
        // A lock file that somebody removed does not make the directory free.
        try FileManager.default.removeItem(atPath: path + "/LOCK")
        expect(.locked) { _ = try Database(at: path, mode: .open) }
        for name in [link, link + "/", link + "//"] {
            for mode in [Database.OpenMode.create, .open, .openOrCreate] {
                expect(.untrusted) { _ = try Database(at: name, mode: mode) }
            }
            expect(.untrusted) { try Database.destroy(at: name) }
        }
        try database.close()
        let again = try Database(at: path + "/", mode: .open)
        #expect(try again.text("a") == "1")
    }

    @Test func otherProcessesAreFound() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        // A failed second opening must not lose the first one's lock.
        expect(.locked) { _ = try Database(at: path, mode: .open) }
        await #expect(processExitsWith: .success) { [path = path as String] in
            expect(.locked) { _ = try Database(at: path, mode: .open) }
            expect(.locked) { try Database.destroy(at: path) }
        }
        try database.close()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Database(at: path, mode: .open).put("a", "1", sync: true)
        }
        let again = try Database(at: path, mode: .open)
        #expect(try again.text("a") == "1")
    }

    /// A killed process leaves no lock behind, and nothing it was told is written is lost.
    @Test func aKilledProcessLeavesEverythingWritten() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let database = try Database(at: path, mode: .create)
            for i in 0..<1000 { try database.put("\(i)", "value \(i)") }
            kill(getpid(), SIGKILL)
        }
        let again = try Database(at: path, mode: .open)
        for i in 0..<1000 { #expect(try again.text("\(i)") == "value \(i)") }
    }

    #if os(Linux)
        @Test func aForkedChildIsRefused() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path("db")
            await #expect(processExitsWith: .success) { [path = path as String] in
                let database = try Database(at: path, mode: .create)
                try database.put("a", "1")
                let iterator = try database.makeIterator()
                try iterator.seekToFirst()
                let child = fork()
                if child == 0 {
                    _exit(Self.runsInForkedChild(database, iterator, path) ? 0 : 1)
                }
                var status: Int32 = 0
                #expect(waitpid(child, &status, 0) == child)
                #expect(status == 0)
                try iterator.seekToFirst()
                #expect(iterator.isValid)
                try database.put("b", "2")
                try database.close()
                _ = try Database(at: path, mode: .open)
            }
        }

        /// Whether everything is refused, without touching what is the parent's.
        private static func runsInForkedChild(
            _ database: Database, _ iterator: LevelDB.Iterator, _ path: String
        ) -> Bool {
            func isRefused(_ code: LevelDBError.Code, _ body: () throws -> Void) -> Bool {
                do { try body() } catch { return (error as? LevelDBError)?.code == code }
                return false
            }
            let refused =
                isRefused(.closed) { try database.put("c", "3") }
                && isRefused(.closed) { _ = try database.text("a") }
                && isRefused(.closed) { try iterator.next() }
                && isRefused(.closed) { try iterator.withEntry { _, _ in } }
                && isRefused(.locked) { _ = try Database(at: path, mode: .open) }
            try? database.close()
            return refused && isRefused(.locked) { _ = try Database(at: path, mode: .open) }
        }
    #endif
}
