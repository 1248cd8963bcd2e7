public import Foundation
import Synchronization

extension TextIndex {
    /// Returns the client state of the last commit.
    ///
    /// ``removeAll()`` forgets all states, and so does a repair that found damage, since their
    /// objects may be gone.
    ///
    /// Complexity: constant. **Thread safety**: may be called from any thread.
    ///
    /// - Parameter name: the name of the state.
    /// - Returns: Its value; nil if there is none.
    /// - Throws: ``TextIndexError``: `.closed`; `.invalidArgument` for an invalid name.
    public func clientState(named name: String) throws -> Data? {
        try ClientState.check(name: name)
        return try usage.search {
            writer.state.withLock { $0.clientStates[Array(name.utf8)] }.map { Data($0) }
        }
    }

    /// Applies changes in their order: the fastest way to bring an index to the state of a
    /// database.
    ///
    /// ```swift
    /// try await index.apply([
    ///     .index(note), .remove(deleted), .mark(ClientState("notes", position)),
    /// ])
    /// ```
    ///
    /// 1. A mark is stored exactly when all changes before it are in the index. After a crash the
    ///    state says what to apply again.
    /// 2. Less than 256 KB of text, up to 4,096 removals and their marks are one commit: they
    ///    become visible together or not at all.
    /// 3. More text is committed in batches, as in ``indexObjects(_:progress:)``. Of several marks
    ///    in a batch the last one is stored.
    /// 4. A batch that cannot be stored ends the call, and no later batch takes effect.
    /// 5. An object that cannot be indexed is reported and removed from the index. Later changes
    ///    are applied.
    ///
    /// Changes are taken from the sequence as they are needed, and hooks are called, on one thread
    /// at a time that is never the caller's. If the task is cancelled, committed changes stay.
    ///
    /// Complexity: as ``indexObjects(_:progress:)``. Memory: a few batches of 4 MB. **Thread
    /// safety**: may be called from any task.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - progress: called now and then, from the committing thread. It must return soon, and must
    ///     not wait for work of the index.
    /// - Returns: What was indexed and removed, and what failed.
    /// - Throws: ``TextIndexError``: `.mismatchedClientState` if another state is stored than a
    ///   mark expects; `.closed`, `.readOnly`, `.diskFull`, `.io`. `CancellationError`.
    @discardableResult
    public func apply(
        _ changes: sending some Sequence<IndexChange<Object>>,
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        try await inBulk(
            progress: progress, isOneStream: true, Handover { try await $0.apply(changes) })
    }

    /// Applies changes for which the indexer was asked already.
    func apply(
        read changes: sending some Sequence<ReadChange>
    ) async throws -> IndexingReport {
        try await inBulk(isOneStream: true, Handover { try await $0.apply(read: changes) })
    }

    /// Applies a few changes on the calling thread, all or none. A single write is searchable in
    /// half the time of the awaited form.
    ///
    /// The hooks are called on the calling thread. With 256 KB of text or more, or more than 4,096
    /// removals, removals are committed before objects, and the call waits for a flush.
    ///
    /// Complexity: linear in the text. **Thread safety**: may be called from any thread, but not
    /// from a hook or from `progress`.
    ///
    /// - Parameter changes: the changes; of several marks the last one is stored.
    /// - Throws: What a hook throws for an object: nothing is applied then. ``TextIndexError`` as
    ///   the awaited form does.
    public func apply(_ changes: [IndexChange<Object>]) throws {
        try usage.beginWork()
        defer { usage.endWork() }
        var chunk = LoadChunk(capacity: changes.count)
        var removedCount = 0
        let loader = BulkLoader(index: self, progress: nil)
        for change in changes {
            try loader.add(try loader.read(change), to: &chunk, &removedCount)
        }
        guard !chunk.isEmpty else { return }
        let operation = submit(identifier: []) { [writer, chunk] _ in
            var prepared = chunk.changes(under: writer.snapshot, nil)
            prepared.isBulk = !chunk.isSmall
            prepared.settles = prepared.isBulk
            return .changes(prepared)
        }
        operation.waitUntilFinished()
        if let error = operation.error { throw error }
    }
}
