import DequeModule
import Foundation
import Synchronization

/// A few threads that all indexes of the process share for one kind of work.
///
/// Rules:
/// 1. Work may wait for the disk, for a lock that is held for as long, and for the lanes below it
///    in this list; never for work of its own lane or of one above, and never for a hook, a block
///    or a sequence of the application. So each lane gets on, whatever the others do.
///    1. `searches`: what answers at once from a snapshot. Waits for no other lane.
///    2. `calls`: long calls that were awaited (copies, proofs, counts), and closing. Waits for
///       upkeep, flushes and LevelDB.
///    3. `upkeep`: merges, sweeps, reclaiming space. Waits for LevelDB.
///    4. `flushes`: flushes, and what helps a thread that writes a segment. Waits for LevelDB.
///    5. LevelDB's own work has two threads more (`WorkerThreads` of CLevelDB), and waits for the
///       disk.
/// 2. What waits for the application suspends a task, or blocks a thread of the application's own.
/// 3. What calls the application runs on Dispatch's global queues, which replace a thread that
///    sleeps (``ApplicationCode``).
/// 4. There are never more threads than `most` in a lane: together with LevelDB's two, eight more
///    than there are processors.
///
/// Why: a thread for each index or each call is too many of them, and a bounded pool that is full
/// of work which waits for other work in it never gets on.
///
/// **Thread safety**: may be used from any thread.
final class Lane: @unchecked Sendable {
    // Unchecked for what is touched with `condition` locked only.

    /// Awaited searches: as many as there are processors, which all of them want.
    static let searches = Lane("searches", max(ProcessInfo.processInfo.activeProcessorCount, 2))
    /// Awaited calls that may take long.
    static let calls = Lane("calls", 2)
    /// Merges, sweeps, and giving back space.
    static let upkeep = Lane("upkeep", 2)
    /// Flushes.
    static let flushes = Lane("flushes", 2)

    /// A thread without work ends after so many seconds.
    private static let patience = 5.0

    private let name: String
    private let most: Int
    private let condition = NSCondition()
    private var waiting: Deque<@Sendable () -> Void> = []
    private var threadCount = 0
    private var idleCount = 0

    init(_ name: String, _ most: Int) {
        self.name = name
        self.most = most
    }

    /// Has `work` run on one of the threads, in the order in which it came.
    func run(_ work: @escaping @Sendable () -> Void) {
        condition.lock()
        waiting.append(work)
        let startsThread = waiting.count > idleCount && threadCount < most
        if startsThread { threadCount += 1 }
        condition.signal()
        condition.unlock()
        if startsThread { startThread() }
    }

    /// Runs `body` on one of the threads, while the task is suspended.
    func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            run { continuation.resume(with: Result { try body() }) }
        }
    }

    private func startThread() {
        let thread = Thread { self.work() }
        thread.name = "TextSearch.\(name)"
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    private func work() {
        Self.blockSignals()
        while waitForWork() { runOldest() }
    }

    /// False where none came for a while, and the thread is no longer counted.
    private func waitForWork() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: Self.patience)
        idleCount += 1
        defer { idleCount -= 1 }
        while waiting.isEmpty {
            if !condition.wait(until: end), waiting.isEmpty {
                threadCount -= 1
                return false
            }
        }
        return true
    }

    /// Apart, so that the work is let go before the thread waits.
    @inline(never)
    private func runOldest() {
        condition.lock()
        let work = waiting.popFirst()
        condition.unlock()
        work?()
    }

    /// The host's signal handlers have no business on these threads. What a fault raises stays, or
    /// it would be a silent end of the process.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
            sigdelset(&signals, fault)
        }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
