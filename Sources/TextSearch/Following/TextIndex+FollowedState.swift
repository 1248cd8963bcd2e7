package import Foundation
import Synchronization

/// How far a follower of an index has come, as the index knows it by itself.
public struct FollowedState: Sendable, Hashable {
    /// Identifies the database; see ``ChangeSource/storeIdentifier``.
    public let storeIdentifier: String
    /// The phase that the follower has reached.
    public let phase: FollowerStatus.Phase
    /// The position in the history of the database that the index has reached. While objects are
    /// read for the first time, the position from which changes are read after that.
    public let position: SourcePosition
}

extension TextIndex {
    /// Returns how far a follower of this index has come, without its database. It works for
    /// published and read-only indexes, too: there is what was published.
    ///
    /// Complexity: constant. **Thread safety**: may be called from any thread.
    ///
    /// - Parameter name: the name of the follower.
    /// - Returns: The state; nil if no follower of that name has stored one.
    /// - Throws: ``TextIndexError``: `.closed`; `.invalidArgument` for a name that is too long;
    ///   `.unsupportedFormat` for a state that this version cannot read.
    public func followedState(named name: String = "default") throws -> FollowedState? {
        guard let stored = try clientState(named: FollowerState.name(ofFollower: name)) else {
            return nil
        }
        do {
            let state = try FollowerState(stored)
            return FollowedState(
                storeIdentifier: state.storeIdentifier, phase: state.phase.asStatus,
                position: state.position)
        } catch {
            throw TextIndexError(
                .unsupportedFormat, "The state of the follower \"\(name)\" cannot be read.")
        }
    }

    /// Distinguishes this index from all others; its copies have the same. It is made when it is
    /// first asked for.
    package var identity: Data {
        get throws {
            try usage.beginWork()
            defer { usage.endWork() }
            return Data(
                try writer.publishing.withLock { _ in try IndexIdentity.ensured(in: writer.store) })
        }
    }
}
