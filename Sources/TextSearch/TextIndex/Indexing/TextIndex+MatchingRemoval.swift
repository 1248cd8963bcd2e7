import Foundation
import Synchronization

extension TextIndex {
    /// Removes all objects that match a query, in the order of operations: it sees what was
    /// submitted before, and nothing that comes after.
    ///
    /// ```swift
    /// try await index.removeObjects(matching: .attribute("folder", .equal("trash")))
    /// ```
    ///
    /// Other operations wait while it looks; searches do not. Up to some 200,000 objects disappear
    /// from searches at once, more in several steps.
    ///
    /// Complexity: that of matching, and linear in what is removed. Memory: the identifiers of what
    /// is removed.
    ///
    /// **Thread safety**: may be called from any task.
    ///
    /// - Parameter query: what the objects match; scores do not count.
    /// - Returns: How many were removed.
    /// - Throws: ``TextIndexError``: `.closed`, `.readOnly`, `.diskFull`, `.io`; `.limitExceeded`
    ///   for what ``QueryLimits`` refuse.
    @discardableResult
    public func removeObjects(matching query: Query) async throws -> IndexingReport {
        let found = FoundCount()
        let operation = submit(about: .success([])) { [unowned self] _, _ in
            .matchingRemovals {
                let identifiers = try self.identifiers(for: .filter(query)).map { Array($0) }
                found.count.withLock { $0 = identifiers.count }
                return identifiers
            }
        }
        _ = try await operation.value()
        var report = IndexingReport()
        report.removedCount = found.count.withLock { $0 }
        return report
    }
}

/// How many objects a removal found. A class, since a mutex cannot be captured.
private final class FoundCount: Sendable {
    let count = Mutex(0)
}
