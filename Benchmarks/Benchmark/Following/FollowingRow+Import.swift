#if GRDB
    import Foundation
    import GRDB
    import Synchronization
    import TextSearch
    import TextSearchGRDB

    extension FollowingRow {
        /// Ten times as many rows are inserted, 10,000 a transaction, while an index follows.
        ///
        /// Memory: that of the process, above what it was before the import began. A checkpoint is
        /// tried after each transaction and again until it is whole; how long that takes is how
        /// long a reader holds it up.
        @Sendable
        static func importing(_ bench: FollowingBench) async throws -> [FollowingFigure] {
            let pool = try bench.makeDatabase(.logged, "import")
            let place = URL(fileURLWithPath: pool.path).deletingLastPathComponent()
            let index = try TextIndex<FollowedNote>(at: place.appending(path: "index"))
            index.indexer = { note, _ in try FollowingBench.definition.indexer(note) }
            let source = TimedSource(TableSource(pool, FollowingBench.definition))
            var options = FollowerOptions()
            options.polling = nil
            let follower = try IndexFollower(index, following: source, options: options)
            try await follower.catchUp()
            try follower.start()
            // What a reader and a writer take by themselves.
            try bench.insert(0..<10_000, pool)
            try await follower.catchUp()
            let before = ProcessFigures.megabytes("VmRSS")
            var most = before
            var longest = 0.0
            let count = bench.texts.count * 10
            for start in stride(from: 10_000, to: count, by: 10_000) {
                try bench.insert(start..<min(start + 10_000, count), pool)
                longest = max(longest, try await checkpoint(pool))
                most = max(most, ProcessFigures.megabytes("VmRSS"))
            }
            try await follower.catchUp()
            most = max(most, ProcessFigures.megabytes("VmRSS"))
            guard index.count == count else { throw CocoaError(.coderInvalidValue) }
            await follower.stop()
            try await index.shutdown()
            try pool.close()
            return [
                .alone(
                    "memory above that before, \(count) rows", most - before, "MB", times: 1,
                    bar: 64),
                .ratio(
                    "longest wait for a whole checkpoint, to a slice", longest,
                    to: source.longestRead, bar: 1.5),
            ]
        }

        /// Seconds between a checkpoint that a reader held up and one that is whole.
        private static func checkpoint(_ pool: DatabasePool) async throws -> Double {
            var start: ContinuousClock.Instant?
            while true {
                let isWhole = try await pool.writeWithoutTransaction {
                    let (frames, written) = try $0.checkpoint(.passive)
                    return frames == written
                }
                let now = ContinuousClock.now
                if isWhole { return start.map { seconds(now - $0) } ?? 0 }
                start = start ?? now
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// A source that knows how long its longest read was.
    private final class TimedSource: ChangeSource {
        private let source: TableSource<FollowedNote>
        private let longest = Mutex(0.0)

        init(_ source: TableSource<FollowedNote>) { self.source = source }

        /// In seconds.
        var longestRead: Double { longest.withLock { $0 } }

        private func timed<R>(_ body: () throws -> R) rethrows -> R {
            let start = ContinuousClock.now
            defer {
                let time = seconds(ContinuousClock.now - start)
                longest.withLock { $0 = max($0, time) }
            }
            return try body()
        }

        var storeIdentifier: String { get throws { try source.storeIdentifier } }

        func currentPosition() throws -> SourcePosition { try source.currentPosition() }

        func changes(
            after position: SourcePosition, limit: SliceLimit
        ) throws -> ChangeSlice<FollowedNote> {
            try timed { try source.changes(after: position, limit: limit) }
        }

        func objects(
            after identifier: Data?, limit: SliceLimit
        ) throws -> ObjectSlice<FollowedNote> {
            try timed { try source.objects(after: identifier, limit: limit) }
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
