import Synchronization

/// What a rebuild needs of the writer. One rebuild runs at a time, on a thread of its own.
struct RebuildWriter: Sendable {
    let writer: IndexWriter

    /// The fingerprint that the rebuilt segments of the manifest were made with.
    static let rebuildKey = Key.meta("rebuild")

    /// Begins a rebuild or goes on with one: what another analyzer than `target` made is given up.
    func begin(with target: Analyzer) throws {
        let fingerprint = IndexOpening.encode(target.fingerprint)
        writer.state.withLock { $0.isRebuilding = true }
        var hasBegun = false
        defer { if !hasBegun { end() } }
        try giveUpOtherRebuild(than: fingerprint)
        hasBegun = true
    }

    private func giveUpOtherRebuild(than fingerprint: [UInt8]) throws {
        guard try writer.store.value(Self.rebuildKey) != fingerprint else { return }
        try writer.state.withLock { state in
            if let failure = state.failure { throw failure }
            var manifest = state.manifest
            manifest.retired += manifest.rebuilt.map(\.number)
            manifest.rebuilt = []
            manifest.nextDocument = state.nextDocument
            let batch = StoreBatch()
            batch.put(Self.rebuildKey, fingerprint)
            batch.put(Manifest.key, manifest.encoded())
            try writer.store.commit(batch, sync: writer.isSynced)
            let replaced = state.rebuilt.segments.map { segment in
                (segment, segment.manifest.documents.filter(state.rebuilt.contains))
            }
            state.manifest = manifest
            state.rebuilt = RebuiltSegments()
            writer.merger.retire(replaced, in: &state)
            writer.publish(&state)
        }
    }

    func end() {
        writer.state.withLock { state in
            state.rebuilt.forgetReserved()
            state.isRebuilding = false
        }
    }

    /// Takes document numbers for objects that have not been asked for yet: an operation that
    /// commits after this has a higher number, so that what it replaces is never taken for newer.
    func reserve(_ count: Int) throws -> UInt32 {
        try writer.state.withLock { state in
            if let failure = state.failure { throw failure }
            let first = try IndexWriter.take(count, &state)
            state.rebuilt.reserve(first..<state.nextDocument)
            return first
        }
    }

    /// Gives back the numbers at the end of those reserved last that were not used; they are given
    /// again, unless others were taken since.
    func giveBack(_ documents: Range<UInt32>) {
        writer.state.withLock { state in
            state.rebuilt.giveBack(documents)
            guard state.nextDocument == documents.upperBound else { return }
            // The journal is replayed from the watermark on: no number below it may be given.
            state.nextDocument = max(documents.lowerBound, state.manifest.watermark)
        }
    }

    /// Writes a rebuilt segment and names it; returns when it is durable.
    func write(
        _ parts: [PlacedSegment]
    ) throws {
        try writer.background.sync {
            let number = try writer.state.withLock { state in
                if let failure = state.failure { throw failure }
                defer { state.manifest.nextSegment += 1 }
                return state.manifest.nextSegment
            }
            let segment = try SegmentWriter(
                store: writer.store, number: number, parts: parts
            ).write()
            try writer.state.withLock { state in
                var manifest = state.manifest
                manifest.rebuilt.append(segment)
                try writer.commit(manifest, &state, sync: writer.isSynced)
                let gaps = Flusher.gaps(in: segment.documents, parts: parts.map(\.documents))
                state.rebuilt.append(
                    FlushedSegment(
                        segment, missingCount: gaps.count, store: writer.store, state.caches),
                    missing: gaps)
            }
        }
    }

    /// Puts the rebuilt segments, less the documents in `superseded`, in the place of all that is
    /// visible, with one batch.
    ///
    /// Commits must be held back. `dropped` are the identifiers of objects that are not among the
    /// rebuilt ones.
    func switchToRebuilt(
        _ target: Analyzer, superseded: [UInt32], dropped: [[UInt8]]
    ) throws {
        var engagements = EngagementChanges()
        if writer.state.withLock({ !$0.engagements.isEmpty }) {
            for identifier in dropped { try engagements.forget(identifier, writer.store) }
        }
        while try !writer.state.withLock({
            try replaceVisible(target, superseded, engagements, &$0)
        }) {
            writer.flusher.waitForFlush()
        }
        writer.merger.scheduleMergeIfUseful()
    }

    /// False when a flush has to end before.
    private func replaceVisible(
        _ target: Analyzer, _ superseded: [UInt32], _ engagements: EngagementChanges,
        _ state: inout IndexWriter.State
    ) throws -> Bool {
        if let failure = state.failure { throw failure }
        if state.flush != nil { return false }
        let old = state.manifest.segments
        var manifest = state.manifest
        manifest.retired += old.map(\.number)
        manifest.segments = manifest.rebuilt
        manifest.rebuilt = []
        manifest.watermark = state.nextDocument
        manifest.nextDocument = state.nextDocument
        let batch = StoreBatch()
        batch.put(IndexOpening.fingerprintKey, IndexOpening.encode(target.fingerprint))
        batch.put(Manifest.key, manifest.encoded())
        Self.rebuildKey.withUnsafeBytes { batch.delete($0) }
        for document in superseded { batch.putTombstone(document) }
        var dead = state.rebuilt.missing
        dead.insert(superseded)
        var living = LivingDocuments()
        for segment in state.rebuilt.segments {
            for document in segment.manifest.documents where !dead.contains(document) {
                living.insert(document)
            }
        }
        batch.put(LivingDocuments.key, living.encoded())
        let totals = try engagements.put(into: batch, state.engagements, writer.store)
        try writer.writing(&state) { _ in
            try writer.store.commit(batch, sync: writer.isSynced)
        }
        // Superseded documents are in the new segments: their tombstones and records stay until a
        // merge.
        let rebuilt = state.rebuilt
        let replaced = state.flushed.map { segment in
            (segment, segment.manifest.documents.filter { !rebuilt.contains($0) })
        }
        let journaled = state.memory.flatMap { Array($0.documents) }
        state.manifest = manifest
        state.flushed = rebuilt.segments
        state.memory = []
        state.dead = dead
        state.living = living
        state.engagements = totals
        state.rebuilt = RebuiltSegments()
        state.nextVacuumCheck = 1000
        if state.fingerprint != target.fingerprint { state.analyzerNumber += 1 }
        state.exchangeCount += 1
        state.analyzer = target
        state.fingerprint = target.fingerprint
        writer.merger.retire(replaced, documents: journaled, in: &state)
        writer.publish(&state)
        return true
    }
}
