import LevelDB

/// The process that something was made in.
///
/// A child made by `fork` has none of its parent's threads, and what they held is held for ever:
/// nothing may be waited for there.
struct ProcessMark: Sendable {
    private let forkCount = Database.forkCount

    /// Whether this is a child, made by `fork`, of the process that made the mark.
    var isForked: Bool { Database.forkCount != forkCount }
}
