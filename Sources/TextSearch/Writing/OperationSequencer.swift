import DequeModule
import Foundation
import Synchronization

/// Has operations take effect in the order in which they were submitted, whatever threads prepare
/// them.
///
/// Each operation has a ticket. Threads prepare tickets in any order; whoever finds the oldest ones
/// prepared commits them as a group, for all. A thread that has prepared its own ticket also
/// prepares older ones that have not begun, so that no order of execution (priorities,
/// dependencies) can leave an operation waiting for one that cannot start.
final class OperationSequencer: Sendable {
    private static let largestGroup = 1024

    private struct Ticket: Sendable {
        enum Phase: Sendable {
            case waiting
            case preparing
            case prepared(PreparedWork)
            /// Failed or cancelled; takes no effect.
            case void
        }

        var operation: IndexingOperation
        var phase: Phase
    }

    private struct State: Sendable {
        /// The number of the oldest ticket in `tickets`.
        var first = 0
        var tickets: Deque<Ticket> = []
        var isCommitting = false
    }

    private let state = Mutex(State())
    /// How many operations have finished that their queue has not come to.
    private let aheadCount = Atomic<Int>(0)
    /// More are not left behind: each is kept until then.
    private static let mostAhead = 64
    private let commit: @Sendable ([PreparedWork]) -> [Result<Void, any Error>]

    /// `commit` makes a group durable and says of each work how it went.
    init(commit: @escaping @Sendable ([PreparedWork]) -> [Result<Void, any Error>]) {
        self.commit = commit
    }

    /// Gives the operation its place in the order.
    func enter(_ operation: IndexingOperation) {
        state.withLock { state in
            operation.ticket = state.first + state.tickets.count
            state.tickets.append(Ticket(operation: operation, phase: .waiting))
        }
    }

    /// Prepares the operation unless another thread does, and commits what is ready; whether it was
    /// prepared here.
    func run(_ operation: IndexingOperation) -> Bool {
        let isMine = begin(operation.ticket)
        if isMine { prepare(operation) }
        // Also while the queue is suspended: what runs already must be able to end, and may hold
        // the only place that an older operation could run in.
        while let older = beginOldest(before: operation.ticket) { prepare(older) }
        commitReady()
        return isMine
    }

    /// Prepares and commits an operation that nothing is in front of or behind, unless another
    /// thread does; whether it was prepared here.
    func runAlone(_ operation: IndexingOperation) -> Bool {
        let isAlone = state.withLock { state in
            guard state.tickets.count == 1, state.first == operation.ticket,
                case .waiting = state.tickets[0].phase
            else { return false }
            state.tickets[0].phase = .preparing
            return true
        }
        guard isAlone else { return false }
        prepare(operation)
        commitReady()
        return true
    }

    /// Whether an operation may be finished before its queue has come to it, which is counted then.
    func goAhead() -> Bool {
        if aheadCount.add(1, ordering: .relaxed).newValue <= Self.mostAhead { return true }
        catchUp()
        return false
    }

    /// A queue has come to an operation that was finished before.
    func catchUp() { aheadCount.subtract(1, ordering: .relaxed) }

    /// Takes an operation out that has not begun; false when it has.
    func cancel(_ operation: IndexingOperation) -> Bool {
        guard begin(operation.ticket) else { return false }
        set(.void, for: operation.ticket)
        operation.resolve(.failure(IndexingOperation.cancellation))
        commitReady()
        return true
    }

    private func begin(_ ticket: Int) -> Bool {
        state.withLock { state in
            let index = ticket - state.first
            guard index >= 0, index < state.tickets.count,
                case .waiting = state.tickets[index].phase
            else { return false }
            state.tickets[index].phase = .preparing
            return true
        }
    }

    private func beginOldest(before ticket: Int) -> IndexingOperation? {
        state.withLock { state in
            let end = min(max(ticket - state.first, 0), state.tickets.count)
            for index in 0..<end {
                if case .waiting = state.tickets[index].phase {
                    state.tickets[index].phase = .preparing
                    return state.tickets[index].operation
                }
            }
            return nil
        }
    }

    private func set(_ phase: Ticket.Phase, for ticket: Int) {
        state.withLock { $0.tickets[ticket - $0.first].phase = phase }
    }

    private func prepare(_ operation: IndexingOperation) {
        do {
            set(.prepared(try operation.prepare()), for: operation.ticket)
        } catch {
            set(.void, for: operation.ticket)
            operation.resolve(.failure(error))
        }
    }

    /// Commits groups for as long as the oldest tickets are ready, unless another thread is at it.
    private func commitReady() {
        var isMine = false
        while true {
            let group: [(IndexingOperation, PreparedWork)]? = state.withLock { state in
                guard isMine || !state.isCommitting else { return nil }
                let group = Self.takeReady(&state)
                state.isCommitting = !group.isEmpty
                return group
            }
            guard let group, !group.isEmpty else { return }
            isMine = true
            commit(group)
        }
    }

    private static func takeReady(_ state: inout State) -> [(IndexingOperation, PreparedWork)] {
        var group: [(IndexingOperation, PreparedWork)] = []
        while group.count < largestGroup, let oldest = state.tickets.first {
            switch oldest.phase {
            case .prepared(let work): group.append((oldest.operation, work))
            case .void: break
            case .waiting, .preparing: return group
            }
            state.tickets.removeFirst()
            state.first += 1
        }
        return group
    }

    private func commit(_ group: [(IndexingOperation, PreparedWork)]) {
        for ((operation, _), outcome) in zip(group, commit(group.map(\.1))) {
            operation.resolve(outcome)
        }
    }
}
