import Synchronization

/// Runs pieces of asynchronous work one after the other, in the order in which they came.
///
/// An actor would let another piece in wherever one awaits. Each piece runs in the task that asks
/// for it, so that no other thread has to be woken where nothing else runs.
final class SerialTasks: Sendable {
    private struct State {
        var isBusy = false
        /// The oldest first.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs `body` when all that came before is over. Cancelling the task that waits cancels the
    /// piece, which then does not begin.
    func run<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        await takeTurn()
        defer { giveTurn() }
        try Task.checkCancellation()
        return try await body()
    }

    /// Returns when all that came until now is over.
    func finished() async {
        await takeTurn()
        giveTurn()
    }

    private func takeTurn() async {
        let isTaken = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isTaken { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isBusy {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// The turn goes to who has waited longest, or to nobody.
    private func giveTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
