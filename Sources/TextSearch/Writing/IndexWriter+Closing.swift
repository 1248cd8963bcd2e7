import Synchronization

extension IndexWriter {
    /// A journal of more text than this is flushed as the index closes: opening would take too long
    /// with it.
    private static let largestJournal = 1 << 20

    /// Makes the next opening quick.
    func prepareToClose() throws {
        let journaled = state.withLock { state in
            state.failure == nil
                ? state.memory.reduce(0) { $0 + $1.segment.textByteCount } : 0
        }
        if journaled > Self.largestJournal { try flusher.flushAll() }
        if state.withLock({ $0.failure == nil }) { try store.settle() }
    }

    /// Ends background work; returns when none is under way.
    func stop() {
        isClosing.withLock { $0 = true }
        commits.end()
        flusher.waitForFlush()
        background.sync {}
        reclaiming.sync {}
    }

    /// Deletes records of documents that are in no segment: a crash came before their flush was
    /// named.
    func sweepObjects(in gaps: [Range<UInt32>]) throws {
        for gap in gaps {
            var documents: [UInt32] = []
            try store.makeCursor(fillCache: false).forEach(
                in: .objects, from: Key.document(.objects, gap.lowerBound)
            ) { key, _ in
                let document = try Key.lastNumber(key)
                guard document < gap.upperBound, !isClosing.withLock({ $0 }) else { return false }
                documents.append(document)
                return true
            }
            var sweeper = Sweeper(store: store)
            try sweeper.deleteDocuments(documents) { self.isClosing.withLock { $0 } }
        }
    }

    /// Deletes segments that a crash or a failure kept from being named; `opened` is what was named
    /// when the store was opened.
    func sweepUnnamed(besides opened: Manifest) throws {
        let unnamed = try IndexOpening.unnamedSegments(store, besides: opened) {
            !isClosing.withLock { $0 }
        }
        // One that cannot be deleted keeps no other one.
        for number in unnamed { try? merger.sweep(number, dead: []) }
    }

    /// Deletes what a crash or an early end left, and merges what is due.
    func resumeMaintenance() {
        guard state.withLock({ $0.failure == nil }) else { return }
        let (manifest, gaps) = state.withLock { ($0.manifest, $0.gaps) }
        for number in manifest.retired {
            background.async { [weak self] in try? self?.merger.sweep(number, dead: []) }
        }
        // Here, not while it is opened, which would wait for the seeks.
        background.async { [weak self] in try? self?.sweepUnnamed(besides: manifest) }
        background.async { [weak self] in try? self?.sweepObjects(in: gaps) }
        merger.scheduleMergeIfUseful()
    }
}

extension IndexWriter.State {
    /// The numbers that were given to documents which are in no segment.
    var gaps: [Range<UInt32>] {
        // There are none but after a crash, or within what a rebuild has made, which alone has
        // numbers that others have too.
        let inSegments = manifest.segments.reduce(0) { $0 + $1.documentCount }
        let inMemory = unflushed.reduce(0) { $0 + $1.documents.count }
        if manifest.rebuilt.isEmpty, inSegments + inMemory == nextDocument { return [] }
        let covered =
            (manifest.segments + manifest.rebuilt).map(\.documents) + unflushed.map(\.documents)
        var gaps: [Range<UInt32>] = []
        var next: UInt32 = 0
        for range in covered.sorted(by: { $0.lowerBound < $1.lowerBound })
            + [nextDocument..<nextDocument]
        {
            if next < range.lowerBound { gaps.append(next..<range.lowerBound) }
            next = max(next, range.upperBound)
        }
        return gaps
    }
}
