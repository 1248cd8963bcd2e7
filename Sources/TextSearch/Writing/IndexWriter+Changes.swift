import Foundation
import Synchronization

/// Changes with client states. They are a group of their own: what one of them expects does not
/// fail anybody else.
extension IndexWriter {
    /// Commits changes, or takes them as pending, and puts how that went into `outcomes`.
    func commit(
        _ changes: PreparedChanges, at place: Int, _ outcomes: inout [Result<Void, any Error>]
    ) {
        do {
            try changes.fate?.check(self)
            try commitAlone(changes, at: place, &outcomes)
        } catch {
            outcomes[place] = .failure(error)
        }
        switch outcomes[place] {
        case .success: changes.fate?.finish()
        // What was not tried is tried again.
        case .failure(let error): if !(error is Untried) { changes.fate?.fail(error) }
        }
    }

    private func commitAlone(
        _ changes: PreparedChanges, at place: Int, _ outcomes: inout [Result<Void, any Error>]
    ) throws {
        if !changes.states.isEmpty {
            try state.withLock { state in
                try checkWritable(&state)
                for change in changes.states { try state.check(change) }
            }
        }
        guard changes.isBulk, let documents = changes.documents else {
            if changes.documents == nil, changes.states.isEmpty,
                try !holds(anyOf: changes.removals)
            {
                return
            }
            return try commitGroup(of: .changes(changes), at: place, &outcomes)
        }
        if !changes.removals.isEmpty {
            try commitGroup(of: .removals(changes.removals), at: place, &outcomes)
            try outcomes[place].get()
        }
        let snapshot = snapshot
        let losses = state.withLock { $0.bulk.lossCount }
        try accept(
            documents.segment(snapshot.analyzer, number: snapshot.analyzerNumber), changes.states)
        guard changes.settles else { return }
        try? flusher.settleBulk()
        if let loss = bulkLoss(since: losses) { throw loss }
    }

    /// Removes what `find` finds once all earlier work is visible, as a group of its own or
    /// several.
    func commitRemovals(
        _ find: @Sendable () throws -> [[UInt8]], at place: Int,
        _ outcomes: inout [Result<Void, any Error>]
    ) throws {
        do { try flusher.settleBulk() } catch let error as TextIndexError {
            throw Untried(cause: error)
        }
        let found = try find()
        for start in stride(from: 0, to: found.count, by: Self.removalsOfGroup) {
            let end = min(start + Self.removalsOfGroup, found.count)
            try commitGroup(of: .removals(Array(found[start..<end])), at: place, &outcomes)
            try outcomes[place].get()
        }
    }

    /// So many removals fit into a batch, whatever the store's limit makes of the rest of it.
    private static let removalsOfGroup = 1 << 18

    private func commitGroup(
        of work: PreparedWork, at place: Int, _ outcomes: inout [Result<Void, any Error>]
    ) throws {
        var group = OpenGroup()
        try add(work, at: place, to: &group, &outcomes)
        finish(&group, &outcomes)
    }

    /// Makes what was committed survive a power cut, whatever the durability of the index: a state
    /// is written once more and synced.
    ///
    /// Complexity: a sync of the disk; nothing with `Durability.power`, or without a state of that
    /// name.
    func syncClientState(_ name: String) throws {
        guard !isSynced else { return }
        try committing.withLock { _ in
            _ = recoverFromFailure()
            do { try syncNow(Array(name.utf8)) } catch let error as Untried { throw error.cause }
        }
    }

    private func syncNow(_ name: [UInt8]) throws {
        try state.withLock { state in
            try checkWritable(&state)
            guard let value = state.clientStates[name] else { return }
            let batch = StoreBatch()
            batch.putClientState(name, value)
            try writing(&state) { _ in try store.commit(batch, sync: true) }
        }
    }
}

extension IndexWriter.State {
    /// Throws where another state is stored, or about to be, than a change expects.
    func check(_ change: ClientState) throws {
        guard case .some(let expected) = change.expected else { return }
        let name = Array(change.name.utf8)
        let found = bulk.clientStates[name] ?? flush?.clientStates[name] ?? clientStates[name]
        guard found.map({ Data($0) }) == expected else {
            throw TextIndexError.mismatchedClientState
        }
    }
}
