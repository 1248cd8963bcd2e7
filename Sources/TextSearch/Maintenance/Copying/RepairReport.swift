public import Foundation

/// What a repair could keep and what it could not.
public struct RepairReport: Sendable, Hashable, Codable {
    /// Living objects in the repaired index.
    public internal(set) var objectCount = 0
    /// Objects whose data was damaged and whose identifiers are known: to be indexed again, see ``TextIndex/indexLostObjects()``. Some of
    /// them may have been removed long ago.
    public internal(set) var lostIdentifiers: [Data] = []
    /// How many objects were lost with their identifiers; nil where the count of objects was lost too.
    public internal(set) var unidentifiedCount: Int?
    /// Whether what is kept or named may not be all that was there last: objects may be missing, and what was removed or replaced may be back. An
    /// earlier repair may have said so. The index says it, too, until it was verified against its source: ``TextIndex/isUncertain``.
    public internal(set) var isUncertain = false
    /// The names of files of LevelDB that cannot be read in part, or at all; `MANIFEST` where nothing tells which files there should be. Empty when
    /// LevelDB reads everything.
    public internal(set) var damagedFiles: [String] = []
    /// Segments that were not what was written; their documents count as lost.
    public internal(set) var damagedSegmentCount = 0
    /// Where the damaged index lies now.
    public internal(set) var damagedDirectory: URL
    /// The proof of the repaired index.
    public internal(set) var proof = VerificationReport()
}
