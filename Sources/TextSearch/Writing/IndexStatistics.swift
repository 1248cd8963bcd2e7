/// What an index holds and what it takes.
public struct IndexStatistics: Sendable, Hashable {
    /// Living objects.
    public internal(set) var objectCount = 0
    /// Distinct terms.
    public internal(set) var termCount = 0
    /// Objects that were removed or replaced and still take space.
    public internal(set) var deadCount = 0
    /// Flushed segments.
    public internal(set) var segmentCount = 0
    /// Memory segments.
    public internal(set) var memorySegmentCount = 0
    /// Bytes of memory that memory segments take.
    public internal(set) var memorySegmentBytes = 0
    /// Objects in the journal.
    public internal(set) var journalCount = 0
    /// Bytes of keys and values by table of the key space, before compression.
    public internal(set) var bytesByTable: [String: Int] = [:]
    /// Bytes of the files in the index's directory.
    public internal(set) var fileBytes = 0
}
