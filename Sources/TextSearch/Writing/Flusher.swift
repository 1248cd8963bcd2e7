import Dispatch
import Logging
import Synchronization

/// Writes what is buffered as flushed segments, in the background.
struct Flusher: Sendable {
    let writer: IndexWriter

    /// Memory segments are merged eight at a time, up to this size.
    private static let mergedMemoryLimit = 1 << 20
    private static let mergeFactor = 8

    /// Starts writing all that is buffered as one segment, in the background.
    func startFlush(_ state: inout IndexWriter.State) {
        let parts = state.memory + state.bulk.pending
        guard state.flush == nil, !parts.isEmpty else { return }
        let done = DispatchGroup()
        done.enter()
        let job = IndexWriter.FlushJob(
            number: state.manifest.nextSegment, parts: parts, replaced: state.bulk.replaced,
            clientStates: state.bulk.clientStates, done: done)
        state.manifest.nextSegment += 1
        state.bulk.pending = []
        state.bulk.flushHashes = state.bulk.hashes
        state.bulk.hashes = IdentifierHashes()
        state.bulk.replaced = []
        state.bulk.clientStates = [:]
        state.flush = job
        writer.background.async(for: .flush) { runFlush() }
    }

    /// Writes the segment that is to be flushed, if there is one and nobody has begun with it.
    ///
    /// Must run on `background`; a merge that is under way there calls it now and then, so that
    /// nobody who indexes has to wait for its end.
    func runFlush() {
        let waiting = writer.state.withLock { state -> IndexWriter.FlushJob? in
            guard let job = state.flush, !job.hasBegun else { return nil }
            state.flush?.hasBegun = true
            return job
        }
        if let waiting { run(waiting) }
    }

    /// Writes the records and identifiers of pending documents, while others are still analysed: a
    /// flush has less to do at the end. It leaves to a flush that is asked for what that can do
    /// while another thread makes entries of terms.
    ///
    /// Must run on `background`. Nothing names these documents before their flush does; a crash
    /// leaves them to be swept.
    func storePending() {
        let objects = ObjectWriter(store: writer.store)
        while let (part, count) = writer.state.withLock({ $0.firstUnstored }) {
            do {
                let stored = try objects.write(part, from: count) {
                    writer.state.withLock { $0.flush != nil }
                }
                writer.state.withLock { $0.bulk.stored[part.firstDocument] = stored }
            } catch {
                // A flush that waits fails in its turn, and tells those who wait for it.
                let failure = note(error)
                writer.state.withLock { $0.fail(failure, losesBulk: true) }
            }
        }
    }

    private func note(
        _ error: any Error, _ what: String = "Flushing a segment failed."
    ) -> TextIndexError {
        writer.configuration.logger?.error("\(what) \(error)")
        return error as? TextIndexError
            ?? TextIndexError(.io, "A flush failed.", underlying: error)
    }

    private func run(_ job: IndexWriter.FlushJob) {
        defer { job.done.leave() }
        do {
            let stored = writer.state.withLock { $0.bulk.stored }
            let segment = try SegmentWriter(
                store: writer.store, number: job.number, parts: job.parts, stored: stored
            ).write()
            try writer.state.withLock { try name(segment, of: job, &$0) }
            deleteJournal(of: job)
        } catch {
            let failure = note(error)
            writer.state.withLock { state in
                state.endFlush()
                state.fail(failure, losesBulk: job.isBulk)
            }
        }
        // What was in memory goes with the last snapshot that has it.
        writer.pendingDetails.settle()
        writer.merger.scheduleMergeIfUseful()
        writer.merger.giveBackMemoryIfUseful()
    }

    /// Makes the flushed segment exist: the commit of its pending documents.
    private func name(
        _ segment: Manifest.Segment, of job: IndexWriter.FlushJob, _ state: inout IndexWriter.State
    ) throws {
        var manifest = state.manifest
        manifest.segments.append(segment)
        manifest.watermark = segment.documents.upperBound
        manifest.nextDocument = state.nextDocument
        let batch = StoreBatch()
        for document in job.replaced { batch.putTombstone(document) }
        batch.put(Manifest.key, manifest.encoded())
        var living = state.living
        for part in job.parts where !part.isJournaled {
            for document in part.documents { living.insert(document) }
        }
        for document in Set(job.replaced) where !state.dead.contains(document) {
            living.remove(document)
        }
        batch.put(LivingDocuments.key, living.encoded())
        for (name, value) in job.clientStates { batch.putClientState(name, value) }
        try writer.store.commit(batch, sync: writer.isSynced)
        state.manifest = manifest
        state.living = living
        state.clientStates.merge(job.clientStates) { $1 }
        if job.isBulk { state.bulk.flushedBytes += job.parts.byteCount }
        let gaps = Self.gaps(in: segment.documents, parts: job.parts.map(\.documents))
        state.flushed.append(
            FlushedSegment(segment, missingCount: gaps.count, store: writer.store, state.caches))
        state.memory.removeFirst(job.journaledCount)
        state.dead.insert(job.replaced.sorted())
        state.dead.insert(gaps)
        for part in job.parts { state.bulk.stored[part.firstDocument] = nil }
        state.endFlush()
        writer.publish(&state)
    }

