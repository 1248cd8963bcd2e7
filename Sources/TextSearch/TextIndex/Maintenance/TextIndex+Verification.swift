public import Foundation

extension TextIndex {
    /// Proves the state of the index, or reports what is wrong with it.
    ///
    /// Searches and operations go on meanwhile; commits after the start of the call are not
    /// examined. Nothing is changed. Closing waits for it. Blocks its thread; the
    /// form with `await` does not.
    ///
    /// ```swift
    /// let report = try index.verify(depth: .full)
    /// if !report.isClean { print(report) }
    /// ```
    ///
    /// Complexity: `quick`, linear in the objects, a few instructions each; `full`, linear in the
    /// size of the index, with memory for its vocabulary and about 100 bytes an object; `source`
    /// also analyses the objects.
    ///
    /// - Parameter depth: how much to read.
    /// - Returns: What was examined and found; damage is a finding, not an error.
    /// - Throws: ``TextIndexError``: `.closed`; with `source`, `.missingHook`. Objects that the
    ///   hooks fail on are counted (``VerificationReport/unavailableCount``).
    public func verify(depth: VerificationDepth = .full) throws -> VerificationReport {
        try usage.search {
            if case .source(let sample) = depth { return try compareSource(sample).verifier.report }
            let verifier = Verifier(try VerificationView.now(of: writer))
            try verifier.examineQuickly()
            if depth == .full { try verifier.examineFully() }
            return verifier.report
        }
    }

    /// Proves that the index and its source have the same objects, in both directions. It does what
    /// ``verify(depth:)`` does with `source`, for all objects, and finds objects of the source that
    /// the index lacks.
    ///
    /// If nothing is found, the index has what it should have, whatever an earlier repair could not
    /// prove: ``isUncertain`` is false from then on, and ``lostIdentifiers`` is empty. Nothing
    /// changes if a hook failed, or in an index that is read only.
    ///
    /// - Parameter identifiers: the identifiers of all objects of the source, in any order.
    /// - Returns: What was examined and found.
    /// - Throws: As ``verify(depth:)`` does; `.diskFull`.
    public func verify(against identifiers: some Sequence<Data>) throws -> VerificationReport {
        try usage.search {
            let comparison = try compareSource(nil)
            try comparison.findMissing(identifiers, in: store)
            let verifier = comparison.verifier
            guard verifier.report.isClean, verifier.report.unavailableCount == 0,
                !configuration.isReadOnly, generation == nil
            else { return verifier.report }
            if try Uncertainty.stored(in: store) != nil || !LostObjects.stored(in: store).isEmpty {
                try LostObjects.forget(in: writer.store)
            }
            verifier.report.isUncertain = false
            return verifier.report
        }
    }

    /// Examines all of the index, and compares about `sample` objects with their source.
    private func compareSource(_ sample: Int?) throws -> SourceComparison {
        let comparison = try SourceComparison(try VerificationView.now(of: writer))
        let verifier = comparison.verifier
        for document in comparison.documentsToCompare(sample) {
            guard
                let stored = try verifier.view.value(Key.document(.objects, document)),
                let identifier = try? stored.withUnsafeBytes(ObjectRecord.identifier)
            else { continue }
            let found: IndexedObject?
            do {
                found = try object(for: identifier).flatMap {
                    try indexedObject(for: $0, identifier: identifier)
                }
            } catch let error as TextIndexError where error.code == .missingHook {
                throw error
            } catch {
                verifier.report.unavailableCount += 1
                continue
            }
            try comparison.compare(document, identifier, with: found)
        }
        return comparison
    }
}

extension TextIndex {
    /// Proves the state of the index, or reports what is wrong with it.
    ///
    /// - Parameter depth: how much to read.
    /// - Returns: What was examined and found; damage is a finding, not an error.
    /// - Throws: ``TextIndexError``.
    public func verify(depth: VerificationDepth = .full) async throws -> VerificationReport {
        try await run(on: .calls) { try self.verify(depth: depth) }
    }

    /// Proves the state of the index and compares it with all objects of its source.
    ///
    /// - Parameter identifiers: the identifiers of all objects of the source, in any order.
    /// - Returns: What was examined and found.
    /// - Throws: ``TextIndexError``.
    public func verify(
        against identifiers: some Sequence<Data> & Sendable
    ) async throws -> VerificationReport {
        try await ApplicationCode.run { try self.verify(against: identifiers) }
    }
}
