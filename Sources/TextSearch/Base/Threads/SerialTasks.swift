import Synchronization

/// Runs pieces of asynchronous work one after the other, in the order in which they came.
///
/// An actor would let another piece in wherever one awaits.
final class SerialTasks: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Runs `body` when all that came before is over. Cancelling the task that waits cancels the
    /// piece.
    func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        let task = last.withLock { last in
            let previous = last
            let task = Task {
                await previous?.value
                try Task.checkCancellation()
                return try await body()
            }
            last = Task { _ = await task.result }
            return task
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns when all that came until now is over.
    func finished() async { await last.withLock { $0 }?.value }
}