    /// The documents of `range` that are in none of `parts`, which lie in it in order.
    static func gaps(in range: Range<UInt32>, parts: [Range<UInt32>]) -> [UInt32] {
        var gaps: [UInt32] = []
        var next = range.lowerBound
        for part in parts {
            gaps += next..<max(min(part.lowerBound, range.upperBound), next)
            next = max(part.upperBound, next)
        }
        return gaps + Array(next..<max(range.upperBound, next))
    }

    /// Journal entries below the watermark mean nothing any more; they go in small batches.
    private func deleteJournal(of job: IndexWriter.FlushJob) {
        let batch = StoreBatch()
        do {
            for part in job.parts where part.isJournaled {
                for document in part.documents {
                    batch.delete(.journal, document)
                    if batch.byteCount > 16 << 10 { try writer.store.commit(batch, sync: false) }
                }
            }
            try writer.store.commit(batch, sync: false)
        } catch {
            // The segment stands, and another flush may be waiting by now.
            let failure = note(error, "Deleting what a segment made superfluous failed.")
            writer.state.withLock { $0.fail(failure) }
        }
    }

    /// Flushes what is in memory and returns when it is done.
    func flushAll() throws {
        while let job = try flushUnderWay() { job.done.wait() }
    }

    /// The same; the task is suspended until then.
    func allFlushed() async throws {
        while let job = try flushUnderWay() { await job.done.ended() }
    }

    /// The flush under way, or one of what is in memory, which is begun; nil when all is flushed.
    private func flushUnderWay() throws -> IndexWriter.FlushJob? {
        let (job, failure) = writer.state.withLock { state in
            if state.failure == nil, state.flush == nil { startFlush(&state) }
            return (state.flush, state.failure)
        }
        if let failure { throw failure }
        return job
    }

    /// Merges the newest small memory segments while there are eight of a kind, so that their
    /// number grows with the logarithm of what is buffered.
    func mergeMemory(_ state: inout IndexWriter.State) {
        let fixed = state.flush?.journaledCount ?? 0
        while true {
            let size = state.memory.last.map { Self.level(of: $0) } ?? .max
            let run = state.memory[fixed...].reversed().prefix { Self.level(of: $0) == size }
            guard size < 4, run.count >= Self.mergeFactor else { return }
            let first = state.memory.count - run.count
            let parts = Array(state.memory[first...])
            let isContiguous = zip(parts, parts.dropFirst()).allSatisfy {
                $0.documents.upperBound == $1.firstDocument
            }
            guard isContiguous,
                parts.byteCount <= Self.mergedMemoryLimit
            else { return }
            state.memory.replaceSubrange(
                first...,
                with: [
                    PlacedSegment(
                        segment: .merging(parts.map(\.segment)),
                        firstDocument: parts[0].firstDocument, isJournaled: true)
                ])
        }
    }

    private static func level(of part: PlacedSegment) -> Int {
        var level = 0
        var size = mergeFactor
        while part.segment.documentCount >= size {
            level += 1
            size *= mergeFactor
        }
        return level
    }

    // MARK: Waiting

    /// Makes pending documents durable and visible; returns when they are.
    func settleBulk() throws {
        while let job = try bulkFlush() { job.done.wait() }
    }

    /// The same; the task is suspended until then.
    func bulkSettled() async throws {
        while let job = try bulkFlush() { await job.done.ended() }
    }

    /// What pending documents wait for, which is begun; nil when there are none.
    private func bulkFlush() throws -> IndexWriter.FlushJob? {
        let (job, failure) = writer.state.withLock { state in
            if state.failure == nil, state.flush == nil, !state.bulk.pending.isEmpty {
                startFlush(&state)
            }
            // Pending documents that came while journaled ones are flushed have to wait for that.
            let isAwaited = state.flush?.isBulk == true || !state.bulk.pending.isEmpty
            return (isAwaited ? state.flush : nil, state.failure)
        }
        if job == nil, let failure { throw failure }
        return job
    }

    /// Returns when no flush is under way.
    func waitForFlush() {
        while let job = writer.state.withLock({ $0.flush }) { job.done.wait() }
    }

    /// Starts a flush when the buffer is full, as a bulk load or other commits fill it; waits for
    /// one under way when it is full again.
    func flushIfLarge() {
        while true {
            let waiting: DispatchGroup? = writer.state.withLock { state in
                guard state.failure == nil else { return nil }
                let buffered = state.bufferedBytes
                let threshold =
                    state.bulk.pending.isEmpty
                    ? writer.configuration.flushThreshold : writer.configuration.bulkFlushThreshold
                guard buffered >= threshold else { return nil }
                guard let flush = state.flush else {
                    startFlush(&state)
                    return nil
                }
                let fresh = flush.isBulk ? buffered : buffered - flush.parts.byteCount
                return fresh >= threshold ? flush.done : nil
            }
            guard let waiting else { return }
            waiting.wait()
        }
    }
}

extension IndexWriter.State {
    fileprivate mutating func endFlush() {
        flush = nil
        bulk.flushHashes = IdentifierHashes()
    }

    /// The oldest pending part not all entries of which are in the store, and how many are; nil
    /// where nothing can be written, or a flush is to be.
    fileprivate var firstUnstored: (PlacedSegment, Int)? {
        guard failure == nil, flush == nil else { return nil }
        for part in bulk.pending {
            let count = bulk.stored[part.firstDocument] ?? 0
            if count < ObjectWriter.entryCount(of: part) { return (part, count) }
        }
        return nil
    }
}
