#if os(Linux)
    import Foundation
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    #if canImport(Glibc)
        import Glibc
    #endif

    /// What many open indexes, observations and waiting tasks take of the process. Each test has a
    /// process of its own, whose threads and descriptors nobody else makes.
    @Suite("Threads and descriptors of many indexes", .timeLimit(.minutes(20)))
    struct SharedThreadTests {
        private struct Failure: Error, CustomStringConvertible {
            var description: String
        }

        private static let processorCount = ProcessInfo.processInfo.activeProcessorCount
        /// So many threads are the library's own, and Dispatch has some for each kind of work of
        /// the application.
        private static let most = max(processorCount, 2) + 8

        private static var threadCount: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? .max
        }

        /// What open descriptors lead to.
        private static var openFiles: [String] {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
        }

        private static func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
            if !isRight { throw Failure(description: what()) }
        }

        private static func open(_ number: Int, in folder: String) throws -> TextIndex<PlainNote> {
            var configuration = TextIndexConfiguration()
            configuration.cacheSize = 1 << 20
            let index = try TextIndex<PlainNote>(
                at: URL(fileURLWithPath: folder).appendingPathComponent("index \(number)"),
                configuration: configuration)
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in IndexedObject(strings: note.strings) }
            return index
        }

        /// Opens many indexes, each with a table, and closes them in another order than they were
        /// opened in.
        private static func openMany(in folder: String) throws {
            let count = 300
            for number in 0..<count {
                let index = try open(number, in: folder)
                index.indexObject(PlainNote("a", "word number\(number)")).waitUntilFinished()
                try index.flush()
                try index.close()
            }
            let threadsBefore = threadCount
            let filesBefore = openFiles.count
            let indexes = try (0..<count).map { try open($0, in: folder) }
            for (number, index) in indexes.enumerated() {
                try check(
                    try index.resultCount(forKeyword: "number\(number)") == 1, "no \(number)")
            }
            let threads = threadCount - threadsBefore
            try check(threads <= most, "\(threads) threads")
            try checkFiles(filesBefore, count: count, each: 2)
            // A log for each that is written.
            for index in indexes {
                index.indexObject(PlainNote("b", "more")).waitUntilFinished()
                try index.flush()
            }
            try checkFiles(filesBefore, count: count, each: 3)
            let threadsAfter = threadCount - threadsBefore
            // Operations run on Dispatch's queues.
            try check(threadsAfter <= most + processorCount, "\(threadsAfter) threads")
            for (number, index) in indexes.enumerated() {
                try check(try index.resultCount(forKeyword: "word") == 1, "no word \(number)")
                try check(try index.resultCount(forKeyword: "more") == 1, "no more \(number)")
            }
            for number in 0..<count { try indexes[number * 7 % count].close() }
            try check(openFiles.count <= filesBefore, "\(openFiles.count) files left")
        }

        private static func checkFiles(_ before: Int, count: Int, each: Int) throws {
            let files = openFiles
            let tables = files.filter { $0.hasSuffix(".ldb") }.count
            try check(tables <= 64, "\(tables) tables")
            try check(
                files.count - tables - before <= each * count,
                "\(files.count - tables - before) files")
        }

        @Test("Hundreds of open indexes share a few threads and keep two or three descriptors each")
        func indexes() async throws {
            let folder = try TemporaryFolder("many")
            let path = folder.url.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Self.openMany(in: path)
            }
        }

        private static func observeMuch(in folder: String) async throws {
            let index = try open(0, in: folder)
            index.indexObject(PlainNote("a", "word")).waitUntilFinished()
            let before = threadCount
            let calls = Shared([Int](repeating: 0, count: 500))
            let observations = try (0..<500).map { number in
                try index.observe(.term("word")) { _ in calls.change { $0[number] += 1 } }
            }
            while calls.current.contains(0) { try await Task.sleep(for: .milliseconds(1)) }
            index.indexObject(PlainNote("b", "word")).waitUntilFinished()
            while calls.current.contains(1) { try await Task.sleep(for: .milliseconds(1)) }
            let threads = threadCount - before
            try check(threads <= most + processorCount, "\(threads) threads")
            for observation in observations { observation.cancel() }
            try await index.shutdown()
        }

        @Test("Hundreds of observations share a few threads")
        func observations() async throws {
            let folder = try TemporaryFolder("observed")
            let path = folder.url.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await Self.observeMuch(in: path)
            }
        }

        /// Many tasks wait for what a hook holds up; a search does not.
        private static func searchBehindAHook(in folder: String) async throws {
            let index = try open(0, in: folder)
            let other = try open(1, in: folder)
            for open in [index, other] {
                open.indexObject(PlainNote("a", "word")).waitUntilFinished()
            }
            let before = threadCount
            let hasBegun = DispatchSemaphore(value: 0)
            let gate = DispatchSemaphore(value: 0)
            index.indexer = { note, _ in
                if note.identifier == PlainNote("slow").identifier {
                    hasBegun.signal()
                    gate.wait()
                }
                return IndexedObject(strings: note.strings)
            }
            let slow = index.indexObject(PlainNote("slow", "word"))
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    hasBegun.wait()
                    continuation.resume()
                }
            }
            // More than Dispatch has threads.
            let waiting = Shared(0)
            let tasks = (0..<600).map { number in
                Task {
                    waiting.change { $0 += 1 }
                    if number.isMultiple(of: 2) {
                        await index.waitUntilAllOperationsAreFinished()
                    } else {
                        _ = try await slow.value()
                    }
                }
            }
            while waiting.current < tasks.count { try await Task.sleep(for: .milliseconds(1)) }
            let closing = Task { try await other.shutdown() }
            // The hook is still held.
            for _ in 0..<20 {
                let found = try await index.search("word").count
                try check(found == 1, "found \(found)")
                try await index.flush()
            }
            try await closing.value
            let threads = threadCount - before
            try check(threads <= most + processorCount, "\(threads) threads")
            gate.signal()
            for task in tasks { try await task.value }
            let found = try await index.search("word").count
            try check(found == 2, "found \(found) after it")
            try await index.shutdown()
        }

        @Test("A search ends while hundreds of tasks wait for a hook")
        func hook() async throws {
            let folder = try TemporaryFolder("held")
            let path = folder.url.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                try await Self.searchBehindAHook(in: path)
            }
        }
    }
#endif
