public import Foundation
import Synchronization

/// What a finished operation did.
public struct IndexingReceipt: Sendable, Hashable {
    /// The identifier of the operation's object.
    public let identifier: Data
    /// How many distinct terms the object has; nil for a removal, and for an object that its
    /// indexer left out.
    public let distinctTermCount: Int?
}

/// One object being indexed, updated or removed.
///
/// It is already in the index's queue. When it has finished, its effect is durable and visible to
/// every later search.
///
/// **Thread safety**: may be used from any thread.
public final class IndexingOperation: Operation, @unchecked Sendable {
    // Unchecked as its superclass is, which the compiler asks for; everything here is immutable,
    // atomic or guarded.

    struct State {
        var outcome: Result<Void, any Error>?
        var distinctTermCount: Int?
        var waiters: [CheckedContinuation<Void, any Error>] = []
        var onResolve: (@Sendable () -> Void)?
    }

    static let cancellation = TextIndexError(
        .cancelled, "The operation was cancelled before it began.")

    private let state = Mutex(State())
    private let resolved = DispatchGroup()
    /// Whether it has been: to ask `resolved` would have it wake a thread that does not sleep.
    private let isResolved = Atomic<Bool>(false)
    private let ticketNumber = Atomic<Int>(-1)
    private let work: Mutex<(@Sendable (IndexingOperation) throws -> PreparedWork)?>
    /// Whether its queue has come to it, and whether a thread that waited for it did it, and need
    /// not wait for the queue.
    private let progress = Atomic<UInt8>(0)
    private let process = ProcessMark()
    /// Whether it is the parent's of this process, whose threads alone would finish it.
    private var isForked: Bool { process.isForked }
    private static let isBegun: UInt8 = 1
    private static let isAhead: UInt8 = 2
    private let identifier: [UInt8]
    private let sequencer: OperationSequencer
    /// The queue that it is put into; nil for one that is put into none.
    private let queue: OperationQueue?

    init(
        identifier: [UInt8], sequencer: OperationSequencer, queue: OperationQueue?,
        work: @escaping @Sendable (IndexingOperation) throws -> PreparedWork
    ) {
        self.identifier = identifier
        self.sequencer = sequencer
        self.queue = queue
        self.work = Mutex(work)
        resolved.enter()
        super.init()
    }

    var ticket: Int {
        get { ticketNumber.load(ordering: .relaxed) }
        set { ticketNumber.store(newValue, ordering: .relaxed) }
    }

    /// Why the finished operation had no effect; nil if it succeeded.
    public var error: (any Error)? {
        if isForked { return TextIndexError.closed }
        return state.withLock { state in
            guard case .failure(let error) = state.outcome else { return nil }
            return error
        }
    }

    /// How many distinct terms the object has, once it is indexed.
    public var distinctTermCount: Int? { state.withLock { $0.distinctTermCount } }

    /// Waits for the operation without blocking a thread.
    ///
    /// - Returns: What it did.
    /// - Throws: Why it had no effect.
    public func value() async throws -> IndexingReceipt {
        if isForked { throw TextIndexError.closed }
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
        return IndexingReceipt(
            identifier: Data(identifier), distinctTermCount: distinctTermCount)
    }

    /// Cancels the operation if it has not begun. One that has begun takes effect.
    public override func cancel() {
        if isForked { return }
        // A cancelled operation counts as finished as soon as its queue comes to it; one that has
        // begun must not finish before it has had its effect.
        if sequencer.cancel(self) { super.cancel() }
    }

    /// Runs the operation; called by its queue.
    public override func main() {
        let before = progress.bitwiseOr(Self.isBegun, ordering: .acquiringAndReleasing).oldValue
        if before == Self.isAhead { return sequencer.catchUp() }
        let isMine = sequencer.run(self)
        // Another thread is at it, which would take a fifth of a small object's time to wake this
        // one, and is slowed down by one that asks again and again.
        if !isMine {
            Thread.sleep(forTimeInterval: 50e-6)
            if isResolved.load(ordering: .acquiring) { return }
        }
        // Another thread may be at an older operation, and commits this one with it.
        resolved.wait()
    }

