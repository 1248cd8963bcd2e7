public import Foundation
import Synchronization

extension TextIndex {
    /// Publishes the index, as it is committed now, for others to read while this one goes on.
    ///
    /// What is published is a *generation*: an index with a number that never changes again. Other
    /// processes, or this one, open the newest one with ``init(published:configuration:)``, and see
    /// exactly that state until they open it again. A generation appears in one step, when it is
    /// whole. Older ones are removed, except those that are open, which a later publication
    /// removes. A crash amid publishing leaves the generations as they were.
    ///
    /// ```swift
    /// try index.publish(to: shared)                        // the owner, after changes
    /// let reader = try TextIndex<Note>(published: shared)   // a widget, an extension, a command
    /// ```
    ///
    /// It shares the files that never change, so that on the same file system it takes next to no
    /// space and time; elsewhere they are copied. It contains what the index has removed and not
    /// yet swept away; see ``purge(at:configuration:)``. Other files in the directory of the index
    /// are included. Blocks its thread; the form with `await` does not.
    ///
    /// Complexity: linear in the number of the index's files, about one for 2 MB, and in what was
    /// indexed since the last flush.
    ///
    /// - Parameter directory: a directory that only this index publishes to, outside of its own. It
    ///   is made if its parent can be.
    /// - Returns: The number of the generation; each is higher than those before it.
    /// - Throws: ``TextIndexError``: `.closed`, `.readOnly`, `.invalidArgument` for a directory
    ///   that is not suitable, `.corrupted` if the index is damaged, `.untrusted`, `.diskFull`,
    ///   `.io`.
    @discardableResult
    public func publish(to directory: URL) throws -> Int {
        try publish(to: directory) { _ in }
    }

    /// Publishes the index; what is published can be prepared for its readers.
    ///
    /// - Parameters:
    ///   - directory: a directory that only this index publishes to.
    ///   - prepare: called with the directory of the generation before that gets its name.
    /// - Returns: The number of the generation.
    /// - Throws: As without `prepare`, and what that throws.
    package func publish(
        to directory: URL, _ prepare: (_ generation: URL) throws -> Void
    ) throws -> Int {
        try usage.beginWork()
        defer { usage.endWork() }
        return try writer.publishing.withLock { _ in
            try Publication(directory).publish(writer, of: self.directory, configuration, prepare)
        }
    }

    /// Returns the number of the newest generation that was published to a directory, to compare
    /// with ``generation``; nil if there is none.
    ///
    /// - Parameter directory: what ``publish(to:)`` was given.
    /// - Returns: The number.
    /// - Throws: ``TextIndexError``: `.io`.
    public static func newestGeneration(published directory: URL) throws -> Int? {
        try Publication(directory).generations().last
    }
}
