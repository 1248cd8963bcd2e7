#if THREAD_SANITIZER
    import TextSearch
#else
    import Synchronization
#endif

/// Lets one wait until another is done with what it was given.
///
/// **Thread safety**: guarded.
final class Turn: Sendable {
    private struct State {
        var passes = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Waits for a ``pass()`` that nobody waited for yet.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.passes > 0 {
                    state.passes -= 1
                    return true
                }
                state.waiting = continuation
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets the one go on that waits, or the next one.
    func pass() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.passes += 1 }
            return state.waiting
        }
        waiting?.resume()
    }
}
