import Synchronization

/// Tells those who wait when something was committed.
///
/// Who waits says up to which commit it has seen the index, so that nothing is missed in between,
/// and is called once. It must come back at once: the writer waits for it.
///
/// **Thread safety**: guarded.
final class CommitSignal: Sendable {
    /// Called with whether there may be more commits.
    typealias Waiter = @Sendable (_ goesOn: Bool) -> Void

    private struct State {
        var generation: UInt64 = 0
        var isEnded = false
        var lastNumber = 0
        var waiters: [Int: Waiter] = [:]
        /// Those that were withdrawn before they came.
        var withdrawn: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Says that there is a commit.
    func ring(_ generation: UInt64) {
        let waiters = state.withLock { state in
            state.generation = generation
            return Self.takeAll(&state)
        }
        for waiter in waiters { waiter(true) }
    }

    /// Says that there will be no more.
    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            return Self.takeAll(&state)
        }
        for waiter in waiters { waiter(false) }
    }

    private static func takeAll(_ state: inout State) -> [Waiter] {
        defer { state.waiters = [:] }
        return Array(state.waiters.values)
    }

    /// Calls `waiter` once: at the next commit after `generation`, at once if there was one, or
    /// when there will be none.
    ///
    /// - Returns: A number to forget it by; they grow.
    func wait(after generation: UInt64, _ waiter: @escaping Waiter) -> Int {
        let number = makeNumber()
        add(number, after: generation, waiter)
        return number
    }

    /// Lets go of a waiter, which is not called then, unless it was already.
    func forget(_ number: Int) {
        // Not released under the lock.
        let released = state.withLock { $0.waiters.removeValue(forKey: number) }
        _ = released
    }

    /// How many wait; for tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Returns at the next commit after `generation`: true; or false when there will be none, or
    /// when the task is cancelled.
    func next(after generation: UInt64) async -> Bool {
        let number = makeNumber()
        defer { state.withLock { _ = $0.withdrawn.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(number, after: generation) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    private func makeNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func add(_ number: Int, after generation: UInt64, _ waiter: @escaping Waiter) {
        let answer: Bool? = state.withLock { state in
            if state.isEnded || state.withdrawn.contains(number) { return false }
            if state.generation > generation { return true }
            state.waiters[number] = waiter
            return nil
        }
        if let answer { waiter(answer) }
    }

    private func withdraw(_ number: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil { state.withdrawn.insert(number) }
            return waiter
        }
        waiter?(false)
    }
}
