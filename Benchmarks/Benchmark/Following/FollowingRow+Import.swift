#if GRDB
    import Foundation
    import GRDB
    import LevelDB
    import Synchronization
    import TextSearch
    import TextSearchGRDB

    extension FollowingRow {
        /// Ten times as many rows are inserted, 10,000 a transaction, while an index follows; and
        /// for comparison the first reading of as many rows that are there.
        ///
        /// Memory: that of the process without mapped files, at most, above what it was before.
        /// What lies there of other work is given back to the system first. A checkpoint is tried
        /// after each transaction. Where a reader holds it up it is tried after each slice, until
        /// all that was there has gone.
        @Sendable
        static func importing(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let count = bench.texts.count * 10
            let reading = try await firstReadingMemory(bench, count)
            let watch = MemoryWatch()
            let pool = try bench.makeDatabase(.logged, "import")
            let place = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            let index = try TextIndex<FollowedNote>(at: place.appending(path: "index"))
            index.indexer = { note, _ in try FollowingBench.definition.indexer(note) }
            let source = CountedSource(TableSource(pool, FollowingBench.definition))
            var options = FollowerOptions()
            options.polling = nil
            let follower = try IndexFollower(index, following: source, options: options)
            try await follower.catchUp()
            try follower.start()
            var half = 0.0
            var slices = 0
            for start in stride(from: 0, to: count, by: 10_000) {
                try bench.insert(start..<min(start + 10_000, count), pool)
                slices = max(slices, try await checkpoint(pool, source))
                if start * 2 <= count { half = watch.most }
            }
            try await follower.catchUp()
            guard index.count == count else { throw CocoaError(.coderInvalidValue) }
            await follower.stop()
            try await index.shutdown()
            try pool.close()
            let most = watch.end()
            return [
                .alone(
                    "memory of the first reading, \(count) rows", reading, "MB", times: 1,
                    bar: .infinity),
                .alone(
                    "memory of an import that is followed", most, "MB", times: 1, bar: .infinity),
                .alone("above that of the first reading", most - reading, "MB", times: 1, bar: 64),
                .alone("above that of half of the rows", most - half, "MB", times: 1, bar: 64),
                .alone(
                    "slices that held up a checkpoint, at most", Double(slices), "", times: 1,
                    bar: 1),
            ]
        }

        /// The most memory while an index reads a table for the first time.
        private static func firstReadingMemory(
            _ bench: FollowingBench, _ count: Int
        ) async throws -> Double {
            let pool = try bench.makeDatabase(.logged, "read")
            for start in stride(from: 0, to: count, by: 10_000) {
                try bench.insert(start..<min(start + 10_000, count), pool)
                _ = try await pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            }
            let watch = MemoryWatch()
            let notes = try bench.openTable(pool)
            try await notes.catchUp()
            try await notes.close()
            try pool.close()
            return watch.end()
        }

        /// How many slices held up a checkpoint of what the log has now.
        private static func checkpoint(
            _ pool: DatabasePool, _ source: CountedSource
        ) async throws -> Int {
            var target: Int?
            var slices = 0
            while true {
                let (frames, written) = try await pool.writeWithoutTransaction {
                    let result = try $0.checkpoint(.passive)
                    return (result.walFrameCount, result.checkpointedFrameCount)
                }
                if written >= min(target ?? frames, frames) { return slices }
                target = target ?? frames
                slices += 1
                let begun = source.begun
                while source.ended < begun { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    /// Looks at the memory of the process now and then: without mapped files, above what it was at
    /// the beginning.
    private final class MemoryWatch: Sendable {
        private let value: Mutex<Double>
        private let start: Double
        private let isEnded = Atomic(false)

        init() {
            LevelDB.Database.giveBackMemory()
            start = ProcessFigures.megabytes("RssAnon")
            value = Mutex(0)
            Thread.detachNewThread { [self] in
                while !isEnded.load(ordering: .relaxed) {
                    look()
                    Thread.sleep(forTimeInterval: 0.02)
                }
            }
        }

        private func look() {
            let now = ProcessFigures.megabytes("RssAnon") - start
            value.withLock { $0 = max($0, now) }
        }

        /// The most so far, in megabytes.
        var most: Double { value.withLock { $0 } }

        func end() -> Double {
            isEnded.store(true, ordering: .relaxed)
            return most
        }
    }

    /// A source that counts its reads.
    private final class CountedSource: ChangeSource {
        private let source: TableSource<FollowedNote>
        private let reads = Mutex((begun: 0, ended: 0))

        init(_ source: TableSource<FollowedNote>) { self.source = source }

        var begun: Int { reads.withLock { $0.begun } }
        var ended: Int { reads.withLock { $0.ended } }

        private func counted<R>(_ body: () throws -> R) rethrows -> R {
            reads.withLock { $0.begun += 1 }
            defer { reads.withLock { $0.ended += 1 } }
            return try body()
        }

        var storeIdentifier: String { get throws { try source.storeIdentifier } }

        func currentPosition() throws -> SourcePosition { try source.currentPosition() }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<FollowedNote> {
            try counted { try source.changes(after: position, limit: limit) }
        }

        func objects(
            after identifier: Data?, limit: SliceLimit
        ) throws -> ObjectSlice<FollowedNote> {
            try counted { try source.objects(after: identifier, limit: limit) }
        }

        func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<FollowedNote>] {
            try source.objects(withIdentifiers: identifiers)
        }

        func release(through position: SourcePosition) throws {
            try source.release(through: position)
        }

        func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
            source.onChange(body)
        }
    }
#endif
