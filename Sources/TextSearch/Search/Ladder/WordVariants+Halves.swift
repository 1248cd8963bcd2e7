/// Two words that were joined, one of them with a typing error.
extension WordVariants {
    /// Letters of either of them, at the least.
    private static let shortestHalf = 3
    /// So many ways to split a word are tried, and so many corrections of a half.
    private static let mostNearSplits = 3
    private static let mostCorrectedHalves = 6

    /// The ways to split a word into one that the index has and one that is an edit from such a
    /// word, as *spidermna* is *spider man*; those with the longest words that it has first.
    mutating func splits(near word: String) throws -> [[String]] {
        guard word.utf8.count <= Self.longestWord, word.allSatisfy(\.isLetter),
            word.count >= 2 * Self.shortestHalf
        else { return [] }
        var splits: [(known: String, other: String, isFirst: Bool)] = []
        for end in word.indices.dropFirst(Self.shortestHalf)
        where word[end...].count >= Self.shortestHalf {
            let (a, b) = (String(word[..<end]), String(word[end...]))
            let (isFirst, isSecond) = (try isKnown(a), try isKnown(b))
            if isFirst { splits.append((a, b, true)) }
            if isSecond { splits.append((b, a, false)) }
        }
        // Stable: of two as long the earlier one.
        let longest = splits.enumerated().sorted {
            (-$0.element.known.count, $0.offset) < (-$1.element.known.count, $1.offset)
        }
        var found: [[String]] = []
        for (_, split) in longest.prefix(Self.mostNearSplits) {
            for near in try corrections(
                of: split.other, within: 1, most: Self.mostCorrectedHalves)
            {
                found.append(split.isFirst ? [split.known, near] : [near, split.known])
            }
        }
        return found
    }
}
