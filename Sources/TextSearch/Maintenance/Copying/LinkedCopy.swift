import Foundation

/// How ``TextIndex/backup(to:by:)`` makes a copy.
public enum BackupMethod: Sendable, Hashable {
    /// Copies entry by entry into new files. The copy has nothing of removed objects that the index
    /// has let go of, and shares no disk damage with the index. It takes the space of the index
    /// once more.
    case entries
    /// Gives files that never change a second name. On the same file system the copy takes next to
    /// no space at first, and later that of files which the index has dropped. Elsewhere they are
    /// copied. The copy contains what the index has removed and not yet swept away, and a failing
    /// disk sector damages both.
    case links
}

/// Makes copies of an index that share its files.
enum LinkedCopy {
    /// Makes an index of all that is committed, where nothing lies yet or what an earlier attempt
    /// left.
    static func make(_ writer: IndexWriter, at directory: URL) throws {
        try IndexCopy.remove(directory)
        // Whoever opens it has little to analyse then.
        try writer.prepareToClose()
        do {
            try writer.store.link(to: directory)
        } catch {
            try? IndexCopy.remove(directory)
            throw error
        }
    }

    /// Makes one and proves it.
    static func write(
        _ writer: IndexWriter, at directory: URL, _ configuration: TextIndexConfiguration
    ) throws -> VerificationReport {
        try make(writer, at: directory)
        do {
            let report = try IndexCopy.verify(
                directory, writer.snapshot.analyzer, configuration)
            guard report.isClean else { throw TextIndexError.corrupted("what was to be copied") }
            return report
        } catch {
            try? IndexCopy.remove(directory)
            throw error
        }
    }
}
