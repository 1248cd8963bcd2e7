public import Foundation

/// What a repair kept, and what it lost.
public struct RepairReport: Sendable, Hashable, Codable {
    /// How many living objects the repaired index has.
    public internal(set) var objectCount = 0
    /// The identifiers of objects whose data was damaged, if they are known.
    /// ``TextIndex/indexLostObjects()`` indexes them again. Some of them may have been removed long
    /// ago.
    public internal(set) var lostIdentifiers: [Data] = []
    /// How many objects were lost with their identifiers; nil if the count of objects was lost too.
    public internal(set) var unidentifiedCount: Int?
    /// Whether what is kept or named may not be all that was there last: objects may be missing,
    /// and removed or replaced ones may be back. An earlier repair may have found that. The index
    /// says so too, until it was verified against its source: ``TextIndex/isUncertain``.
    public internal(set) var isUncertain = false
    /// The names of LevelDB's files that cannot be read, wholly or in part; `MANIFEST` if nothing
    /// tells which files there should be. Empty if LevelDB reads everything.
    public internal(set) var damagedFiles: [String] = []
    /// How many segments differed from what was written; their documents count as lost.
    public internal(set) var damagedSegmentCount = 0
    /// The directory that the damaged index is in now.
    public internal(set) var damagedDirectory: URL
    /// The report of the repaired index's verification.
    public internal(set) var proof = VerificationReport()
}
