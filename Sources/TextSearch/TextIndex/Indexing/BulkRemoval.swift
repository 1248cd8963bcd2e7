public import Foundation

extension BulkLoader {
    /// Removes all of `objects`.
    func remove(_ objects: some Sequence<Object>) async throws -> IndexingReport {
        try await removeAll(objects) { try self.index.identifier(for: $0) }
    }

    /// Removes the objects with all of `identifiers`.
    func remove(
        withIdentifiers identifiers: some Sequence<Data>
    ) async throws -> IndexingReport {
        try await removeAll(identifiers) { $0 }
    }

    private func removeAll<Element>(
        _ elements: some Sequence<Element>, _ identifier: (Element) throws -> Data
    ) async throws -> IndexingReport {
        var count = 0
        var report = try await loadAll(elements) { element, chunk, failed in
            let identifier = try identifier(element)
            do { try self.index.check(identifier: identifier) } catch {
                failed = identifier
                throw error
            }
            chunk.remove(identifier)
            count += 1
        }
        report.removedCount = count
        return report
    }
}

extension TextIndex {
    /// Removes all objects of a sequence: the fastest way to remove many.
    ///
    /// Objects are taken from the sequence as they are needed, and asked for their identifiers, on
    /// one thread at a time that is never the caller's. Some thousands at a time become durable,
    /// and disappear from searches, together. An object that the index does not have is no error.
    /// One without an identifier is reported and does not affect others. If the task is cancelled,
    /// what was removed stays removed.
    ///
    /// - Parameter objects: the objects.
    /// - Returns: How many were removed, and what failed.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func removeObjects(
        _ objects: sending some Sequence<Object>
    ) async throws -> IndexingReport {
        try await inBulk(onlyRemoves: true, Handover { try await $0.remove(objects) })
    }

    /// Removes all objects with the identifiers of a sequence, as ``removeObjects(_:)`` does.
    ///
    /// - Parameter identifiers: the identifiers; each is taken as it is needed.
    /// - Returns: How many were removed, and what failed.
    /// - Throws: ``TextIndexError``; `CancellationError`.
    @discardableResult
    public func removeObjects(
        withIdentifiers identifiers: sending some Sequence<Data>
    ) async throws -> IndexingReport {
        try await inBulk(
            onlyRemoves: true, Handover { try await $0.remove(withIdentifiers: identifiers) })
    }
}
