import Foundation

/// A few threads for a test that holds up those that all indexes share.
///
/// Tests that wait for a flush block the threads on which tasks run otherwise: a task that lets the
/// flush go on needs one of its own.
final class OwnThreads: TaskExecutor, @unchecked Sendable {
    // Unchecked for what is touched with `condition` locked only.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isOver = false

    /// Runs `body` on threads of its own; tasks that it makes are to name `executor`.
    static func run<R: Sendable>(
        _ body: @escaping @Sendable (_ executor: OwnThreads) async throws -> R
    ) async throws -> R {
        let threads = OwnThreads()
        for _ in 0..<3 { Thread { threads.work() }.start() }
        defer { threads.end() }
        return try await Task(executorPreference: threads) { try await body(threads) }.value
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func end() {
        condition.withLock {
            isOver = true
            condition.broadcast()
        }
    }

    private func work() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty, !isOver { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
