import Dispatch
import Synchronization

/// Lets work and searches in while the index is open, and lets closing wait for them.
final class UsageGate: Sendable {
    private struct State {
        var takesWork = true
        var takesSearches = true
    }

    private let state = Mutex(State())
    private let process = ProcessMark()
    private let work = DispatchGroup()
    private let searches = DispatchGroup()

    /// Runs `body` as a search.
    func search<R>(_ body: () throws -> R) throws -> R {
        try beginSearch()
        defer { endSearch() }
        return try body()
    }

    /// Whether this is a child, made by `fork`, of the process that opened the index. None of that
    /// process's threads is in it, and what they held is held for ever: nothing may be waited for.
    var isForked: Bool { process.isForked }

    /// Begins a search that closing has to wait for; `endSearch` must follow.
    func beginSearch() throws {
        if isForked { throw TextIndexError.closed }
        try state.withLock { state in
            guard state.takesSearches else { throw TextIndexError.closed }
            searches.enter()
        }
    }

    func endSearch() { searches.leave() }

    /// Begins work that closing has to wait for; `endWork` must follow.
    func beginWork() throws {
        if isForked { throw TextIndexError.closed }
        try state.withLock { state in
            guard state.takesWork else { throw TextIndexError.closed }
            work.enter()
        }
    }

    func endWork() { work.leave() }

    func refuseNewWork() { state.withLock { $0.takesWork = false } }

    func waitForWork() { work.wait() }

    /// The same; the task is suspended until then.
    func workEnded() async { await work.ended() }

    func refuseSearches() {
        state.withLock { $0.takesSearches = false }
        searches.wait()
    }

    /// The same; the task is suspended until the last one is over.
    func searchesRefused() async {
        state.withLock { $0.takesSearches = false }
        await searches.ended()
    }
}
