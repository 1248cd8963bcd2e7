extension String {
    /// The range of some UTF-8 code units; nil if the string ends before it.
    ///
    /// Complexity: O(*n*) in the length of the string if it is bridged from elsewhere, else O(1).
    func range(ofUTF8 range: Range<Int>) -> Range<String.Index>? {
        guard
            let lower = utf8.index(
                utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex),
            let upper = utf8.index(lower, offsetBy: range.count, limitedBy: utf8.endIndex)
        else { return nil }
        return lower..<upper
    }
}
