import DequeModule
import Dispatch
import Synchronization

/// Work of one index of which one piece runs at a time, on the threads that all indexes share.
///
/// Rules:
/// 1. Pieces for `.flushes` come before those for `.upkeep` that have not begun; those of one lane
///    come in their order.
/// 2. A piece for `.upkeep` has its turn when a thread is there for it, so that a flush never waits
///    for merges of other indexes.
/// 3. ``sync(_:)`` runs on the calling thread. While that waits for its turn it does what is in
///    front of it: it needs no thread of a lane.
/// 4. So only a thread that is in no lane, or in `.calls`, may call ``sync(_:)``.
///
/// **Thread safety**: may be used from any thread; ``sync(_:)`` not from within a piece.
final class SerialWork: Sendable {
    typealias Work = @Sendable () -> Void

    private enum Piece {
        /// For a thread of the lane `upkeep`, or one that waits in ``sync(_:)``.
        case work(Work)
        /// The turn of a thread that waits.
        case turn(Waiter)
        /// Called when all in front of it is done; must return at once.
        case notice(Work)
    }

    private enum Action {
        case flush(Work)
        case askForThread
        case lend(Work, Waiter)
        case grant(Waiter)
        case call(Work)
    }

    private struct State {
        /// Whether a piece runs, or a flush is about to.
        var isBusy = false
        /// Whether a thread of the lane `upkeep` was asked for.
        var hasAsked = false
        var flushes: Deque<Work> = []
        var others: Deque<Piece> = []

        /// The thread that waits first, and could do what is in front of it.
        var waiter: Waiter? {
            for case .turn(let waiter) in others { return waiter }
            return nil
        }

        /// What is to be done now, if anything is.
        mutating func next() -> Action? {
            guard !isBusy else { return nil }
            if let flush = flushes.popFirst() {
                isBusy = true
                return .flush(flush)
            }
            switch others.first {
            case nil: return nil
            case .turn(let waiter):
                others.removeFirst()
                isBusy = true
                return .grant(waiter)
            case .notice(let notice):
                others.removeFirst()
                return .call(notice)
            case .work(let work):
                if let waiter {
                    others.removeFirst()
                    isBusy = true
                    return .lend(work, waiter)
                }
                guard !hasAsked else { return nil }
                hasAsked = true
                return .askForThread
            }
        }

        /// The oldest piece for the thread that was asked for.
        mutating func takeForThread() -> Work? {
            hasAsked = false
            guard !isBusy, flushes.isEmpty, case .work(let work) = others.first else { return nil }
            others.removeFirst()
            isBusy = true
            return work
        }
    }

    /// A thread that waits for its turn.
    private final class Waiter: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let lent = Mutex<Work?>(nil)

        /// Wakes it, for its turn or for something else to do.
        func wake(_ work: Work? = nil) {
            lent.withLock { $0 = work }
            semaphore.signal()
        }

        /// Returns what is to be done before its turn; nil when it has that.
        func wait() -> Work? {
            semaphore.wait()
            return lent.withLock { lent in
                defer { lent = nil }
                return lent
            }
        }
    }

    private let state = Mutex(State())

    /// Has `work` run in its turn.
    func async(for kind: WorkKind = .upkeep, _ work: @escaping Work) {
        state.withLock { state in
            switch kind {
            case .flush: state.flushes.append(work)
            case .upkeep: state.others.append(.work(work))
            }
        }
        goOn()
    }

    /// Has `notice` called when all that is queued is done. It must return at once.
    func whenDone(_ notice: @escaping Work) {
        state.withLock { $0.others.append(.notice(notice)) }
        goOn()
    }

    /// Runs `body` on the calling thread when all that is queued is done.
    func sync<R>(_ body: () throws -> R) rethrows -> R {
        let waiter = Waiter()
        state.withLock { $0.others.append(.turn(waiter)) }
        goOn()
        while let work = waiter.wait() {
            work()
            leave()
        }
        defer { leave() }
        return try body()
    }

    /// Runs `body` in its turn, while the task is suspended.
    func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            self.async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Returns when all that is queued is done; the task is suspended until then.
    func done() async {
        await withCheckedContinuation { continuation in whenDone { continuation.resume() } }
    }

    private func leave() {
        state.withLock { $0.isBusy = false }
        goOn()
    }

    private func goOn() {
        while let action = state.withLock({ $0.next() }) {
            switch action {
            case .flush(let work):
                Lane.flushes.run {
                    work()
                    self.leave()
                }
            case .askForThread: Lane.upkeep.run { self.runForThread() }
            case .lend(let work, let waiter): waiter.wake(work)
            case .grant(let waiter): waiter.wake()
            case .call(let notice): notice()
            }
        }
    }

    private func runForThread() {
        guard let work = state.withLock({ $0.takeForThread() }) else { return goOn() }
        work()
        leave()
    }
}

/// What ``SerialWork`` tells apart.
enum WorkKind: Sendable {
    case flush, upkeep
}
