import Dispatch
import Foundation

extension TextIndex {
    /// Whether the index was opened with other analysis settings than it was built with, and waits for ``rebuild(progress:)``.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.io`, `.corrupted`.
    public var needsRebuild: Bool {
        get throws { try usage.search { try Rebuild.bound(store) != nil } }
    }

    /// Indexes every object of the index again, as ``object(for:)`` gives it; objects that are gone are removed.
    ///
    /// Ended early or by a crash, it goes on where it was when it is called again.
    ///
    /// - Parameter progress: called now and then, from any thread.
    /// - Returns: What was indexed, and what failed.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func rebuild(
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        try usage.beginWork()
        defer { usage.endWork() }
        let loader = BulkLoader(index: self, progress: progress)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "TextSearch.rebuild").async {
                    continuation.resume(with: Result { try self.rebuild(with: loader) })
                }
            }
        } onCancel: {
            loader.cancel()
        }
    }

    private func rebuild(with loader: BulkLoader<Object>) throws -> IndexingReport {
        let bound = try Rebuild.bound(store)
        let identifiers = try bound.map(staleIdentifiers(below:)) ?? self.identifiers()
        let report = try loader.load(identifiers: identifiers)
        if let bound, report.failureCount == 0 { try Rebuild.finish(store, bound) }
        return report
    }

    /// The identifiers of documents below `bound` that were alive and are not indexed again yet.
    private func staleIdentifiers(below bound: UInt32) throws -> [Data] {
        var identifiers: [Data] = []
        var key = Buffer<UInt8>()
        try store.makeCursor(fillCache: false).forEach(in: .objects) { entry, value in
            let document = try Key.lastNumber(entry)
            guard document < bound else { return false }
            Key.document(.tombstones, document, into: &key)
            let isDead = try store.withValue(key, .tombstones) { _ in true } ?? false
            let identifier = try ObjectRecord.identifier(value)
            if try !isDead && !contains(identifier: identifier) { identifiers.append(identifier) }
            return true
        }
        return identifiers
    }
}
