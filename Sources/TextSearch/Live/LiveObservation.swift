import Dispatch
import Synchronization

/// A live query that calls a function; it goes on until it is cancelled or nobody holds it any more.
///
/// **Thread safety**: may be used from any thread.
public final class LiveObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends it: the function is not called again, but for a call that has begun already.
    public func cancel() { onCancel() }
}

/// Asks a live query after each commit, and tells a function what changed.
///
/// One call ends before the next begins: it is asked again only then.
///
/// **Thread safety**: guarded.
final class LiveObserver<Object>: Sendable {
    typealias Body = @Sendable (Result<LiveDifference<Object>, any Error>) -> Void

    private let queue: DispatchQueue
    /// Nil once it was cancelled.
    private let work: Mutex<(query: LiveQuery<Object>, body: Body)?>

    init(_ query: LiveQuery<Object>, on queue: DispatchQueue, _ body: @escaping Body) {
        self.queue = queue
        work = Mutex((query, body))
    }

    func start() { queue.async { self.ask() } }

    func cancel() {
        // Not released under the lock: the index may go with it.
        let released = work.withLock { work in
            defer { work = nil }
            return work
        }
        _ = released
    }

    private func ask() {
        guard let (query, body) = work.withLock({ $0 }) else { return }
        var seen = query.index.writer.snapshot.generation
        do {
            let (difference, generation) = try query.poll()
            seen = generation
            if let difference { body(.success(difference)) }
        } catch let error as TextIndexError where error.code == .closed {
            return cancel()
        } catch {
            body(.failure(error))
        }
        query.commits.wait(after: seen) { [weak self] goesOn in
            guard let self else { return }
            if goesOn { start() } else { queue.async { self.cancel() } }
        }
    }
}
