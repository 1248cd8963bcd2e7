import Foundation
import Synchronization

extension TextIndex {
    /// Whether the index was opened with other analysis settings than it was built with, and needs
    /// ``rebuild(progress:)``.
    ///
    /// - Throws: ``TextIndexError``: `.closed`.
    public var needsRebuild: Bool {
        get throws {
            try usage.search {
                let stored = writer.state.withLock { $0.fingerprint }
                return target.withLock { $0.fingerprint } != stored
            }
        }
    }

    /// Indexes every object of the index again, as ``object(for:)`` returns it. Objects that are
    /// gone, or that their indexer leaves out, are removed.
    ///
    /// Use it after opening with other analysis settings
    /// (``TextIndexConfiguration/reopensForRebuild``), or if objects changed without the index's
    /// knowledge. Searches use the old state until everything is done. The new state takes effect
    /// at once, and only if no object failed. Operations go on: they change the old state at once,
    /// and the new one has them all. They wait only for the last few objects, which may be many
    /// under constant writes. Meanwhile the index takes up to twice its space, and a third more
    /// memory. Closing waits for a rebuild; cancel its task to close earlier.
    ///
    /// After a crash or a failed object, the next call with the same settings continues. Objects
    /// done before are fetched again only if they were indexed since. The work is kept until then,
    /// or until a rebuild with other settings.
    ///
    /// - Parameter progress: called now and then, from any thread.
    /// - Returns: What was indexed and what failed; an object that was updated meanwhile may count
    ///   twice. If `failureCount` is not 0, the index is as it was.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func rebuild(
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        try await rebuild(with: nil, progress)
    }

    /// Indexes every object again with other analysis settings, as ``rebuild(progress:)`` does.
    ///
    /// Afterwards queries use the new settings, and the index opens only with them. If it ends
    /// early, the index keeps its old settings, and the work is kept for the next call with the
    /// same new ones.
    ///
    /// ```swift
    /// var configuration = index.configuration
    /// configuration.stopWords = .none
    /// try await index.rebuild(with: configuration)
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: the new analysis settings; its other settings are ignored.
    ///   - progress: called now and then, from any thread.
    /// - Returns: What was indexed and what failed. If `failureCount` is not 0, the index is as it
    ///   was.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func rebuild(
        with configuration: TextIndexConfiguration,
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        let analyzer = Analyzer(configuration)
        try analyzer.validate()
        return try await rebuild(with: analyzer, progress)
    }

    private func rebuild(
        with analyzer: Analyzer?, _ progress: (@Sendable (IndexingProgress) -> Void)?
    ) async throws -> IndexingReport {
        try usage.beginWork()
        defer { usage.endWork() }
        let cancellation = RebuildRun<Object>.Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                rebuilds.async {
                    let target = analyzer ?? self.target.withLock { $0 }
                    let run = RebuildRun(
                        index: self, target: target, cancellation: cancellation,
                        progress: progress)
                    let outcome = Result { try run.run() }
                    if case .success(let report) = outcome, report.failureCount == 0 {
                        self.target.withLock { $0 = target }
                    }
                    continuation.resume(with: outcome)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
