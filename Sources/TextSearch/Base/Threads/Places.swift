import DequeModule
import Synchronization

/// A number of places, for which tasks wait without a thread.
///
/// **Thread safety**: guarded.
final class Places: Sendable {
    private struct State {
        var freeCount: Int
        var waiters: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(freeCount: count)) }

    /// Takes a place; the task is suspended until there is one.
    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeCount == 0 else {
                    state.freeCount -= 1
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives a place back.
    func giveBack() {
        let next = state.withLock { state in
            let next = state.waiters.popFirst()
            if next == nil { state.freeCount += 1 }
            return next
        }
        next?.resume()
    }
}
