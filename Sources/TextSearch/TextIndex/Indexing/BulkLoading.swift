public import Foundation

/// How far a bulk load has come.
public struct IndexingProgress: Sendable, Hashable {
    /// How many objects were taken from the sequence.
    public internal(set) var objectCount = 0
    /// How many bytes of UTF-8 the text of these objects has.
    public internal(set) var textByteCount = 0
    /// How many objects are committed, or will be with the next flush.
    public internal(set) var acceptedCount = 0
}

/// The outcome of a bulk load, or of a removal of many objects.
public struct IndexingReport: Sendable {
    /// An object that could not be indexed, or removed.
    public struct Failure: Sendable {
        /// The offset of the object in the sequence, from 0; in a rebuild, among the objects that
        /// it fetched.
        public let offset: Int
        /// The error that the object caused.
        public let error: any Error
        /// The identifier of the object; nil where it is not known.
        public let identifier: Data?
    }

    /// How many objects were indexed.
    public internal(set) var indexedCount = 0
    /// How many objects their indexer left out, or were gone when a rebuild asked for them.
    public internal(set) var skippedCount = 0
    /// How many objects a removal was asked for and the index no longer has, whether it had them or
    /// not. One that is named twice counts twice.
    public internal(set) var removedCount = 0
    /// How many bytes of text in UTF-8 were indexed.
    public internal(set) var textByteCount = 0
    /// How many objects failed in all.
    public internal(set) var failureCount = 0
    /// The first 1,000 of the failures, in order.
    public internal(set) var failures: [Failure] = []
}
