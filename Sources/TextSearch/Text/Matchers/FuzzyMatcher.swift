/// Matches terms within at most two edits of a word: inserted, missing, replaced or swapped
/// neighbouring characters, none of which is edited twice (optimal string alignment).
///
/// Words of up to 62 characters are compared as bits (``AlignmentBits``), longer ones by the five
/// diagonals of the table that can hold distances up to two (Ukkonen 1985), in registers. Either
/// way it is O(*t*) for a term of *t* characters, whatever the length of the word, and nothing is
/// allocated.
struct FuzzyMatcher: TermMatcher {
    /// The most edits.
    static let maximumDistance = 2

    /// One row of the table: cell `lane` of row `i` is column `i + lane - 2`; the rest is unused.
    private typealias Row = SIMD8<UInt8>

    /// More than any distance that matters, and far from overflowing.
    private static let far: UInt8 = 100

    /// What two matchers that match the same have alike.
    struct Identity: Hashable, Sendable {
        fileprivate let word: [UInt32]
        fileprivate let prefix: [UInt8]
        fileprivate let distance: Int
    }

    var identity: Identity { Identity(word: word, prefix: requiredPrefix, distance: distance) }

    /// The characters after the exact prefix.
    private let word: [UInt32]
    private let bits: AlignmentBits?
    let distance: Int
    /// Of the whole word, the exact prefix included.
    let letters: LetterSet
    let requiredPrefix: [UInt8]
    /// What a term must be one of; nil where that is not known.
    let cases: FuzzyCases?
    private let leastCount: Int
    private let greatestCount: Int

    /// Makes a matcher of a word.
    ///
    /// - Parameters:
    ///   - word: The word, folded as the terms are.
    ///   - distance: The greatest number of edits; clamped to 0...2.
    ///   - exactPrefix: How many characters at the start may not differ.
    ///   - usesBits: False for tests, so that short words try the other way too.
    init(_ word: String, distance: Int, exactPrefix: Int = 0, usesBits: Bool = true) {
        let scalars = Array(word.unicodeScalars)
        let distance = min(max(distance, 0), Self.maximumDistance)
        // Without edits, all is prefix.
        let prefixCount = distance == 0 ? scalars.count : min(max(exactPrefix, 0), scalars.count)
        var prefix = String.UnicodeScalarView()
        prefix.append(contentsOf: scalars[..<prefixCount])
        requiredPrefix = Array(String(prefix).utf8)
        self.word = scalars[prefixCount...].map(\.value)
        bits = usesBits ? AlignmentBits(self.word) : nil
        cases =
            distance == 1
            ? FuzzyCases(prefix: scalars[..<prefixCount], scalars[prefixCount...]) : nil
        self.distance = distance
        letters = LetterSet(word)
        // An edit adds or takes away four bytes at most, and a character has at least one.
        leastCount = max(word.utf8.count - 4 * distance, scalars.count - distance)
        greatestCount = word.utf8.count + 4 * distance
    }

    func matches(_ term: UnsafeBufferPointer<UInt8>) -> Int? {
        var deadEnd = Int.max
        return matches(term, deadEnd: &deadEnd)
    }

    func matches(_ term: UnsafeBufferPointer<UInt8>, deadEnd: inout Int) -> Int? {
        for offset in 0..<min(requiredPrefix.count, term.count)
        where term[offset] != requiredPrefix[offset] {
            deadEnd = offset + 1
            return nil
        }
        guard term.count >= leastCount, term.count <= greatestCount,
            term.count >= requiredPrefix.count
        else { return nil }
        var scalars = TermScalars(term, from: requiredPrefix.count)
        let edits =
            bits.map { $0.distance(to: &scalars, limit: distance) } ?? distance(to: &scalars)
        // Where the end was not reached, no longer term with this beginning can match either.
        if edits == nil, scalars.position < term.count { deadEnd = scalars.position }
        return edits
    }

    private func distance(to scalars: inout TermScalars) -> Int? {
        // Rows are characters of the term, columns those of the word. Row 0 is 0, 1, 2.
        var beforePrevious = Row(repeating: Self.far)
        var previous = Row(repeating: Self.far)
        for lane in 2..<5 where lane - 2 <= word.count { previous[lane] = UInt8(lane - 2) }
        var previousScalar: UInt32 = 0
        var row = 0
        while let scalar = scalars.next() {
            row += 1
            guard row <= word.count + distance else { return nil }
            var current = Row(repeating: Self.far)
            var least = Self.far
            for lane in 0..<5 {
                let column = row + lane - 2
                guard column >= 0, column <= word.count else { continue }
                if column == 0 {
                    current[lane] = UInt8(min(row, Int(Self.far)))
                } else {
                    let isSame = word[column - 1] == scalar
                    // The cell above is one lane on, for the band moves with the row.
                    var best = previous[lane] + (isSame ? 0 : 1)
                    if lane < 4 { best = min(best, previous[lane + 1] + 1) }
                    if lane > 0 { best = min(best, current[lane - 1] + 1) }
                    if column > 1, row > 1, word[column - 2] == scalar,
                        word[column - 1] == previousScalar
                    {
                        best = min(best, beforePrevious[lane] + 1)
                    }
                    current[lane] = min(best, Self.far)
                }
                least = min(least, current[lane])
            }
            // A swap reaches back two rows, where one more edit must still be affordable.
            if Int(least) > distance, Int(previous.min()) + 1 > distance { return nil }
            beforePrevious = previous
            previous = current
            previousScalar = scalar
        }
        // The last column, word.count, lies in this lane of the last row.
        let lane = word.count - row + 2
        guard (0..<5).contains(lane), Int(previous[lane]) <= distance else { return nil }
        return Int(previous[lane])
    }
}
