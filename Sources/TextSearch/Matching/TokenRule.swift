/// Which places in a term a keyword may match at.
struct TokenRule {
    /// The shortest token, in characters.
    let minimalLength: Int
    /// Whether a whole word counts however short it is.
    var allowsWholeWords = false

    /// Whether the token at `offset` of `term` exists: it begins at a character, and is long enough.
    @inline(__always)
    func allows(_ offset: Int, in term: UnsafeBufferPointer<UInt8>) -> Bool {
        if allowsWholeWords, offset == 0 { return true }
        var end = offset
        while end < term.count, term[end] < 0x80 { end &+= 1 }
        if end == term.count, end > offset { return end &- offset >= minimalLength }
        return allowsSlowly(offset, in: term)
    }

    private func allowsSlowly(_ offset: Int, in term: UnsafeBufferPointer<UInt8>) -> Bool {
        if SpacelessScript.begins(term) { return offset == 0 }
        guard GraphemeBreaks.isBoundary(at: offset, in: term) else { return false }
        var characters = 0
        var next = offset
        while next < term.count, characters < minimalLength {
            next += 1
            while next < term.count, !GraphemeBreaks.isBoundary(at: next, in: term) { next += 1 }
            characters += 1
        }
        return characters >= minimalLength
    }
}
