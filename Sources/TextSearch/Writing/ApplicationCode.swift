import Dispatch
import Foundation

/// Where the library calls what belongs to the application: hooks, blocks, sequences.
///
/// Such code may sleep, or wait for another index. So it runs on Dispatch's global queues, which
/// have a thread for each processor and replace one that sleeps, and never on a ``Lane``. Hooks of
/// operations run on ``TextIndex/indexingQueue``, which lies on such a queue, too.
enum ApplicationCode {
    /// For what somebody waits for: blocks of enumerations and live queries.
    static let callbacks = DispatchQueue.global(qos: .userInteractive)
    /// For loads and rebuilds.
    static let loads = DispatchQueue.global(qos: .userInitiated)
    /// For tasks that call the application, and are suspended in between.
    static let executor = Executor()

    /// Runs a task on `loads`.
    final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loads.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Runs `body` while the task is suspended.
    static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            callbacks.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

extension OperationQueue {
    /// Returns when all operations that are in the queue now have finished; the task is suspended
    /// until then.
    func operationsFinished() async {
        let operations = operations
        // Most of them, one by one: an operation looks through all that it depends on for each
        // more.
        for case let operation as IndexingOperation in operations {
            _ = try? await operation.value()
        }
        let rest = operations.filter { !$0.isDoneByQueue }
        for start in stride(from: 0, to: rest.count, by: 256) {
            await Self.finished(rest[start..<min(start + 256, rest.count)])
        }
    }

    private static func finished(_ operations: ArraySlice<Operation>) async {
        await withCheckedContinuation { continuation in
            let end = BlockOperation { continuation.resume() }
            for operation in operations { end.addDependency(operation) }
            Resumption.operations.addOperation(end)
        }
    }
}

extension Operation {
    /// Whether its queue has nothing more to do for it.
    fileprivate var isDoneByQueue: Bool {
        if let operation = self as? IndexingOperation {
            !operation.isLeftToQueue
        } else {
            isFinished
        }
    }
}
