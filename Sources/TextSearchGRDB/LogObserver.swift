#if GRDB
    import GRDB

    /// Calls a function after transactions that wrote to the log.
    final class LogObserver: TransactionObserver, @unchecked Sendable {
        // Unchecked for `hasChanged`: GRDB calls an observer on the writer's queue only, one call
        // after the other.
        private let body: @Sendable () -> Void
        private var hasChanged = false

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
            if case .insert(ChangeLog.log) = eventKind { return true }
            return false
        }

        func databaseDidChange(with event: DatabaseEvent) { hasChanged = true }

        func databaseDidChange() { hasChanged = true }

        func databaseDidCommit(_ db: Database) {
            guard hasChanged else { return }
            hasChanged = false
            body()
        }

        func databaseDidRollback(_ db: Database) { hasChanged = false }
    }
#endif
