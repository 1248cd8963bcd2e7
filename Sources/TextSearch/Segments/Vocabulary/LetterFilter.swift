/// Rules out terms that are too far from a word, without reading them.
///
/// An edit takes at most one letter away and brings at most one other. So a term is too far from a
/// word if it lacks more of its letters, or has more others, than there may be edits, or if their
/// lengths differ by more. Each term has a bit for each of 32 classes of letters, and its length;
/// these lie side by side, bit by bit, so that 512 terms are judged at a time, and what is counted
/// is counted in bits, too (bit-sliced signatures, as in `GramFilter`).
struct LetterFilter: Sendable {
    /// Eight words, of 64 terms each.
    private typealias Lanes = SIMD8<UInt64>

    private static let lengthBits = 5
    private static let rowCount = LetterSet.classCount + lengthBits

    /// The first word of each part of the vocabulary, and how many terms it has; a last entry
    /// marks the end.
    private let starts: [(word: Int, termCount: Int)]
    /// Block after block, the rows of letters, then those of lengths.
    private let rows: [Lanes]

    /// So many terms as `counts` says of each part; `letters` gives those of a term.
    ///
    /// Complexity: linear in the terms. Takes 5 bytes a term.
    init(_ counts: [Int], letters: (_ part: Int, _ term: Int) -> LetterSet) {
        var starts: [(word: Int, termCount: Int)] = []
        var wordCount = 0
        for count in counts {
            starts.append((wordCount, count))
            wordCount += (count + 63) / 64
        }
        starts.append((wordCount, 0))
        let blockCount = (wordCount + Lanes.scalarCount - 1) / Lanes.scalarCount
        var rows = [Lanes](repeating: Lanes(), count: blockCount * Self.rowCount)
        for (part, count) in counts.enumerated() {
            for term in 0..<count {
                let set = letters(part, term)
                let length = UInt64(Self.clamped(set.count)) << UInt64(LetterSet.classCount)
                var bits = UInt64(set.letters) | length
                let (block, lane) = (starts[part].word + term / 64).quotientAndRemainder(
                    dividingBy: Lanes.scalarCount)
                while bits != 0 {
                    rows[block * Self.rowCount + bits.trailingZeroBitCount][lane] |=
                        1 << UInt64(term & 63)
                    bits &= bits - 1
                }
            }
        }
        self.starts = starts
        self.rows = rows
    }

    /// The terms of a vocabulary's parts.
    init(_ parts: [VocabularyPart]) {
        self.init(parts.map(\.termCount)) { part, term in
            parts[part].withTerm(term) { LetterSet($0) }
        }
    }

    private static func clamped(_ length: Int) -> Int {
        min(max(length, 0), 1 << lengthBits - 1)
    }

    /// Calls `body` with the part and the number of each term that may be within at most two edits
    /// of a word, in order. `work` is called with the work of some, after them, and may throw.
    ///
    /// Complexity: linear in the number of terms.
    func forEachTerm(
        near word: LetterSet, distance: Int, work: (_ units: Int) throws -> Void,
        _ body: (_ part: Int, _ term: Int) throws -> Void
    ) rethrows {
        var part = 0
        let wordCount = starts[starts.count - 1].word
        for block in 0..<(rows.count / Self.rowCount) {
            try work(64)
            let near = near(word, distance, inBlock: block * Self.rowCount)
            for lane in near.indices where near[lane] != 0 {
                let number = block * Lanes.scalarCount + lane
                // Behind the last part of a vocabulary there may be room.
                guard number < wordCount else { break }
                while number >= starts[part + 1].word { part += 1 }
                var bits = near[lane]
                while bits != 0 {
                    let term = (number - starts[part].word) * 64 + bits.trailingZeroBitCount
                    bits &= bits - 1
                    if term < starts[part].termCount { try body(part, term) }
                }
            }
        }
    }

    /// The terms of a block, whose rows begin at `first`, that may be near a word.
    private func near(_ word: LetterSet, _ distance: Int, inBlock first: Int) -> Lanes {
        rows.withUnsafeBufferPointer { rows in
            var near = Lanes()
            for length in Self.clamped(word.count - distance)...Self.clamped(word.count + distance)
            {
                var hasLength = ~Lanes()
                for bit in 0..<Self.lengthBits {
                    let row = rows[first + LetterSet.classCount + bit]
                    hasLength &= length >> bit & 1 == 0 ? ~row : row
                }
                near |= hasLength
            }
            var missing = Tally()
            Self.forEachClass(of: word.letters) { missing.add(~rows[first + $0]) }
            near &= ~missing.more(than: distance)
            guard near != Lanes() else { return near }
            var others = Tally()
            Self.forEachClass(of: ~word.letters) { others.add(rows[first + $0]) }
            return near & ~others.more(than: distance)
        }
    }

    @inline(__always)
    private static func forEachClass(of letters: UInt32, _ body: (Int) -> Void) {
        var rest = letters
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    /// Counts bits of rows, up to three.
    private struct Tally {
        private var one = Lanes()
        private var two = Lanes()
        private var three = Lanes()

        @inline(__always)
        mutating func add(_ row: Lanes) {
            three |= two & row
            two |= one & row
            one |= row
        }

        @inline(__always)
        func more(than count: Int) -> Lanes { count == 0 ? one : count == 1 ? two : three }
    }
}
