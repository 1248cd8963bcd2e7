public import Foundation

extension TextIndex {
    /// Copies the index, as it is committed now, into a new directory.
    ///
    /// Searches and operations go on meanwhile. The copy is proved before it gets its name
    /// (``verify(depth:)``, `full`), and opens with the same configuration. Other files in the
    /// directory, such as the application's settings, are copied too, but no pipes, sockets and
    /// devices. Blocks its thread; the form with `await` does not.
    ///
    /// Complexity: linear in the size of the index, for the proof; ``BackupMethod/links`` writes
    /// next to nothing.
    ///
    /// - Parameters:
    ///   - directory: where to put the copy; nothing may exist there, and it must be outside of the
    ///     index's directory.
    ///   - method: how it is made.
    /// - Returns: The proof.
    /// - Throws: ``TextIndexError``: `.closed`, `.invalidArgument` when something is there or
    ///   `directory` lies in that of the index, `.corrupted` when the index is damaged,
    ///   `.diskFull`, `.io`.
    @discardableResult
    public func backup(
        to directory: URL, by method: BackupMethod = .entries
    ) throws -> VerificationReport {
        try usage.beginWork()
        defer { usage.endWork() }
        return try Self.copy(writer, of: self.directory, to: directory, by: method, configuration)
    }

    /// Copies a backup to the directory of a new index.
    ///
    /// - Parameters:
    ///   - backup: what ``backup(to:by:)`` wrote. No byte of it changes, and nobody may have it
    ///     open to write.
    ///   - directory: where to put the index; nothing may exist there.
    ///   - configuration: the configuration that the index was made with.
    /// - Returns: The proof of the index.
    /// - Throws: ``TextIndexError``, as ``backup(to:by:)`` and ``init(at:configuration:)`` do.
    @discardableResult
    public static func restore(
        from backup: URL, to directory: URL, configuration: TextIndexConfiguration = .init()
    ) throws -> VerificationReport {
        guard FileManager.default.fileExists(atPath: backup.path) else {
            throw TextIndexError(.invalidArgument, "There is no backup at \(backup.path).")
        }
        var reading = configuration
        reading.isReadOnly = true
        let store = try IndexStore(at: backup, configuration: reading)
        let report = Result {
            let writer = try IndexWriter(
                store: store, analyzer: Analyzer(configuration), configuration: reading)
            return try copy(writer, of: backup, to: directory, by: .entries, configuration)
        }
        try store.close()
        return try report.get()
    }

    private static func copy(
        _ writer: IndexWriter, of source: URL, to directory: URL, by method: BackupMethod,
        _ configuration: TextIndexConfiguration
    ) throws -> VerificationReport {
        guard directory.isFileURL, !FileManager.default.fileExists(atPath: directory.path) else {
            throw TextIndexError(
                .invalidArgument, "Something lies at \(directory.path) already; name another place."
            )
        }
        try IndexCopy.checkApart(directory, from: source)
        let place = IndexCopy.place(beside: directory)
        let report =
            switch method {
            case .entries: try IndexCopy.write(writer, at: place, configuration)
            case .links: try LinkedCopy.write(writer, at: place, configuration)
            }
        try IndexReplacement.copyOtherFiles(from: source, to: place)
        do {
            try IndexStore.rename(place, to: directory, exchanging: false)
        } catch {
            try? IndexCopy.remove(place)
            throw error
        }
        return report
    }

    /// Rewrites a closed index so that none of its files has anything of removed and replaced
    /// objects: no terms, strings, contexts or identifiers.
    ///
    /// ``optimize()`` is not enough for that, since LevelDB keeps keys in files of its own. The
    /// living data is written into a new directory beside the index, proved, and exchanged for the
    /// index in one step; then the old files are deleted. If the process ends before the exchange,
    /// the index is as it was. If it ends later, the old files may remain in the directory
    /// `.….copying` beside it until the next call deletes them. The index must not be open. What a
    /// disk, a file system with snapshots or a backup keeps of deleted files is out of reach.
    ///
    /// Complexity: linear in the size of the index, whose space it takes once more.
    ///
    /// - Parameters:
    ///   - directory: the directory of the index.
    ///   - configuration: the configuration that it was made with.
    /// - Returns: The proof of the index.
    /// - Throws: ``TextIndexError``: `.locked` when the index is open, `.invalidArgument` when a
    ///   file system is mounted at `directory` itself, `.corrupted` when the index is damaged,
    ///   `.diskFull`, `.io`, also where the file system cannot exchange two names; the index is
    ///   then as it was.
    @discardableResult
    public static func purge(
        at directory: URL, configuration: TextIndexConfiguration = .init()
    ) throws -> VerificationReport {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw TextIndexError(.invalidArgument, "There is no index at \(directory.path).")
        }
        try IndexReplacement.checkExchangeable(directory)
        let place = IndexCopy.place(beside: directory)
        let index = try TextIndex(at: directory, configuration: configuration)
        let report = Result {
            try index.writer.optimizer.optimize()
            let report = try IndexCopy.write(index.writer, at: place, configuration)
            // The old index is open, so that nobody can write to it in between.
            try IndexReplacement(directory: directory, copy: place).exchange()
            return report
        }
        try? index.close()
        let proof = try report.get()
        try IndexCopy.remove(place)
        return proof
    }
}

extension TextIndex {
    /// Copies the index, as it is committed now, into a new directory.
    ///
    /// - Parameters:
    ///   - directory: where to put the copy; nothing may exist there.
    ///   - method: how it is made.
    /// - Returns: The proof.
    /// - Throws: ``TextIndexError``.
    @discardableResult
    public func backup(
        to directory: URL, by method: BackupMethod = .entries
    ) async throws -> VerificationReport {
        try await run(on: .calls) { try self.backup(to: directory, by: method) }
    }

    /// Publishes the index, as it is committed now, as a new generation in a directory.
    ///
    /// - Parameter directory: a directory that only this index publishes to.
    /// - Returns: The number of the generation.
    /// - Throws: ``TextIndexError``.
    @discardableResult
    public func publish(to directory: URL) async throws -> Int {
        try await run(on: .calls) { try self.publish(to: directory) }
    }
}
