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
    /// Whether the count of objects could not prove that what was kept is what was there: objects that were removed may be back, or old versions of
    /// them. ``TextIndex/verify(depth:)`` with `source` finds them, ``TextIndex/rebuild(progress:)`` mends them.
    public internal(set) var isUncertain = false
    /// Whether the store could not be opened at all, so that nothing but identifiers was kept: all objects are to be indexed again, and those that
    /// were removed long ago may be among ``lostIdentifiers``.
    public internal(set) var keptIdentifiersOnly = false
    /// Segments that were not what was written; their documents count as lost.
    public internal(set) var damagedSegmentCount = 0
    /// Where the damaged index lies now.
    public internal(set) var damagedDirectory: URL
    /// The proof of the repaired index.
    public internal(set) var proof = VerificationReport()
}
