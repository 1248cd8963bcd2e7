import Foundation
import Synchronization

/// How a follower reads its source and applies what it reads.
extension IndexFollower {
    /// So often another follower may get ahead within one call.
    private static var mostAttempts: Int { 4 }

    /// The state that is stored; nil where there is none, or none that can be read.
    func storedState() throws -> FollowerState? {
        try index.clientState(named: stateName).flatMap { try? FollowerState($0) }
    }

    /// Runs what asks the source on a thread that may wait for it.
    func asking<R: Sendable>(
        _ body: @escaping @Sendable (Source) throws -> R
    ) async throws -> R {
        try await ApplicationCode.run { [source] in try body(source) }
    }

    func catchUpNow(_ signal: StopSignal, isAnew: Bool = false) async throws -> FollowerReport {
        do {
            let report = try await caughtUp(signal, isAnew)
            life.withLock { $0.lastError = $0.releaseError }
            return report
        } catch {
            if !(error is CancellationError) { life.withLock { $0.lastError = error } }
            throw error
        }
    }

    /// Tries again after a lost history, and after another follower has got ahead.
    private func caughtUp(_ signal: StopSignal, _ isAnew: Bool) async throws -> FollowerReport {
        let wanted = isAnew
        var isAnew = isAnew
        var compares = false
        var report = FollowerReport()
        for attempt in 1... {
            if signal.isStopped { throw CancellationError() }
            do {
                try await read(signal, isAnew: isAnew, compares: compares, &report)
                return report
            } catch let error as TextIndexError where attempt < Self.mostAttempts {
                switch error.code {
                case .historyLost where options.onHistoryLost == .reconcile:
                    // Another version of the indexer may mean what no fingerprint has.
                    let isSameVersion = try storedState()?.version == options.version
                    (isAnew, compares) = (true, !wanted && isSameVersion)
                case .mismatchedClientState: (isAnew, compares) = (wanted, false)
                default: throw error
                }
            }
        }
        return report
    }

    private func read(
        _ signal: StopSignal, isAnew: Bool, compares: Bool, _ report: inout FollowerReport
    ) async throws {
        let known = try index.clientState(named: stateName)
        let start = try await beginning(known, signal, isAnew: isAnew, compares: compares)
        let done = try await apply(start)
        report.add(done)
        let values = start.progress.values
        report.skippedCount += values.skippedCount
        report.sliceCount += values.sliceCount
        report.position = values.state.position
        if values.sliceCount > 0 { tell(done, values) }
        // The history of a database that came in the place of another one is not released.
        if let error = values.error as? TextIndexError, error.code == .historyLost { throw error }
        try await release(isLast: start.state.phase != .following)
        if let error = values.error { throw error }
        if !values.hasEnded { throw CancellationError() }
        try await publish()
    }

    /// Publishes what has come since it was last published; what failed then is made up for.
    func publish() async throws {
        guard let directory = options.publishes, life.withLock({ $0.isUnpublished }) else { return }
        _ = try await ApplicationCode.run { [index] in try index.publish(to: directory) }
        // Nothing is applied meanwhile: one piece of work runs at a time.
        life.withLock { $0.isUnpublished = false }
    }

    /// Applies what is new. Where that is nothing the index is not asked: it would say what failed
    /// in the background before.
    private func apply(_ start: Start) async throws -> IndexingReport {
        guard let reader = start.reader else { return IndexingReport() }
        life.withLock { $0.isUnpublished = true }
        return try await index.apply(read: Self.taken(reader))
    }

    /// Where a reading goes on from, and what it found there.
    private struct Start: Sendable {
        var state: FollowerState
        var progress: FollowerProgress
        /// Nil where there is nothing to apply.
        var reader: Handover<FollowerReader<Source>>?
    }

