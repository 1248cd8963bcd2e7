/// Says of groups of neighbouring terms which cannot hold a byte string, so that they need not be read.
///
/// Each group has a set of 512 bits for the pairs and triples of bytes that stand side by side in its terms, by their hashes. The sets lie side by side, bit by bit, so that a byte string
/// asks for a few rows of all groups (bit-sliced signatures; Faloutsos, "Access methods for text", 1985). What is left is looked at.
struct GramFilter: Sendable {
    /// Terms a group.
    static let groupSize = 16
    private static let rowCount = 512

    private let groupCount: Int
    /// Words of a row: a bit a group.
    private let rowLength: Int
    private let rows: [UInt64]

    /// The terms that begin at `starts`, each followed by a zero byte; behind the last one is another start.
    init(_ bytes: UnsafeBufferPointer<UInt8>, starts: [UInt32]) {
        let termCount = starts.count - 1
        groupCount = (termCount + Self.groupSize - 1) / Self.groupSize
        let rowLength = (groupCount + 63) / 64
        var rows = [UInt64](repeating: 0, count: Self.rowCount * rowLength)
        for term in 0..<termCount {
            let group = term / Self.groupSize
            let text = bytes[Int(starts[term])..<(Int(starts[term + 1]) - 1)]
            Self.forEachGram(UnsafeBufferPointer(rebasing: text)) { row in
                rows[row * rowLength + (group >> 6)] |= 1 << UInt64(group & 63)
            }
        }
        self.rowLength = rowLength
        self.rows = rows
    }

    /// The rows that a byte string asks for.
    static func rows(of needle: UnsafeBufferPointer<UInt8>) -> [Int] {
        var rows: [Int] = []
        forEachGram(needle) { if !rows.contains($0) { rows.append($0) } }
        return rows
    }

    /// Calls `body` with the groups whose terms may hold what asks for some rows, neighbours together, in order.
    @inline(__always)
    func forEachRun(
        of wanted: [Int], _ body: (_ groups: Range<Int>) -> Void
    ) {
        var run = 0..<0
        for word in 0..<rowLength {
            var left = UInt64.max
            for row in wanted { left &= rows[row * rowLength + word] }
            while left != 0 {
                let group = word * 64 + left.trailingZeroBitCount
                left &= left - 1
                if run.upperBound == group, !run.isEmpty {
                    run = run.lowerBound..<(group + 1)
                } else {
                    if !run.isEmpty { body(run) }
                    run = group..<(group + 1)
                }
            }
        }
        if !run.isEmpty { body(run) }
    }

    @inline(__always)
    private static func forEachGram(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (_ row: Int) -> Void
    ) {
        guard text.count > 1 else { return }
        for place in 0..<(text.count - 1) {
            let pair = UInt32(text[place]) | UInt32(text[place + 1]) << 8
            body(Int((pair &* 0x9e37_79b1) >> 23))
            guard place + 2 < text.count else { return }
            let triple = pair | UInt32(text[place + 2]) << 16 | 1 << 24
            body(Int((triple &* 0x9e37_79b1) >> 23))
        }
    }
}
