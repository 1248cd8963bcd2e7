import Synchronization
import TextIndexInterface
import TextSearch

/// An index as it is served at the moment: of published generations the newest.
///
/// A generation that is not the newest any more is closed when the last request that uses it lets
/// go of it.
///
/// **Thread safety**: guarded.
final class CurrentIndex<Object>: Sendable {
    private struct State {
        var served: ServedIndex<Object>
        /// The queries that objects are matched against, as they are read by the index of now; nil
        /// until somebody asks for them.
        var stored: StoredQueries<Object, String>?
        var watchers: [Int: AsyncStream<ServedIndex<Object>>.Continuation] = [:]
        var lastWatcher = 0
    }

    let source: IndexSource<Object>
    private let state: Mutex<State>

    var name: String { source.name }
    var isPublished: Bool { source.newest != nil }
    var served: ServedIndex<Object> { state.withLock { $0.served } }

    init(_ source: IndexSource<Object>) throws {
        self.source = source
        state = Mutex(State(served: try source.open()))
    }

    /// Opens a newer generation if there is one; gives whether there was. Blocks its thread.
    @discardableResult
    func refresh() throws -> Bool {
        guard let newest = try source.newest?(), newest != served.index.generation else {
            return false
        }
        let opened = try source.open()
        let watchers = state.withLock { state in
            state.served = opened
            // They would hold the old one open.
            state.stored = nil
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield(opened) }
        return true
    }

    /// Stored queries, read once for each generation.
    ///
    /// - Parameters:
    ///   - served: the index that is to read them.
    ///   - make: reads them.
    /// - Returns: What `make` returned for this index, if it is that of now.
    func storedQueries(
        of served: ServedIndex<Object>, _ make: () throws -> StoredQueries<Object, String>
    ) rethrows -> StoredQueries<Object, String> {
        let kept = state.withLock { $0.served.index === served.index ? $0.stored : nil }
        if let kept { return kept }
        let made = try make()
        state.withLock { state in
            if state.served.index === served.index { state.stored = made }
        }
        return made
    }

    /// The index of now, and then each newer one; who is slow gets the newest.
    func changes() -> AsyncStream<ServedIndex<Object>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ServedIndex<Object>.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            continuation.yield(state.served)
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }
}
