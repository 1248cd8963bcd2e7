/// Says of groups of neighbouring terms which cannot hold a byte string, so that they need not be
/// read.
///
/// Each group has a set of 512 bits for the pairs and triples of bytes that stand side by side in
/// its terms, by their hashes. The sets of all groups lie side by side, bit by bit, so that a byte
/// string asks for a few rows, each of which is read from its beginning to its end (bit-sliced
/// signatures; Faloutsos, "Access methods for text", 1985). What is left is looked at.
struct GramFilter: Sendable {
    /// Terms a group, but for the last one of a part.
    private static let groupSize = 8
    private static let rowCount = 512

    /// Of each part of the vocabulary, the first group and the number of terms; behind the last
    /// one, where another would begin.
    private let starts: [(group: Int, termCount: Int)]
    /// Words of a row: a bit a group.
    private let rowLength: Int
    private let rows: [UInt64]

    /// The terms of a vocabulary's parts.
    ///
    /// Complexity: linear in their bytes. Takes 8 bytes a term.
    init(_ parts: [VocabularyPart]) {
        var starts: [(group: Int, termCount: Int)] = []
        var groupCount = 0
        for part in parts {
            starts.append((groupCount, part.termCount))
            groupCount += (part.termCount + Self.groupSize - 1) / Self.groupSize
        }
        starts.append((groupCount, 0))
        let rowLength = (groupCount + 63) / 64
        var rows = [UInt64](repeating: 0, count: Self.rowCount * rowLength)
        rows.withUnsafeMutableBufferPointer { rows in
            for (part, start) in zip(parts, starts) {
                part.withTerms { terms in
                    for term in 0..<start.termCount {
                        let group = start.group &+ term / Self.groupSize
                        let bit: UInt64 = 1 << UInt64(group & 63)
                        let column = group >> 6
                        Self.forEachGram(terms[term]) { rows[$0 &* rowLength &+ column] |= bit }
                    }
                }
            }
        }
        self.starts = starts
        self.rowLength = rowLength
        self.rows = rows
    }

    /// The rows that a byte string asks for.
    static func rows(of needle: UnsafeBufferPointer<UInt8>) -> [Int] {
        var rows: [Int] = []
        forEachGram(needle) { if !rows.contains($0) { rows.append($0) } }
        return rows
    }

    /// Calls `body` with the numbers of neighbouring terms of a part that may hold what asks for
    /// some rows, in order.
    @inline(__always)
    func forEachRun(
        of wanted: [Int], _ body: (_ part: Int, _ terms: Range<Int>) -> Void
    ) {
        var part = 0
        var run = 0..<0
        func end() {
            guard !run.isEmpty else { return }
            let terms = run.lowerBound * Self.groupSize..<run.upperBound * Self.groupSize
            body(part, terms.clamped(to: 0..<starts[part].termCount))
        }
        forEachGroup(of: wanted) { group in
            if group >= starts[part + 1].group {
                end()
                run = 0..<0
                while group >= starts[part + 1].group { part += 1 }
            }
            let group = group - starts[part].group
            if run.upperBound == group, !run.isEmpty {
                run = run.lowerBound..<(group + 1)
            } else {
                end()
                run = group..<(group + 1)
            }
        }
        end()
    }

    /// Calls `body` with the number of each group that has the bits of some rows, in order.
    @inline(__always)
    private func forEachGroup(of wanted: [Int], _ body: (_ group: Int) -> Void) {
        rows.withUnsafeBufferPointer { rows in
            for word in 0..<rowLength {
                var left = UInt64.max
                for row in wanted { left &= rows[row * rowLength + word] }
                while left != 0 {
                    body(word * 64 + left.trailingZeroBitCount)
                    left &= left - 1
                }
            }
        }
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
