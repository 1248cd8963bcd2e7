import Synchronization

/// A stretch of snapshots between two deletions: what was replaced at its end is deleted when
/// neither its snapshots nor any earlier ones are left.
///
/// Each epoch holds the next, and each snapshot its own: so an epoch lives as long as any snapshot
/// up to it.
///
/// **Thread safety**: guarded.
final class Epoch: Sendable {
    private struct State {
        var next: Epoch?
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    deinit {
        var next = take()
        // Not by recursion: a snapshot that is kept long has many epochs after it.
        while next != nil, isKnownUniquelyReferenced(&next) { next = next?.take() }
    }

    /// Ends the epoch; `actions` are called once nothing can see what they delete.
    func end(followedBy next: Epoch, _ actions: [@Sendable () -> Void]) {
        state.withLock { state in
            state.next = next
            state.actions += actions
        }
    }

    private func take() -> Epoch? {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        for action in taken.actions { action() }
        return taken.next
    }
}
