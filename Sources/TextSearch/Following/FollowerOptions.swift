public import Foundation

/// How an index follows a database.
public struct FollowerOptions: Sendable {
    /// What to do when the database no longer knows the position of the index.
    public enum HistoryLoss: Sendable, Hashable {
        /// Reads all objects again and removes those that the database has not.
        case reconcile
        /// Throws `.historyLost` from ``IndexFollower/catchUp()`` until ``IndexFollower/reindexAll()`` is called.
        case fail
    }

    /// How much is read at once; 4,000 changes or 4 MB unless set, about 0.1 s of work.
    public var slice = SliceLimit()
    /// How often to look for changes that ``ChangeSource/onChange(_:)`` missed, such as those of other processes; a second unless set, nil for never.
    public var polling: Duration? = .seconds(1)
    /// What to do when the history is lost; reconciles unless set: nothing is missed that way.
    public var onHistoryLost = HistoryLoss.reconcile
    /// What of an object is indexed: raise it when the indexer changes, and all objects are read again. 0 unless set.
    public var version = 0
    /// History is released after so many changes, since each time the disk is waited for; 1,000 unless set.
    public var releaseInterval = 1_000
    /// Where to publish the index after it has caught up with changes, for other processes to read; see ``TextIndex/publish(to:)``. What fails is made up for when it next
    /// catches up, also by another process. Nil unless set.
    public var publishes: URL?

    /// Creates the default options.
    public init() {}
}

/// What one call of a follower did.
public struct FollowerReport: Sendable {
    /// Objects that were indexed, again or for the first time.
    public internal(set) var indexedCount = 0
    /// Objects that the database had no more.
    public internal(set) var removedCount = 0
    /// Objects that their indexer left out, and changes that no object can be made of.
    public internal(set) var skippedCount = 0
    /// Objects that could not be indexed; the index has them no more.
    public internal(set) var failureCount = 0
    /// The first 1,000 of them. Their offsets are places in what was read.
    public internal(set) var failures: [IndexingReport.Failure] = []
    /// How many slices were read.
    public internal(set) var sliceCount = 0
    /// Where the index stands.
    public internal(set) var position = SourcePosition(ordinal: 0)

    mutating func add(_ report: IndexingReport) {
        indexedCount += report.indexedCount
        removedCount += report.removedCount
        skippedCount += report.skippedCount
        failureCount += report.failureCount
        failures += report.failures.prefix(max(1_000 - failures.count, 0))
    }
}

/// Where a follower stands.
public struct FollowerStatus: Sendable {
    /// What it does.
    public enum Phase: Sendable, Hashable {
        /// It has not begun.
        case new
        /// It reads all objects.
        case reading
        /// It removes objects that the database has not.
        case sweeping
        /// It applies changes.
        case following
    }

    /// What it does.
    public let phase: Phase
    /// Where the index stands; nil before it has begun.
    public let position: SourcePosition?
    /// How far the database is ahead, in the source's own numbers: rows of a log, or transactions.
    public let behind: UInt64
    /// Why it did not get on, the last time that it tried; nil when it did.
    public let lastError: (any Error)?
}

/// Changes that have become searchable.
public struct IndexUpdate: Sendable, Hashable {
    /// The database that they come from.
    public let storeIdentifier: String
    /// The index has all changes up to here.
    public let position: SourcePosition
    /// Objects that were indexed.
    public let indexedCount: Int
    /// Objects that were removed.
    public let removedCount: Int
    /// Objects and changes that were left out.
    public let skippedCount: Int
}

/// What an index has otherwise than the database it follows.
public struct DriftReport: Sendable, Hashable {
    /// Objects that were compared.
    public internal(set) var comparedCount = 0
    /// Objects that should be in the index and are not.
    public internal(set) var missing: [Data] = []
    /// Objects of which the index has another text, weight, context or attributes.
    public internal(set) var outdated: [Data] = []
    /// What the index has and should not.
    public internal(set) var extra: [Data] = []

    /// Whether nothing differs.
    public var isEmpty: Bool { missing.isEmpty && outdated.isEmpty && extra.isEmpty }
}
