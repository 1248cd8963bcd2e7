import Dispatch
import Synchronization
import TextIndexInterface

/// How far indexes are behind their tables, asked at most once a second for each.
///
/// **Thread safety**: may be used from any task.
final class FollowedTables: Sendable {
    private struct Answer {
        /// When it was given; nil while it is asked for.
        var time: ContinuousClock.Instant?
        var task: Task<FollowedTable, Never>
    }

    private let answers = Mutex<[String: Answer]>([:])

    /// What `ask` says, or said less than a second ago. It is called on a thread that may wait, and
    /// all who want to know meanwhile get its answer.
    func value(
        of name: String, _ ask: @escaping @Sendable () -> FollowedTable
    ) async -> FollowedTable {
        let task = answers.withLock { answers in
            if let kept = answers[name] {
                guard let time = kept.time, .now - time >= .seconds(1) else { return kept.task }
            }
            let task = Task {
                let table = await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: ask()) }
                }
                self.answers.withLock { $0[name]?.time = .now }
                return table
            }
            answers[name] = Answer(time: nil, task: task)
            return task
        }
        return await task.value
    }
}
