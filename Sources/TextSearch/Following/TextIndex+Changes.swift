public import Foundation
import Synchronization

extension TextIndex {
    /// The client state of the last commit.
    ///
    /// ``removeAll()`` forgets all states, and so does a repair that found anything damaged: they stood for objects that may be gone.
    ///
    /// Complexity: constant. **Thread safety**: may be called from any thread.
    ///
    /// - Parameter name: what the state is called.
    /// - Returns: Its value; nil when there is none.
    /// - Throws: ``TextIndexError``: `.closed`; `.invalidArgument` for a name that no state can have.
    public func clientState(named name: String) throws -> Data? {
        try ClientState.check(name: name)
        return try usage.search {
            writer.state.withLock { $0.clientStates[Array(name.utf8)] }.map { Data($0) }
        }
    }

    /// Applies changes in their order: the fastest way to bring an index to the state of a database.
    ///
    /// ```swift
    /// try await index.apply([
    ///     .index(note), .remove(deleted), .mark(ClientState("notes", position)),
    /// ])
    /// ```
    ///
    /// 1. A mark is stored exactly when all changes before it are in the index. After a crash the state says what has to be applied again.
    /// 2. Less than 256 KB of text, up to 4,096 removals and their marks are one commit: they are visible together or not at all.
    /// 3. More text is committed in parts, as in ``indexObjects(_:progress:)``. Of several marks in a part the last one is stored.
    /// 4. A part that cannot be stored ends the call, and no later part takes effect.
    /// 5. An object that cannot be indexed is reported and removed from the index; changes after it are applied.
    ///
    /// Changes are pulled from the sequence as they are needed, and the hooks called, on one thread at a time that is none of the
    /// caller's. When the task is cancelled, what was committed stays.
    ///
    /// Complexity: as ``indexObjects(_:progress:)``. Memory: a few parts of 4 MB. **Thread safety**: may be called from any task.
    ///
    /// - Parameters:
    ///   - changes: the changes.
    ///   - progress: called now and then, from the thread that commits: it must return soon, and must not wait for work of the index.
    /// - Returns: What was indexed and removed, and what failed.
    /// - Throws: ``TextIndexError``: `.mismatchedClientState` when another state is stored than a mark expects; `.closed`, `.readOnly`,
    ///   `.diskFull`, `.io`. `CancellationError`.
    @discardableResult
    public func apply(
        _ changes: sending some Sequence<IndexChange<Object>>,
        progress: (@Sendable (IndexingProgress) -> Void)? = nil
    ) async throws -> IndexingReport {
        try await inBulk(
            progress: progress, isOneStream: true, Handover { try await $0.apply(changes) })
    }

    /// Applies a few changes on the calling thread, all of them or none: a single write is searchable in half the time of the awaited form.
    ///
    /// The hooks are called on the calling thread. With 256 KB of text or more, or more than 4,096 removals, removals are committed before objects,
    /// and the call waits for a flush.
    ///
    /// Complexity: linear in the text. **Thread safety**: may be called from any thread, but not from a hook or from `progress`.
    ///
    /// - Parameter changes: the changes; of several marks the last one is stored.
    /// - Throws: What a hook throws for an object: nothing is applied then. ``TextIndexError`` as the awaited form does.
    public func apply(_ changes: [IndexChange<Object>]) throws {
        try usage.beginWork()
        defer { usage.endWork() }
        var chunk = LoadChunk(capacity: changes.count)
        var removedCount = 0
        let loader = BulkLoader(index: self, progress: nil)
        for change in changes { try loader.add(change, to: &chunk, &removedCount) }
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
