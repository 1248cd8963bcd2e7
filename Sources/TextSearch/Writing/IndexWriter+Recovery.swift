import Logging
import Synchronization

extension IndexWriter {
    /// Goes on after a failed write: opens the store anew and reads the last commit. What was
    /// accepted in bulk and not committed is lost, and those who wait for it are told so.
    ///
    /// To be called by who commits. When it does not go well, the failure stays, and the next
    /// commit tries again. During a rebuild it waits for its end: that counts on what it wrote.
    ///
    /// - Returns: Whether the index can be written.
    func recoverFromFailure() -> Bool {
        let (hasFailed, isRebuilding) = state.withLock { ($0.failure != nil, $0.isRebuilding) }
        guard hasFailed else { return true }
        guard !isRebuilding, !configuration.isReadOnly, !isClosing.withLock({ $0 }) else {
            return false
        }
        flusher.waitForFlush()
        do {
            // No flush and no merge runs beside it.
            try background.sync { try reload() }
            configuration.logger?.notice("The index goes on after a failed write.")
            return true
        } catch {
            configuration.logger?.error("The index could not go on after a failed write: \(error)")
            return false
        }
    }

    private func reload() throws {
        try store.reopen()
        let (analyzer, caches) = state.withLock { ($0.analyzer, $0.caches) }
        var fresh = try IndexOpening.load(store, analyzer, configuration, caches)
        state.withLock { state in
            fresh.analyzerNumber = state.analyzerNumber
            fresh.exchangeCount = state.exchangeCount + 1
            fresh.generation = state.generation
            // Snapshots of the time before may still see what was retired: its keys go when they
            // do, or at the next opening.
            fresh.epoch = state.epoch
            fresh.nextDocument = max(fresh.nextDocument, state.nextDocument)
            fresh.manifest.nextSegment = max(fresh.manifest.nextSegment, state.manifest.nextSegment)
            fresh.bulk.lossCount = state.bulk.lossCount
            fresh.bulk.loss = state.bulk.loss
            // Loads that are under way go on, and count themselves out at their end.
            fresh.bulk.loadCount = state.bulk.loadCount
            fresh.bulk.removingCount = state.bulk.removingCount
            fresh.swept = state.swept
            state = fresh
            publish(&state)
        }
        // Before a segment can come to span them: nobody would look for them there.
        try? sweepObjects(in: state.withLock { $0.gaps })
        // What a flush wrote that did not come to its end.
        try? sweepUnnamed(besides: state.withLock { $0.manifest })
    }
}

extension IndexWriter.State {
    /// Lets nothing be written until the store is opened anew. What is pending is lost with it, at
    /// once: a load that begins now has lost nothing.
    mutating func fail(_ error: TextIndexError, losesBulk: Bool = false) {
        // What fails after something else does so because of that.
        let error = failure ?? error
        failure = error
        guard losesBulk || !bulk.pending.isEmpty else { return }
        bulk.lose(to: error)
    }
}
