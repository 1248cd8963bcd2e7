import DequeModule
import Dispatch
import Synchronization
import TextSearch

/// When a search has to be over.
struct SearchTimes: Sendable {
    /// When the client wants what was found until then.
    var wanted: ContinuousClock.Instant
    /// When the server gives up.
    var last: ContinuousClock.Instant

    init(_ last: ContinuousClock.Instant, wanted: ContinuousClock.Instant? = nil) {
        self.last = last
        self.wanted = min(wanted ?? last, last)
    }
}

/// Lets some searches run at a time, on threads of their own, and some more wait.
///
/// Searches block their thread; those of the event loops and of tasks are too few for that.
///
/// **Thread safety**: guarded.
final class SearchGate: Sendable {
    private struct State {
        var running = 0
        var waiting: Deque<(number: Int, continuation: CheckedContinuation<Void, any Error>)> = []
        var lastNumber = 0
        /// Those that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let most: Int
    private let mostWaiting: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(
        label: "TextIndexServer.search", qos: .userInitiated, attributes: .concurrent)

    init(most: Int, waiting: Int) {
        self.most = max(most, 1)
        mostWaiting = max(waiting, 0)
    }

    var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.running, $0.waiting.count) }
    }

    /// Runs a search. A task that is cancelled, because its client went away, ends it.
    ///
    /// - Parameters:
    ///   - times: when it has to be over.
    ///   - body: the search, on a thread that may block; its budget is what is left of the time, or less.
    /// - Returns: What `body` returns.
    /// - Throws: ``Problem`` when too many wait or there is no time left; `CancellationError`; what `body` throws.
    func run<R: Sendable>(
        until times: SearchTimes,
        _ body: @escaping @Sendable (SearchBudget) throws -> R
    ) async throws -> R {
        try await enter()
        defer { leave() }
        let cancellation = SearchCancellation()
        let result = try await withTaskCancellationHandler {
            try await onThread {
                guard times.last > .now else { throw Problem.outOfTime }
                // Whoever gives little time is given what is found in next to none.
                let left = max(times.wanted - .now, .milliseconds(1))
                return try body(SearchBudget(time: left, cancellation: cancellation))
            }
        } onCancel: {
            cancellation.cancel()
        }
        try Task.checkCancellation()
        return result
    }

    /// Runs a search of a stream, which waits for its place as long as it takes: there are only so many streams, and none can be told to ask again.
    ///
    /// - Parameter body: the search, on a thread that may block; cancelled with the task.
    /// - Returns: What `body` returns.
    /// - Throws: `CancellationError`; what `body` throws.
    func runOfStream<R: Sendable>(
        _ body: @escaping @Sendable (SearchCancellation) throws -> R
    ) async throws -> R {
        try await enter(evenIfManyWait: true)
        defer { leave() }
        let cancellation = SearchCancellation()
        let result = try await withTaskCancellationHandler {
            try await onThread { try body(cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
        try Task.checkCancellation()
        return result
    }

    /// Runs what blocks, such as reading files, on a thread that may.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        let outcome = Outcome<R>()
        await withCheckedContinuation { continuation in
            queue.async {
                let result = Result { try body() }
                outcome.result.withLock { $0 = result }
                continuation.resume()
            }
        }
        guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    /// What a thread leaves for a task. Under a lock, as the thread sanitizer does not know that a task goes on after it was resumed.
    private final class Outcome<R: Sendable>: Sendable {
        let result = Mutex<Result<R, any Error>?>(nil)
    }

    /// Waits for a place. Give it back by ``leave()``.
    func enter(evenIfManyWait: Bool = false) async throws {
        let number: Int? = try state.withLock { state in
            if state.running < most {
                state.running += 1
                return nil
            }
            guard evenIfManyWait || state.waiting.count < mostWaiting else {
                throw Problem.busy("Too many requests wait already.")
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil {
                        return .failure(CancellationError())
                    }
                    if state.running < most {
                        state.running += 1
                        return .success(())
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.waiting.remove(at: place).continuation
            }
            waiting?.resume(throwing: CancellationError())
        }
        // Who was let in and cancelled at once left a mark.
        _ = state.withLock { $0.cancelled.remove(number) }
    }

    /// Gives a place back, to the one who waits longest.
    func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.continuation.resume()
    }
}
