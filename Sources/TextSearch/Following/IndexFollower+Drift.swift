import Foundation
import Synchronization

extension IndexFollower {
    /// Compares the whole index with the database, in both directions.
    ///
    /// It catches up first. Later changes do not count as drift, since the follower has yet to
    /// apply them. Otherwise the index does not change.
    ///
    /// Objects are compared by fingerprints of all that they say of themselves, which the index
    /// keeps; what an earlier version indexed has none and is analysed instead. Damage within the
    /// index is not looked for: see ``TextIndex/verify(depth:)``. What cannot be indexed is counted
    /// apart.
    ///
    /// Complexity: reads the records of the index and all of the database, and calls the indexer
    /// for each object that is compared. Memory: about 50 bytes an object, and its identifier.
    ///
    /// - Parameter sample: about how many objects to compare, spread evenly; nil for all. With a
    ///   sample, objects that only the index has are not looked for.
    /// - Returns: What differs.
    /// - Throws: As ``catchUp()`` does, also where it is cancelled or stopped; `.corrupted` when a
    ///   record of the index is damaged.
    public func drift(sample: Int? = nil) async throws -> DriftReport {
        let signal = signal
        return try await work.run { try await self.driftNow(sample, signal) }
    }

    /// Corrects the differences between index and database, and nothing else.
    ///
    /// - Returns: The differences that were corrected.
    /// - Throws: As ``drift(sample:)`` does.
    @discardableResult
    public func repairDrift() async throws -> DriftReport {
        let signal = signal
        return try await work.run {
            let report = try await self.driftNow(nil, signal)
            try await self.put(report.missing + report.outdated + report.extra)
            try await self.publish()
            return report
        }
    }

    private func driftNow(_ sample: Int?, _ signal: StopSignal) async throws -> DriftReport {
        _ = try await catchUpNow(signal)
        guard let state = try storedState() else {
            throw TextIndexError(
                .mismatchedClientState, "The state of the follower was removed meanwhile.")
        }
        let cancelled = StopSignal()
        return try await withTaskCancellationHandler {
            try await ApplicationCode.run { [index, source, options] in
                let comparison = try DriftComparison(index, sample: sample)
                try comparison.compareAll(of: source, options.slice) {
                    if signal.isStopped || cancelled.isStopped { throw CancellationError() }
                }
                let changed = try Self.changed(since: state.position, in: source, options.slice)
                return comparison.report(without: changed)
            }
        } onCancel: {
            cancelled.stop()
        }
    }

    /// The identifiers of what has changed since a position.
    private static func changed(
        since position: SourcePosition, in source: Source, _ limit: SliceLimit
    ) throws -> Set<Data> {
        var changed: Set<Data> = []
        var position = position
        while true {
            let slice = try source.changes(after: position, limit: limit)
            for change in slice.changes { changed.insert(change.identifier) }
            if slice.isLast || slice.position == position { return changed }
            position = slice.position
        }
    }
}

/// Compares one committed state of an index with a database, by the fingerprints of objects.
private final class DriftComparison<Object> {
    private let index: TextIndex<Object>
    private let view: VerificationView
    private let stride: Int
    private let isWhole: Bool
    private var entries: DriftEntries
    /// Asks the indexer.
    private let indexed: (Object, Data) throws -> IndexedObject?
    /// For objects without a fingerprint: it reads all of the index.
    private var comparison: SourceComparison?
    private var report = DriftReport()
    /// What cannot be indexed; only the first of them have reasons.
    private var failures: [(identifier: Data, reason: String?)] = []

    /// Reads who is in the index.
    init(_ index: TextIndex<Object>, sample: Int?) throws {
        self.index = index
        isWhole = sample == nil
        stride = max(index.count / max(sample ?? .max, 1), 1)
        view = try index.usage.search { try VerificationView.now(of: index.writer) }
        entries = DriftEntries(most: view.snapshot.count)
        indexed = index.askingIndexer()
        try index.usage.search { try readEntries() }
    }

    private func readEntries() throws {
        try view.cursor.forEach(in: .objects) { key, value in
            let document = try Key.lastNumber(key)
            guard view.snapshot.isLive(document) else { return true }
            var reader = ByteReader(try Seal.content(key, value))
            let (identifier, fingerprint) = try ObjectRecord.begin(&reader)
            let entry = DriftEntries.Entry(document: document, fingerprint: fingerprint)
            guard entries.insert(identifier, entry) else { throw Self.damagedRecords }
            return true
        }
        guard entries.count == view.snapshot.count else { throw Self.damagedRecords }
    }

    private static var damagedRecords: TextIndexError { .corrupted("the records of objects") }

    /// `check` throws to end it after a slice.
    func compareAll<Source: ChangeSource<Object>>(
        of source: Source, _ limit: SliceLimit, _ check: () throws -> Void
    ) throws {
        var next: Data?
        var place = 0
        repeat {
            try check()
            let slice = try source.objects(after: next, limit: limit)
            report.skippedCount += slice.skippedCount
            for entry in slice.objects {
                if place % stride == 0, let object = entry.object {
                    try compare(entry.identifier, object)
                }
                place += 1
            }
            next = slice.next
        } while next != nil
        guard isWhole else { return }
        report.extra = entries.unmet()
    }

    private func compare(_ identifier: Data, _ object: Object) throws {
        report.comparedCount += 1
        guard let wanted = wanted(object, identifier) else {
            // The index has it, and should not; it is found among what was not met, unless this is
            // a sample.
            if !isWhole, entries.contains(identifier) { report.extra.append(identifier) }
            return
        }
        guard let entry = entries.meet(identifier) else {
            return report.missing.append(identifier)
        }
        if try !isSame(entry, wanted, identifier) { report.outdated.append(identifier) }
    }

    private func isSame(
        _ entry: DriftEntries.Entry, _ wanted: IndexedObject, _ identifier: Data
    ) throws -> Bool {
        if let fingerprint = entry.fingerprint {
            return fingerprint == ObjectRecord.fingerprint(of: wanted)
        }
        return try index.usage.search {
            let comparison = try comparison ?? SourceComparison.ofWhole(view)
            self.comparison = comparison
            return try comparison.difference(of: entry.document, identifier, from: wanted) == .none
        }
    }

    /// What the index should have of an object; nil where its indexer leaves it out, and where it
    /// cannot be indexed, which is noted.
    private func wanted(_ object: Object, _ identifier: Data) -> IndexedObject? {
        do {
            try index.check(identifier: identifier)
            let indexed = try indexed(object, identifier)
            if let indexed { _ = try index.check(indexed) }
            return indexed
        } catch {
            let isExplained = failures.count < Self.mostReasons
            failures.append((identifier, isExplained ? Self.reason(of: error) : nil))
            return nil
        }
    }

    private static var mostReasons: Int { 1_000 }

    private static func reason(of error: any Error) -> String {
        (error as? TextIndexError)?.message ?? "\(error)"
    }

    /// What differs but for what has changed meanwhile.
    func report(without changed: Set<Data>) -> DriftReport {
        var report = report
        let failures = failures.filter { !changed.contains($0.identifier) }
        report.failed = failures.map(\.identifier)
        report.failureReasons = failures.compactMap(\.reason)
        report.missing.removeAll { changed.contains($0) }
        report.outdated.removeAll { changed.contains($0) }
        report.extra.removeAll { changed.contains($0) }
        return report
    }
}
