import Dispatch
import Synchronization

/// An index ages: each version of an object takes a number, and a merged segment spans all numbers
/// between its living documents. What is laid out by number, in the store and in memory, grows with
/// them. So the documents are numbered anew once most numbers are those of no document.
struct Renumberer: Sendable {
    let writer: IndexWriter

    /// Whether the segments span more numbers of dead or missing documents than of living ones, and
    /// so many that it is worth to number them anew.
    private func isAged(_ state: borrowing IndexWriter.State) -> Bool {
        guard let first = state.flushed.first, let last = state.flushed.last else { return false }
        let span = Int(last.manifest.documents.upperBound - first.manifest.firstDocument)
        let unused = span - state.living.count
        return unused > state.living.count && unused >= writer.configuration.leastUnusedNumbers
    }

    /// Writes all documents as one segment, numbered anew, where the index has aged. Operations
    /// wait meanwhile; searches do not.
    ///
    /// Nothing during a rebuild, which tells by the numbers what it has done.
    func renumberIfAged() throws {
        guard writer.state.withLock({ isAged($0) }) else { return }
        try writer.withCommitsHeldBack {
            try writer.flusher.flushAll()
            try writer.background.sync { try renumber() }
        }
    }

    private func renumber() throws {
        guard let job = try writer.state.withLock({ try beginRenumbering(&$0) }) else { return }
        let numbers = job.documents.firstDocument..<job.end
        do {
            try copyObjects(of: job)
            let merger = SegmentMerger(
                store: writer.store, job.caches, number: job.number, segments: job.segments,
                documents: job.documents)
            let segment = try merger.write { writer.isClosing.withLock { $0 } }
            guard try writer.state.withLock({ try exchange(segment, for: job, &$0) }) else {
                throw CancellationError()
            }
        } catch {
            // Each further attempt would leave as much.
            writer.merger.discard(job.number, documents: Array(numbers))
            guard error is CancellationError, !writer.isClosing.withLock({ $0 }) else {
                throw error
            }
        }
    }

    private struct Renumbering {
        var number: UInt32
        var segments: [FlushedSegment]
        var documents: MergedDocuments
        var caches: SearchCaches

        var end: UInt32 { documents.firstDocument + UInt32(documents.count) }
    }

    private func beginRenumbering(_ state: inout IndexWriter.State) throws -> Renumbering? {
        if let failure = state.failure { throw failure }
        guard !state.isRebuilding, state.manifest.rebuilt.isEmpty, state.flush == nil,
            state.unflushed.isEmpty, state.living.count > 0, isAged(state)
        else { return nil }
        let documents = MergedDocuments(
            of: state.flushed, dead: state.dead, from: state.nextDocument)
        _ = try IndexWriter.take(documents.count, &state)
        defer { state.manifest.nextSegment += 1 }
        return Renumbering(
            number: state.manifest.nextSegment, segments: state.flushed, documents: documents,
            caches: state.caches)
    }

    /// Writes records and identifiers under the new numbers, which nothing names yet.
    private func copyObjects(of job: Renumbering) throws {
        let batch = StoreBatch()
        var key = Buffer<UInt8>()
        for segment in job.segments {
            for document in segment.manifest.documents {
                guard let place = job.documents.place(of: document) else { continue }
                if writer.isClosing.withLock({ $0 }) { throw CancellationError() }
                let own = job.documents.firstDocument + place
                Key.document(.objects, document, into: &key)
                let isThere: Void? = try writer.store.withValue(key, .objects) { value in
                    let content = try key.withBytes { try Seal.content($0, value) }
                    let identifier = Array(try ObjectRecord.identifier(value))
                    batch.putSealed(.objects, own, content)
                    identifier.withUnsafeBufferPointer { batch.putIdentifier($0, own) }
                }
                if isThere == nil { throw TextIndexError.corrupted("a record") }
                if batch.byteCount >= SegmentWriter.batchSize {
                    try writer.store.commit(batch, sync: false)
                }
            }
        }
        try writer.store.commit(batch, sync: false)
    }

    /// Puts the segment in the place of all others, with one batch; false where something came in
    /// between.
    private func exchange(
        _ segment: Manifest.Segment, for job: Renumbering, _ state: inout IndexWriter.State
    ) throws -> Bool {
        if let failure = state.failure { throw failure }
        guard !state.isRebuilding, state.manifest.rebuilt.isEmpty, state.unflushed.isEmpty,
            state.flushed.count == job.segments.count,
            zip(state.flushed, job.segments).allSatisfy({ $0 === $1 }),
            state.living.count == job.documents.count
        else { return false }
        var manifest = state.manifest
        manifest.retired += job.segments.map(\.number)
        manifest.segments = [segment]
        manifest.watermark = state.nextDocument
        manifest.nextDocument = state.nextDocument
        var living = LivingDocuments()
        for document in segment.documents { living.insert(document) }
        let batch = StoreBatch()
        batch.put(Manifest.key, manifest.encoded())
        batch.put(LivingDocuments.key, living.encoded())
        try writer.writing(&state) { _ in
            try writer.store.commit(batch, sync: writer.isSynced)
        }
        state.manifest = manifest
        state.flushed = [
            FlushedSegment(segment, missingCount: 0, store: writer.store, state.caches)
        ]
        state.dead = Tombstones()
        state.living = living
        state.nextVacuumCheck = 1000
        state.exchangeCount += 1
        writer.merger.retire(job.segments.map { ($0, Array($0.manifest.documents)) }, in: &state)
        writer.publish(&state)
        return true
    }
}
