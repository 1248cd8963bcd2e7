import LevelDB

/// Where to part a segment, so that each of its pieces is compacted in a moment.
enum CompactionBounds {
    /// A segment of fewer bytes is one piece.
    private static let largestPiece = 32 << 20

    /// Keys in order, the first of the segment and one behind it among them; pieces lie between neighbours.
    static func of(_ segment: UInt32, _ database: Database) throws -> [[UInt8]] {
        var key = Buffer<UInt8>(capacity: 8)
        Key.segment(segment, into: &key)
        let start = key.toArray()
        let end = start + [.max]
        let size = try IndexStore.translating {
            try database.approximateSize(from: start, to: end)
        }
        guard size > largestPiece else { return [start, end] }
        var bounds = [start]
        for table in Table.ofSegments {
            bounds.append(start + [table.rawValue])
            guard table == .postings || table == .positions else { continue }
            // Words begin with a letter, most of them.
            for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
                bounds.append(start + [table.rawValue, letter])
            }
        }
        return bounds + [end]
    }
}
