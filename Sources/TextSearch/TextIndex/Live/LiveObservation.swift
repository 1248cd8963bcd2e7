import Dispatch
import Synchronization

/// A live query that calls a function, until it is cancelled or released.
///
/// **Thread safety**: may be used from any thread.
public final class LiveObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the calls. One that has begun still finishes.
    public func cancel() { onCancel() }
}

/// Asks a live query after each commit, and tells a function what changed.
///
/// One call ends before the next begins: it is asked again only then.
///
/// **Thread safety**: guarded.
final class LiveObserver<Object>: Sendable {
    typealias Body = @Sendable (Result<LiveDifference<Object>, any Error>) -> Void

    private struct Work {
        let query: LiveQuery<Object>
        let body: Body
        /// What waits for the next commit.
        var waiter = 0
    }

    private let queue: DispatchQueue
    /// Nil once it was cancelled.
    private let work: Mutex<Work?>
    private let cancellation = SearchCancellation()

    init(_ query: LiveQuery<Object>, on queue: DispatchQueue, _ body: @escaping Body) {
        self.queue = queue
        work = Mutex(Work(query: query, body: body))
    }

    func start() { queue.async { self.ask() } }

    func cancel() {
        cancellation.cancel()
        // Not released under the lock: the index may go with it.
        let released = work.withLock { work in
            defer { work = nil }
            return work
        }
        if let released { released.query.commits.forget(released.waiter) }
    }

    private func ask() {
        guard let query = work.withLock({ $0?.query }) else { return }
        var seen = query.index.writer.snapshot.generation
        do {
            let (difference, generation) = try query.poll(cancellation)
            seen = generation
            if let difference { call(.success(difference)) }
        } catch let error as TextIndexError where error.code == .closed {
            return cancel()
        } catch {
            call(.failure(error))
        }
        wait(for: query, after: seen)
    }

    /// Calls the function, unless it was cancelled meanwhile.
    private func call(_ result: Result<LiveDifference<Object>, any Error>) {
        let body = work.withLock { $0?.body }
        body?(result)
    }

    private func wait(for query: LiveQuery<Object>, after generation: UInt64) {
        let number = query.commits.wait(after: generation) { [weak self] goesOn in
            guard let self else { return }
            if goesOn { start() } else { queue.async { self.cancel() } }
        }
        let isCancelled = work.withLock { work in
            guard let last = work?.waiter else { return true }
            // On a queue of several threads the next one may have come first.
            work?.waiter = max(last, number)
            return false
        }
        if isCancelled { query.commits.forget(number) }
    }
}
