/// Where to part a range of keys, so that each piece is compacted in a moment.
enum CompactionBounds {
    /// Bytes of files that a piece takes at most, unless its keys have too much in common.
    private static let largestPiece = 32 << 20

    /// Keys in order, `start` the first and `end` the last; pieces lie between neighbours. `size`
    /// says about how many bytes lie between two keys.
    static func parting(
        _ start: [UInt8], _ end: [UInt8], largest: Int = largestPiece,
        size: ([UInt8], [UInt8]) throws -> Int
    ) rethrows -> [[UInt8]] {
        try firstBounds(start, end, largest, size) + [end]
    }

    private static func firstBounds(
        _ start: [UInt8], _ end: [UInt8], _ largest: Int,
        _ size: ([UInt8], [UInt8]) throws -> Int
    ) rethrows -> [[UInt8]] {
        guard let middle = middle(start, end), try size(start, end) > largest else {
            return [start]
        }
        return try firstBounds(start, middle, largest, size)
            + firstBounds(middle, end, largest, size)
    }

    /// A key between two, by the eight bytes behind what they have in common; nil where there is
    /// none.
    private static func middle(_ start: [UInt8], _ end: [UInt8]) -> [UInt8]? {
        let common = zip(start, end).prefix { $0 == $1 }.count
        func number(_ key: [UInt8]) -> UInt64 {
            (common..<(common + 8)).reduce(0) { $0 << 8 | UInt64($1 < key.count ? key[$1] : 0) }
        }
        let (low, high) = (number(start), number(end))
        guard low < high, high - low > 1 else { return nil }
        let middle = low + (high - low) / 2
        return end[..<common] + withUnsafeBytes(of: middle.bigEndian) { Array($0) }
    }
}
