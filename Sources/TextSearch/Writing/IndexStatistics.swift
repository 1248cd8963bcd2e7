/// What an index holds, and how much space it takes.
public struct IndexStatistics: Sendable, Hashable {
    /// How many living objects there are.
    public internal(set) var objectCount = 0
    /// How many distinct terms there are.
    public internal(set) var termCount = 0
    /// How many removed or replaced objects still take space.
    public internal(set) var deadCount = 0
    /// How many segments are flushed to the store.
    public internal(set) var segmentCount = 0
    /// How many segments are still in memory.
    public internal(set) var memorySegmentCount = 0
    /// How many bytes of memory the segments in memory take.
    public internal(set) var memorySegmentBytes = 0
    /// How many objects are in the journal.
    public internal(set) var journalCount = 0
    /// Bytes of keys and values by table of the key space, before compression.
    public internal(set) var bytesByTable: [String: Int] = [:]
    /// How many bytes the files in the index's directory have.
    public internal(set) var fileBytes = 0
}
