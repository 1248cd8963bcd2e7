#if os(Linux)
    import Foundation
    import LevelDB
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    #if !THREAD_SANITIZER
        import Synchronization
    #endif

    /// What becomes of an index beside forks, and of directories that are exchanged while one is
    /// opened.
    @Suite("Forks and exchanged directories", .serialized)
    struct ForkTests {
        @Test("In a child every call of its parent's index throws, and none waits")
        func childIsRefused() async throws {
            let folder = try TemporaryFolder("forks")
            let path = folder("index").path
            await #expect(processExitsWith: .success) { [path = path as String] in
                let index = try openNotes(at: URL(fileURLWithPath: path))
                index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
                // One that is under way when the process forks.
                index.indexingQueue.isSuspended = true
                let pending = index.indexObject(WorkNote(id: 2, version: 1))
                let calls: [() throws -> Void] = [
                    { try index.flush() }, { try index.optimize() }, { try index.removeAll() },
                    { _ = try index.searchResults(forKeyword: "body") },
                    { _ = try index.statistics() }, { _ = try index.verify() },
                    { _ = try index.backup(to: URL(fileURLWithPath: path + "2")) },
                    {
                        let operation = index.indexObject(WorkNote(id: 3, version: 1))
                        operation.waitUntilFinished()
                        if let error = operation.error { throw error }
                    },
                    {
                        pending.waitUntilFinished()
                        if let error = pending.error { throw error }
                    },
                ]
                let child = LingeringChild.run {
                    guard calls.allSatisfy(Self.isClosed), index.count == 0 else { return false }
                    return (try? index.close()) != nil
                }
                #expect(child == 0)
                index.indexingQueue.isSuspended = false
                pending.waitUntilFinished()
                #expect(index.count == 2)
                try index.close()
            }
        }

        private static func isClosed(_ body: () throws -> Void) -> Bool {
            do { try body() } catch { return (error as? TextIndexError)?.code == .closed }
            return false
        }

        @Test("An index whose process was killed opens, though a child of it lives")
        func livingChild() async throws {
            let folder = try TemporaryFolder("forks")
            let (path, place) = (folder("index").path, folder("child").path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, place = place as String] in
                let index = try openNotes(at: URL(fileURLWithPath: path))
                for id in 0..<20 {
                    index.indexObject(WorkNote(id: id, version: 1)).waitUntilFinished()
                }
                LingeringChild.fork(keeping: path, place: place)
                kill(getpid(), SIGKILL)
            }
            let child = try #require(LingeringChild.number(at: place))
            let index = try openNotes(at: folder("index"))
            #expect(index.count == 20)
            #expect(kill(child, 0) == 0)
            LingeringChild.end(at: place)
            try await index.shutdown()
        }

        /// Operations that finished must be in the index that the path leads to, whichever was
        /// there when it began to be opened.
        @Test("An index that is opened while a purge exchanges its directory is the purged one")
        func purgeWhileOpening() throws {
            let folder = try TemporaryFolder("forks")
            let directory = folder("index")
            let made = try openNotes(at: directory)
            made.indexObject(WorkNote(id: 100, version: 1)).waitUntilFinished()
            try made.close()
            let number = Fault(.lock, at: directory.path, .stall, times: 1).arm()
            let opened = Mutex<Result<TextIndex<WorkNote>, any Error>?>(nil)
            Thread {
                let result = Result { try openNotes(at: directory) }
                opened.withLock { $0 = result }
            }.start()
            while Fault.seen(number) == 0 { usleep(1000) }
            try TextIndex<WorkNote>.purge(at: directory)
            Fault.disarm(number)
            while opened.withLock({ $0 == nil }) { usleep(1000) }
            let index = try #require(try opened.withLock { $0 }?.get())
            for id in 0..<50 {
                let operation = index.indexObject(WorkNote(id: id, version: 1))
                operation.waitUntilFinished()
                #expect(operation.error == nil)
            }
            try index.close()
            let again = try openNotes(at: directory)
            #expect(again.count == 51)
            try again.close()
        }

        @Test("Operations fail when CURRENT is gone, and searches go on")
        func currentIsGone() throws {
            let folder = try TemporaryFolder("forks")
            let directory = folder("index")
            let index = try openNotes(at: directory)
            index.indexObject(WorkNote(id: 1, version: 1)).waitUntilFinished()
            let current = directory.appendingPathComponent("CURRENT")
            try FileManager.default.moveItem(at: current, to: folder("aside"))
            for id in 2..<6 {
                let operation = index.indexObject(WorkNote(id: id, version: 1))
                operation.waitUntilFinished()
                #expect((operation.error as? TextIndexError)?.code == .io)
                #expect(index.count == 1)
            }
            try FileManager.default.moveItem(at: folder("aside"), to: current)
            let operation = index.indexObject(WorkNote(id: 7, version: 1))
            operation.waitUntilFinished()
            #expect(operation.error == nil)
            try index.close()
            let again = try openNotes(at: directory)
            #expect(again.count == 2)
            try again.close()
        }
    }
#endif