    /// Reads the first slice, all on one thread that may wait: to find nothing takes no more than
    /// that.
    private func beginning(
        _ known: Data?, _ signal: StopSignal, isAnew: Bool, compares: Bool
    ) async throws -> Start {
        try await ApplicationCode.run { [source, index, stateName, options] in
            let state = try Self.state(source, index, known, options, isAnew: isAnew)
            let progress = FollowerProgress(state)
            let reader = FollowerReader(
                source, for: index, name: stateName, from: state, known: known,
                compares: compares, limit: options.slice, signal: signal, progress: progress)
            return Start(
                state: state, progress: progress,
                reader: reader.begin() ? Handover(reader) : nil)
        }
    }

    /// Apart, so that the reader belongs to the call that pulls from it.
    private static func taken(
        _ reader: Handover<FollowerReader<Source>>
    ) -> FollowerReader<Source> { reader.value }

    /// The state to go on from.
    private static func state(
        _ source: Source, _ index: TextIndex<Source.Object>, _ known: Data?,
        _ options: FollowerOptions, isAnew: Bool
    ) throws -> FollowerState {
        let stored = isAnew ? nil : known.flatMap { try? FollowerState($0) }
        // What changed is read with the question whether the database is the same.
        if let stored, stored.version == options.version, stored.phase == .following {
            return stored
        }
        let store = try source.storeIdentifier
        if !isAnew, known != nil {
            guard let stored, stored.storeIdentifier == store else {
                throw TextIndexError.otherStore
            }
            if stored.version == options.version { return stored }
        }
        // Taken before anything is read: what changes from now on is read again.
        let position = try source.currentPosition()
        let sweeps = known != nil || index.count > 0
        return FollowerState(
            storeIdentifier: store, version: options.version,
            phase: .reading(after: nil, sweeps: sweeps), position: position)
    }

    private func tell(_ done: IndexingReport, _ values: FollowerProgress.Values) {
        let update = IndexUpdate(
            storeIdentifier: values.state.storeIdentifier, position: values.state.position,
            indexedCount: done.indexedCount, removedCount: done.removedCount,
            skippedCount: done.skippedCount + values.skippedCount)
        let observers = life.withLock { life in
            life.unreleasedCount += max(done.indexedCount + done.removedCount, 1)
            return life.allObservers
        }
        for observer in observers { observer.yield(update) }
    }

    /// Lets the source forget history, once a power cut cannot take back what the index has of it.
    func release(isLast: Bool) async throws {
        let count = life.withLock { $0.unreleasedCount }
        guard count > 0, isLast || count >= options.releaseInterval,
            let state = try storedState(), state.phase == .following
        else { return }
        try await Lane.calls.run { [index, stateName] in
            try index.usage.beginWork()
            defer { index.usage.endWork() }
            try index.writer.syncClientState(stateName)
        }
        do {
            try await asking { try $0.release(through: state.position) }
            life.withLock { ($0.unreleasedCount, $0.releaseError) = (0, nil) }
        } catch let error as CancellationError {
            throw error
        } catch {
            // All is searchable; the history goes another time.
            life.withLock { $0.releaseError = error }
        }
    }

    /// Puts objects into the index as the database has them now, without a mark.
    func put(_ identifiers: [Data]) async throws {
        guard !identifiers.isEmpty else { return }
        life.withLock { $0.isUnpublished = true }
        for start in stride(from: 0, to: identifiers.count, by: 1_000) {
            let some = Array(identifiers[start..<min(start + 1_000, identifiers.count)])
            let objects = try await asking {
                Handover(try $0.objects(withIdentifiers: some))
            }
            try await index.apply(Self.changes(objects))
        }
    }

    private static func changes(
        _ objects: Handover<[SourceObject<Source.Object>]>
    ) -> AnySequence<IndexChange<Source.Object>> {
        AnySequence(
            objects.value.lazy.map { entry in
                entry.object.map { .index($0, identifier: entry.identifier) }
                    ?? .remove(entry.identifier)
            })
    }
}
