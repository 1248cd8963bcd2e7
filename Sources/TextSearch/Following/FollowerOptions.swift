public import Foundation

/// How an index follows a database: how much it reads, how often, and what it does if history is
/// lost.
public struct FollowerOptions: Sendable {
    /// What to do if the database no longer knows the position of the index.
    public enum HistoryLoss: Sendable, Hashable {
        /// Reads all objects again and removes those that the database no longer has.
        case reconcile
        /// Throws `.historyLost` from ``IndexFollower/catchUp()`` until
        /// ``IndexFollower/reindexAll()`` is called.
        case fail
    }

    /// How much is read at once; by default 4,000 changes or 4 MB, about 0.1 s of work.
    public var slice = SliceLimit()
    /// How often to look for changes that ``ChangeSource/onChange(_:)`` missed, such as those of
    /// other processes; every second by default, nil for never.
    public var polling: Duration? = .seconds(1)
    /// What to do if the history is lost; ``HistoryLoss/reconcile`` by default, which misses
    /// nothing.
    public var onHistoryLost = HistoryLoss.reconcile
    /// The version of the indexer; 0 by default. Raise it when the indexer changes, and all objects
    /// are read again.
    public var version = 0
    /// After how many changes history is released; 1,000 by default, since each release waits for
    /// the disk.
    public var releaseInterval = 1_000
    /// Where to publish the index after it has caught up with changes, for other processes to read;
    /// see ``TextIndex/publish(to:)``. If publishing fails, the next catching up tries again, also
    /// in another process. Nil by default.
    public var publishes: URL?

    /// Creates options with the defaults of the properties.
    public init() {}
}

/// What one call of a follower did.
public struct FollowerReport: Sendable {
    /// How many objects were indexed, again or for the first time.
    public internal(set) var indexedCount = 0
    /// How many objects were removed, since the database no longer has them.
    public internal(set) var removedCount = 0
    /// How many objects their indexer left out, and how many changes no object can be made of.
    public internal(set) var skippedCount = 0
    /// How many objects could not be indexed; the index no longer has them. Later calls read them
    /// only after they have changed; ``IndexFollower/drift(sample:)`` counts them as long as they
    /// cannot be indexed.
    public internal(set) var failureCount = 0
    /// The first 1,000 of the failures, with the identifiers of the objects. Their offsets count in
    /// what was read.
    public internal(set) var failures: [IndexingReport.Failure] = []
    /// How many slices of the database were read.
    public internal(set) var sliceCount = 0
    /// The position of the index after the call.
    public internal(set) var position = SourcePosition(ordinal: 0)

    mutating func add(_ report: IndexingReport) {
        indexedCount += report.indexedCount
        removedCount += report.removedCount
        skippedCount += report.skippedCount
        failureCount += report.failureCount
        failures += report.failures.prefix(max(1_000 - failures.count, 0))
    }
}

/// What a follower does, and how far it has come.
public struct FollowerStatus: Sendable {
    /// The phases of a follower, in their order.
    public enum Phase: Sendable, Hashable {
        /// The follower has not begun yet.
        case new
        /// The follower reads all objects of the database.
        case reading
        /// The follower removes objects that the database no longer has.
        case sweeping
        /// The follower applies changes as they come.
        case following
    }

    /// The present phase of the follower.
    public let phase: Phase
    /// The position of the index; nil before the follower has begun.
    public let position: SourcePosition?
    /// How far the database is ahead, in numbers of the source: rows of a log, or transactions.
    public let behind: UInt64
    /// Why the last attempt failed; nil if it succeeded.
    public let lastError: (any Error)?
}

/// Changes that have become searchable.
public struct IndexUpdate: Sendable, Hashable {
    /// The identifier of the database that they come from.
    public let storeIdentifier: String
    /// The position up to which the index has all changes.
    public let position: SourcePosition
    /// How many objects were indexed, again or for the first time.
    public let indexedCount: Int
    /// How many objects were removed from the index.
    public let removedCount: Int
    /// How many objects and changes were left out.
    public let skippedCount: Int
}

/// How an index differs from the database that it follows.
public struct DriftReport: Sendable, Hashable {
    /// How many objects were compared with the database.
    public internal(set) var comparedCount = 0
    /// The identifiers of objects that should be in the index and are not.
    public internal(set) var missing: [Data] = []
    /// The identifiers of objects whose text, weight, context or attributes differ in the index.
    public internal(set) var outdated: [Data] = []
    /// The identifiers of objects that the index should not have.
    public internal(set) var extra: [Data] = []
    /// The identifiers of objects that cannot be indexed: their indexer throws, or they exceed a
    /// limit. The index should not have them. Objects that their indexer leaves out are not among
    /// them.
    public internal(set) var failed: [Data] = []
    /// Why the first 1,000 of ``failed`` cannot be indexed, in the same order.
    public internal(set) var failureReasons: [String] = []
    /// How many objects the source left out, since they have no valid identifier or cannot be read.
    public internal(set) var skippedCount = 0

    /// Whether the index and the database agree: but for what cannot be indexed, the index has what
    /// the database has.
    public var isEmpty: Bool { missing.isEmpty && outdated.isEmpty && extra.isEmpty }
}
