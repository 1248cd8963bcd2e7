import Dispatch
import Synchronization

extension IndexWriter {
    /// A journal of more text than this is flushed as the index closes: opening would take too long with it.
    private static let largestJournal = 1 << 20

    /// Makes the next opening quick.
    func prepareToClose() throws {
        let journaled = state.withLock { state in
            state.failure == nil
                ? state.memory.reduce(0) { $0 + $1.segment.textByteCount } : 0
        }
        if journaled > Self.largestJournal { try flushAll() }
    }

    /// Ends background work; returns when none is under way.
    func stop() {
        isClosing.withLock { $0 = true }
        waitForFlush()
        background.sync {}
    }

    /// Deletes what a crash or an early end left, and merges what is due.
    func resumeMaintenance() {
        let retired = state.withLock { $0.manifest.retired }
        for number in retired {
            background.async { [weak self] in try? self?.sweep(number, dead: []) }
        }
        scheduleMergeIfUseful()
    }
}
