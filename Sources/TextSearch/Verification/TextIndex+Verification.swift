import Foundation

extension TextIndex {
    /// Proves the state of the index, or says what is wrong with it.
    ///
    /// Searches and operations go on meanwhile; what commits after the call has begun is not looked at. Nothing is changed. Closing waits
    /// for it. Blocks its thread: see ``Background/verify(depth:)`` for the awaited form.
    ///
    /// ```swift
    /// let report = try index.verify(depth: .full)
    /// if !report.isClean { print(report) }
    /// ```
    ///
    /// Complexity: `quick`, linear in the objects, a few instructions each; `full`, linear in the size of the index, with memory for its
    /// vocabulary and about 100 bytes an object; `source` also analyses the objects.
    ///
    /// - Parameter depth: how much to read.
    /// - Returns: What was looked at and found; damage is a finding, not an error.
    /// - Throws: ``TextIndexError``: `.closed`; with `source`, `.missingHook`. Objects that the hooks fail on
    ///   are counted (``VerificationReport/unavailableCount``).
    public func verify(depth: VerificationDepth = .full) throws -> VerificationReport {
        try usage.search {
            let verifier = Verifier(try writer.verificationView())
            try verifier.examineQuickly()
            if depth == .quick { return verifier.report }
            guard case .source(let sample) = depth else {
                try verifier.examineFully()
                return verifier.report
            }
            verifier.occurrences = [:]
            verifier.addOccurrencesInMemory()
            try verifier.examineFully()
            verifier.report.depth = "source"
            for document in verifier.documentsToCompare(sample) {
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
                try verifier.compare(document, identifier, with: found)
            }
            return verifier.report
        }
    }
}

extension TextIndex.Background {
    /// Verifies as ``TextIndex/verify(depth:)`` does.
    ///
    /// - Parameter depth: how much to read.
    /// - Returns: What was looked at and found.
    /// - Throws: ``TextIndexError``.
    public func verify(depth: VerificationDepth = .full) async throws -> VerificationReport {
        try await run { try index.verify(depth: depth) }
    }
}
