import Foundation
import Synchronization

extension IndexFollower {
    /// Compares the whole index with the database, in both directions.
    ///
    /// It catches up first. Later changes do not count as drift, since the follower has yet to
    /// apply them. Otherwise the index does not change.
    ///
    /// Complexity: reads all of the index and of the database, and analyses the objects that are
    /// compared. Memory: for the vocabulary, and about 100 bytes an object.
    ///
    /// - Parameter sample: about how many objects to compare, spread evenly; nil for all. With a
    ///   sample, objects that only the index has are not looked for.
    /// - Returns: The differences.
    /// - Throws: As ``catchUp()`` does; `.corrupted` when the index is damaged.
    public func drift(sample: Int? = nil) async throws -> DriftReport {
        try await work.run { try await self.driftNow(sample) }
    }

    /// Corrects the differences between index and database, and nothing else.
    ///
    /// - Returns: The differences that were corrected.
    /// - Throws: As ``drift(sample:)`` does.
    @discardableResult
    public func repairDrift() async throws -> DriftReport {
        try await work.run {
            let report = try await self.driftNow(nil)
            _ = try await self.put(report.missing + report.outdated + report.extra)
            return report
        }
    }

    private func driftNow(_ sample: Int?) async throws -> DriftReport {
        _ = try await catchUpNow(StopSignal())
        guard let state = try storedState() else {
            throw TextIndexError(
                .mismatchedClientState, "The state of the follower was removed meanwhile.")
        }
        return try await ApplicationCode.run { [index, source, options] in
            let comparison = try DriftComparison(index, sample: sample)
            try comparison.compareAll(of: source, options.slice)
            let changed = try Self.changed(since: state.position, in: source, options.slice)
            return comparison.report(without: changed)
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

/// Compares one committed state of an index with a database.
private final class DriftComparison<Object> {
    private let index: TextIndex<Object>
    private let verifier: Verifier
    private let stride: Int
    private let isWhole: Bool
    private var lookup: IdentifierLookup
    /// Documents whose objects the database has.
    private var seen: Set<UInt32> = []
    private var report = DriftReport()

    /// Reads all of the index.
    init(_ index: TextIndex<Object>, sample: Int?) throws {
        self.index = index
        isWhole = sample == nil
        stride = max(index.count / max(sample ?? .max, 1), 1)
        lookup = IdentifierLookup(store: index.store)
        verifier = try index.usage.search { try Verifier.ofOccurrences(index.writer) }
    }

    func compareAll<Source: ChangeSource<Object>>(
        of source: Source, _ limit: SliceLimit
    ) throws {
        var next: Data?
        var place = 0
        repeat {
            let slice = try source.objects(after: next, limit: limit)
            for entry in slice.objects {
                if place % stride == 0, let object = entry.object {
                    try compare(entry.identifier, object)
                }
                place += 1
            }
            next = slice.next
        } while next != nil
        if isWhole { try findExtra() }
    }

    private func compare(_ identifier: Data, _ object: Object) throws {
        report.comparedCount += 1
        let snapshot = verifier.view.snapshot
        let document = try Array(identifier).withUnsafeBufferPointer {
            try lookup.document(for: $0, in: snapshot)
        }
        guard let indexed = wanted(object, identifier) else {
            // The index has it, and should not; it is found among what was not seen, unless this is
            // a sample.
            if !isWhole, document != nil { report.extra.append(identifier) }
            return
        }
        guard let document else { return report.missing.append(identifier) }
        seen.insert(document)
        let difference = try verifier.difference(of: document, identifier, from: indexed)
        if difference != .none { report.outdated.append(identifier) }
    }

    /// What the index should have of an object; nil where that cannot be indexed.
    private func wanted(_ object: Object, _ identifier: Data) -> IndexedObject? {
        guard let indexed = try? index.indexedObject(for: object, identifier: identifier),
            (try? index.check(indexed)) != nil
        else { return nil }
        return indexed
    }

    private func findExtra() throws {
        var extra: [UInt32] = []
        verifier.view.snapshot.forEachDocument { document in
            if !seen.contains(document) { extra.append(document) }
            return true
        }
        for document in extra {
            guard let stored = try verifier.view.value(Key.document(.objects, document)) else {
                throw TextIndexError.corrupted("the record of document \(document)")
            }
            report.extra.append(
                try IndexStore.translating(.objects) {
                    try stored.withUnsafeBytes { try ObjectRecord.identifier($0) }
                })
        }
    }

    /// What differs but for what has changed meanwhile.
    func report(without changed: Set<Data>) -> DriftReport {
        var report = report
        report.missing.removeAll { changed.contains($0) }
        report.outdated.removeAll { changed.contains($0) }
        report.extra.removeAll { changed.contains($0) }
        return report
    }
}
