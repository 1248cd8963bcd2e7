#if GRDB
    import Synchronization

    /// Shows how far a reading of all rows is.
    ///
    /// **Thread safety**: guarded.
    final class RowMeter: Sendable {
        private struct State: Sendable {
            var meter = ProgressMeter(total: nil)
            var rows = 0
            var bytes = 0
            var total: Int?
            var hasBegun = false
        }

        private let state: Mutex<State>

        /// - Parameter total: rows of the table, for the first reading from its beginning; nil
        ///   where nobody knows.
        init(total: Int?) { state = Mutex(State(total: total)) }

        /// How much was read in the reading under way, and how many rows there are, where that is
        /// known.
        var rows: (read: Int, total: Int?) { state.withLock { ($0.rows, $0.total) } }

        /// Counts rows that were read, and the bytes of text in them. With the first ones of
        /// another reading it begins anew: how many rows there are now nobody has counted.
        func add(_ rows: Int, _ bytes: Int, isFirst: Bool) {
            state.withLock { state in
                if isFirst {
                    state.meter.clear()
                    state = State(total: state.hasBegun ? nil : state.total, hasBegun: true)
                }
                state.rows += rows
                state.bytes += bytes
                state.meter.update(rows: state.rows, of: state.total, bytes: state.bytes)
            }
        }

        func clear() { state.withLock { $0.meter.clear() } }
    }
#endif
