/// How far a bulk load has come.
public struct IndexingProgress: Sendable, Hashable {
    /// Objects taken from the sequence.
    public internal(set) var objectCount = 0
    /// Bytes of text (UTF-8) in them.
    public internal(set) var textByteCount = 0
    /// Objects that are committed, or about to be with the next flush.
    public internal(set) var acceptedCount = 0
}

/// What a bulk load or a removal of many objects did.
public struct IndexingReport: Sendable {
    /// An object that could not be indexed, or removed.
    public struct Failure: Sendable {
        /// The place of the object in the sequence, from 0; in a rebuild, among the objects that it asked for.
        public let offset: Int
        /// Why.
        public let error: any Error
    }

    /// Objects that were indexed.
    public internal(set) var indexedCount = 0
    /// Objects that their indexer left out, or that were gone when a rebuild asked for them.
    public internal(set) var skippedCount = 0
    /// Objects that a removal was asked for and that the index has no more, whether it had them or not; one that is named twice counts twice.
    public internal(set) var removedCount = 0
    /// Bytes of text (UTF-8) that were indexed.
    public internal(set) var textByteCount = 0
    /// Objects that failed, in all.
    public internal(set) var failureCount = 0
    /// The first 1,000 of them.
    public internal(set) var failures: [Failure] = []
}