    /// Gives other threads the processor until it is finished, or for as long as a small object
    /// takes.
    private func waitShortly() {
        let begin = ContinuousClock.now
        while !isFinished, ContinuousClock.now - begin < .microseconds(100) { sched_yield() }
    }

    /// Whether a thread that waited for it finished it.
    private var isDoneAhead: Bool { progress.load(ordering: .acquiring) & Self.isAhead != 0 }

    #if !canImport(Darwin)
        /// Whether the operation took effect, failed or was cancelled.
        public override var isFinished: Bool { isDoneAhead || super.isFinished }
    #endif

    /// Whether its queue has yet to come to it, or to its end.
    var isLeftToQueue: Bool { !super.isFinished }

    /// Blocks the calling thread until the operation has finished.
    ///
    /// If nothing else is queued and it has not begun, it runs on the calling thread, which takes
    /// less time than waking another one.
    public override func waitUntilFinished() {
        if isForked { return }
        if isDoneAhead { return letQueueCome() }
        if let queue, !queue.isSuspended, isReady, sequencer.runAlone(self), goAhead() { return }
        // A small object is done before this thread would have gone to sleep and been woken again.
        waitShortly()
        // Its queue may come to it much later.
        if isDoneAhead { return }
        super.waitUntilFinished()
    }

    /// Sleeps a moment, so that the queue can come to an operation that was finished ahead of it.
    ///
    /// A caller that waits again for such an operation polls until the queue is empty. A thread
    /// that never slept would count as busy: if all threads of the pool did so, none would be left
    /// for the queue.
    private func letQueueCome() {
        if progress.load(ordering: .acquiring) & Self.isBegun == 0 {
            Thread.sleep(forTimeInterval: 50e-6)
        }
    }

    /// Finishes it before its queue does; false where it has no effect yet, or too many are ahead.
    /// Never on Apple's systems, whose queues do not say what they make of an operation that is
    /// finished before they began it.
    private func goAhead() -> Bool {
        #if canImport(Darwin)
            return false
        #else
            guard state.withLock({ $0.outcome != nil }) else { return false }
            if progress.load(ordering: .acquiring) == 0 {
                guard sequencer.goAhead() else { return false }
                let (isAhead, _) = progress.compareExchange(
                    expected: 0, desired: Self.isAhead, ordering: .acquiringAndReleasing)
                if isAhead { return true }
                sequencer.catchUp()
            }
            // The queue is at it, and finds that there is nothing to do.
            progress.bitwiseOr(Self.isAhead, ordering: .acquiringAndReleasing)
            return true
        #endif
    }

    func prepare() throws -> PreparedWork {
        let work = self.work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let work else { throw Self.cancellation }
        return try work(self)
    }

    func setDistinctTermCount(_ count: Int) { state.withLock { $0.distinctTermCount = count } }

    /// Has `action` called once the operation has had its effect or failed.
    func onResolve(_ action: @escaping @Sendable () -> Void) {
        let isResolved = state.withLock { state in
            if state.outcome == nil { state.onResolve = action }
            return state.outcome != nil
        }
        if isResolved { action() }
    }

    func resolve(_ outcome: Result<Void, any Error>) {
        let (waiters, action) = state.withLock { state in
            guard state.outcome == nil else {
                return ([CheckedContinuation<Void, any Error>](), nil as (@Sendable () -> Void)?)
            }
            state.outcome = outcome
            if case .failure = outcome { state.distinctTermCount = nil }
            defer {
                state.waiters = []
                state.onResolve = nil
            }
            isResolved.store(true, ordering: .releasing)
            resolved.leave()
            return (state.waiters, state.onResolve)
        }
        work.withLock { $0 = nil }
        for waiter in waiters { waiter.resume(with: outcome) }
        action?()
    }
}
