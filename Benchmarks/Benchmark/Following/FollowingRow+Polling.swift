#if GRDB
    import Dispatch
    import Foundation
    import GRDB
    import TextSearch
    import TextSearchGRDB

    extension FollowingRow {
        /// The name of the operation that a process of this program does for ``polling(_:)``.
        static let writing = "follow-writing"
        private static let writeCount = 12

        /// Another process inserts rows now and then; the index follows as it does by default.
        ///
        /// Both processes have one clock, that of the system.
        @Sendable
        static func polling(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let pool = try bench.makeDatabase(.logged, "polling")
            let notes = try bench.openTable(pool, polling: FollowerOptions().polling)
            try await notes.catchUp()
            try notes.start()
            let folder = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
                .resolvingSymlinksInPath()
            process.arguments = [
                "operations", writing, "--rows", "1000", "--directory", folder.path,
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            var seen: [UInt64] = []
            while seen.count < writeCount {
                // What failed writes nothing more.
                guard process.isRunning || process.terminationStatus == 0 else {
                    throw CocoaError(.coderInvalidValue)
                }
                // Several may become searchable at once.
                let count = notes.index.count
                while seen.count < count { seen.append(DispatchTime.now().uptimeNanoseconds) }
                try await Task.sleep(for: .milliseconds(1))
            }
            process.waitUntilExit()
            let text = String(
                decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let written = text.split(separator: "\n").compactMap { UInt64($0) }
            guard written.count == writeCount else { throw CocoaError(.coderInvalidValue) }
            try await notes.close()
            try pool.close()
            let most = zip(seen, written).map { Double($0) / 1e9 - Double($1) / 1e9 }.max() ?? .nan
            return [
                .alone("a write by another process, at most", most, "s", times: 1, bar: 1.1)
            ]
        }

        /// Inserts rows, and prints after each commit what time it is.
        static func write(to directory: String) throws {
            let queue = try DatabaseQueue(path: directory + "/notes.sqlite")
            for number in 0..<writeCount {
                // At all places between two looks.
                Thread.sleep(forTimeInterval: 0.31 + 0.093 * Double(number))
                try queue.write {
                    try $0.execute(
                        sql: "INSERT INTO note VALUES (?, 0, 'written elsewhere', 'duck')",
                        arguments: [number])
                }
                print(DispatchTime.now().uptimeNanoseconds)
            }
            try queue.close()
        }
    }
#endif
