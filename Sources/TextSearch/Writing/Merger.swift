import Logging
import Synchronization

/// Merges flushed segments in the background, and has the space of those that were replaced given
/// back.
struct Merger: Sendable {
    let writer: IndexWriter

    /// Rewrites a run of neighbouring flushed segments as one without its dead documents, and puts
    /// it in their place.
    ///
    /// Must run on `background`. Does nothing when the segments are no longer all there.
    func merge(_ segments: [FlushedSegment]) throws {
        guard !segments.isEmpty else { return }
        let (number, dead, caches) = writer.state.withLock { state in
            defer { state.manifest.nextSegment += 1 }
            return (state.manifest.nextSegment, state.dead, state.caches)
        }
        let merger = SegmentMerger(
            store: writer.store, caches, number: number, segments: segments,
            documents: MergedDocuments(of: segments, dead: dead))
        let merged: Manifest.Segment
        do {
            merged = try merger.write {
                writer.flusher.runFlush()
                giveBackMemoryIfAsked()
                return writer.isClosing.withLock { $0 }
            }
        } catch {
            // Each further attempt would leave as much.
            discard(number)
            throw error
        }
        try writer.state.withLock { try commit(merged, inPlaceOf: segments, without: dead, &$0) }
        if merged.documentCount >= Self.mergedCount { IndexStore.giveBackMemory() }
    }

    /// Commits a merged segment in place of those that it was made of; `dead` were left out.
    private func commit(
        _ merged: Manifest.Segment, inPlaceOf segments: [FlushedSegment], without dead: Tombstones,
        _ state: inout IndexWriter.State
    ) throws {
        guard
            let first = state.flushed.firstIndex(where: { $0 === segments[0] }),
            first + segments.count <= state.flushed.count,
            zip(state.flushed[first...], segments).allSatisfy({ $0 === $1 })
        else {
            // A rebuild or a removal of everything came first.
            state.manifest.retired.append(merged.number)
            return sweepLater(merged.number)
        }
        var manifest = state.manifest
        manifest.segments.replaceSubrange(first..<(first + segments.count), with: [merged])
        manifest.retired += segments.map(\.number)
        try writer.commit(manifest, &state, sync: writer.isSynced)
        let gaps = Flusher.gaps(
            in: merged.documents, parts: segments.map(\.manifest.documents))
        // Of what lies between the segments some may be known as dead.
        var left = dead
        left.insert(gaps)
        let missing = left.count(in: merged.documents)
        state.flushed.replaceSubrange(
            first..<(first + segments.count),
            with: [FlushedSegment(merged, missingCount: missing, store: writer.store, state.caches)]
        )
        state.dead.insert(gaps)
        retire(
            segments.map { segment in
                // What is not there for this state may be there for a rebuild.
                (
                    segment,
                    segment.manifest.documents.filter {
                        dead.contains($0) && !state.rebuilt.owns($0)
                    }
                )
            }, in: &state)
        writer.publish(&state)
    }

    /// Has what was written of a segment deleted, which will not be, and of its documents.
    func discard(_ number: UInt32, documents: [UInt32] = []) {
        writer.state.withLock { $0.manifest.retired.append(number) }
        sweepLater(number, documents)
    }

    private func sweepLater(_ number: UInt32, _ documents: [UInt32] = []) {
        writer.background.async { try? sweep(number, dead: documents) }
    }

    /// Has the keys of replaced segments deleted, those of the documents that died with them, and
    /// those of other documents, once no snapshot can see them. The state must not name them any
    /// more.
    func retire(
        _ segments: [(segment: FlushedSegment, dead: [UInt32])], documents: [UInt32] = [],
        in state: inout IndexWriter.State
    ) {
        let ended = state.epoch
        state.epoch = Epoch()
        let sweeps: [@Sendable () -> Void] = segments.map { segment, dead in
            { [weak writer, number = segment.number] in
                guard let writer else { return }
                writer.background.async { try? writer.merger.sweep(number, dead: dead) }
            }
        }
        let last: @Sendable () -> Void = { [weak writer] in
            guard let writer, !documents.isEmpty else { return }
            writer.background.async { try? writer.merger.sweep(documents) }
        }
        ended.end(followedBy: state.epoch, sweeps + [last])
        writer.background.async { [pendingDetails = writer.pendingDetails] in
            pendingDetails.settle()
        }
    }

    /// Deletes the keys of documents that are in no segment. What an early end leaves, the next
    /// opening deletes.
    private func sweep(_ documents: [UInt32]) throws {
        var sweeper = Sweeper(store: writer.store)
        try sweeper.deleteDocuments(documents) { writer.isClosing.withLock { $0 } }
    }

    /// Deletes the keys of a retired segment and of documents that are in no segment any more. The
    /// manifest names it until its space is given back.
    func sweep(_ number: UInt32, dead: [UInt32]) throws {
        guard !writer.isClosing.withLock({ $0 }) else { return }
        var sweeper = Sweeper(store: writer.store)
        try sweeper.deleteSegment(number) { writer.isClosing.withLock { $0 } }
        try sweeper.deleteDocuments(dead) { writer.isClosing.withLock { $0 } }
        try writer.state.withLock { state in
            state.swept.insert(number)
            // What a crash left of one was never named; its number is not given again.
            guard !state.manifest.retired.contains(number) else { return }
            try commitManifest(&state) { $0.retired.append(number) }
        }
        scheduleReclaim()
    }

    /// Has LevelDB give back the space of segments that were deleted, once no load is under way:
    /// their tables are left alone otherwise.
    ///
    /// On a queue of its own, so that no flush waits for it.
    func scheduleReclaim() {
        guard !mustNotReclaim else { return }
        // Behind the sweeps that wait by now.
        writer.background.async { writer.reclaiming.async { reclaim() } }
    }

