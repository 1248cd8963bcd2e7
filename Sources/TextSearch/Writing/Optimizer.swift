import Synchronization

/// Flushes, merges all segments into one and has LevelDB give back the space.
struct Optimizer: Sendable {
    let writer: IndexWriter

    func optimize() throws {
        try writer.flusher.flushAll()
        try Renumberer(writer: writer).renumberIfAged()
        try writer.background.sync { try mergeAll() }
        // Sweeps of what was replaced were queued behind the merge.
        writer.background.sync {}
        try writer.reclaiming.sync { try compactAll() }
    }

    /// The same; the task is suspended meanwhile.
    func optimized() async throws {
        try await writer.flusher.allFlushed()
        try await Lane.calls.run { try Renumberer(writer: writer).renumberIfAged() }
        try await writer.background.run { try mergeAll() }
        await writer.background.done()
        try await writer.reclaiming.run { try compactAll() }
    }

    private func mergeAll() throws {
        let segments = writer.state.withLock { $0.flushed }
        let isDirty = segments.count > 1 || hasDeadPostings(segments)
        if isDirty { try writer.merger.merge(segments) }
    }

    private func compactAll() throws {
        let swept = writer.state.withLock { $0.swept }
        try writer.store.compact()
        try writer.merger.forgetRetired(swept)
    }

    private func hasDeadPostings(_ segments: [FlushedSegment]) -> Bool {
        writer.state.withLock { state in
            segments.contains {
                state.dead.count(in: $0.manifest.documents) > $0.missingCount
            }
        }
    }
}
