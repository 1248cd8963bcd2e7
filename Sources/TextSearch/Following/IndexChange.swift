public import Foundation

/// One change of a stream of changes; see ``TextIndex/apply(_:progress:)``.
public enum IndexChange<Object> {
    /// Indexes an object under the given identifier, or else under ``TextIndex/identifier(for:)``.
    /// It replaces what the index has there.
    case index(Object, identifier: Data? = nil)
    /// Removes the object with an identifier; nothing happens if there is none.
    case remove(Data)
    /// Stores a state exactly when all changes before it are in the index.
    case mark(ClientState)
}

extension IndexChange: Sendable where Object: Sendable {}

/// One change of a stream for which the indexer was asked already.
enum ReadChange {
    /// What to index under an identifier; nil where the indexer leaves its object out.
    case index(IndexedObject?, Data)
    /// What the indexer threw.
    case failure(any Error, Data)
    case remove(Data)
    case mark(ClientState)

    /// The identifier of its object; nil for a mark.
    var identifier: Data? {
        switch self {
        case .index(_, let identifier), .failure(_, let identifier), .remove(let identifier):
            identifier
        case .mark: nil
        }
    }
}

extension BulkLoader {
    /// Applies a stream of changes in order.
    func apply(_ changes: some Sequence<IndexChange<Object>>) async throws -> IndexingReport {
        try await apply(changes) { try self.read($0) }
    }

    /// Applies a stream that was read, in order.
    func apply(read changes: some Sequence<ReadChange>) async throws -> IndexingReport {
        try await apply(changes) { $0 }
    }

    private func apply<Change>(
        _ changes: some Sequence<Change>, _ read: (Change) throws -> ReadChange
    ) async throws -> IndexingReport {
        var removedCount = 0
        var report = try await loadAll(changes) { change, chunk, failed in
            let change = try read(change)
            do {
                try self.add(change, to: &chunk, &removedCount)
            } catch {
                // A mark that cannot be stored ends the stream; an object that cannot be indexed
                // does not.
                failed = change.identifier
                if failed != nil { throw error }
                self.fail(error)
            }
        }
        report.removedCount = removedCount
        return report
    }

    /// Asks the indexer for the object of a change.
    func read(_ change: IndexChange<Object>) throws -> ReadChange {
        switch change {
        case .index(let object, let identifier):
            let identifier = try identifier ?? index.identifier(for: object)
            try index.check(identifier: identifier)
            do {
                return .index(
                    try index.indexedObject(for: object, identifier: identifier), identifier)
            } catch {
                return .failure(error, identifier)
            }
        case .remove(let identifier): return .remove(identifier)
        case .mark(let state): return .mark(state)
        }
    }

    /// Puts a change into a chunk. An object that cannot be indexed is left out: what the index had
    /// of it is outdated.
    func add(
        _ change: ReadChange, to chunk: inout LoadChunk, _ removedCount: inout Int
    ) throws {
        switch change {
        case .index(let object, let identifier):
            try index.check(identifier: identifier)
            do {
                try add(object, identifier, to: &chunk)
            } catch {
                chunk.remove(identifier)
                throw error
            }
        case .failure(let error, let identifier):
            try index.check(identifier: identifier)
            chunk.remove(identifier)
            throw error
        case .remove(let identifier):
            try index.check(identifier: identifier)
            chunk.remove(identifier)
            removedCount += 1
        case .mark(let state):
            try state.check()
            try chunk.mark(state)
        }
    }
}
