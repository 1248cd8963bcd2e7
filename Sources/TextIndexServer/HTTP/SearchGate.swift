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

    /// Until when what is shown of hits is looked for: a search that took all of its time gets a
    /// little more.
    var details: ContinuousClock.Instant { min(max(wanted, .now + .milliseconds(50)), last) }
}

/// Lets some searches run at a time, on threads of their own, and some more wait: see ``FairQueue``
/// for who is next.
///
/// Searches block their thread; those of the event loops and of tasks are too few for that.
///
/// **Thread safety**: guarded.
final class SearchGate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var queue: FairQueue<Waiter>
        var lastNumber = 0
        /// Those that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(
        label: "TextIndexServer.search", qos: .userInitiated, attributes: .concurrent)

    init(_ limits: ServerLimits) {
        state = Mutex(
            State(
                queue: FairQueue(
                    places: limits.searches, waiting: limits.waiting,
                    waitingOfClient: limits.clientWaiting)))
    }

    var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.queue.running, $0.queue.waiting) }
    }

    /// Runs a search. A task that is cancelled, because its client went away, ends it.
    ///
    /// - Parameters:
    ///   - client: who asks.
    ///   - times: when it has to be over.
    ///   - body: the search, on a thread that may block; its budget is what is left of the time, or
    ///     less.
    /// - Returns: What `body` returns.
    /// - Throws: ``Problem`` when too many wait or there is no time left; `CancellationError`; what
    ///   `body` throws.
    func run<R: Sendable>(
        for client: String, until times: SearchTimes,
        _ body: @escaping @Sendable (SearchBudget) throws -> R
    ) async throws -> R {
        try await enter(client, until: times.last)
        defer { leave(client) }
        return try await cancellable { try body(Self.budget(until: times, $0)) }
    }

    private static func budget(
        until times: SearchTimes, _ cancellation: SearchCancellation
    ) throws -> SearchBudget {
        guard times.last > .now else { throw Problem.outOfTime }
        // Whoever gives little time is given what is found in next to none.
        let left = max(times.wanted - .now, .milliseconds(1))
        return SearchBudget(time: left, cancellation: cancellation)
    }

    /// Runs a search, if it need not wait for its place.
    ///
    /// - Parameters:
    ///   - client: who asks.
    ///   - times: when it has to be over.
    ///   - cancellation: what ends it.
    ///   - body: the search, on a thread that may block.
    ///   - done: called on that thread with what `body` returns or throws.
    /// - Returns: Whether it runs.
    func runAtOnce<R: Sendable>(
        for client: String, until times: SearchTimes, _ cancellation: SearchCancellation,
        _ body: @escaping @Sendable (SearchBudget) throws -> R,
        done: @escaping @Sendable (Result<R, any Error>) -> Void
    ) -> Bool {
        guard state.withLock({ $0.queue.enter(client) }) else { return false }
        queue.async {
            let result = Result { try body(try Self.budget(until: times, cancellation)) }
            self.leave(client)
            done(result)
        }
        return true
    }

    /// Runs a search on this thread, if it need not wait for its place, and for a moment only.
    ///
    /// - Parameters:
    ///   - client: who asks.
    ///   - body: the search; nil where it takes longer.
    /// - Returns: What `body` returns; nil also where it throws.
    func runHere<R>(for client: String, _ body: (SearchBudget) throws -> R?) -> R? {
        guard state.withLock({ $0.queue.enter(client) }) else { return nil }
        defer { leave(client) }
        return (try? body(SearchBudget(time: Self.moment))) ?? nil
    }

    /// To another thread and back takes a good part of it.
    static let moment = Duration.milliseconds(1)

    /// Runs a search of a stream, which waits for its place as long as it takes: there are only so
    /// many streams, and none can be told to ask again.
    ///
    /// - Parameters:
    ///   - client: whose stream it is.
    ///   - body: the search, on a thread that may block; cancelled with the task.
    /// - Returns: What `body` returns.
    /// - Throws: `CancellationError`; what `body` throws.
    func runOfStream<R: Sendable>(
        of client: String, _ body: @escaping @Sendable (SearchCancellation) throws -> R
    ) async throws -> R {
        try await enter(client)
        defer { leave(client) }
        return try await cancellable(body)
    }

    /// Runs a search on a thread that may block; it ends when the task is cancelled.
    private func cancellable<R: Sendable>(
        _ body: @escaping @Sendable (SearchCancellation) throws -> R
    ) async throws -> R {
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

    /// What a thread leaves for a task. Under a lock, as the thread sanitizer does not know that a
    /// task goes on after it was resumed.
    private final class Outcome<R: Sendable>: Sendable {
        let result = Mutex<Result<R, any Error>?>(nil)
    }

    /// Waits for a place. Give it back by ``leave(_:)``.
    ///
    /// - Parameters:
    ///   - client: who asks.
    ///   - deadline: how long it waits; nil for as long as it takes, however many wait.
    /// - Throws: ``Problem`` where too many wait, or the time is over; `CancellationError`.
    func enter(_ client: String, until deadline: ContinuousClock.Instant? = nil) async throws {
        let number: Int? = state.withLock { state in
            if state.queue.enter(client) { return nil }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        let clock = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline)
                remove(number, of: client)?.resume(throwing: Problem.outOfTime)
            }
        }
        defer { clock?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                arrive(client, number, until: deadline, continuation)
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.queue.remove(number, of: client)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
        // Who was let in and cancelled at once left a mark.
        _ = state.withLock { $0.cancelled.remove(number) }
    }

    private func arrive(
        _ client: String, _ number: Int, until deadline: ContinuousClock.Instant?,
        _ waiter: Waiter
    ) {
        let (outcome, other) = state.withLock { state -> (Result<Void, any Error>?, Waiter?) in
            if state.cancelled.remove(number) != nil {
                return (.failure(CancellationError()), nil)
            }
            // Its clock has run out, and found nobody waiting.
            if let deadline, deadline <= .now { return (.failure(Problem.outOfTime), nil) }
            switch state.queue.arrive(client, number, isPatient: deadline == nil, waiter) {
            case .entered: return (.success(()), nil)
            case .waits(let other): return (nil, other)
            case .refused(.client): return (.failure(Problem.tooManyWaiting), nil)
            case .refused(.all): return (.failure(Problem.manyWait), nil)
            }
        }
        if let outcome { waiter.resume(with: outcome) }
        other?.resume(throwing: Problem.manyWait)
    }

    private func remove(_ number: Int, of client: String) -> Waiter? {
        state.withLock { $0.queue.remove(number, of: client) }
    }

    /// Gives a place back, to the one whose turn it is.
    func leave(_ client: String) {
        let next = state.withLock { $0.queue.leave(client) }
        next?.resume()
    }
}
