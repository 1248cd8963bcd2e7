public import Foundation
import Synchronization

extension TextIndex {
    /// Publishes the index, as it is committed now, for others to read while this one goes on.
    ///
    /// What is published is a *generation*: an index that nobody changes any more, with a number. Other processes, or this one, open the newest one
    /// with ``init(published:configuration:)``, and see exactly that state until they open it again. A generation appears in one
    /// step, when it is whole; older ones are removed, but for those that somebody has open, which go after a later publication. A crash
    /// amid publishing leaves the generations as they were.
    ///
    /// ```swift
    /// try index.publish(to: shared)                        // the owner, after every batch of changes
    /// let reader = try TextIndex<Note>(published: shared)   // a widget, an extension, a command
    /// ```
    ///
    /// It shares the files of the index that never change, so that on the same file system it takes next to no space and time; elsewhere they
    /// are copied. What the index has removed and not yet swept away is in them: see ``purge(at:configuration:)``. Files of the application's in the directory of the index
    /// come along. Blocks its thread: see ``Background/publish(to:)`` for the awaited form.
    ///
    /// Complexity: linear in the number of the index's files, about one for 2 MB, and in what was indexed since the last flush.
    ///
    /// - Parameter directory: a directory that only this index publishes to; it is made if its parent can be. Not in the directory of the index.
    /// - Returns: The number of the generation; each is higher than those before it.
    /// - Throws: ``TextIndexError``: `.closed`, `.readOnly`, `.invalidArgument` where that is no place for it, `.corrupted` when the index is
    ///   damaged, `.untrusted`, `.diskFull`, `.io`.
    @discardableResult
    public func publish(to directory: URL) throws -> Int {
        try usage.beginWork()
        defer { usage.endWork() }
        return try writer.publishing.withLock { _ in
            try Publication(directory).publish(writer, of: self.directory, configuration)
        }
    }

    /// The number of the newest generation that was published to a directory, to be compared with ``generation``; nil when there is none.
    ///
    /// - Parameter directory: what ``publish(to:)`` was given.
    /// - Returns: The number.
    /// - Throws: ``TextIndexError``: `.io`.
    public static func newestGeneration(published directory: URL) throws -> Int? {
        try Publication(directory).generations().last
    }
}