    private var mustNotReclaim: Bool {
        writer.isClosing.withLock { $0 }
            || writer.state.withLock {
                $0.bulk.loadCount > 0 || $0.failure != nil || $0.swept.isEmpty
            }
    }

    /// What is not done by its end is done later, or after the next opening: the manifest names the
    /// segments until then.
    private func reclaim() {
        while !mustNotReclaim {
            let segments = writer.state.withLock { state in
                let first = state.swept.min() ?? 0
                var last = first
                while last < .max, state.swept.contains(last + 1) { last += 1 }
                return first...last
            }
            do {
                guard try writer.store.compact(segments, isCancelled: { mustNotReclaim }) else {
                    return
                }
                try forgetRetired(Set(segments))
            } catch {
                // What was a failed write shows at the next one.
                writer.configuration.logger?.warning("Giving back space failed: \(error)")
                return
            }
        }
    }

    /// Takes segments whose keys are gone, and the space of them, out of the manifest.
    func forgetRetired(_ segments: Set<UInt32>) throws {
        try writer.state.withLock { state in
            let gone = state.swept.intersection(segments)
            guard state.failure == nil, !gone.isEmpty else { return }
            try commitManifest(&state) { $0.retired.removeAll(where: gone.contains) }
            state.swept.subtract(gone)
        }
    }

    private func commitManifest(
        _ state: inout IndexWriter.State, _ change: (inout Manifest) -> Void
    ) throws {
        var manifest = state.manifest
        change(&manifest)
        try writer.commit(manifest, &state, sync: false)
    }

    /// Whether a merge is due, of segments as they are now.
    var isMergeDue: Bool { nextMerge() != nil }

    /// Merges small neighbours, and rewrites what is a quarter dead, or a half while objects are
    /// loaded, when there are such segments.
    func scheduleMergeIfUseful() {
        guard !writer.isClosing.withLock({ $0 }), let run = nextMerge() else { return }
        writer.background.async {
            guard !writer.isClosing.withLock({ $0 }) else { return }
            let now = writer.state.withLock { $0.flushed }
            guard run.allSatisfy({ segment in now.contains { $0 === segment } }) else { return }
            do {
                try merge(run)
                scheduleMergeIfUseful()
            } catch is CancellationError {
                // The index is closing.
            } catch {
                // The index goes on with the segments it has; a write that failed shows at the next
                // commit.
                writer.configuration.logger?.warning("Merging segments failed: \(error)")
            }
        }
    }

    /// Looks for segments to vacuum, once enough has died since the last look.
    func scheduleVacuumIfUseful() {
        let isWorth = writer.state.withLock { state in
            guard state.dead.count >= state.nextVacuumCheck else { return false }
            state.nextVacuumCheck = state.dead.count + max(1000, Int(state.nextDocument) / 64)
            return true
        }
        if isWorth { scheduleMergeIfUseful() }
    }

    private func nextMerge() -> [FlushedSegment]? {
        writer.state.withLock { state in
            // What is rewritten too early has to be once more at the end.
            guard state.bulk.removingCount == 0 else { return nil }
            let sizes = state.flushed.map { segment in
                MergePolicy.Segment(
                    documents: segment.manifest.documentCount,
                    terms: segment.manifest.termCount,
                    dead: state.dead.count(in: segment.manifest.documents)
                        - segment.missingCount)
            }
            return MergePolicy.next(sizes, isLoading: state.bulk.loadCount > 0)
                .map { Array(state.flushed[$0]) }
        }
    }

    /// Begins a bulk load, during which fewer segments are merged, or a removal of many objects,
    /// during which none are.
    func beginLoading(onlyRemoves: Bool) {
        writer.state.withLock { state in
            state.bulk.loadCount += 1
            if onlyRemoves { state.bulk.removingCount += 1 }
        }
    }

    /// Ends it; what is worth to be merged then is merged.
    func endLoading(onlyRemoves: Bool) {
        let isTime = writer.state.withLock { state in
            state.bulk.loadCount -= 1
            if onlyRemoves { state.bulk.removingCount -= 1 }
            return state.bulk.loadCount == 0 || onlyRemoves
        }
        guard isTime else { return }
        scheduleMergeIfUseful()
        scheduleReclaim()
        giveBackMemoryIfUseful()
    }

    // MARK: Memory

    /// A merge of so many documents leaves free memory that is worth to be given back.
    private static let mergedCount = 1 << 14
    /// So do flushes of so many bytes, once a load has ended, and of so many within one.
    private static let flushedCount = 16 << 20
    private static let flushedWithinCount = 128 << 20

    /// Chunks are analysed, written and merged on threads that change, and glibc keeps what each
    /// has freed in an arena of its own: an import in small loads would grow to a multiple of what
    /// it uses.
    func giveBackMemoryIfUseful() {
        let isUseful = writer.state.withLock { state in
            let least = state.bulk.loadCount == 0 ? Self.flushedCount : Self.flushedWithinCount
            guard state.bulk.flushedBytes >= least else { return false }
            state.bulk.flushedBytes = 0
            state.bulk.givesBackMemory = true
            return true
        }
        if isUseful { writer.background.async { giveBackMemoryIfAsked() } }
    }

    /// Gives memory back if that was asked for and is not done yet.
    ///
    /// Must run on `background`. A merge that is under way there calls it now and then: it may take
    /// as long as many small loads, each of which frees what it held.
    private func giveBackMemoryIfAsked() {
        let isAsked = writer.state.withLock { state in
            defer { state.bulk.givesBackMemory = false }
            return state.bulk.givesBackMemory
        }
        if isAsked { IndexStore.giveBackMemory() }
    }
}
