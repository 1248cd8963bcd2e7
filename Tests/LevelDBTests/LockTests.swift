import Foundation
import LevelDB
import PowerCuts
import Synchronization
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

    /// Another directory takes the place of the one that was opened, before that is locked.
    @Test("What is opened while another directory takes its place is that one")
    func anExchangedDirectoryIsNotOpened() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let other = directory.path("other")
        for (place, value) in [(path, "old"), (other, "new")] {
            let database = try Database(at: place, mode: .create)
            try database.put("a", value)
            try database.close()
        }
        let stall = Fault(.lock, at: path, .stall, times: 1)
        let number = stall.arm()
        let opened = Mutex<Result<Database, any Error>?>(nil)
        let thread = Thread {
            let result = Result { try Database(at: path, mode: .open) }
            opened.withLock { $0 = result }
        }
        thread.start()
        while Fault.seen(number) == 0 { usleep(1000) }
        try Database.rename(other, to: path, exchanging: true)
        Fault.disarm(number)
        while opened.withLock({ $0 == nil }) { usleep(1000) }
        let database = try #require(try opened.withLock { $0 }?.get())
        #expect(try database.text("a") == "new")
        try database.put("b", "1")
        // The one that was exchanged is free.
        try Database(at: other, mode: .open).close()
        try database.close()
        #expect(try Database(at: path, mode: .open).text("b") == "1")
    }

    @Test("A lock file that is removed lets no other process in")
    func aRemovedLockFileLetsNobodyIn() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("db")
        let database = try Database(at: path, mode: .create)
        for _ in 0..<2 {
            try FileManager.default.removeItem(atPath: path + "/LOCK")
            await #expect(processExitsWith: .success) { [path = path as String] in
                for mode in [Database.OpenMode.open, .openOrCreate, .read] {
                    expect(.locked) { _ = try Database(at: path, mode: mode) }
                }
                expect(.locked) { try Database.destroy(at: path) }
            }
            // Somebody else's takes its place.
            #expect(FileManager.default.createFile(atPath: path + "/LOCK", contents: nil))
        }
        try database.put("a", "1")
        try database.close()
        #expect(try Database(at: path, mode: .open).text("a") == "1")
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
        @Test("A child that outlives its killed parent keeps no lock of it")
        func aLivingChildKeepsNoLock() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path("db")
            let place = directory.path("child")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, place = place as String] in
                let database = try Database(at: path, mode: .create)
                try database.put("a", "1")
                LingeringChild.fork(keeping: path, place: place)
                kill(getpid(), SIGKILL)
            }
            let child = try #require(LingeringChild.number(at: place))
            let again = try Database(at: path, mode: .open)
            #expect(try again.text("a") == "1")
            #expect(kill(child, 0) == 0)
            LingeringChild.end(at: place)
        }

        /// The child is made between the opening of the directory and its lock.
        @Test("A child that is made while a directory is being locked keeps no lock of it")
        func aChildOfAnOpeningKeepsNoLock() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path("db")
            let place = directory.path("child")
            try Database(at: path, mode: .create).close()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, place = place as String] in
                let stall = Fault(.lock, at: path, .stall, times: 1)
                let number = stall.arm()
                let isOpen = Mutex(false)
                let thread = Thread {
                    let database = try? Database(at: path, mode: .open)
                    isOpen.withLock { $0 = database != nil }
                    while database != nil { sleep(1) }
                }
                thread.start()
                while Fault.seen(number) == 0 { usleep(1000) }
                LingeringChild.fork(keeping: path, place: place)
                Fault.disarm(number)
                while !isOpen.withLock({ $0 }) { usleep(1000) }
                kill(getpid(), SIGKILL)
            }
            let child = try #require(LingeringChild.number(at: place))
            try Database(at: path, mode: .open).put("a", "1")
            #expect(kill(child, 0) == 0)
            LingeringChild.end(at: place)
        }

        @Test("A child that ends, or opens what its parent has closed, takes no lock of its parent")
        func aChildTakesNoLock() async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path("db")
            let database = try Database(at: path, mode: .create)
            let place = directory.path("child")
            LingeringChild.fork(keeping: path, place: place)
            LingeringChild.end(at: place)
            await #expect(processExitsWith: .success) { [path = path as String] in
                expect(.locked) { _ = try Database(at: path, mode: .open) }
            }
            try database.close()
        }

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
