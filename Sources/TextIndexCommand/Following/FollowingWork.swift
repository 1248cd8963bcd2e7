#if GRDB
    import Synchronization
    import TextSearch

    /// Pieces of work, one after the other, that an interrupt ends; and what came of them so far.
    ///
    /// **Thread safety**: guarded.
    final class FollowingWork: Sendable {
        private struct State {
            var isInterrupted = false
            var task: Task<Bool, any Error>?
            var hasFollowed = false
            /// What was reported last.
            var problem: String?
        }

        private let state = Mutex(State())

        /// Ends the piece under way, and those after it at once.
        func interrupt() {
            state.withLock { state in
                state.isInterrupted = true
                state.task?.cancel()
            }
        }

        func run(
            _ body: @escaping @Sendable () async throws -> Bool
        ) async -> Result<Bool, any Error> {
            let task = Task { try await body() }
            state.withLock { state in
                state.task = task
                if state.isInterrupted { task.cancel() }
            }
            return await task.result
        }

        /// The index has caught up.
        func noteSuccess() {
            state.withLock { state in
                state.hasFollowed = true
                state.problem = nil
            }
        }

        /// Whether what failed may succeed later: the database is locked, or a disk is full. Once
        /// the table was followed, the file or the table may also come back, as amid a migration.
        func mayPass(_ error: any Error) -> Bool {
            let hasFollowed = state.withLock { $0.hasFollowed }
            if FollowedDatabase.isPassing(error) { return true }
            switch error {
            case let error as TextIndexError:
                return error.code == .diskFull || hasFollowed && error.code == .invalidArgument
            default: return hasFollowed && FollowedDatabase.isOfDatabase(error)
            }
        }

        /// Says what failed of a database, each problem once.
        func report(_ error: any Error, of path: String) {
            let text = FollowedDatabase.message(of: error, path)
            let isNew = state.withLock { state in
                defer { state.problem = text }
                return state.problem != text
            }
            if isNew { Console.report("trying again: \(text)") }
        }
    }
#endif
